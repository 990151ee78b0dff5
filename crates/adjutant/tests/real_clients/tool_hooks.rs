//! The user's hooks for tool calls of the real clients: once before and once after, also in a sub-agent (B5, B7).

use std::fs;

use serde_json::{Value, json};
use testkit::{
    Client, ClientKind, LoopbackModel, PassageRole, RecordedRequest, Repository, ScriptedAnswer,
};

use crate::fixture::{ANSWER, BOTH};

struct Setup {
    model: LoopbackModel,
    client: Client,
    repository: Repository,
}

/// Returns a shell command as a tool call of each client.
pub(crate) fn shell(kind: ClientKind, command: &str) -> ScriptedAnswer {
    match kind {
        ClientKind::ClaudeCode => {
            ScriptedAnswer::tool_call("Bash", json!({"command": command, "description": "try"}))
        }
        ClientKind::Codex => ScriptedAnswer::tool_call("exec_command", json!({"cmd": command})),
    }
}

impl Setup {
    fn new(kind: ClientKind, model: LoopbackModel) -> Self {
        let name = match kind {
            ClientKind::ClaudeCode => "claude-code",
            ClientKind::Codex => "codex",
        };
        let command = format!("'{}' --client {name}", env!("CARGO_BIN_EXE_adjutant-hook"));
        let mut client = Client::new(kind, &model).with_tool_hooks(&command);
        if kind == ClientKind::ClaudeCode {
            client =
                client.with_argument("--allowedTools").with_argument("Bash,Agent,mcp__adjutant");
        }
        let repository = Repository::builder().file("a.txt", "a\n").commit("a").build();
        Self { model, client, repository }
    }

    /// Installs a user hook in one of the hook formats.
    fn hook(&self, kind: &str, dialect: &str, command: &str) -> &Self {
        let folder = self.client.home().join(".config/adjutant/hooks");
        fs::create_dir_all(&folder).expect("make the hook folder");
        let action =
            json!({"type": "command", "command": command, "enabled": true, "timeout": 30000});
        let file = json!({"dialect": dialect, kind: [{"hooks": [action]}]});
        fs::write(folder.join(format!("{kind}.json")), file.to_string()).expect("write the hook");
        self
    }

    /// Installs hooks that record the tool, and after the call whether it succeeded.
    fn count_both(&self) -> &Self {
        self.hook("beforeToolCall", "seed", "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"")
            .hook("afterToolCall", "seed", "cat >> \"$HOME/after\"; echo >> \"$HOME/after\"")
    }

    /// Returns the input that the hooks read from stdin, in order.
    fn noted(&self, moment: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.client.home().join(moment)).unwrap_or_default();
        text.lines()
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    #[track_caller]
    fn run(&self) -> Vec<RecordedRequest> {
        let finished = self.client.prompt(self.repository.path(), "please do it");
        assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
        assert!(finished.stdout.contains(ANSWER), "{finished:#?}");
        self.model.main_requests()
    }

    /// Returns the tool result that the model got.
    #[track_caller]
    fn result(&self) -> String {
        self.run().last().expect("the model was asked").text_as(PassageRole::Tool)
    }
}

fn setup(kind: ClientKind) -> Setup {
    let script = [shell(kind, "echo pelican-was-here"), ScriptedAnswer::text(ANSWER)];
    Setup::new(kind, LoopbackModel::start_with(script))
}

#[test]
fn b7_a_tool_call_fires_hooks_once_before_and_once_after() {
    for kind in BOTH {
        let setup = setup(kind);
        setup.count_both();
        let result = setup.result();
        assert!(result.contains("pelican-was-here"), "{kind:?}: {result}");
        let (before, after) = (setup.noted("before"), setup.noted("after"));
        assert_eq!((before.len(), after.len()), (1, 1), "{kind:?}: {before:#?} {after:#?}");
        // Codex also calls its shell `Bash` in hooks.
        assert_eq!(before[0]["toolName"], "Bash", "{kind:?}");
        assert_eq!(before[0]["args"]["command"], "echo pelican-was-here", "{kind:?}");
        assert_eq!(before[0]["toolUseId"], after[0]["toolUseId"], "{kind:?}");
        assert!(after[0]["result"].to_string().contains("pelican-was-here"), "{kind:?}");
    }
}

#[test]
fn b7_a_failed_tool_call_fires_the_after_hook() {
    for kind in BOTH {
        let script = [shell(kind, "echo pelican; exit 3"), ScriptedAnswer::text(ANSWER)];
        let setup = Setup::new(kind, LoopbackModel::start_with(script));
        setup.count_both();
        setup.result();
        let after = setup.noted("after");
        assert_eq!((setup.noted("before").len(), after.len()), (1, 1), "{kind:?}: {after:#?}");
    }
}

#[test]
fn b7_a_sub_agents_call_fires_hooks_once_before_and_once_after() {
    let agent = ScriptedAnswer::tool_call(
        "Agent",
        json!({"description": "d", "prompt": "the pelican errand", "subagent_type": "general-purpose", "run_in_background": false}),
    );
    let model = LoopbackModel::start_with([agent, ScriptedAnswer::text(ANSWER)])
        .with_side_conversation(
            "the pelican errand",
            [shell(ClientKind::ClaudeCode, "echo from-below"), ScriptedAnswer::text("done below")],
        );
    let setup = Setup::new(ClientKind::ClaudeCode, model);
    setup.count_both();
    setup.run();
    for moment in ["before", "after"] {
        let noted = setup.noted(moment);
        let of =
            |tool: &str| noted.iter().filter(|call| call["toolName"] == tool).collect::<Vec<_>>();
        assert_eq!((of("Agent").len(), of("Bash").len()), (1, 1), "{moment}: {noted:#?}");
        assert!(of("Bash")[0]["agentId"].is_string() && of("Agent")[0]["agentId"].is_null());
    }
}

#[test]
fn b7_a_codex_sub_agents_call_fires_hooks_once_before_and_once_after() {
    let errand = json!({"message": "the pelican errand"});
    let script = [
        ScriptedAnswer::tool_call("multi_agent_v1__spawn_agent", errand),
        ScriptedAnswer::text(ANSWER),
        // A sub-agent that ends late causes another turn of the main conversation.
        ScriptedAnswer::text(ANSWER),
        ScriptedAnswer::text(ANSWER),
    ];
    // The main conversation ends only after the model has received the result of the sub-agent's call.
    let below = [shell(ClientKind::Codex, "echo from-below"), ScriptedAnswer::text("done below")];
    let model = LoopbackModel::start_with(script)
        .with_side_conversation("the pelican errand", below)
        .waiting_for("the pelican errand", 2);
    let setup = Setup::new(ClientKind::Codex, model);
    setup.count_both();
    setup.run();
    for moment in ["before", "after"] {
        let noted = setup.noted(moment);
        let below: Vec<_> =
            noted.iter().filter(|call| call["args"]["command"] == "echo from-below").collect();
        assert_eq!(below.len(), 1, "{moment}: {noted:#?}");
        assert!(below[0]["agentId"].is_string(), "{moment}: {below:#?}");
    }
}

#[test]
fn b3_a_blocked_call_does_not_run_and_the_model_gets_the_reason() {
    for kind in BOTH {
        let script = [shell(kind, "touch \"$HOME/pelican\""), ScriptedAnswer::text(ANSWER)];
        let setup = Setup::new(kind, LoopbackModel::start_with(script));
        setup.count_both();
        setup.hook(
            "beforeToolCall",
            "seed",
            "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"; echo no pelicans today >&2; exit 2",
        );
        let result = setup.result();
        assert!(result.contains("no pelicans today"), "{kind:?}: {result}");
        assert!(!setup.client.home().join("pelican").exists(), "{kind:?}");
        assert_eq!((setup.noted("before").len(), setup.noted("after").len()), (1, 0), "{kind:?}");
    }
}

#[test]
fn b6_an_unreadable_hook_file_blocks_the_call_and_names_file_and_line() {
    for kind in BOTH {
        let setup = setup(kind);
        setup.count_both();
        let file = setup.client.home().join(".config/adjutant/hooks/beforeToolCall.json");
        fs::write(&file, "[\n{\"hooks\": }\n]").expect("break the file");
        let result = setup.result();
        assert!(result.contains("beforeToolCall.json:2: expected value"), "{kind:?}: {result}");
        assert!(!result.contains("pelican-was-here\n"), "{kind:?}: {result}");
    }
}

#[test]
fn b7_arguments_and_results_can_be_changed() {
    for kind in BOTH {
        let setup = setup(kind);
        let input = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "echo heron", "description": "d"}}});
        setup.hook("beforeToolCall", "claude", &format!("echo '{input}'"));
        assert!(setup.result().contains("heron"), "{kind:?}");
        let setup = self::setup(kind);
        setup.hook("afterToolCall", "snow", "echo a stork instead; exit 1");
        let result = setup.result();
        assert!(
            result.contains("a stork instead") && !result.contains("pelican"),
            "{kind:?}: {result}"
        );
    }
}

#[test]
fn b7_without_hook_files_nothing_changes() {
    for kind in BOTH {
        let result = setup(kind).result();
        assert!(result.contains("pelican-was-here"), "{kind:?}: {result}");
    }
}
