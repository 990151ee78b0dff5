//! A conversation of several prompts: its evidence is in the transcript once, whatever the client calls a session.

use serde_json::json;
use testkit::{Answer, ClientKind, LoopbackModel, RecordedRequest};

use crate::stage::{ANSWER, BOTH, Hook, PROMPT, Stage, briefings_in, evidence_in};

/// A line of the definition, which only a snippet has.
const CODE: &str = "tries < 3";
/// The same of a caller.
const CALLER_CODE: &str = "tried too often\".to_owned";

/// The next prompt of the same conversation.
fn going_on(mut stage: Stage) -> Stage {
    stage.client = match stage.client.kind() {
        ClientKind::ClaudeCode => stage.client.with_argument("--continue"),
        ClientKind::Codex => stage.client.with_argument("resume").with_argument("--last"),
    };
    stage
}

#[test]
fn a33_a_second_prompt_does_not_bring_the_same_evidence_again() {
    for kind in BOTH {
        let stage = Stage::new(kind, Hook::Installed);
        stage.prompt(PROMPT).expect_evidence();
        let stage = going_on(stage);
        stage.prompt("and how is enforce_retry_budget_zebra defined again?");
        let last = stage.model.main_requests().pop().unwrap().model_text();
        assert_eq!(last.matches(CODE).count(), 1, "{kind:?}: {last}");
        evidence_in(&last).unwrap();
    }
}

#[test]
fn a26_a_follow_up_in_the_same_conversation_finds_what_the_first_prompt_was_about() {
    for kind in BOTH {
        let stage = Stage::new(kind, Hook::Installed).with_env("CI_AUTO_TOOLS_TIER_MAX", "2");
        stage.prompt("where is enforce_retry_budget_zebra defined?");
        let stage = going_on(stage);
        stage.prompt("what is the impact of changing it?");
        let last = stage.model.main_requests().pop().unwrap().model_text();
        assert_eq!(briefings_in(&last), 2, "{kind:?}: {last}");
        let news = last.rsplit("Auto Tools Results").next().unwrap();
        assert!(news.contains("ci_impact"), "{kind:?}: {news}");
    }
}

/// Codex submits the errand of a sub-agent as a prompt, with the agent's id in the payload.
#[test]
fn a25_a_sub_agent_of_codex_gets_a_smaller_briefing() {
    let errand = format!("{PROMPT} Do the pelican errand.");
    let script = [
        Answer::tool_call("multi_agent_v1__spawn_agent", json!({ "message": errand })),
        // A sub-agent that ends late wakes the main conversation again.
        Answer::text(ANSWER),
        Answer::text(ANSWER),
        Answer::text(ANSWER),
    ];
    let model = LoopbackModel::start_with(script)
        .with_aside("Do the pelican errand.", [Answer::text("done below")])
        .awaiting("Do the pelican errand.", 1);
    let stage = Stage::with_model(ClientKind::Codex, Hook::Installed, model);
    stage.prompt(PROMPT);
    let requests = stage.model.requests();
    let below = requests
        .iter()
        .map(RecordedRequest::model_text)
        .find(|text| text.contains("Do the pelican errand.") && !text.contains("spawn_agent"));
    let below = below.unwrap_or_else(|| panic!("the sub-agent asked nothing: {requests:#?}"));
    let briefing = below.rsplit("Auto Tools Results").next().unwrap();
    assert!(briefing.contains(CODE) && !briefing.contains(CALLER_CODE), "{briefing}");
    let above = requests[0].model_text();
    assert!(above.contains(CODE) && above.contains(CALLER_CODE), "{above}");
}
