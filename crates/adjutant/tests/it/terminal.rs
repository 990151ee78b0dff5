//! Output on a terminal: colours, tables that fit into a narrow window, and text that a terminal must not interpret.

use testkit::{FakeCodex, Launch, Repository};

use crate::fixture::{ADJUTANT, Fixture, fixture, on};

const PROMPT: &str = "where is enforce_retry_budget_zebra defined?";

struct Setup {
    place: Fixture,
    _folder: tempfile::TempDir,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = fixture()
            .env("HOME", folder.path())
            .env("ADJUTANT_STATE_DIR", folder.path().join("state"))
            .env("ADJUTANT_CACHE_DIR", folder.path().join("cache"));
        place.ask(PROMPT).expect_success();
        Self { place, _folder: folder }
    }

    fn launch(&self, arguments: &[&str]) -> Launch {
        self.place.launch(ADJUTANT).arguments(arguments)
    }
}

const COMMANDS: [&[&str]; 9] = [
    &["search", "enforce_retry_budget_zebra"],
    &["explore", "enforce_retry_budget_zebra"],
    &["callers", "enforce_retry_budget_zebra"],
    &["impact", "enforce_retry_budget_zebra"],
    &["complexity"],
    &["hotspots"],
    &["log"],
    &["log", "--all"],
    &["tool", "list"],
];

/// Removes the escape sequences for colours.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    let mut parts = text.split('\u{1b}');
    shown.push_str(parts.next().unwrap_or_default());
    for part in parts {
        shown.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    shown.replace('\r', "")
}

#[test]
fn tables_fit_a_terminal_of_60_columns() {
    let setup = Setup::new();
    for command in COMMANDS {
        let shown = setup.launch(command).on_terminal_with(60).raw_output();
        let shown = plain(&shown);
        assert!(shown.lines().count() >= 2, "{command:?}: {shown}");
        // The note of `hotspots` about an old repository is a sentence, which the terminal wraps.
        for line in shown.lines().filter(|line| !line.starts_with("note:")) {
            assert!(line.chars().count() <= 60, "{command:?}: {line}\n{shown}");
        }
    }
}

#[test]
fn colour_is_for_terminals_and_no_color_removes_it() {
    let setup = Setup::new();
    let status: [&[&str]; 3] = [&["status"], &["doctor"], &["brief", PROMPT]];
    for command in COMMANDS.into_iter().chain(status) {
        let launch = setup.launch(command);
        let coloured = launch.on_terminal_with(100).raw_output();
        assert!(coloured.contains("\u{1b}["), "{command:?}: {coloured}");
        let without = launch.clone().env("NO_COLOR", "1").on_terminal_with(100).raw_output();
        let without = without.replace("\u{1b}[2K", "").replace("\u{1b}[?25", "");
        assert!(!without.contains("\u{1b}[1m") && !without.contains("\u{1b}[3"), "{without:?}");
        let piped = launch.run();
        assert!(
            !piped.stdout.contains('\u{1b}') && !piped.stderr.contains('\u{1b}'),
            "{command:?}"
        );
    }
}

/// Tables in a pipe are never cut, regardless of `COLUMNS`.
#[test]
fn a_pipe_gets_whole_tables() {
    let setup = Setup::new();
    let found = setup.launch(&["search", "enforce_retry_budget_zebra"]).env("COLUMNS", "20");
    let found = found.run().expect_success().stdout;
    assert!(found.contains("src/billing/retry_budget.rs:2") && !found.contains('…'), "{found}");
}

/// A text with the sequences that clear a screen, set a title, return to the start of the line and reverse the text.
const HOSTILE: &str = "a\u{9b}2Jb\u{1b}]0;c\u{7}d\re\u{202e}f\u{2066}g\u{1b}[8mh";

#[test]
fn a54_no_command_prints_what_a_terminal_would_interpret() {
    let home = tempfile::tempdir().unwrap();
    let codex = FakeCodex::doing("thread; message 'x\u{9b}2Jy\u{202e}z'; completed");
    let code = format!("pub fn hostile_zebra() {{}} // {HOSTILE}\n");
    let place = on(Repository::builder().file("src/a.rs", code).commit("init").build())
        .env("HOME", home.path())
        .env("ADJUTANT_CODEX", codex.program());
    let launch = |arguments: &[&str]| place.launch(ADJUTANT).arguments(arguments);
    let prompt = format!("where is hostile_zebra? {HOSTILE}");
    place.ask(&prompt).expect_success();
    let task = launch(&["queue", "add", "--task", HOSTILE]).run().expect_success().stdout;
    let run = launch(&["run", "--task", HOSTILE]);
    run.run().expect_success();
    let jobs = launch(&["job", "list", "--json"]).run().expect_success();
    let jobs: serde_json::Value = serde_json::from_str(&jobs.stdout).unwrap();
    let job = jobs[0]["id"].as_str().unwrap();
    let commands: [&[&str]; 14] = [
        &["brief", &prompt],
        &["brief", "--model", &prompt],
        &["brief", "--json", &prompt],
        &["search", "hostile_zebra"],
        &["search", HOSTILE],
        &["log"],
        &["log", "--json"],
        &["log", "show", "2"],
        &["queue", "show", task.trim()],
        &["queue", "show", task.trim(), "--json"],
        &["queue", "list"],
        &["job", "logs", job],
        &["job", "logs", job, "--json"],
        &["queue", "add", HOSTILE],
    ];
    for launch in commands.into_iter().map(launch).chain([run]) {
        let piped = launch.run();
        let terminal = launch.on_terminal_with(100).raw_output().replace("\r\n", "\n");
        for text in [piped.stdout, piped.stderr, terminal] {
            for part in ["\u{9b}", "\u{202e}", "\u{2066}", "\u{1b}]", "\u{1b}[8m", "\u{7}", "\re"] {
                assert!(!text.contains(part), "{launch:?}: {part:?} in {text:?}");
            }
        }
    }
}
