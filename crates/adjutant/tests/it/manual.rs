//! Completions and manual pages, which are generated from the flags. A shell and `man` must accept them.

use std::fs;
use std::path::Path;

use testkit::Launch;

use crate::fixture::ADJUTANT;

fn adjutant(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    Launch::new(ADJUTANT, folder.path()).arguments(arguments).run().expect_success().stdout
}

/// Returns the completions that bash offers for a command line.
fn completed(words: &[&str]) -> Vec<String> {
    let script = r#"
        source <("$0" completions bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        function=$(complete -p -- "$1" | sed 's/.*-F \([^ ]*\) .*/\1/')
        "$function" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let folder = tempfile::tempdir().unwrap();
    let bash = Launch::new("bash", folder.path()).arguments(["-c", script, ADJUTANT]);
    let offered = bash.arguments(words).run().expect_success();
    assert_eq!(offered.stderr, "");
    offered.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_all_three_programs() {
    assert_eq!(completed(&["adjutant", "inst"]), ["install"]);
    assert_eq!(completed(&["adjutant", "install", "claude"]), ["claude-code"]);
    assert_eq!(completed(&["adjutant", "job", "sto"]), ["stop"]);
    assert_eq!(completed(&["adjutant-hook", "--format", ""]), ["hook", "json", "text"]);
    assert_eq!(completed(&["codex-auto", "--dry"]), ["--dry-run"]);
    // `adjutant run --help` leaves this option out.
    assert_eq!(completed(&["adjutant", "run", "--repeat-un"]), ["--repeat-until"]);
}

#[test]
fn a_wrong_flag_and_the_width_of_the_terminal_reach_clap() {
    let folder = tempfile::tempdir().unwrap();
    let launch = Launch::new(ADJUTANT, folder.path());
    let wrong = launch.clone().arguments(["search", "x", "--limit", "-1"]).run();
    assert_eq!((wrong.exit_code, wrong.stdout.as_str()), (Some(2), ""));
    let message = "error: --limit <N>: `-1` is not a whole number of at least 0\n\nhint: ";
    assert!(wrong.stderr.starts_with(message), "{}", wrong.stderr);
    let help = launch.env("COLUMNS", "60").argument("--help").run().expect_success().stdout;
    let lines = help.lines().filter(|line| !line.contains("https://"));
    assert!(lines.map(|line| line.chars().count()).max() <= Some(60), "{help}");
}

#[test]
fn every_command_has_a_page_that_man_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    adjutant(&["man", pages.to_str().unwrap()]);
    let main = fs::read_to_string(pages.join("adjutant.1")).unwrap();
    let named = main.lines().filter_map(|line| line.strip_suffix("(1)"));
    let named: Vec<String> = named.map(|name| name.replace('\\', "")).collect();
    assert!(named.len() > 20, "{named:?}");
    for name in named.iter().map(String::as_str).chain(["adjutant-hook", "codex-auto"]) {
        let page = fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        for needed in [".TH ", ".SH NAME", ".SH SYNOPSIS"] {
            assert!(page.contains(needed), "{name}: {needed}");
        }
    }
    assert!(main.contains("Exit codes:"), "the page lacks the end of the `--help` text");
    let run = fs::read_to_string(pages.join("adjutant-run.1")).unwrap();
    let option = "Stop codex after this time without output";
    assert!(run.contains(option), "the page lacks the options that `--help` leaves out: {run}");
    let formatter = Path::new("/usr/bin/groff");
    if formatter.exists() {
        let groff = Launch::new(formatter, &pages).arguments([
            "-Kutf8",
            "-man",
            "-Tutf8",
            "-ww",
            "adjutant.1",
        ]);
        let rendered = groff.run().expect_success();
        assert_eq!(rendered.stderr, "");
        assert!(
            rendered.stdout.contains("Create the briefing for one prompt"),
            "{}",
            rendered.stdout
        );
    }
}
