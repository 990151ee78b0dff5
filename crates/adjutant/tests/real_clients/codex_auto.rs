//! A5, A6: `codex-auto` hands the briefing over inside the prompt of `codex exec`.

use std::path::Path;

use testkit::{ClientKind, Launch, Role};

use crate::stage::{ANSWER, Hook, PROMPT, Stage, briefings_in, evidence_in};

fn codex_auto(stage: &Stage) -> Launch {
    let program = Path::new(env!("CARGO_BIN_EXE_codex-auto"));
    stage.client.launch(program, stage.repository.path())
}

/// `YYYYMMDD-HHMMSS-<hash6>`, as A31 has it.
fn is_run_id(word: &str) -> bool {
    let mut parts = word
        .split('-')
        .map(|part| part.chars().all(|c| c.is_ascii_hexdigit()).then_some(part.len()));
    [8, 6, 6].into_iter().all(|length| parts.next() == Some(Some(length))) && parts.next().is_none()
}

/// The hook is installed as well: a person who has both must not pay for the evidence twice.
#[test]
fn a6_the_prompt_of_codex_carries_the_briefing_once() {
    let stage =
        Stage::new(ClientKind::Codex, Hook::Installed).with_env("CI_AUTO_TOOLS_LEGACY", "1");
    let turn = stage.turn(codex_auto(&stage).argument(PROMPT).run());
    let request = turn.expect_answered(PROMPT);
    let prompt = request.text_as(Role::User);
    evidence_in(&prompt).unwrap();
    assert!(prompt.contains("[Limits] legacy mode enabled; using legacy policy"), "{prompt}");
    let mut words = prompt.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    assert!(words.any(is_run_id), "{prompt}");
    assert_eq!(briefings_in(&request.model_text()), 1, "{}", request.model_text());
}

#[test]
fn a6_without_a_kernel_the_prompt_goes_as_it_is() {
    let stage = Stage::new(ClientKind::Codex, Hook::Absent)
        .with_env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/nowhere/adjutant");
    let turn = stage.turn(codex_auto(&stage).argument(PROMPT).run());
    let request = turn.expect_answered(PROMPT);
    evidence_in(&request.model_text()).unwrap_err();
}

#[test]
fn a5_the_loop_goes_on_with_the_session() {
    let next = "and which tests cover src/api/refund.rs?";
    let stage = Stage::new(ClientKind::Codex, Hook::Absent);
    codex_auto(&stage).input(format!("{PROMPT}\n{next}\n")).run().expect_success();
    let requests = stage.model.main_requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
    evidence_in(&requests[0].text_as(Role::User)).unwrap();
    assert!(!requests[0].model_text().contains(next), "{}", requests[0].model_text());
    // The second turn has the first one before it, question and answer.
    let second = requests[1].text_as(Role::User);
    assert!(second.contains(PROMPT) && second.contains(next), "{second}");
    assert_eq!(requests[1].text_as(Role::Assistant), ANSWER);
    assert_eq!(briefings_in(&second), 2, "{second}");
}
