//! The user's hooks around tool calls of the real clients: once before, once after, also in a sub-agent (B5, B7).

use std::fs;

use serde_json::{Value, json};
use testkit::{Answer, Client, ClientKind, LoopbackModel, RecordedRequest, Repository, Role};

use crate::stage::{ANSWER, BOTH};

struct Scene {
    model: LoopbackModel,
    client: Client,
    repository: Repository,
}

/// A command the model wants to run, in the words of each client.
pub(crate) fn shell(kind: ClientKind, command: &str) -> Answer {
    match kind {
        ClientKind::ClaudeCode => {
            Answer::tool_call("Bash", json!({"command": command, "description": "try"}))
        }
        ClientKind::Codex => Answer::tool_call("exec_command", json!({"cmd": command})),
    }
}

impl Scene {
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

    /// A hook of the user's, in a dialect.
    fn hook(&self, kind: &str, dialect: &str, command: &str) -> &Self {
        let folder = self.client.home().join(".config/adjutant/hooks");
        fs::create_dir_all(&folder).expect("make the hook folder");
        let action =
            json!({"type": "command", "command": command, "enabled": true, "timeout": 30000});
        let file = json!({"dialect": dialect, kind: [{"hooks": [action]}]});
        fs::write(folder.join(format!("{kind}.json")), file.to_string()).expect("write the hook");
        self
    }

    /// Hooks that note the tool, and after it whether it answered.
    fn count_both(&self) -> &Self {
        self.hook("beforeToolCall", "seed", "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"")
            .hook("afterToolCall", "seed", "cat >> \"$HOME/after\"; echo >> \"$HOME/after\"")
    }

    /// What the hooks read on stdin, in order.
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

    /// What the tool told the model.
    #[track_caller]
    fn result(&self) -> String {
        self.run().last().expect("the model was asked").text_as(Role::Tool)
    }
}

fn scene(kind: ClientKind) -> Scene {
    let script = [shell(kind, "echo pelican-was-here"), Answer::text(ANSWER)];
    Scene::new(kind, LoopbackModel::start_with(script))
}

#[test]
fn b7_a_call_of_the_model_fires_once_before_and_once_after() {
    for kind in BOTH {
        let scene = scene(kind);
        scene.count_both();
        let result = scene.result();
        assert!(result.contains("pelican-was-here"), "{kind:?}: {result}");
        let (before, after) = (scene.noted("before"), scene.noted("after"));
        assert_eq!((before.len(), after.len()), (1, 1), "{kind:?}: {before:#?} {after:#?}");
        // Codex calls its shell `Bash` in hooks, too.
        assert_eq!(before[0]["toolName"], "Bash", "{kind:?}");
        assert_eq!(before[0]["args"]["command"], "echo pelican-was-here", "{kind:?}");
        assert_eq!(before[0]["toolUseId"], after[0]["toolUseId"], "{kind:?}");
        assert!(after[0]["result"].to_string().contains("pelican-was-here"), "{kind:?}");
    }
}

#[test]
fn b7_a_call_that_fails_has_its_after_too() {
    for kind in BOTH {
        let script = [shell(kind, "echo pelican; exit 3"), Answer::text(ANSWER)];
        let scene = Scene::new(kind, LoopbackModel::start_with(script));
        scene.count_both();
        scene.result();
        let after = scene.noted("after");
        assert_eq!((scene.noted("before").len(), after.len()), (1, 1), "{kind:?}: {after:#?}");
    }
}

#[test]
fn b7_a_sub_agents_call_fires_once_before_and_once_after() {
    let agent = Answer::tool_call(
        "Agent",
        json!({"description": "d", "prompt": "the pelican errand", "subagent_type": "general-purpose", "run_in_background": false}),
    );
    let model = LoopbackModel::start_with([agent, Answer::text(ANSWER)]).with_aside(
        "the pelican errand",
        [shell(ClientKind::ClaudeCode, "echo from-below"), Answer::text("done below")],
    );
    let scene = Scene::new(ClientKind::ClaudeCode, model);
    scene.count_both();
    scene.run();
    for moment in ["before", "after"] {
        let noted = scene.noted(moment);
        let of =
            |tool: &str| noted.iter().filter(|call| call["toolName"] == tool).collect::<Vec<_>>();
        assert_eq!((of("Agent").len(), of("Bash").len()), (1, 1), "{moment}: {noted:#?}");
        assert!(of("Bash")[0]["agentId"].is_string() && of("Agent")[0]["agentId"].is_null());
    }
}

#[test]
fn b7_a_codex_sub_agents_call_fires_once_before_and_once_after() {
    let errand = json!({"message": "the pelican errand"});
    let script = [
        Answer::tool_call("multi_agent_v1__spawn_agent", errand),
        Answer::text(ANSWER),
        // A sub-agent that ends late wakes the main conversation once more.
        Answer::text(ANSWER),
        Answer::text(ANSWER),
    ];
    // The main conversation does not end before the result of the sub-agent's call has come to the model.
    let below = [shell(ClientKind::Codex, "echo from-below"), Answer::text("done below")];
    let model = LoopbackModel::start_with(script)
        .with_aside("the pelican errand", below)
        .awaiting("the pelican errand", 2);
    let scene = Scene::new(ClientKind::Codex, model);
    scene.count_both();
    scene.run();
    for moment in ["before", "after"] {
        let noted = scene.noted(moment);
        let below: Vec<_> =
            noted.iter().filter(|call| call["args"]["command"] == "echo from-below").collect();
        assert_eq!(below.len(), 1, "{moment}: {noted:#?}");
        assert!(below[0]["agentId"].is_string(), "{moment}: {below:#?}");
    }
}

#[test]
fn b3_a_blocked_call_does_not_run_and_the_model_is_told_why() {
    for kind in BOTH {
        let script = [shell(kind, "touch \"$HOME/pelican\""), Answer::text(ANSWER)];
        let scene = Scene::new(kind, LoopbackModel::start_with(script));
        scene.count_both();
        scene.hook(
            "beforeToolCall",
            "seed",
            "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"; echo no pelicans today >&2; exit 2",
        );
        let result = scene.result();
        assert!(result.contains("no pelicans today"), "{kind:?}: {result}");
        assert!(!scene.client.home().join("pelican").exists(), "{kind:?}");
        assert_eq!((scene.noted("before").len(), scene.noted("after").len()), (1, 0), "{kind:?}");
    }
}

#[test]
fn b6_a_hook_file_that_cannot_be_read_stops_the_call_with_file_and_line() {
    for kind in BOTH {
        let scene = scene(kind);
        scene.count_both();
        let file = scene.client.home().join(".config/adjutant/hooks/beforeToolCall.json");
        fs::write(&file, "[\n{\"hooks\": }\n]").expect("break the file");
        let result = scene.result();
        assert!(result.contains("beforeToolCall.json:2: expected value"), "{kind:?}: {result}");
        assert!(!result.contains("pelican-was-here\n"), "{kind:?}: {result}");
    }
}

#[test]
fn b7_arguments_and_results_can_be_changed() {
    for kind in BOTH {
        let scene = scene(kind);
        let input = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "echo heron", "description": "d"}}});
        scene.hook("beforeToolCall", "claude", &format!("echo '{input}'"));
        assert!(scene.result().contains("heron"), "{kind:?}");
        let scene = self::scene(kind);
        scene.hook("afterToolCall", "snow", "echo a stork instead; exit 1");
        let result = scene.result();
        assert!(
            result.contains("a stork instead") && !result.contains("pelican"),
            "{kind:?}: {result}"
        );
    }
}

#[test]
fn b7_without_hook_files_nothing_changes() {
    for kind in BOTH {
        let result = scene(kind).result();
        assert!(result.contains("pelican-was-here"), "{kind:?}: {result}");
    }
}
