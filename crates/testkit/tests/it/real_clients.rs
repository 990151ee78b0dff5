//! Checks what a hook can and cannot do in the real clients. The tests of the product rely on these results.
//!
//! The hooks are shell scripts, without adjutant.

use serde_json::json;
use testkit::{
    Client, ClientKind, Finished, LoopbackModel, PassageRole, RecordedRequest, Repository,
    ScriptedAnswer, ShellScript,
};

const PROMPT: &str = "what colour is the harbour crane?";
const CONTEXT: &str = "the crane is ultramarine, says crane.txt:3";

struct Turn {
    finished: Finished,
    first_request: Option<RecordedRequest>,
}

/// Runs one prompt, with this shell script as the hook or without a hook.
fn turn(kind: ClientKind, lines: Option<&str>) -> Turn {
    let model = LoopbackModel::start_with([ScriptedAnswer::text("It is blue.")]);
    let repository =
        Repository::builder().file("crane.txt", "a\nb\nultramarine\n").commit("crane").build();
    let hook = lines.map(hook);
    let mut client = Client::new(kind, &model);
    if let Some(hook) = &hook {
        client = client.with_hook(&hook.command());
    }
    let finished = client.prompt(repository.path(), PROMPT);
    Turn { finished, first_request: model.first_main_request() }
}

fn hook(lines: &str) -> ShellScript {
    ShellScript::new(&format!("cat > /dev/null\n{lines}"))
}

fn printing_context() -> String {
    let output = json!({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": CONTEXT}});
    format!("printf '%s' '{output}'")
}

/// Checks that the model got the prompt and the client got the answer.
fn assert_answered(turn: &Turn) -> &RecordedRequest {
    assert_eq!(turn.finished.exit_code, Some(0), "{:#?}", turn.finished);
    assert!(turn.finished.stdout.contains("It is blue."), "{:#?}", turn.finished);
    let request = turn.first_request.as_ref().expect("a request with the prompt");
    assert!(request.text_as(PassageRole::User).contains(PROMPT), "{request:#?}");
    request
}

#[test]
fn claude_code_puts_the_context_into_a_system_message() {
    let turn = turn(ClientKind::ClaudeCode, Some(&printing_context()));
    let request = assert_answered(&turn);
    assert!(request.text_as(PassageRole::System).contains(CONTEXT), "{request:#?}");
}

#[test]
fn codex_puts_the_context_into_a_developer_message() {
    let turn = turn(ClientKind::Codex, Some(&printing_context()));
    let request = assert_answered(&turn);
    assert!(request.text_as(PassageRole::Developer).contains(CONTEXT), "{request:#?}");
}

#[test]
fn without_a_hook_there_is_no_context() {
    for kind in [ClientKind::ClaudeCode, ClientKind::Codex] {
        let turn = turn(kind, None);
        assert!(!assert_answered(&turn).model_text().contains(CONTEXT));
    }
}

#[test]
fn codex_does_not_run_an_untrusted_hook() {
    let model = LoopbackModel::start();
    let repository = Repository::builder().file("crane.txt", "").commit("crane").build();
    let hook = hook(&printing_context());
    let client = Client::new(ClientKind::Codex, &model).with_untrusted_hook(&hook.command());
    client.prompt(repository.path(), PROMPT).expect_success();
    assert!(!model.first_main_request().unwrap().model_text().contains(CONTEXT));
}

#[test]
fn exit_2_blocks_the_prompt() {
    for kind in [ClientKind::ClaudeCode, ClientKind::Codex] {
        let turn = turn(kind, Some("echo refused >&2; exit 2"));
        assert_eq!(turn.finished.exit_code, Some(0), "{:#?}", turn.finished);
        assert!(turn.first_request.is_none(), "{kind:?} asked the model although the hook said no");
    }
}

#[test]
fn invalid_output_and_other_exit_codes_do_not_block_the_prompt() {
    for kind in [ClientKind::ClaudeCode, ClientKind::Codex] {
        assert_answered(&turn(kind, Some(r"printf '{\377 not json'; exit 0")));
        assert_answered(&turn(kind, Some("echo trouble >&2; exit 40")));
    }
}

#[test]
fn a_scripted_tool_call_is_run() {
    let model = LoopbackModel::start_with([
        ScriptedAnswer::tool_call("Read", json!({"file_path": "crane.txt"})),
        ScriptedAnswer::text("Read it."),
    ]);
    let repository =
        Repository::builder().file("crane.txt", "ultramarine\n").commit("crane").build();
    let finished = Client::new(ClientKind::ClaudeCode, &model)
        .prompt(repository.path(), PROMPT)
        .expect_success();
    assert!(finished.stdout.contains("Read it."), "{finished:#?}");
    let second = &model.main_requests()[1];
    assert!(second.text_as(PassageRole::Tool).contains("ultramarine"), "{second:#?}");
}
