//! A60, A8: the plugin folder as both clients install it, without the network, from a copy of the checkout.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Answer, Client, ClientKind, Finished, LoopbackModel, Role};

use crate::stage::{ANSWER, BOTH, Hook, PROMPT, Stage, briefings_in, client_name};
use crate::tool_hooks::shell;

const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a clone has of the plugin, and nothing that was built.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for part in [".claude-plugin", "plugin"] {
        copy(&Path::new(CHECKOUT).join(part), &folder.path().join(part));
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("make a folder");
    for entry in fs::read_dir(from).expect("the plugin is checked in").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copy a file");
        }
    }
}

/// As the guide says it; the programs are on `PATH`.
fn with_plugin(mut stage: Stage, checkout: &Path) -> Stage {
    let programs = Path::new(ADJUTANT).parent().expect("a folder");
    stage.client = stage.client.with_programs(programs);
    let checkout = checkout.to_str().expect("text");
    let commands: [&[&str]; 2] = match stage.client.kind() {
        ClientKind::ClaudeCode => [
            &["plugin", "marketplace", "add", checkout],
            &["plugin", "install", "adjutant@adjutant"],
        ],
        ClientKind::Codex => {
            [&["plugin", "marketplace", "add", checkout], &["plugin", "add", "adjutant@adjutant"]]
        }
    };
    for command in commands {
        stage.client.command(stage.repository.path(), command).expect_success();
    }
    stage
}

/// A stage whose model follows a script.
fn scripted(kind: ClientKind, script: [Answer; 2]) -> Stage {
    let mut stage = Stage::new(kind, Hook::Absent);
    stage.model = LoopbackModel::start_with(script);
    stage.client = Client::new(kind, &stage.model);
    stage
}

/// What the user says in Codex's dialogue, with the hashes that Codex itself names.
fn trust(stage: &Stage) {
    let mut server = stage
        .client
        .launch(&testkit::clients().codex, stage.repository.path())
        .argument("app-server")
        .converse();
    let hello = json!({"clientInfo": {"name": "test", "version": "1"}});
    server.say(json!({"id": 1, "method": "initialize", "params": hello}).to_string());
    server.say(json!({"method": "initialized"}).to_string());
    let directories = json!({"cwds": [stage.repository.path()]});
    server.say(json!({"id": 2, "method": "hooks/list", "params": directories}).to_string());
    let answer: Value = loop {
        let line = server.hear(testkit::PATIENCE).expect("Codex lists its hooks");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message["id"] == 2 {
            break message;
        }
    };
    let hooks = answer["result"]["data"][0]["hooks"].as_array().expect("hooks").clone();
    assert_eq!(hooks.len(), 3, "{hooks:#?}");
    let mut configuration = OpenOptions::new()
        .append(true)
        .open(stage.client.home().join("config.toml"))
        .expect("Codex's configuration");
    for hook in hooks {
        let hash = hook["currentHash"].as_str().expect("a hash");
        let (handler, content) = hash.split_once('/').expect("two hashes");
        let key = &hook["key"];
        writeln!(
            configuration,
            "\n[hooks.state.{key}]\ntrusted_hash = \"{handler}\"\ntrusted_content_hash = \"{content}\""
        )
        .expect("write the trust");
    }
}

fn adjutant(stage: &Stage, arguments: &[&str]) -> Finished {
    let launch = stage.client.launch(Path::new(ADJUTANT), stage.repository.path());
    launch.arguments(arguments).run()
}

fn n_briefings(stage: &Stage) -> usize {
    let request = stage.model.first_main_request().expect("the model was asked");
    briefings_in(&request.model_text())
}

#[test]
fn a60_claude_code_finds_nothing_wrong_with_the_plugin() {
    let stage = Stage::new(ClientKind::ClaudeCode, Hook::Absent);
    let checkout = checkout();
    for folder in [checkout.path().to_owned(), checkout.path().join("plugin")] {
        let folder = folder.to_str().expect("text");
        let command = ["plugin", "validate", "--strict", folder];
        let said = stage.client.command(stage.repository.path(), &command).expect_success();
        assert!(said.stdout.contains("Validation passed"), "{said:#?}");
    }
}

#[test]
fn a60_claude_code_briefs_by_the_plugin_alone() {
    let checkout = checkout();
    let stage = with_plugin(Stage::new(ClientKind::ClaudeCode, Hook::Absent), checkout.path());
    let turn = stage.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.expect_evidence();
    assert_eq!(n_briefings(&stage), 1);
    let settings = fs::read_to_string(stage.client.home().join(".claude/settings.json"));
    let state = clients::claude_code_plugin(&settings.expect("settings"));
    assert_eq!(state.expect("JSON"), clients::PluginState::Active);
}

#[test]
fn a60_codex_briefs_by_the_plugin_once_it_is_trusted() {
    let checkout = checkout();
    let stage = with_plugin(Stage::new(ClientKind::Codex, Hook::Absent), checkout.path());
    let state = |stage: &Stage| {
        let text = fs::read_to_string(stage.client.home().join("config.toml"));
        clients::codex_plugin(&text.expect("a configuration")).expect("TOML")
    };
    assert_eq!(state(&stage), clients::PluginState::Untrusted);
    stage.prompt(PROMPT).evidence().unwrap_err();
    trust(&stage);
    assert_eq!(state(&stage), clients::PluginState::Active);
    let finished = stage.client.prompt(stage.repository.path(), PROMPT).expect_success();
    let requests = stage.model.main_requests();
    let told = requests.last().expect("the model was asked").text_as(Role::Developer);
    assert_eq!(briefings_in(&told), 1, "{told}\n{finished:#?}");
}

#[test]
fn a60_the_server_of_the_plugin_answers_in_both_clients() {
    let checkout = checkout();
    for (kind, tool) in [
        (ClientKind::ClaudeCode, "mcp__plugin_adjutant_adjutant__ci_search"),
        (ClientKind::Codex, "mcp__adjutant__ci_search"),
    ] {
        let call = Answer::tool_call(tool, json!({ "query": "enforce_retry_budget_zebra" }));
        let stage = scripted(kind, [call, Answer::text(ANSWER)]);
        let mut stage = with_plugin(stage, checkout.path());
        if kind == ClientKind::ClaudeCode {
            stage.client = stage.client.with_argument("--allowedTools").with_argument(tool);
        }
        let finished = stage.client.prompt(stage.repository.path(), "please look it up");
        let requests = stage.model.main_requests();
        let told = requests.last().expect("the model was asked").text_as(Role::Tool);
        assert!(told.contains("src/billing/limits.rs"), "{kind:?}: {told}\n{finished:#?}");
    }
}

/// The plugin and `adjutant install` at once: one briefing, one run in the log.
#[test]
fn a8_plugin_and_install_together_brief_once() {
    let checkout = checkout();
    for kind in BOTH {
        let stage = with_plugin(Stage::new(kind, Hook::Absent), checkout.path());
        if kind == ClientKind::Codex {
            trust(&stage);
        }
        let flags: &[&str] = if kind == ClientKind::Codex { &["--trust"] } else { &[] };
        let arguments: Vec<&str> =
            ["install", client_name(kind)].iter().chain(flags).copied().collect();
        adjutant(&stage, &arguments).expect_success();
        let turn = stage.prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.expect_evidence();
        assert_eq!(n_briefings(&stage), 1, "{kind:?}");
        let log = adjutant(&stage, &["log", "--json"]).expect_success().stdout;
        assert_eq!(log.matches("\"run_id\"").count(), 1, "{kind:?}: {log}");
    }
}

/// A plugin without its program costs nobody a prompt, and says what is missing.
#[test]
fn a40_a_plugin_without_the_program_lets_the_prompt_through() {
    let checkout = checkout();
    for kind in BOTH {
        let mut stage = with_plugin(Stage::new(kind, Hook::Absent), checkout.path());
        if kind == ClientKind::Codex {
            trust(&stage);
        }
        let nowhere = tempfile::tempdir().expect("a folder");
        stage.client = stage.client.with_programs(nowhere.path());
        if kind == ClientKind::ClaudeCode {
            for flag in ["--output-format", "stream-json", "--verbose", "--include-hook-events"] {
                stage.client = stage.client.with_argument(flag);
            }
        }
        let turn = stage.prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.evidence().unwrap_err();
        if kind == ClientKind::ClaudeCode {
            turn.expect_said("adjutant-hook is not on PATH");
        }
    }
}

/// A call of the client's fires the user's hook once, though two hooks of ours are asked.
#[test]
fn b7_plugin_and_install_together_fire_a_hook_once() {
    let checkout = checkout();
    for kind in BOTH {
        let call = shell(kind, "echo hello");
        let stage = scripted(kind, [call, Answer::text(ANSWER)]);
        let mut stage = with_plugin(stage, checkout.path());
        if kind == ClientKind::ClaudeCode {
            stage.client = stage.client.with_argument("--allowedTools").with_argument("Bash");
        }
        let mut arguments = vec!["install", client_name(kind), "--tool-hooks"];
        if kind == ClientKind::Codex {
            trust(&stage);
            arguments.push("--trust");
        }
        adjutant(&stage, &arguments).expect_success();
        let folder = stage.client.home().join(".config/adjutant/hooks");
        fs::create_dir_all(&folder).expect("make the hook folder");
        let command = "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"";
        let action = json!({"type": "command", "command": command, "enabled": true});
        let file = json!({"dialect": "seed", "beforeToolCall": [{"hooks": [action]}]});
        fs::write(folder.join("beforeToolCall.json"), file.to_string()).expect("write the hook");
        let finished = stage.client.prompt(stage.repository.path(), "please greet");
        let noted = fs::read_to_string(stage.client.home().join("before")).unwrap_or_default();
        let n_calls = noted.lines().filter(|line| line.contains("echo hello")).count();
        assert_eq!(n_calls, 1, "{kind:?}: {noted}\n{finished:#?}");
    }
}
