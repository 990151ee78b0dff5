use std::fs;
use std::path::Path;

use clap::{CommandFactory, Parser};
use process::Environment;
use runs::{Origin, RunRequest};
use testkit::FakeCodex;

use super::RunFlags;
use crate::commands::run::run_host_at;

#[derive(Parser)]
struct Parsed {
    #[command(flatten)]
    flags: RunFlags,
}

/// Returns why a run with these flags is refused.
fn refusal(words: &[&str], directory: &Path, environment: &Environment) -> Result<(), String> {
    let words = ["run", "--context", "off"].iter().chain(words);
    let flags = Parsed::try_parse_from(words).map_err(|error| error.to_string())?.flags;
    let host = run_host_at(environment, directory.join("sessions"));
    let spec = flags.request().describe_for_user(Origin::Run, None, directory, &host);
    spec.and_then(|spec| runs::check(&spec, &host)).map(drop).map_err(|error| error.to_string())
}

#[test]
fn c4_flags_without_arguments_make_an_empty_request() {
    let parsed = Parsed::try_parse_from(["run"]).unwrap().flags;
    assert_eq!(parsed.request(), RunRequest::default());
}

/// The request of each flag has the words of the flag, so a flag that does not fill the request is noticed.
#[test]
fn c4_each_flag_fills_the_request() {
    let command = Parsed::command();
    let ignored =
        ["redact", "ack-patch-mode", "no-compress-context", "context-head", "context-grep"];
    for argument in command.get_arguments() {
        let Some(long) = argument.get_long().filter(|long| !ignored.contains(long)) else {
            continue;
        };
        let word = match (argument.get_action().takes_values(), long) {
            (false, _) => format!("--{long}"),
            (true, "agent") => "--agent=claude".to_owned(),
            (true, "context") => "--context=off".to_owned(),
            (true, "sandbox") => "--sandbox=read-only".to_owned(),
            (true, "ask-for-approval") => "--ask-for-approval=never".to_owned(),
            (true, "preset") => "--preset=fast".to_owned(),
            (true, "timeout" | "idle-timeout" | "grace" | "wait-for-limit") => {
                format!("--{long}=7s")
            }
            (true, "max-cost") => "--max-cost=7.5".to_owned(),
            (true, _) => format!("--{long}=7"),
        };
        if word == "--help" || word == "--version" {
            continue;
        }
        let flags =
            Parsed::try_parse_from(["run", &word]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(flags.flags.request().words(), [word]);
    }
}

#[test]
fn c8_bad_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().canonicalize().unwrap();
    let codex = FakeCodex::answering("x");
    let path = format!("{}:/usr/bin:/bin", codex.folder().display());
    let environment = Environment::default()
        .with("PATH", path)
        .with("HOME", directory.join("home"))
        .with("ADJUTANT_STATE_DIR", directory.join("state"));
    let [binary, large] = ["binary", "large.md"].map(|name| directory.join(name));
    fs::write(&binary, b"\xff\xfe\x00").unwrap();
    fs::write(&large, "word ".repeat(420_000)).unwrap();
    for (words, said) in [
        (&["--task", "x", "--redact-pattern", "(["][..], "is not a usable regular expression"),
        (&["--task", "x", "--ask-for-approval", "maybe"], "one of untrusted"),
        (&["--task", "x", "--no-redact", "--redact-pattern", "x"], "cannot be used with"),
        (&["--task", "x", "--", "--sandbox"], "needs a value"),
        (&["--task", "x", "--", "-x"], "cannot be judged"),
        (&["--task", "x", "--", "-C", "/"], "use `--cwd`"),
        (
            &["--task", "x", "--", "--add-dir", "/no/such/place", "-sworkspace-write"],
            "No such file",
        ),
        (&["--task", "x", "--codex-config", "foo bar=1"], "a key consists of"),
        (&["--task", "x", "--codex-config", "default_permissions=\"x\""], "use `--sandbox`"),
        (&["--task", "x", "--profile=-x"], "not the name of a profile"),
        (&["--task", "x", "--model=--yolo"], "not the name of a model"),
        (&["--task", "x", "--max-runs", "0"], "runs nothing"),
        (&["--task", "x", "--max-runs", "4294967295"], "at most 10000"),
        (&["--task", "x", "--grace", "99999h"], "at most 24h"),
        (&["--task", "x", "--timeout", "18446744073709551615h"], "too large"),
        (&["--task", "x", "--timeout", "soon"], "is not a time"),
        (&["--task", "x", "--patch-mode", "--require-git-commit"], "patch mode changes no files"),
        (&["--file", binary.to_str().unwrap()], "is not UTF-8"),
        (&["--file", large.to_str().unwrap()], "任务输入内容过大"),
    ] {
        let refused = refusal(words, &directory, &environment).expect_err(&format!("{words:?}"));
        assert!(refused.contains(said), "{words:?}: {refused}");
    }
    refusal(&["--task", "x"], &directory, &environment).unwrap();
    assert_eq!(codex.n_runs(), 0);
}
