//! The program `adjutant-parser`, which contains the grammars.

use std::fs;

use crate::fixture::{ADJUTANT, HOOK, on};
use testkit::Repository;

const PARSER: &str = env!("CARGO_BIN_EXE_adjutant-parser");

fn contains(program: &str, text: &[u8]) -> bool {
    let bytes = fs::read(program).unwrap();
    bytes.windows(text.len()).any(|window| window == text)
}

#[test]
fn a_prompt_does_not_load_the_grammars() {
    // The names of the tables of every grammar.
    for table in [b"ts_parse_table".as_slice(), b"ts_lex_modes"] {
        let name = String::from_utf8_lossy(table);
        assert!(contains(PARSER, table), "adjutant-parser has no {name}");
        for program in [ADJUTANT, HOOK] {
            assert!(!contains(program, table), "{program} contains {name}");
        }
    }
}

fn repository() -> Repository {
    let source = "export function totalOf(items) {\n  return items.length;\n}\n";
    Repository::builder().file("src/total.js", source).commit("Add the total").build()
}

#[test]
fn files_that_need_a_grammar_are_parsed() {
    let fixture = on(repository());
    let callers = fixture.launch(ADJUTANT).arguments(&["locate", "totalOf"]).run().expect_success();
    assert!(callers.stdout.contains("src/total.js:1"), "{callers:#?}");
}

#[test]
fn a_missing_parser_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("adjutant");
    fs::copy(ADJUTANT, &program).unwrap();
    let fixture = on(repository()).env("ADJUTANT_CACHE_DIR", folder.path().join("cache"));
    let index = fixture.launch(program.to_str().unwrap()).arguments(&["index"]).run();
    assert_ne!(index.exit_code, Some(0), "{index:#?}");
    let missing = folder.path().canonicalize().unwrap().join("adjutant-parser");
    let error = format!("error: cannot run the parser `{}`", missing.display());
    assert!(index.stderr.contains(&error) && index.stderr.contains("hint: "), "{index:#?}");
}
