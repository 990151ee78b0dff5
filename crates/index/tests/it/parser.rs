//! Tests of a parser that runs as another process.

use std::io::Cursor;
use std::time::SystemTime;

use index::{BuildError, BuildOptions, Parser, build_in_memory, serve_parser};
use process::{Environment, Program};

use crate::tree::put;

const SCRIPT: &str = "function total(items) { return items.length; }\n";

/// Builds an index of one Rust file and one JavaScript file with the parser `program`.
fn build(program: Program) -> Result<index::View, BuildError> {
    let tree = tempfile::tempdir().unwrap();
    put(tree.path(), "main.rs", "fn main() {}\n");
    put(tree.path(), "total.js", SCRIPT);
    build_in_memory(tree.path(), &BuildOptions::new(SystemTime::now(), Parser::Program(program)))
}

fn shell(script: &str) -> Program {
    Program::new("/bin/sh", Environment::default()).arguments(["-c", script])
}

#[test]
fn a_missing_parser_fails_the_build() {
    let missing = Program::new("/nonexistent/adjutant-parser", Environment::default());
    let error = build(missing).err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("cannot run the parser `/nonexistent/adjutant-parser`"));
}

#[test]
fn a_program_that_is_not_the_parser_fails_the_build() {
    for script in ["exit 0", "printf 'adjparse....'", "printf 'something else'; cat"] {
        assert!(matches!(build(shell(script)), Err(BuildError::NoParser(_))), "{script}");
    }
}

#[test]
fn a_parser_that_ends_makes_the_file_known_by_its_path_only() {
    let mut greeting = Vec::new();
    serve_parser(Cursor::new([]), &mut greeting).unwrap();
    let octal: String = greeting.iter().map(|byte| format!("\\{byte:03o}")).collect();
    let view = build(shell(&format!("printf '{octal}'; head -c 5 >/dev/null"))).unwrap();
    assert_eq!(view.files().count(), 2);
    assert_eq!(view.symbols_named("main").len(), 1);
    assert_eq!(view.symbols_named("total").len(), 0);
}

#[test]
fn a_repository_that_needs_no_grammar_needs_no_parser() {
    let tree = tempfile::tempdir().unwrap();
    put(tree.path(), "main.rs", "fn main() {}\n");
    let missing = Program::new("/nonexistent/adjutant-parser", Environment::default());
    let options = BuildOptions::new(SystemTime::now(), Parser::Program(missing));
    let view = build_in_memory(tree.path(), &options).unwrap();
    assert_eq!(view.symbols_named("main").len(), 1);
}
