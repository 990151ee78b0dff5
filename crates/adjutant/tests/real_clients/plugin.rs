//! A60, A8: both clients install the plugin folder from a copy of the checkout, without the network.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Client, ClientKind, Finished, LoopbackModel, PassageRole, ScriptedAnswer};

use crate::fixture::{ANSWER, BOTH, Fixture, Hook, PROMPT, briefings_in, client_name};
use crate::tool_hooks::shell;

const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Copies the plugin's files from the checkout, without build output.
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

/// Installs the plugin as described in the guide. The programs are on `PATH`.
fn with_plugin(mut fixture: Fixture, checkout: &Path) -> Fixture {
    let programs = Path::new(ADJUTANT).parent().expect("a folder");
    fixture.client = fixture.client.with_programs(programs);
    install_plugin(&fixture, checkout);
    fixture
}

/// Installs a plugin from a folder with a marketplace file.
pub(crate) fn install_plugin(fixture: &Fixture, marketplace: &Path) {
    let checkout = marketplace.to_str().expect("text");
    let commands: [&[&str]; 2] = match fixture.client.kind() {
        ClientKind::ClaudeCode => [
            &["plugin", "marketplace", "add", checkout],
            &["plugin", "install", "adjutant@adjutant"],
        ],
        ClientKind::Codex => {
            [&["plugin", "marketplace", "add", checkout], &["plugin", "add", "adjutant@adjutant"]]
        }
    };
    for command in commands {
        fixture.client.command(fixture.repository.path(), command).expect_success();
    }
}

/// A fixture whose model follows a script.
pub(crate) fn scripted(kind: ClientKind, script: [ScriptedAnswer; 2]) -> Fixture {
    let mut fixture = Fixture::new(kind, Hook::Absent);
    fixture.model = LoopbackModel::start_with(script);
    fixture.client = Client::new(kind, &fixture.model);
    fixture
}

/// Trusts the hooks with the hashes that Codex reports, which has the same effect as Codex's dialogue.
pub(crate) fn trust(fixture: &Fixture) {
    let mut server = fixture
        .client
        .launch(&testkit::clients().codex, fixture.repository.path())
        .argument("app-server")
        .start_piped();
    let hello = json!({"clientInfo": {"name": "test", "version": "1"}});
    server.write_line(json!({"id": 1, "method": "initialize", "params": hello}).to_string());
    server.write_line(json!({"method": "initialized"}).to_string());
    let directories = json!({"cwds": [fixture.repository.path()]});
    server.write_line(json!({"id": 2, "method": "hooks/list", "params": directories}).to_string());
    let answer: Value = loop {
        let line = server.read_line(testkit::TEST_TIMEOUT).expect("Codex lists its hooks");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        if message["id"] == 2 {
            break message;
        }
    };
    let hooks = answer["result"]["data"][0]["hooks"].as_array().expect("hooks").clone();
    assert_eq!(hooks.len(), 3, "{hooks:#?}");
    let mut configuration = OpenOptions::new()
        .append(true)
        .open(fixture.client.home().join("config.toml"))
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

fn adjutant(fixture: &Fixture, arguments: &[&str]) -> Finished {
    let launch = fixture.client.launch(Path::new(ADJUTANT), fixture.repository.path());
    launch.arguments(arguments).run()
}

fn n_briefings(fixture: &Fixture) -> usize {
    let request = fixture.model.first_main_request().expect("the model was asked");
    briefings_in(&request.model_text())
}

#[test]
fn a60_claude_code_accepts_the_plugin() {
    let fixture = Fixture::new(ClientKind::ClaudeCode, Hook::Absent);
    let checkout = checkout();
    for folder in [checkout.path().to_owned(), checkout.path().join("plugin")] {
        let folder = folder.to_str().expect("text");
        let command = ["plugin", "validate", "--strict", folder];
        let said = fixture.client.command(fixture.repository.path(), &command).expect_success();
        assert!(said.stdout.contains("Validation passed"), "{said:#?}");
    }
}

#[test]
fn a60_the_plugin_briefs_in_claude_code_without_install() {
    let checkout = checkout();
    let fixture = with_plugin(Fixture::new(ClientKind::ClaudeCode, Hook::Absent), checkout.path());
    let turn = fixture.prompt(PROMPT);
    turn.expect_answered(PROMPT);
    turn.expect_evidence();
    assert_eq!(n_briefings(&fixture), 1);
    let settings = fs::read_to_string(fixture.client.home().join(".claude/settings.json"));
    let state = clients::claude_code_plugin(&settings.expect("settings"));
    assert_eq!(state.expect("JSON"), clients::PluginState::Active);
}

#[test]
fn a60_a_trusted_plugin_briefs_in_codex() {
    let checkout = checkout();
    let fixture = with_plugin(Fixture::new(ClientKind::Codex, Hook::Absent), checkout.path());
    let state = |fixture: &Fixture| {
        let text = fs::read_to_string(fixture.client.home().join("config.toml"));
        clients::codex_plugin(&text.expect("a configuration")).expect("TOML")
    };
    assert_eq!(state(&fixture), clients::PluginState::Untrusted);
    fixture.prompt(PROMPT).evidence().unwrap_err();
    trust(&fixture);
    assert_eq!(state(&fixture), clients::PluginState::Active);
    let finished = fixture.client.prompt(fixture.repository.path(), PROMPT).expect_success();
    let requests = fixture.model.main_requests();
    let told = requests.last().expect("the model was asked").text_as(PassageRole::Developer);
    assert_eq!(briefings_in(&told), 1, "{told}\n{finished:#?}");
}

#[test]
fn a60_the_server_of_the_plugin_answers_in_both_clients() {
    let checkout = checkout();
    for (kind, tool) in [
        (ClientKind::ClaudeCode, "mcp__plugin_adjutant_adjutant__ci_search"),
        (ClientKind::Codex, "mcp__adjutant__ci_search"),
    ] {
        let call =
            ScriptedAnswer::tool_call(tool, json!({ "query": "enforce_retry_budget_zebra" }));
        let fixture = scripted(kind, [call, ScriptedAnswer::text(ANSWER)]);
        let mut fixture = with_plugin(fixture, checkout.path());
        if kind == ClientKind::ClaudeCode {
            fixture.client = fixture.client.with_argument("--allowedTools").with_argument(tool);
        }
        let finished = fixture.client.prompt(fixture.repository.path(), "please look it up");
        let requests = fixture.model.main_requests();
        let told = requests.last().expect("the model was asked").text_as(PassageRole::Tool);
        assert!(told.contains("src/billing/limits.rs"), "{kind:?}: {told}\n{finished:#?}");
    }
}

/// Plugin and `adjutant install` at the same time: one briefing, and one run in the log.
#[test]
fn a8_plugin_and_install_together_brief_once() {
    let checkout = checkout();
    for kind in BOTH {
        let fixture = with_plugin(Fixture::new(kind, Hook::Absent), checkout.path());
        if kind == ClientKind::Codex {
            trust(&fixture);
        }
        let flags: &[&str] = if kind == ClientKind::Codex { &["--trust"] } else { &[] };
        let arguments: Vec<&str> =
            ["install", client_name(kind)].iter().chain(flags).copied().collect();
        adjutant(&fixture, &arguments).expect_success();
        let turn = fixture.prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.expect_evidence();
        assert_eq!(n_briefings(&fixture), 1, "{kind:?}");
        let log = adjutant(&fixture, &["log", "--json"]).expect_success().stdout;
        assert_eq!(log.matches("\"run_id\"").count(), 1, "{kind:?}: {log}");
    }
}

/// A plugin without its program neither blocks the prompt nor shows a message.
#[test]
fn a40_a_plugin_without_the_program_is_silent() {
    let checkout = checkout();
    for kind in BOTH {
        let mut fixture = with_plugin(Fixture::new(kind, Hook::Absent), checkout.path());
        if kind == ClientKind::Codex {
            trust(&fixture);
        }
        let nowhere = tempfile::tempdir().expect("a folder");
        fixture.client = fixture.client.with_programs(nowhere.path());
        if kind == ClientKind::ClaudeCode {
            for flag in ["--output-format", "stream-json", "--verbose", "--include-hook-events"] {
                fixture.client = fixture.client.with_argument(flag);
            }
        }
        let turn = fixture.prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.evidence().unwrap_err();
        turn.expect_not_said("[Limits]");
    }
}

/// A tool call runs the user's hook once, although two hooks of adjutant are installed.
#[test]
fn b7_plugin_and_install_together_run_a_hook_once() {
    let checkout = checkout();
    for kind in BOTH {
        let call = shell(kind, "echo hello");
        let fixture = scripted(kind, [call, ScriptedAnswer::text(ANSWER)]);
        let mut fixture = with_plugin(fixture, checkout.path());
        if kind == ClientKind::ClaudeCode {
            fixture.client = fixture.client.with_argument("--allowedTools").with_argument("Bash");
        }
        let mut arguments = vec!["install", client_name(kind), "--tool-hooks"];
        if kind == ClientKind::Codex {
            trust(&fixture);
            arguments.push("--trust");
        }
        adjutant(&fixture, &arguments).expect_success();
        let folder = fixture.client.home().join(".config/adjutant/hooks");
        fs::create_dir_all(&folder).expect("make the hook folder");
        let command = "cat >> \"$HOME/before\"; echo >> \"$HOME/before\"";
        let action = json!({"type": "command", "command": command, "enabled": true});
        let file = json!({"dialect": "seed", "beforeToolCall": [{"hooks": [action]}]});
        fs::write(folder.join("beforeToolCall.json"), file.to_string()).expect("write the hook");
        let finished = fixture.client.prompt(fixture.repository.path(), "please greet");
        let noted = fs::read_to_string(fixture.client.home().join("before")).unwrap_or_default();
        let n_calls = noted.lines().filter(|line| line.contains("echo hello")).count();
        assert_eq!(n_calls, 1, "{kind:?}: {noted}\n{finished:#?}");
    }
}
