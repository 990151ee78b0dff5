//! Output on a terminal: colours, and tables that fit into a narrow window.

use testkit::Launch;

use crate::fixture::{ADJUTANT, Fixture, fixture};

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
    &["graph", "enforce_retry_budget_zebra"],
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
