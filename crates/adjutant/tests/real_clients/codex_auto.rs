//! A5, A6, A8: `codex-auto` puts the briefing into the prompt of `codex exec` and uses one session.

use std::path::Path;

use serde_json::{Value, json};
use testkit::{Client, ClientKind, Launch, LoopbackModel, PassageRole, ScriptedAnswer, Terminal};

use crate::fixture::{ANSWER, DEFINITION, Fixture, Hook, PROMPT, briefings_in, evidence_in};

const NEXT: &str = "and which tests cover src/api/refund.rs?";
const LOST: &str = "session continuity unavailable; fallback to stateless exec";
const READY: &str = "codex-auto> ";

fn codex_auto(fixture: &Fixture) -> Launch {
    let program = Path::new(env!("CARGO_BIN_EXE_codex-auto"));
    fixture.client.launch(program, fixture.repository.path())
}

/// Returns whether the text is a run id, `YYYYMMDD-HHMMSS-<hash6>` (A31).
fn is_run_id(word: &str) -> bool {
    let mut parts = word
        .split('-')
        .map(|part| part.chars().all(|c| c.is_ascii_hexdigit()).then_some(part.len()));
    [8, 6, 6].into_iter().all(|length| parts.next() == Some(Some(length))) && parts.next().is_none()
}

/// The hook is also installed and trusted. A user who has both must not get the evidence twice.
#[test]
fn a6_a8_the_prompt_of_codex_contains_the_briefing_once() {
    let fixture =
        Fixture::new(ClientKind::Codex, Hook::Installed).with_env("CI_AUTO_TOOLS_LEGACY", "1");
    let turn = fixture.turn(codex_auto(&fixture).argument(PROMPT).run());
    let request = turn.expect_answered(PROMPT);
    turn.expect_hook_ended_well();
    let prompt = request.text_as(PassageRole::User);
    // The legacy policy only searches and does not answer direct questions.
    assert!(prompt.contains(DEFINITION), "{prompt}");
    assert!(prompt.contains("[Limits] legacy mode enabled; using legacy policy"), "{prompt}");
    let mut words = prompt.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    assert!(words.any(is_run_id), "{prompt}");
    assert_eq!(briefings_in(&request.model_text()), 1, "{}", request.model_text());
}

/// `codex-auto` does not brief the prompt of a sub-agent. The hook briefs it, but not the main conversation.
#[test]
fn a8_a_sub_agent_is_briefed_by_the_hook() {
    let errand = format!("the pelican errand: {PROMPT}");
    let spawn =
        ScriptedAnswer::tool_call("multi_agent_v1__spawn_agent", json!({"message": errand}));
    let script = [
        spawn,
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
    ];
    let model = LoopbackModel::start_with(script)
        .with_side_conversation("the pelican errand", [])
        .waiting_for("the pelican errand", 1);
    let mut fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    let hook = crate::fixture::hook_command(ClientKind::Codex);
    fixture.client = Client::new(ClientKind::Codex, &model).with_hook(&hook);
    let finished = codex_auto(&fixture).argument("explain enforce_retry_budget_zebra").run();
    finished.expect_success();
    let is_errand = |text: &str| text.contains("the pelican errand");
    let requests = model.main_requests();
    let below: Vec<_> =
        requests.iter().filter(|request| is_errand(&request.text_as(PassageRole::User))).collect();
    assert!(!below.is_empty(), "{requests:#?}");
    assert_eq!(
        briefings_in(&below[0].text_as(PassageRole::Developer)),
        1,
        "{}",
        below[0].model_text()
    );
    assert_eq!(briefings_in(&requests[0].model_text()), 1, "{}", requests[0].model_text());
}

/// `off` disables both `codex-auto` and the hook.
#[test]
fn a8_off_also_disables_the_hook() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Installed);
    let turn = fixture.turn(codex_auto(&fixture).input(format!("/off\n{PROMPT}\n")).run());
    let request = turn.expect_answered(PROMPT);
    turn.expect_hook_ended_well();
    assert_eq!(briefings_in(&request.model_text()), 0, "{}", request.model_text());
}

#[test]
fn a42_without_a_kernel_the_prompt_is_sent_unchanged() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Absent)
        .with_env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/nowhere/adjutant");
    let finished = codex_auto(&fixture).argument(PROMPT).run();
    assert_eq!(
        (finished.exit_code, finished.stdout.trim_end()),
        (Some(10), ANSWER),
        "{finished:#?}"
    );
    let request = fixture.model.first_main_request().unwrap();
    assert!(request.text_as(PassageRole::User).contains(PROMPT));
    evidence_in(&request.model_text()).unwrap_err();
}

#[test]
fn a5_the_loop_continues_its_session() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Installed);
    let finished =
        codex_auto(&fixture).argument("--json").input(format!("{PROMPT}\n{NEXT}\n")).run();
    let finished = finished.expect_success();
    let requests = fixture.model.main_requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
    evidence_in(&requests[0].text_as(PassageRole::User)).unwrap();
    assert!(!requests[0].model_text().contains(NEXT), "{}", requests[0].model_text());
    // The second request contains the first prompt and its answer, and each briefing once.
    let second = requests[1].text_as(PassageRole::User);
    assert!(second.contains(PROMPT) && second.contains(NEXT), "{second}");
    assert_eq!(requests[1].text_as(PassageRole::Assistant), ANSWER);
    assert_eq!(briefings_in(&requests[1].model_text()), 2, "{}", requests[1].model_text());
    let reports: Vec<Value> =
        finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let thread = reports[0]["codex"]["thread_id"].as_str().unwrap();
    assert_eq!(reports[1]["codex"]["thread_id"], thread);
    assert_eq!(
        (&reports[0]["codex"]["is_new_thread"], &reports[1]["codex"]["is_new_thread"]),
        (&true.into(), &false.into())
    );
    let command: Vec<&str> = reports[1]["codex"]["command"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert!(command.ends_with(&["resume", thread, "-"]), "{command:?}");
    assert_eq!(reports[0]["codex"]["answer"], ANSWER);
}

/// Sends a message to the only sub-agent, so that its session is the newest.
fn touch_sub_agent(fixture: &Fixture) {
    let find = "grep -rl '\"thread_source\":\"subagent\"' \"$CODEX_HOME/sessions\"";
    let shell = format!(
        "file=$({find}); id=${{file%.jsonl}}; id=$(printf %s \"$id\" | tail -c 36); echo more | codex exec resume \"$id\" -"
    );
    let launch = fixture.client.launch(Path::new("/bin/sh"), fixture.repository.path());
    let finished = launch.arguments(["-c", &shell]).run().expect_success();
    assert!(finished.stdout.contains("below"), "{finished:#?}");
}

/// The newest session is that of a sub-agent, which codex itself would resume.
#[test]
fn a5_resume_last_never_selects_a_sub_agents_session() {
    let errand = json!({"message": "the pelican errand"});
    let script = [
        ScriptedAnswer::tool_call("multi_agent_v1__spawn_agent", errand),
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
    ];
    let below = ["done below", "still below", "wrong"].map(ScriptedAnswer::text);
    let model = LoopbackModel::start_with(script)
        .with_side_conversation("the pelican errand", below)
        .waiting_for("the pelican errand", 1);
    let mut fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    fixture.client = Client::new(ClientKind::Codex, &model);
    fixture.client.prompt(fixture.repository.path(), PROMPT).expect_success();
    touch_sub_agent(&fixture);
    let launch = codex_auto(&fixture).arguments(["--session-mode", "resume_last", "--json", NEXT]);
    let finished = launch.run().expect_success();
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(report["codex"]["answer"], ANSWER, "{finished:#?}");
    assert!(finished.stderr.contains("sub-agent"), "{finished:#?}");
    let requests = model.main_requests();
    let last = requests.last().unwrap().text_as(PassageRole::User);
    assert!(last.contains(PROMPT) && last.contains(NEXT), "{last}");
}

#[test]
fn a5_without_a_last_session_a_new_one_is_started_and_reported() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    let launch = codex_auto(&fixture).arguments(["--session-mode", "resume_last", PROMPT]);
    let finished = launch.run().expect_success();
    assert!(finished.stdout.contains(ANSWER) && finished.stderr.contains(LOST), "{finished:#?}");
    assert_eq!(fixture.model.main_requests().len(), 1);
}

/// codex itself waits for the network without a timeout.
#[test]
fn a_lost_network_ends_the_prompt() {
    let mut fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    let gone = LoopbackModel::start();
    fixture.client = Client::new(ClientKind::Codex, &gone);
    drop(gone);
    let finished = codex_auto(&fixture).argument(PROMPT).run();
    assert_eq!((finished.exit_code, finished.timed_out), (Some(1), false), "{finished:#?}");
    assert!(finished.stderr.contains("codex: Network error or timeout"), "{finished:#?}");
}

#[test]
fn a5_prompts_can_be_typed_at_a_terminal() {
    let fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    let mut terminal = codex_auto(&fixture).on_terminal();
    terminal.expect(READY);
    terminal.enter(PROMPT);
    let shown = terminal.expect(ANSWER);
    assert!(shown.contains("briefed: "), "{shown}");
    terminal.expect(READY);
    terminal.press(Terminal::UP);
    terminal.expect(PROMPT);
    terminal.press(Terminal::ENTER);
    terminal.expect(LoopbackModel::DEFAULT_ANSWER);
    terminal.expect(READY);
    terminal.enter("/limits");
    terminal.expect("imits");
    terminal.expect(READY);
    terminal.enter("/quit");
    assert_eq!(terminal.exit_code(), Some(0));
    let requests = fixture.model.main_requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].text_as(PassageRole::Assistant), ANSWER);
}

/// Ctrl-C stops codex and its command, and the next prompt continues the session.
#[test]
fn a5_an_interrupted_prompt_keeps_the_session() {
    let wait = "echo $$ > \"$HOME/waiting\"; sleep 60";
    let script = [
        ScriptedAnswer::tool_call("exec_command", json!({"cmd": wait})),
        ScriptedAnswer::text(ANSWER),
    ];
    let model = LoopbackModel::start_with(script);
    let mut fixture = Fixture::new(ClientKind::Codex, Hook::Absent);
    fixture.client = Client::new(ClientKind::Codex, &model);
    let launch = codex_auto(&fixture).arguments(["--", "--sandbox", "danger-full-access"]);
    let mut terminal = launch.on_terminal();
    terminal.expect(READY);
    terminal.enter(PROMPT);
    terminal.expect("$ echo $$");
    let file = fixture.client.home().join("waiting");
    let note = || std::fs::read_to_string(&file).unwrap_or_default();
    testkit::eventually("the command runs", || note().ends_with('\n'));
    let process = note();
    terminal.press(Terminal::CTRL_C);
    terminal.expect("interrupted");
    terminal.expect(READY);
    testkit::eventually("the command ends", || !testkit::is_running(&process));
    terminal.enter(NEXT);
    terminal.expect(ANSWER);
    let requests = model.main_requests();
    let last = requests.last().unwrap().text_as(PassageRole::User);
    assert!(last.contains(PROMPT) && last.contains(NEXT), "{last}");
    assert!(!terminal.text().contains(LOST), "{}", terminal.text());
}
