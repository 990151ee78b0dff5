//! The program `adjutant-parser`, which contains the grammars.

use std::fs;

use crate::fixture::{ADJUTANT, HOOK, on};
use object::{Object, ObjectSymbol};
use testkit::Repository;

const PARSER: &str = env!("CARGO_BIN_EXE_adjutant-parser");

/// Returns whether a program contains the parse table of a grammar. The program must have symbols, which a debug build has.
fn has_grammars(program: &str) -> bool {
    let bytes = fs::read(program).unwrap();
    let file = object::File::parse(bytes.as_slice()).unwrap();
    let mut names = file.symbols().filter_map(|symbol| symbol.name().ok().map(str::to_owned));
    names.any(|name| name == "ts_parse_table")
}

#[test]
fn a_prompt_does_not_load_the_grammars() {
    assert!(has_grammars(PARSER));
    for program in [ADJUTANT, HOOK] {
        assert!(!has_grammars(program), "{program}");
    }
}

fn repository() -> Repository {
    let source = "export function totalOf(items) {\n  return items.length;\n}\n";
    Repository::builder().file("src/total.js", source).commit("Add the total").build()
}

#[test]
fn files_that_need_a_grammar_are_parsed() {
    let fixture = on(repository());
    let callers = fixture.launch(ADJUTANT).arguments(["locate", "totalOf"]).run().expect_success();
    assert!(callers.stdout.contains("src/total.js:1"), "{callers:#?}");
}

#[test]
fn a_missing_parser_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("adjutant");
    fs::copy(ADJUTANT, &program).unwrap();
    let fixture = on(repository()).env("ADJUTANT_CACHE_DIR", folder.path().join("cache"));
    let index = fixture.launch(program.to_str().unwrap()).arguments(["index"]).run();
    assert_ne!(index.exit_code, Some(0), "{index:#?}");
    let missing = folder.path().canonicalize().unwrap().join("adjutant-parser");
    let error = format!("error: cannot run the parser `{}`", missing.display());
    assert!(index.stderr.contains(&error) && index.stderr.contains("hint: "), "{index:#?}");
}

#[test]
fn an_argument_of_the_parser_is_an_error() {
    let finished = on(repository()).launch(PARSER).argument("--help").run();
    assert_eq!((finished.exit_code, finished.stdout.as_str()), (Some(2), ""), "{finished:#?}");
    assert!(finished.stderr.contains("hint: run `adjutant index`"), "{finished:#?}");
}
