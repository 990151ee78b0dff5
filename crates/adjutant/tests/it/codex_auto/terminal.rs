//! `codex-auto` on a terminal, with simulated key presses.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use testkit::{FAKE_THREAD, FakeCodex, Terminal};

use super::{QUESTION, launch, resume_arguments};
use crate::fixture::{Fixture, fixture};

const READY: &str = "codex-auto> ";

struct Setup {
    fixture: Fixture,
    state: tempfile::TempDir,
    codex: FakeCodex,
}

impl Setup {
    fn new(codex: FakeCodex) -> Self {
        let state = tempfile::tempdir().unwrap();
        Self { fixture: fixture().env("ADJUTANT_STATE_DIR", state.path()), state, codex }
    }

    fn start_terminal(&self, arguments: &[&str]) -> Terminal {
        let mut terminal = launch(&self.fixture, &self.codex).arguments(arguments).on_terminal();
        terminal.expect(READY);
        terminal
    }

    fn history(&self) -> Option<String> {
        fs::read_to_string(self.state.path().join("codex-auto-history.jsonl")).ok()
    }
}

#[test]
fn a5_a_terminal_session_with_history_and_limits_works() {
    let setup = Setup::new(FakeCodex::answering("It is in retry_budget.rs."));
    let mut terminal = setup.start_terminal(&[]);
    terminal.enter(QUESTION);
    let shown = terminal.expect("It is in retry_budget.rs.");
    assert!(shown.contains("briefed: ") && shown.contains("(/limits)"), "{shown}");
    terminal.expect(READY);
    terminal.press(Terminal::UP);
    terminal.expect(QUESTION);
    terminal.press(Terminal::ENTER);
    terminal.expect("It is in retry_budget.rs.");
    terminal.expect(READY);
    terminal.press("/li");
    terminal.press(Terminal::TAB);
    terminal.expect("/limits");
    terminal.press(Terminal::ENTER);
    terminal.expect("[Limits] tier-2 disabled by default");
    terminal.expect(READY);
    terminal.enter("/quit");
    assert_eq!(terminal.exit_code(), Some(0));
    assert_eq!(setup.codex.n_runs(), 2);
    assert_eq!(resume_arguments(&setup.codex, 2), format!("resume {FAKE_THREAD} -"));
    assert!(setup.codex.prompt(2).ends_with(QUESTION));
}

#[test]
fn a5_history_is_stored_without_secrets() {
    let setup = Setup::new(FakeCodex::answering("yes"));
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let mut terminal = setup.start_terminal(&[]);
    terminal.enter(&format!("log in with {secret}"));
    terminal.expect(READY);
    terminal.enter(" psst");
    terminal.expect(READY);
    terminal.press(Terminal::CTRL_D);
    assert_eq!(terminal.exit_code(), Some(0));
    assert!(setup.codex.prompt(1).contains(&secret), "codex gets the prompt as it was typed");
    let history = setup.history().unwrap();
    assert!(history.contains("log in with") && !history.contains(&secret), "{history}");
    assert!(!history.contains("psst"), "{history}");
    let file = setup.state.path().join("codex-auto-history.jsonl");
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let mut terminal = setup.start_terminal(&[]);
    terminal.press(Terminal::UP);
    terminal.expect("log in with ghp_<redacted>");
}

#[test]
fn a5_history_can_be_switched_off() {
    let setup = Setup::new(FakeCodex::answering("yes"));
    let mut terminal = setup.start_terminal(&["--no-history"]);
    terminal.enter("hello");
    terminal.expect("yes");
    terminal.expect(READY);
    terminal.press(Terminal::UP);
    terminal.expect("hello");
    terminal.press(Terminal::CTRL_C);
    terminal.expect(READY);
    terminal.press(Terminal::CTRL_D);
    assert_eq!((terminal.exit_code(), setup.history()), (Some(0), None));
}

#[test]
fn a5_ctrl_c_clears_the_line_or_stops_codex_but_not_the_loop() {
    let setup = Setup::new(FakeCodex::doing(
        "thread; if [ $n = 1 ]; then echo $$ > \"$here/pid\"; sleep 60; fi; message yes; completed",
    ));
    let mut terminal = setup.start_terminal(&[]);
    terminal.press("half a prom");
    terminal.expect("half a prom");
    terminal.press(Terminal::CTRL_C);
    terminal.expect(READY);
    terminal.enter("hello");
    terminal.expect("Ctrl-C stops it");
    testkit::eventually("codex runs", || {
        setup.codex.note("pid").is_some_and(|pid| !pid.is_empty())
    });
    terminal.press(Terminal::CTRL_C);
    terminal.expect("interrupted");
    terminal.expect(READY);
    assert!(!testkit::is_running(&setup.codex.note("pid").unwrap()));
    terminal.enter("again");
    terminal.expect("yes");
    terminal.expect(READY);
    terminal.press(Terminal::CTRL_D);
    assert_eq!(terminal.exit_code(), Some(0));
    assert_eq!(
        resume_arguments(&setup.codex, 2),
        format!("resume {FAKE_THREAD} -"),
        "the session continues"
    );
}

#[test]
fn a5_a_prompt_may_have_several_lines_typed_or_pasted() {
    let setup = Setup::new(FakeCodex::answering("yes"));
    let mut terminal = setup.start_terminal(&[]);
    terminal.enter("first \\");
    terminal.enter("second");
    terminal.expect("yes");
    terminal.expect(READY);
    terminal.press("typed one\x1b\rtyped two");
    terminal.expect("typed two");
    terminal.press(Terminal::ENTER);
    terminal.expect("yes");
    terminal.expect(READY);
    terminal.press("\x1b[200~pasted one\rpasted two\x1b[201~");
    terminal.expect("pasted two");
    terminal.press(Terminal::ENTER);
    terminal.expect("yes");
    assert!(setup.codex.prompt(1).ends_with("first \nsecond"), "{}", setup.codex.prompt(1));
    assert!(setup.codex.prompt(2).ends_with("typed one\ntyped two"), "{}", setup.codex.prompt(2));
    assert!(setup.codex.prompt(3).ends_with("pasted one\npasted two"), "{}", setup.codex.prompt(3));
    assert_eq!(setup.codex.n_runs(), 3);
}

/// `codex-auto > answers`: the input line is still shown on the terminal.
#[test]
fn a5_stdout_may_be_a_file_at_a_terminal() {
    let setup = Setup::new(FakeCodex::answering("the answer"));
    let answers = setup.state.path().join("answers");
    let command = format!("'{}' > '{}'; echo ended $?", super::CODEX_AUTO, answers.display());
    let fixture = &setup.fixture;
    let launch = fixture.launch("/bin/sh").first_on_path(setup.codex.folder());
    let mut terminal = launch.arguments(["-c", &command]).on_terminal();
    terminal.expect(READY);
    terminal.enter("hello");
    terminal.expect("not briefed");
    terminal.expect(READY);
    terminal.press(Terminal::CTRL_D);
    terminal.expect("ended 0");
    assert_eq!(fs::read_to_string(answers).unwrap(), "the answer\n");
    assert!(!terminal.text().contains("the answer"), "{}", terminal.text());
}
