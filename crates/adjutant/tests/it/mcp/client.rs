//! A client of the server, and the scene it plays in.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Conversation, FakeCodex, Launch};
pub(super) use testkit::{PATIENCE, eventually};

use crate::stage::{ADJUTANT, Stage, stage};

/// A repository, a user with a home, and a codex.
pub(super) struct Scene {
    pub(super) stage: Stage,
    pub(super) home: tempfile::TempDir,
    pub(super) codex: FakeCodex,
}

pub(super) fn scene(codex: FakeCodex) -> Scene {
    scene_on(stage(), codex)
}

pub(super) fn scene_on(stage: Stage, codex: FakeCodex) -> Scene {
    let home = tempfile::tempdir().unwrap();
    let stage = stage
        .env("HOME", home.path())
        .env("NOTES", home.path())
        .env("ADJUTANT_CODEX", codex.program());
    Scene { stage, home, codex }
}

impl Scene {
    pub(super) fn launch(&self) -> Launch {
        self.stage.launch(ADJUTANT).argument("mcp")
    }

    pub(super) fn client(&self) -> Client {
        Client::start(&self.launch())
    }

    pub(super) fn path(&self) -> &Path {
        self.stage.repository.path()
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
    pub(super) conversation: Conversation,
    next_id: u64,
    /// What was not an answer to what was asked: notifications, and answers to others.
    pub(super) aside: Vec<Value>,
}

impl Client {
    pub(super) fn start(launch: &Launch) -> Self {
        let mut client = Self { conversation: launch.converse(), next_id: 1, aside: Vec::new() };
        let answer = client.request("initialize", initialize());
        assert_eq!(answer["result"]["serverInfo"]["name"], "adjutant", "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        self.conversation.say(message.to_string());
    }

    /// Asks and does not wait.
    pub(super) fn send(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.conversation.say(message.to_string());
        id
    }

    #[track_caller]
    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer_to(id)
    }

    #[track_caller]
    pub(super) fn answer_to(&mut self, id: u64) -> Value {
        if let Some(at) = self.aside.iter().position(|message| message["id"] == id) {
            return self.aside.remove(at);
        }
        loop {
            let message = self.hear().unwrap_or_else(|| {
                panic!("no answer to {id}; {:?}; {}", self.aside, self.conversation.stderr())
            });
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
            self.aside.push(message);
        }
    }

    pub(super) fn hear(&mut self) -> Option<Value> {
        let line = self.conversation.hear(PATIENCE)?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// The result of a tool.
    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// The structured result of a tool that did what it was asked.
    #[track_caller]
    pub(super) fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result:#}");
        result["structuredContent"].clone()
    }

    /// The code of a tool's error; every one has a message.
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
