//! Requests to the loopback model over a plain socket.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{ConversationText, LoopbackModel, PassageRole, RecordedRequest, ScriptedAnswer};

/// Sends raw bytes, closes the sending side, and returns the whole response.
fn exchange(model: &LoopbackModel, bytes: &[u8]) -> String {
    let mut connection = TcpStream::connect(model.address).unwrap();
    connection.write_all(bytes).unwrap();
    connection.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

fn post(path: &str, body: &Value) -> Vec<u8> {
    let body = body.to_string();
    format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

fn main_request(text: &str) -> Value {
    json!({"model": "m", "stream": true, "tools": [{"name": "Bash"}], "messages": [{"role": "user", "content": text}]})
}

fn recorded(body: Value) -> RecordedRequest {
    RecordedRequest { method: "POST".into(), path: "/v1/messages".into(), body }
}

#[test]
fn requests_on_one_connection_are_recorded_in_order() {
    let model = LoopbackModel::start();
    let mut bytes = b"HEAD / HTTP/1.1\r\n\r\n".to_vec();
    bytes.extend(post("/v1/messages/count_tokens", &json!({"messages": []})));
    bytes.extend(post("/v1/messages?beta=true", &main_request("hello")));
    let answer = exchange(&model, &bytes);
    assert_eq!(answer.matches("HTTP/1.1 200").count(), 3, "{answer}");
    assert!(answer.contains("event: message_stop"), "{answer}");
    let seen: Vec<_> =
        model.requests().into_iter().map(|request| (request.method, request.path)).collect();
    let expected =
        [("HEAD", "/"), ("POST", "/v1/messages/count_tokens"), ("POST", "/v1/messages?beta=true")];
    assert_eq!(seen, expected.map(|(method, path)| (method.to_owned(), path.to_owned())));
    assert_eq!(model.first_main_request().unwrap().model_text(), "hello");
}

#[test]
fn a_chunked_body_is_put_together() {
    let model = LoopbackModel::start();
    let request = b"POST /v1/responses HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
        a;note=x\r\n{\"input\":\"\r\n7\r\nhello\"}\r\n0\r\n\r\n";
    exchange(&model, request);
    assert_eq!(model.requests()[0].body, json!({"input": "hello"}));
}

#[test]
fn only_main_requests_use_scripted_answers() {
    let model = LoopbackModel::start_with([
        ScriptedAnswer::tool_call("Bash", json!({"command": "true"})),
        ScriptedAnswer::Status(529),
        ScriptedAnswer::text("last words"),
    ]);
    let title = json!({"stream": true, "messages": [{"role": "user", "content": "title?"}]});
    assert!(
        exchange(&model, &post("/v1/messages", &title)).contains(LoopbackModel::DEFAULT_ANSWER)
    );
    let turn = post("/v1/messages", &main_request("go"));
    assert!(exchange(&model, &turn).contains("tool_use"));
    assert!(exchange(&model, &turn).contains("overloaded_error"));
    assert!(exchange(&model, &turn).contains("last words"));
    assert!(exchange(&model, &turn).contains(LoopbackModel::DEFAULT_ANSWER));
    assert_eq!((model.requests().len(), model.main_requests().len()), (5, 4));
}

#[test]
fn responses_support_functions_and_freeform_tools() {
    let body = json!({"stream": false, "tools": [{"name": "shell"}], "input": "go"});
    let model = LoopbackModel::start_with([
        ScriptedAnswer::tool_call("shell", json!({"command": "true"})),
        ScriptedAnswer::tool_call("apply_patch", json!("*** Begin Patch")),
    ]);
    let request = post("/v1/responses", &body);
    assert!(exchange(&model, &request).contains(r#""type":"function_call""#));
    assert!(exchange(&model, &request).contains(r#""type":"custom_tool_call""#));
    assert!(exchange(&model, &request).contains(r#""type":"output_text""#));
}

#[test]
fn every_passage_keeps_its_role() {
    let messages = recorded(json!({
        "system": [{"type": "text", "text": "base"}],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "<system-reminder>x</system-reminder>"},
                {"type": "tool_result", "content": [{"type": "text", "text": "result"}]},
            ]},
            {"role": "assistant", "content": "said"},
            {"role": "system", "content": "late"},
        ],
    }));
    let roles: Vec<_> = messages.passages().iter().map(|passage| passage.role).collect();
    assert_eq!(
        roles,
        [
            PassageRole::System,
            PassageRole::User,
            PassageRole::Tool,
            PassageRole::Assistant,
            PassageRole::System
        ]
    );
    assert!(messages.passages()[1].is_system_reminder());
    assert_eq!(messages.text_as(PassageRole::System), "base\nlate");

    let responses = recorded(json!({
        "instructions": "base",
        "input": [
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "rules"}]},
            {"role": "user", "content": [{"type": "input_text", "text": "prompt"}]},
            {"type": "function_call_output", "call_id": "1", "output": "result"},
        ],
    }));
    let passage = |role, text: &str| ConversationText { role, text: text.to_owned() };
    assert_eq!(
        responses.passages(),
        [
            passage(PassageRole::System, "base"),
            passage(PassageRole::Developer, "rules"),
            passage(PassageRole::User, "prompt"),
            passage(PassageRole::Tool, "result"),
        ]
    );
}

#[test]
fn the_main_conversation_waits_for_a_sub_agent() {
    let model =
        LoopbackModel::start_with([ScriptedAnswer::text("first"), ScriptedAnswer::text("second")])
            .with_side_conversation("errand", [ScriptedAnswer::text("below")])
            .waiting_for("errand", 1);
    let ask = |text: &str| exchange(&model, &post("/v1/messages", &main_request(text)));
    assert!(ask("begin").contains("first"));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ask("go on"));
        testkit::eventually("the second request has arrived", || model.requests().len() == 2);
        assert!(!waiting.is_finished());
        assert!(ask("do the errand").contains("below"));
        assert!(waiting.join().unwrap().contains("second"));
    });
}

#[test]
fn a_broken_request_ends_its_connection_and_nothing_else() {
    let model = LoopbackModel::start();
    exchange(&model, b"nonsense\r\n\r\n");
    exchange(&model, b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n");
    assert!(
        exchange(&model, &post("/v1/messages", &main_request("still here")))
            .contains("message_stop")
    );
}
