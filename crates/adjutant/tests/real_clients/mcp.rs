//! The models of the real clients call a tool of the MCP server. The tool answers, and the user's hooks run once before and
//! once after the call, whether or not the client also reports its calls to adjutant (C5, B7).

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Client, ClientKind, LoopbackModel, PassageRole, Repository, ScriptedAnswer};

use crate::fixture::{ANSWER, BOTH};

const TOOL: &str = "mcp__adjutant__ci_search";
const QUERY: &str = "enforce_retry_budget_zebra";

struct Setup {
    model: LoopbackModel,
    client: Client,
    repository: Repository,
}

fn setup(kind: ClientKind) -> Setup {
    let call = ScriptedAnswer::tool_call(TOOL, json!({ "query": QUERY }));
    let model = LoopbackModel::start_with([call, ScriptedAnswer::text(ANSWER)]);
    let server = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    let mut client = Client::new(kind, &model).with_mcp_server("adjutant", server, &["mcp"]);
    if kind == ClientKind::ClaudeCode {
        client = client.with_argument("--allowedTools").with_argument("mcp__adjutant");
    }
    let repository = Repository::builder()
        .file("src/limits.rs", format!("pub fn {QUERY}() -> bool {{\n    true\n}}\n"))
        .commit("limits")
        .build();
    let setup = Setup { model, client, repository };
    setup.note_hooks();
    setup
}

impl Setup {
    /// Installs hooks that record every call.
    fn note_hooks(&self) {
        let folder = self.client.home().join(".config/adjutant/hooks");
        fs::create_dir_all(&folder).expect("make the hook folder");
        for (kind, note) in [("beforeToolCall", "before"), ("afterToolCall", "after")] {
            let command = format!("cat >> \"$HOME/{note}\"; echo >> \"$HOME/{note}\"");
            let action =
                json!({"type": "command", "command": command, "enabled": true, "timeout": 30000});
            let file = json!({"dialect": "seed", kind: [{"hooks": [action]}]});
            fs::write(folder.join(format!("{kind}.json")), file.to_string())
                .expect("write the hook");
        }
    }

    fn noted(&self, moment: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.client.home().join(moment)).unwrap_or_default();
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[track_caller]
    fn expect_one_call(&self) {
        let kind = self.client.kind();
        let finished = self.client.prompt(self.repository.path(), "please look it up");
        assert_eq!(finished.exit_code, Some(0), "{kind:?}: {finished:#?}");
        assert!(finished.stdout.contains(ANSWER), "{kind:?}: {finished:#?}");
        let requests = self.model.main_requests();
        let told = requests.last().expect("the model was asked").text_as(PassageRole::Tool);
        assert!(told.contains("src/limits.rs"), "{kind:?}: {told}\n{finished:#?}");
        let (before, after) = (self.noted("before"), self.noted("after"));
        assert_eq!((before.len(), after.len()), (1, 1), "{kind:?}: {before:#?} {after:#?}");
        assert_eq!(before[0]["toolName"], "ci_search", "{kind:?}");
        assert_eq!(before[0]["args"]["query"], QUERY, "{kind:?}");
    }
}

#[test]
fn c5_an_mcp_tool_answers_in_both_clients() {
    for kind in BOTH {
        setup(kind).expect_one_call();
    }
}

#[test]
fn b7_a_call_seen_by_client_and_server_fires_hooks_once() {
    for kind in BOTH {
        let mut setup = setup(kind);
        let name = match kind {
            ClientKind::ClaudeCode => "claude-code",
            ClientKind::Codex => "codex",
        };
        let command = format!("'{}' --client {name}", env!("CARGO_BIN_EXE_adjutant-hook"));
        setup.client = setup.client.with_tool_hooks(&command);
        setup.expect_one_call();
    }
}

/// The MCP server runs the real codex, which sends requests to the model.
#[test]
fn c5_codex_exec_runs_the_real_codex() {
    let model = LoopbackModel::start_with([ScriptedAnswer::text(ANSWER)]);
    let client = Client::new(ClientKind::Codex, &model);
    let repository = Repository::builder().file("a.txt", "a\n").commit("a").build();
    let server = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    let launch = client.launch(server, repository.path());
    let mut server = launch.arguments(["mcp", "--tools", "all"]).start_piped();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let call = json!({"name": "codex.exec", "arguments": {"task": "say the pelican line"}});
    server.write_line(
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).to_string(),
    );
    server.write_line(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
    server.write_line(
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).to_string(),
    );
    let answer: Value = loop {
        let line = server.read_line(testkit::TEST_TIMEOUT).expect("an answer");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message["id"] == 2 {
            break message;
        }
    };
    let result = &answer["result"]["structuredContent"];
    assert_eq!(
        (&result["exitCode"], &result["lastMessage"]),
        (&json!(0), &json!(ANSWER)),
        "{answer:#}"
    );
    assert_eq!(result["effectiveSandbox"], "workspace-write", "{answer:#}");
    let asked = model.first_main_request().expect("the model was asked");
    assert!(asked.model_text().contains("say the pelican line"), "{}", asked.model_text());
}
