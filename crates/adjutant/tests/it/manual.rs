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
}

#[test]
fn every_shell_gets_a_script_that_names_all_three_programs() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = adjutant(&["completions", shell]);
        for program in ["adjutant", "adjutant-hook", "codex-auto"] {
            assert!(script.contains(program), "{shell}: {program}");
        }
        let one = adjutant(&["completions", shell, "--program", "adjutant-hook"]);
        assert!(one.contains("analyze-intent") && !one.contains("dry-run"), "{shell}");
    }
    let script = adjutant(&["completions", "powershell"]);
    let mut lines = script.lines().skip_while(|line| line.starts_with("using ") || line.is_empty());
    assert!(
        !lines.any(|line| line.starts_with("using ")),
        "PowerShell accepts `using` only at the start"
    );
    assert!(script.starts_with("using namespace"), "{}", &script[..80]);
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

/// Returns the long names of the options in a help text.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let long = lines.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    long.map(|word| word.trim_end_matches(',')).collect()
}

#[test]
fn help_shows_eight_options_of_a_run_and_help_all_shows_every_option() {
    let folder = tempfile::tempdir().unwrap();
    adjutant(&["man", folder.path().to_str().unwrap()]);
    for command in [&["run"][..], &["job", "start"], &["job", "resume"], &["queue", "add"]] {
        let help = adjutant(&[command, &["--help"]].concat());
        let common = options(&help);
        assert_eq!(common.len(), 8 + 2, "{help}");
        assert!(common.ends_with(&["--help", "--help-all"]), "{help}");
        assert!(help.contains("\nExample:\n  adjutant "), "{help}");
        let all = adjutant(&[command, &["--help-all"]].concat());
        let listed = options(&all);
        assert!(listed.len() > 50 && common.iter().all(|option| listed.contains(option)), "{all}");
        let headings = all.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':'));
        let headings: Vec<&str> = headings.take_while(|line| *line != "Example:").collect();
        assert_eq!(headings.last(), Some(&"Compatibility:"), "{all}");
        let offered = completed(&[&["adjutant"], command, &["--"]].concat());
        let page = folder.path().join(format!("adjutant-{}.1", command.join("-")));
        let page = fs::read_to_string(page).unwrap();
        assert!(page.contains("Stop codex after this time without output"), "{page}");
        for option in listed {
            assert!(offered.iter().any(|word| word == option), "{option}: {offered:?}");
            let written = option.replace('-', "\\-");
            assert!(page.contains(&written), "{option}: {page}");
        }
    }
    let wrong = Launch::new(ADJUTANT, folder.path()).arguments(["run", "--sandbx"]).run();
    assert!(wrong.stderr.contains("`adjutant run --help-all` lists"), "{}", wrong.stderr);
}

/// A negative number is reported as an invalid value of its flag.
#[test]
fn a_wrong_number_is_reported_with_its_flag() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 9] = [
        &["search", "x", "--limit"],
        &["graph", "x", "--depth"],
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
            let finished =
                Launch::new(ADJUTANT, folder.path()).arguments(command).argument(value).run();
            assert_eq!(finished.exit_code, Some(2), "{finished:#?}");
            let problem = format!("`{value}` is not a whole number of at least 0");
            assert!(finished.stderr.starts_with("error: -"), "{}", finished.stderr);
            assert!(finished.stderr.contains(&problem), "{}", finished.stderr);
            assert!(finished.stderr.is_ascii() && finished.stderr.contains("\nhint: `adjutant "));
        }
    }
}

/// Returns the names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// An installed program has no `docs` folder. Lines fit a terminal of 60 columns unless a single word is longer.
#[test]
fn every_help_text_is_narrow_and_names_no_missing_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut open = vec![Vec::<String>::new()];
    let mut n_seen = 0;
    while let Some(path) = open.pop() {
        let launch = Launch::new(ADJUTANT, folder.path()).arguments(&path).argument("--help");
        let help = launch.env("COLUMNS", "60").run().expect_success().stdout;
        let without_addresses = help.replace("/blob/main/docs/", "");
        assert!(!without_addresses.contains("docs/"), "{path:?}: {help}");
        for line in help.lines().filter(|line| !line.contains("https://")) {
            let is_usage = line.starts_with("Usage:");
            assert!(is_usage || line.chars().count() <= 60, "{path:?}: {line}");
        }
        for name in subcommands(&help) {
            open.push(path.iter().cloned().chain([name]).collect());
        }
        n_seen += 1;
    }
    assert!(n_seen > 40, "{n_seen}");
}

/// An unexpected argument is not reported as a flag.
#[test]
fn an_unexpected_argument_is_reported_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str], message: &str, hint: &str| {
        let finished = Launch::new(ADJUTANT, folder.path()).arguments(arguments).run();
        assert_eq!(finished.exit_code, Some(2), "{finished:#?}");
        assert!(finished.stderr.starts_with(&format!("error: {message}\n")), "{}", finished.stderr);
        assert!(finished.stderr.contains(hint), "{}", finished.stderr);
    };
    check(&["doctor", "now"], "unexpected argument `now`", "quote an argument");
    check(&["callers", "a", "b"], "unexpected argument `b`", "`adjutant callers --help`");
    check(&["doctor", "--jsno"], "unknown flag --jsno", "did you mean --json?");
}
