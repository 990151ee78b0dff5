//! A conversation with several prompts. The transcript contains each piece of evidence once, and the kernel gets the activity
//! of the earlier turns.

use std::path::Path;

use contract::{FileAction, Request};
use serde_json::json;
use testkit::{
    ClientKind, LoopbackModel, PassageRole, RecordedRequest, ScriptedAnswer, ShellScript,
};

use crate::fixture::{ANSWER, BOTH, Fixture, Hook, PROMPT, briefings_in, evidence_in};
use crate::tool_hooks::shell;

/// A line of the definition, which only a snippet contains.
const CODE: &str = "tries < 3";

/// Makes the next prompt continue the same conversation.
fn continuing(mut fixture: Fixture) -> Fixture {
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
        let fixture = continuing(fixture);
        fixture.prompt("and how is enforce_retry_budget_zebra defined again?");
        let last = fixture.model.main_requests().pop().unwrap().model_text();
        assert_eq!(last.matches(CODE).count(), 1, "{kind:?}: {last}");
        evidence_in(&last).unwrap();
    }
}

/// The client replaces the first prompt and its evidence with a summary.
#[test]
fn a33_evidence_comes_again_after_a_compaction() {
    for kind in BOTH {
        let fixture = Fixture::new(kind, Hook::Installed);
        fixture.prompt(PROMPT).expect_evidence();
        let mut fixture = continuing(fixture);
        match kind {
            ClientKind::ClaudeCode => drop(fixture.prompt("/compact")),
            // Codex compacts a longer conversation before it handles the next prompt.
            ClientKind::Codex => {
                let limit = "model_auto_compact_token_limit=1";
                fixture.client = fixture.client.with_argument("-c").with_argument(limit);
            }
        }
        fixture.prompt(PROMPT);
        let last = fixture.model.main_requests().pop().unwrap().model_text();
        assert_eq!(briefings_in(&last), 1, "{kind:?}: {last}");
        assert_eq!(last.matches(CODE).count(), 1, "{kind:?}: {last}");
        evidence_in(&last).unwrap();
    }
}

#[test]
fn a26_a_follow_up_prompt_keeps_the_subject_of_the_first() {
    for kind in BOTH {
        let fixture = Fixture::new(kind, Hook::Installed).with_env("CI_AUTO_TOOLS_TIER_MAX", "2");
        fixture.prompt("where is enforce_retry_budget_zebra defined?");
        let fixture = continuing(fixture);
        fixture.prompt("what is the impact of changing it?");
        let last = fixture.model.main_requests().pop().unwrap().model_text();
        assert_eq!(briefings_in(&last), 2, "{kind:?}: {last}");
        let news = last.rsplit("Auto Tools Results").next().unwrap();
        assert!(news.contains(": affected, 1 away"), "{kind:?}: {news}");
    }
}

/// Codex submits a sub-agent's task as a prompt, with the agent's id in the payload.
#[test]
fn a25_a_sub_agent_of_codex_gets_its_own_briefing() {
    let errand = format!("{PROMPT} Do the pelican errand.");
    let script = [
        ScriptedAnswer::tool_call("multi_agent_v1__spawn_agent", json!({ "message": errand })),
        // A sub-agent that ends late causes another turn of the main conversation.
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
    ];
    let model = LoopbackModel::start_with(script)
        .with_side_conversation("Do the pelican errand.", [ScriptedAnswer::text("done below")])
        .waiting_for("Do the pelican errand.", 1);
    let fixture = Fixture::with_model(ClientKind::Codex, Hook::Installed, model);
    fixture.prompt(PROMPT);
    let requests = fixture.model.requests();
    let below = requests
        .iter()
        .map(RecordedRequest::model_text)
        .find(|text| text.contains("Do the pelican errand.") && !text.contains("spawn_agent"));
    let below = below.unwrap_or_else(|| panic!("the sub-agent sent no request: {requests:#?}"));
    let briefing = below.rsplit("Auto Tools Results").next().unwrap();
    assert!(briefing.contains(CODE), "{briefing}");
    assert!(requests[0].model_text().contains(CODE), "{}", requests[0].model_text());
}

/// Claude Code does not call the prompt hook for a sub-agent, so the hook that `adjutant install` adds for the tool that
/// starts one changes the task. The parent's conversation keeps the task that the model wrote.
#[test]
fn a25_a_sub_agent_of_claude_code_gets_its_own_briefing() {
    let errand = format!("{PROMPT} Do the pelican errand.");
    let agent = json!({
        "description": "d", "prompt": errand, "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    for flags in [&[][..], &["--tool-hooks"]] {
        let script =
            [ScriptedAnswer::tool_call("Agent", agent.clone()), ScriptedAnswer::text(ANSWER)];
        let model = LoopbackModel::start_with(script)
            .with_side_conversation("Do the pelican errand.", [ScriptedAnswer::text("done below")]);
        let fixture = Fixture::with_model(ClientKind::ClaudeCode, Hook::Absent, model);
        let adjutant = Path::new(env!("CARGO_BIN_EXE_adjutant"));
        let install = ["install", "claude-code"].iter().chain(flags);
        let launch = fixture.client.launch(adjutant, fixture.repository.path());
        launch.arguments(install).run().expect_success();
        fixture.prompt("please do it").expect_answered("please do it");
        let requests = fixture.model.main_requests();
        let is_below = |request: &&RecordedRequest| {
            request.text_as(PassageRole::User).contains("pelican errand")
        };
        let below = requests.iter().find(is_below).expect("the sub-agent asked the model");
        let task = below.text_as(PassageRole::User);
        assert_eq!(briefings_in(&task), 1, "{flags:?}: {task}");
        assert!(task.contains(CODE), "{flags:?}: {task}");
        evidence_in(&task).unwrap();
        let above = requests.last().expect("the model was asked").model_text();
        assert!(above.contains("done below"), "{above}");
        assert_eq!(briefings_in(&above), 0, "{flags:?}: {above}");
    }
}

/// The model reads a file and runs a command that fails.
#[test]
fn a26_the_kernel_gets_what_the_turn_before_did() {
    for kind in BOTH {
        let script = [
            shell(kind, "cat src/api/refund.rs"),
            shell(kind, "rg -n pelican src"),
            shell(kind, "make -C missing"),
            ScriptedAnswer::text(ANSWER),
            ScriptedAnswer::text(ANSWER),
        ];
        let kernel = ShellScript::new("cat > \"${0%/*}/request\"");
        let model = LoopbackModel::start_with(script);
        let mut fixture = Fixture::with_model(kind, Hook::Installed, model)
            .with_env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path());
        if kind == ClientKind::ClaudeCode {
            fixture.client = fixture.client.with_argument("--allowedTools").with_argument("Bash");
        }
        fixture.prompt("look at the refunds");
        continuing(fixture).prompt("and now the charges");
        let request = kernel.note("request").expect("the kernel was started");
        let request: Request = serde_json::from_str(&request).expect("a request");
        assert_eq!(request.prompt, "and now the charges");
        let activity = request.activity.unwrap_or_else(|| panic!("{kind:?}: no activity"));
        assert_eq!(activity.prompts, ["look at the refunds"], "{kind:?}: {activity:#?}");
        let file = &activity.files[0];
        assert_eq!((file.path.as_str(), file.action), ("src/api/refund.rs", FileAction::Read));
        assert_eq!(file.prompts_ago, 0);
        assert!(file.at.is_some_and(|at| at > 1_700_000_000), "{kind:?}: {file:?}");
        let failure = activity.failure.as_deref().unwrap_or_default();
        assert!(failure.contains("missing"), "{kind:?}: {activity:#?}");
    }
}
