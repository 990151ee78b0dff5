//! An MCP client for tests, with its repository and home folder.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{FakeCodex, Launch, PipedProgram};
pub(super) use testkit::{TEST_TIMEOUT, eventually};

use crate::fixture::{ADJUTANT, Fixture, fixture};

/// A repository, a user's home folder, and a scripted codex.
pub(super) struct Setup {
    pub(super) fixture: Fixture,
    pub(super) home: tempfile::TempDir,
    pub(super) codex: FakeCodex,
}

pub(super) fn setup(codex: FakeCodex) -> Setup {
    setup_on(fixture(), codex)
}

pub(super) fn setup_on(fixture: Fixture, codex: FakeCodex) -> Setup {
    let home = tempfile::tempdir().unwrap();
    let fixture = fixture
        .env("HOME", home.path())
        .env("NOTES", home.path())
        .env("ADJUTANT_CODEX", codex.program());
    Setup { fixture, home, codex }
}

impl Setup {
    /// Starts the server with all tools.
    pub(super) fn launch(&self) -> Launch {
        self.fixture.launch(ADJUTANT).arguments(["mcp", "--tools", "all"])
    }

    pub(super) fn client(&self) -> Client {
        Client::start(&self.launch())
    }

    pub(super) fn path(&self) -> &Path {
        self.fixture.repository.path()
    }

    pub(super) fn note(&self, name: &str) -> String {
        fs::read_to_string(self.home.path().join(name)).unwrap_or_default()
    }

    pub(super) fn user_hook(&self, kind: &str, command: &str) {
        let path = self.home.path().join(format!(".config/adjutant/hooks/{kind}.json"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, crate::hooks::rules(command)).unwrap();
    }
}

pub(super) struct Client {
    pub(super) program: PipedProgram,
    next_id: u64,
    /// Messages that do not answer the current request: notifications, and responses to other requests.
    pub(super) other_messages: Vec<Value>,
}

impl Client {
    pub(super) fn start(launch: &Launch) -> Self {
        let mut client =
            Self { program: launch.start_piped(), next_id: 1, other_messages: Vec::new() };
        let answer = client.request("initialize", initialize());
        assert_eq!(answer["result"]["serverInfo"]["name"], "adjutant", "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.program.write_line(message.to_string());
    }

    /// Sends a request without waiting for the response.
    pub(super) fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.program.write_line(message.to_string());
        id
    }

    #[track_caller]
    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer_to(id)
    }

    #[track_caller]
    pub(super) fn answer_to(&mut self, id: u64) -> Value {
        if let Some(at) = self.other_messages.iter().position(|message| message["id"] == id) {
            return self.other_messages.remove(at);
        }
        loop {
            let message = self.read_line().unwrap_or_else(|| {
                panic!("no answer to {id}; {:?}; {}", self.other_messages, self.program.stderr())
            });
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
            self.other_messages.push(message);
        }
    }

    pub(super) fn read_line(&mut self) -> Option<Value> {
        let line = self.program.read_line(TEST_TIMEOUT)?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Returns the result of a tool.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Returns the structured result of a successful tool call.
    #[track_caller]
    pub(super) fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result:#}");
        result["structuredContent"].clone()
    }

    /// Returns the error code of a failed tool call. Checks that the error has a message.
    #[track_caller]
    pub(super) fn error(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result:#}");
        let error = &result["structuredContent"]["error"];
        assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{result:#}");
        assert!(text(&result).starts_with("ERROR: "), "{result:#}");
        error["code"].as_str().unwrap_or_default().to_owned()
    }
}

pub(super) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

pub(super) fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    })
}
