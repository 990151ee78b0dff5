//! The server with the tools that the conformance suite calls by name.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use mcp::{CallContext, Effect, Problem, ServerOptions, Token, ToolDefinition, ToolImplementation};
use process::Environment;
use serde_json::{Map, Value, json};
use toolcall::HookFolders;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Serves from a thread until the test ends, and returns the port.
pub(crate) fn serve(repository: &Path, home: &Path, token: &str) -> u16 {
    let host = host(repository, home);
    let token = Token::new(token).unwrap();
    let (sender, ports) = channel();
    thread::spawn(move || {
        mcp::serve_http(host, 0, token, |address| sender.send(address.port()).unwrap())
    });
    ports.recv_timeout(testkit::TEST_TIMEOUT).unwrap()
}

fn host(repository: &Path, home: &Path) -> ServerOptions {
    let environment = Environment::default().with("HOME", home).with("PATH", "/usr/bin:/bin");
    let root = repository.canonicalize().unwrap();
    let (directory, for_look) = (root.clone(), environment.clone());
    ServerOptions {
        version: "0.0.0",
        root,
        look: Box::new(move || kernel::Host {
            environment: for_look.clone(),
            working_directory: directory.clone(),
            started: Instant::now(),
            now: || "2026-01-02T03:04:05Z".to_owned(),
            clock: clock(),
            entropy: "fixtures".to_owned(),
            cache: None,
            refused_folders: Vec::new(),
            hooks: HookFolders::default(),
            ledger: None,
            memory: None,
            program: None,
            parser: index::Parser::linked(),
            overrides: policy::Overrides::default(),
        }),
        codex: runs::RunHost {
            environment,
            clock,
            entropy: || "chance".to_owned(),
            sessions: home.join("sessions"),
            cache: None,
            program: None,
            configuration: None,
            stdin: || Ok(Vec::new()),
            brief: |_, _, _| None,
        },
        author: policy::Author::Model { may_bypass: false },
        parse_flags: |_| Err("no runs here".to_owned()),
        max_runs: 1,
        tools: mcp::ToolGroup::ALL.to_vec(),
        more_tools: vec![
            tool("test_simple_text", no_arguments(), simple_text),
            tool("test_error_handling", no_arguments(), error),
            tool("test_tool_with_progress", no_arguments(), progress),
            tool("json_schema_2020_12_tool", with_definitions(), simple_text),
        ],
    }
}

#[expect(clippy::disallowed_methods, reason = "the test is its own edge")]
fn clock() -> SystemTime {
    SystemTime::now()
}

fn tool(
    name: &'static str,
    input: Value,
    run: fn(&CallContext, &Map<String, Value>) -> Result<Value, Problem>,
) -> ToolDefinition {
    ToolDefinition {
        name,
        title: name,
        effect: Effect::ReadsOnly,
        description: "A tool of the conformance suite",
        input,
        output: None,
        kind: ToolImplementation::Run(Arc::new(run)),
    }
}

fn no_arguments() -> Value {
    json!({ "$schema": DIALECT, "type": "object", "properties": {} })
}

fn with_definitions() -> Value {
    json!({
        "$schema": DIALECT,
        "type": "object",
        "$defs": {
            "address": {
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
        "additionalProperties": false,
    })
}

fn simple_text(_: &CallContext, _: &Map<String, Value>) -> Result<Value, Problem> {
    Ok(json!({ "text": "This is a simple text response for testing." }))
}

fn error(_: &CallContext, _: &Map<String, Value>) -> Result<Value, Problem> {
    Err(Problem::new("INTERNAL", "This tool intentionally returns an error for testing"))
}

fn progress(context: &CallContext, _: &Map<String, Value>) -> Result<Value, Problem> {
    for step in ["begun", "half way", "there"] {
        context.tell(step);
        thread::sleep(Duration::from_millis(50));
    }
    Ok(json!({ "text": "done" }))
}
