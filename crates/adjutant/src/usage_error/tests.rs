use clap::Command;

use super::{failure, unknown_command, with_negative_numbers};
use crate::commands;
use crate::failure::Failure;

/// Returns the error of a command line of `adjutant`.
#[track_caller]
fn error(words: &[&str]) -> Failure {
    let program = commands::command();
    let line = ["adjutant"].iter().chain(words);
    let error = with_negative_numbers(program.clone()).try_get_matches_from(line).unwrap_err();
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    failure(&error, &program, &words).unwrap_or_else(|| panic!("{error}"))
}

#[test]
fn the_nearest_command_is_suggested_first() {
    let names = ["uninstall", "install", "index"].map(Command::new);
    let program = Command::new("adjutant").subcommand_required(true).subcommands(names);
    let words = ["instal".to_owned()];
    let error = program.clone().try_get_matches_from(["adjutant", "instal"]).unwrap_err();
    let failure = unknown_command(&error, &program, &words);
    assert_eq!((failure.exit, failure.message.as_str()), (2, "unknown command `instal`"));
    let hint = "did you mean `install` or `uninstall`? `adjutant --help` lists the commands";
    assert_eq!(failure.hint.as_deref(), Some(hint));
}

/// A negative number is reported as an invalid value of its flag.
#[test]
fn a_wrong_number_is_reported_with_its_flag() {
    let commands: [&[&str]; 9] = [
        &["search", "x", "--limit"],
        &["explore", "x", "--depth"],
        &["callers", "x", "--limit"],
        &["impact", "x", "--depth"],
        &["hotspots", "--days"],
        &["complexity", "-n"],
        &["log", "-n"],
        &["tool", "call", "ci_search", "--timeout"],
        &["job", "logs", "x", "--tail"],
    ];
    for command in commands {
        for value in ["-1", "many", "1.5"] {
            let failure = error(&[command, &[value]].concat());
            let problem = format!("`{value}` is not a whole number of at least 0");
            assert!(failure.message.starts_with('-'), "{}", failure.message);
            assert!(failure.message.contains(&problem), "{}", failure.message);
            assert!(failure.message.is_ascii() && failure.exit == 2);
            assert!(failure.hint.is_some_and(|hint| hint.starts_with("`adjutant ")));
        }
    }
}

/// An unexpected argument is not reported as a flag.
#[test]
fn an_unexpected_argument_is_reported_as_such() {
    #[track_caller]
    fn check(words: &[&str], message: &str, hint: &str) {
        let failure = error(words);
        assert_eq!((failure.exit, failure.message.as_str()), (2, message));
        assert!(failure.hint.as_deref().is_some_and(|it| it.contains(hint)), "{:?}", failure.hint);
    }
    check(&["doctor", "now"], "unexpected argument `now`", "quote an argument");
    check(&["callers", "a", "b"], "unexpected argument `b`", "`adjutant callers --help`");
    check(&["doctor", "--jsno"], "unknown flag --jsno", "did you mean --json?");
    check(
        &["run", "--sandbx"],
        "unknown flag (未知参数) --sandbx",
        "`adjutant run --help-all` lists",
    );
    check(&["run", "--tsak", "x"], "unknown flag (未知参数) --tsak", "did you mean --task");
    check(&["run", "--goal", "x"], "unknown flag (未知参数) --goal", "use --task");
    let old = "--execute-remaining-tasks";
    check(&["run", old], &format!("unknown flag (未知参数) {old}"), "--task");
}
