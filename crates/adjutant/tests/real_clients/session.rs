//! A conversation of several prompts: its evidence is in the transcript once, whatever the client calls a session.

use testkit::ClientKind;

use crate::stage::{BOTH, Hook, PROMPT, Stage, briefings_in, evidence_in};

/// A line of the definition, which only a snippet has.
const CODE: &str = "tries < 3";

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
