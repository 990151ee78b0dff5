//! A conversation of several prompts: the transcript contains each piece of evidence once.

use serde_json::json;
use testkit::{Answer, ClientKind, LoopbackModel, RecordedRequest};

use crate::fixture::{ANSWER, BOTH, Fixture, Hook, PROMPT, briefings_in, evidence_in};

/// A line of the definition, which only a snippet contains.
const CODE: &str = "tries < 3";
/// A line of a caller, which only a snippet contains.
const CALLER_CODE: &str = "tried too often\".to_owned";

/// The next prompt of the same conversation.
fn going_on(mut fixture: Fixture) -> Fixture {
    fixture.client = match fixture.client.kind() {
        ClientKind::ClaudeCode => fixture.client.with_argument("--continue"),
        ClientKind::Codex => fixture.client.with_argument("resume").with_argument("--last"),
    };
    fixture
}

#[test]
fn a33_a_second_prompt_does_not_repeat_evidence() {
    for kind in BOTH {
        let fixture = Fixture::new(kind, Hook::Installed);
        fixture.prompt(PROMPT).expect_evidence();
        let fixture = going_on(fixture);
        fixture.prompt("and how is enforce_retry_budget_zebra defined again?");
        let last = fixture.model.main_requests().pop().unwrap().model_text();
        assert_eq!(last.matches(CODE).count(), 1, "{kind:?}: {last}");
        evidence_in(&last).unwrap();
    }
}

#[test]
fn a26_a_follow_up_prompt_keeps_the_subject_of_the_first() {
    for kind in BOTH {
        let fixture = Fixture::new(kind, Hook::Installed).with_env("CI_AUTO_TOOLS_TIER_MAX", "2");
        fixture.prompt("where is enforce_retry_budget_zebra defined?");
        let fixture = going_on(fixture);
        fixture.prompt("what is the impact of changing it?");
        let last = fixture.model.main_requests().pop().unwrap().model_text();
        assert_eq!(briefings_in(&last), 2, "{kind:?}: {last}");
        let news = last.rsplit("Auto Tools Results").next().unwrap();
        assert!(news.contains("ci_impact"), "{kind:?}: {news}");
    }
}

/// Codex submits a sub-agent's task as a prompt, with the agent's id in the payload.
#[test]
fn a25_a_sub_agent_of_codex_gets_a_smaller_briefing() {
    let errand = format!("{PROMPT} Do the pelican errand.");
    let script = [
        Answer::tool_call("multi_agent_v1__spawn_agent", json!({ "message": errand })),
        // A sub-agent that ends late causes another turn of the main conversation.
        Answer::text(ANSWER),
        Answer::text(ANSWER),
        Answer::text(ANSWER),
    ];
    let model = LoopbackModel::start_with(script)
        .with_side_conversation("Do the pelican errand.", [Answer::text("done below")])
        .waiting_for("Do the pelican errand.", 1);
    let fixture = Fixture::with_model(ClientKind::Codex, Hook::Installed, model);
    fixture.prompt(PROMPT);
    let requests = fixture.model.requests();
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
