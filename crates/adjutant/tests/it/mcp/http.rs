//! The server over HTTP: it is local, requires a token, and accepts only local origins.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use testkit::{FakeCodex, Launch, PipedProgram};

use super::client::{Setup, TEST_TIMEOUT, eventually, initialize, setup};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

struct HttpServer {
    program: PipedProgram,
    port: u16,
    token: Option<String>,
}

fn serve(launch: &Launch) -> HttpServer {
    let program = launch.clone().arguments(["--http", "0"]).start_piped();
    let mut said = String::new();
    eventually("the server prints its address", || {
        said = program.stderr();
        said.contains("/mcp\n")
    });
    let port = said.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
    let token = || said.split("token: ").nth(1).map(|token| token.trim().to_owned());
    let is_new = || said.contains("token: ");
    if !is_new() && !said.contains("serving") {
        panic!("{said}");
    }
    let port = port.parse().unwrap();
    let token = token();
    HttpServer { program, port, token }
}

fn with_token(setup: &Setup) -> HttpServer {
    serve(&setup.launch().env("ADJUTANT_MCP_TOKEN", TOKEN))
}

struct Headers<'a> {
    host: &'a str,
    token: Option<&'a str>,
    more: &'a str,
}

/// Sends a request and returns the status and the rest of the response.
fn post(port: u16, path: &str, headers: &Headers<'_>, body: &Value) -> (u16, String) {
    let body = body.to_string();
    let token =
        headers.token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\n{token}{}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        headers.host,
        headers.more,
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    // An event stream stays open, so reading stops after the first event with a result.
    while let Ok(n) = stream.read(&mut piece) {
        answer.extend_from_slice(&piece[..n]);
        let text = String::from_utf8_lossy(&answer);
        if n == 0 || text.contains("\"result\"") && text.ends_with("\n\r\n") {
            break;
        }
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, text)
}

fn hello() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize() })
}

#[test]
fn c4_http_answers_only_to_the_token() {
    let setup = setup(FakeCodex::answering("done"));
    let server = with_token(&setup);
    assert_eq!(server.token, None, "a token that was given is not printed");
    let host = format!("127.0.0.1:{}", server.port);
    let say =
        |token| post(server.port, "/mcp", &Headers { host: &host, token, more: "" }, &hello());
    let (status, text) = say(Some(TOKEN));
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("\"name\":\"adjutant\""), "{text}");
    for wrong in
        [None, Some(""), Some("0123456789abcdef"), Some("x123456789abcdef0123456789abcdef")]
    {
        let (status, text) = say(wrong);
        assert_eq!(status, 401, "{text}");
        assert!(text.to_lowercase().contains("www-authenticate: bearer"), "{text}");
    }
    let elsewhere = Headers { host: &host, token: Some(TOKEN), more: "" };
    assert_eq!(post(server.port, "/other", &elsewhere, &hello()).0, 404);
}

#[test]
fn c4_http_refuses_requests_from_another_site() {
    let setup = setup(FakeCodex::answering("done"));
    let server = with_token(&setup);
    let port = server.port;
    let status = |host: &str, more: &str| {
        post(port, "/mcp", &Headers { host, token: Some(TOKEN), more }, &hello()).0
    };
    for host in [
        "evil.example.com",
        "127.0.0.1.evil.example.com",
        "10.0.0.1",
        "[::1].evil",
        "localhost:99999x",
    ] {
        assert_eq!(status(host, ""), 403, "{host}");
    }
    for origin in [
        "http://evil.example.com",
        "null",
        "http://localhost.evil.example.com",
        "file://",
        "http://localhost:99999x",
        "http://[::1].evil",
        "http://localhost:99999",
    ] {
        let more = format!("Origin: {origin}\r\n");
        assert_eq!(status("localhost", &more), 403, "{origin}");
    }
    for origin in [format!("http://localhost:{port}"), "http://127.0.0.1:9999".to_owned()] {
        assert_eq!(status("localhost", &format!("Origin: {origin}\r\n")), 200, "{origin}");
    }
}

#[test]
fn c4_without_a_token_a_new_one_is_generated_and_printed() {
    let setup = setup(FakeCodex::answering("done"));
    let tokens: Vec<String> = (0..2).map(|_| serve(&setup.launch()).token.unwrap()).collect();
    assert_eq!(tokens[0].len(), 64);
    assert_ne!(tokens[0], tokens[1]);
    let file = setup.home.path().join("token");
    std::fs::write(&file, "too-short").unwrap();
    let launch = setup.launch().arguments(["--http", "0", "--token-file", file.to_str().unwrap()]);
    let finished = launch.limit(TEST_TIMEOUT).run();
    assert_eq!(finished.exit_code, Some(2), "{finished:#?}");
}

#[test]
fn c5_a_tool_works_over_http_and_a_signal_stops_the_server() {
    let setup = setup(FakeCodex::answering("done"));
    let mut server = with_token(&setup);
    let host = format!("localhost:{}", server.port);
    let say = |more: &str, body: &Value| {
        post(server.port, "/mcp", &Headers { host: &host, token: Some(TOKEN), more }, body)
    };
    let (_, text) = say("", &hello());
    let session = text
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let more =
        format!("Mcp-Session-Id: {}\r\nMCP-Protocol-Version: 2025-11-25\r\n", session.unwrap());
    let (status, _) =
        say(&more, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(status, 202);
    let params =
        json!({ "name": "ci_search", "arguments": { "query": "enforce_retry_budget_zebra" } });
    let (status, text) =
        say(&more, &json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }));
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("src/billing/retry_budget.rs"), "{text}");
    server.program.terminate();
    assert_eq!(server.program.exit_code(TEST_TIMEOUT), Some(0), "{}", server.program.stderr());
}

/// Returns the session id from the response to `initialize`.
fn new_session(port: u16, host: &str) -> String {
    let (status, text) =
        post(port, "/mcp", &Headers { host, token: Some(TOKEN), more: "" }, &hello());
    assert_eq!(status, 200, "{text}");
    let id = text
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    id.unwrap()
}

#[test]
fn c4_the_number_of_sessions_is_bounded_and_the_oldest_idle_one_ends() {
    let setup = setup(FakeCodex::answering("done"));
    let server = with_token(&setup);
    let host = format!("localhost:{}", server.port);
    let sessions: Vec<String> = (0..70).map(|_| new_session(server.port, &host)).collect();
    let status = |session: &str| {
        let more = format!("Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n");
        let headers = Headers { host: &host, token: Some(TOKEN), more: &more };
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        post(server.port, "/mcp", &headers, &initialized).0
    };
    assert_eq!((status(&sessions[0]), status(&sessions[69])), (404, 202));
}

#[test]
fn c4_idle_connections_are_closed_for_a_client_with_the_token() {
    let setup = setup(FakeCodex::answering("done"));
    let server = with_token(&setup);
    let host = format!("localhost:{}", server.port);
    let half_open: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n").unwrap();
            stream
        })
        .collect();
    new_session(server.port, &host);
    // The oldest session was ended to make room for the newest.
    let mut oldest = &half_open[0];
    oldest.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    assert!(matches!(oldest.read(&mut [0; 64]), Ok(0) | Err(_)));
}
