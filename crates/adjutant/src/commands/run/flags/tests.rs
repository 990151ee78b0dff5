use std::fs;
use std::path::Path;

use clap::Parser;
use codex::Origin;
use process::Environment;
use testkit::FakeCodex;

use super::{Context, Files, RunFlags};
use crate::commands::run::host;

#[test]
fn c7_the_hook_adds_nothing_to_instructions_that_adjutant_composed() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files { here: folder.path(), confined_to: None };
    let environment = Environment::default().with("ADJUTANT_STATE_DIR", folder.path());
    let is_composed = |context: Context, is_message: bool| {
        let flags = RunFlags { words: vec!["thanks".to_owned()], context, ..RunFlags::default() };
        let read = flags.instructions(folder.path(), files, &environment, is_message);
        read.map_err(|failure| failure.message).unwrap().1
    };
    // The first task needs no briefing, and the second one gets none.
    assert!(is_composed(Context::Auto, false) && is_composed(Context::Off, false));
    assert!(!is_composed(Context::Auto, true));
}

#[derive(Parser)]
struct Parsed {
    #[command(flatten)]
    flags: RunFlags,
}

/// Returns why a run with these flags is refused.
fn refusal(words: &[&str], directory: &Path, environment: &Environment) -> Result<(), String> {
    let words = ["run", "--context", "off"].iter().chain(words);
    let flags = Parsed::try_parse_from(words).map_err(|error| error.to_string())?.flags;
    let spec = flags.spec(Origin::Run, directory, environment, None);
    let spec = spec.map_err(|failure| failure.message)?;
    let (host, _) = host(environment, &flags.log, directory).map_err(|failure| failure.message)?;
    codex::check(&spec, &host).map(drop).map_err(|error| error.to_string())
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
