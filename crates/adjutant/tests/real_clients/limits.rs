//! C9: caps and usage limits with the real codex and the loopback model. C10: the same with Claude Code.

use std::path::Path;

use serde_json::Value;
use testkit::{
    Client, ClientKind, Finished, LoopbackModel, PassageRole, Repository, ScriptedAnswer,
};

const RESETS_IN: u64 = 3;

struct Ran {
    finished: Finished,
    meta: Value,
    /// The events of the session.
    events: Vec<Value>,
    repository: Repository,
    // Keeps the home, which contains the record.
    _client: Client,
}

fn run(model: &LoopbackModel, arguments: &[&str]) -> Ran {
    run_with(Client::new(ClientKind::Codex, model), arguments)
}

fn run_claude(model: &LoopbackModel, arguments: &[&str]) -> Ran {
    let client = Client::new(ClientKind::ClaudeCode, model);
    run_with(client, &[&["--agent", "claude"], arguments].concat())
}

fn run_with(client: Client, arguments: &[&str]) -> Ran {
    let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
    let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
    let launch = client.launch(program, repository.path());
    let finished =
        launch.arguments(["run", "--context", "off", "--json"]).arguments(arguments).run();
    let meta: Value = serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("{error}: {finished:#?}"));
    let log = Path::new(meta["log_file"].as_str().expect("a log file"));
    let events = std::fs::read_to_string(log.with_file_name("events.jsonl")).expect("the events");
    let events = events.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    Ran { finished, meta, events, repository, _client: client }
}

impl Ran {
    fn events<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["event"] == name)
    }
}

fn seconds(time: &Value) -> i64 {
    let time = time.as_str().unwrap_or_else(|| panic!("{time} is not a time"));
    time.parse::<jiff::Timestamp>().expect("a time").as_second()
}

#[test]
fn c9_a_run_continues_in_its_thread_when_the_usage_limit_is_reset() {
    let limit = ScriptedAnswer::UsageLimit { resets_in: RESETS_IN };
    let model =
        LoopbackModel::start_with([limit, ScriptedAnswer::text("It is done.\nCONTROL: DONE")]);
    let ran = run(&model, &["--task", "fix the zebra parser", "--wait-for-limit", "10m"]);
    let meta = &ran.meta;
    assert_eq!(
        (ran.finished.exit_code, &meta["classification"]),
        (Some(0), &"done".into()),
        "{meta:#}"
    );
    // The model got one request before the reset and one after it. The task was sent only once.
    let requests = model.main_requests();
    assert_eq!(requests.len(), 2);
    let asked = requests[1].text_as(PassageRole::User);
    assert_eq!(asked.matches("fix the zebra parser").count(), 1, "{asked}");
    assert!(asked.contains("Continue the task"), "{asked}");
    // Both processes used the same thread.
    let is_thread = |event: &&Value| event["data"]["type"] == "thread.started";
    let threads: Vec<&Value> =
        ran.events("codex_event").filter(is_thread).map(|it| &it["data"]["thread_id"]).collect();
    assert!(threads.len() == 2 && threads[0] == threads[1], "{threads:?}");
    // The time is exact although codex's message has no seconds, and the second process starts after it.
    let refused = seconds(&ran.events("iteration_completed").next().unwrap()["timestamp"]);
    let until = seconds(&ran.events("limit_wait_started").next().unwrap()["data"]["until"]);
    let started = seconds(&ran.events("iteration_started").nth(1).unwrap()["timestamp"]);
    let resets_in = i64::try_from(RESETS_IN).unwrap();
    assert!(until <= refused + resets_in, "refused at {refused}, until {until}");
    assert!(started >= until, "started at {started}, until {until}");
    assert!(started <= until + 5, "started at {started}, until {until}");
}

#[test]
fn c9_without_the_flag_a_usage_limit_is_reported_with_its_time() {
    let model = LoopbackModel::start_with([ScriptedAnswer::UsageLimit { resets_in: 7_200 }]);
    let ran = run(&model, &["--task", "fix it"]);
    assert_eq!(ran.finished.exit_code, Some(1), "{:#}", ran.meta);
    assert_eq!(ran.meta["classification"], "rate_limited");
    let refused = seconds(&ran.events("iteration_completed").next().unwrap()["timestamp"]);
    let resets_at = seconds(&ran.meta["limit_resets_at"]);
    assert!((7_000..=7_200).contains(&(resets_at - refused)), "{resets_at} {refused}");
}

#[test]
fn c9_a_cap_ends_the_run_after_its_turn() {
    let model =
        LoopbackModel::start_with((0..9).map(|_| ScriptedAnswer::text("There is more to do.")));
    let repeated = ["--task", "work", "--repeat-until", "ALL DONE", "--max-runs", "9"];
    let ran = run(&model, &[&repeated[..], &["--max-tokens", "1"]].concat());
    assert_eq!(ran.finished.exit_code, Some(60), "{:#}", ran.meta);
    assert_eq!(ran.meta["classification"], "budget");
    assert_eq!(model.main_requests().len(), 1);
    let used = &ran.meta["total_use"];
    assert!(used["input_tokens"].as_u64() > Some(1) && used["turns"] == 1, "{used}");

    let model =
        LoopbackModel::start_with((0..9).map(|_| ScriptedAnswer::text("There is more to do.")));
    let ran = run(&model, &[&repeated[..], &["--max-turns", "2"]].concat());
    assert_eq!(
        (&ran.meta["classification"], &ran.meta["total_use"]["turns"]),
        (&"budget".into(), &2.into())
    );
    assert_eq!(model.main_requests().len(), 2);
    // The model reports 7 output tokens for each answer. In the second turn, codex reports the sum for the thread.
    assert_eq!(ran.meta["total_use"]["output_tokens"], 2 * 7, "{:#}", ran.meta);
}

fn write_tool(path: &Path) -> ScriptedAnswer {
    ScriptedAnswer::tool_call("Write", serde_json::json!({ "file_path": path, "content": "x" }))
}

#[test]
fn c10_claude_code_runs_with_the_same_record() {
    let model =
        LoopbackModel::start_with([ScriptedAnswer::text("The parser is fixed.\nCONTROL: DONE")]);
    let ran = run_claude(&model, &["--task", "fix the zebra parser"]);
    let meta = &ran.meta;
    assert_eq!(
        (ran.finished.exit_code, &meta["classification"]),
        (Some(0), &"done".into()),
        "{meta:#}"
    );
    assert_eq!(meta["effective_sandbox"], "read-only");
    assert!(meta["thread_id"].as_str().is_some_and(|id| id.len() == 36), "{meta:#}");
    let used = &meta["total_use"];
    assert!(used["input_tokens"].as_u64() > Some(0) && used["turns"] == 1, "{used}");
    assert!(used["cost"].as_f64().is_some_and(|cost| cost > 0.0), "{used}");
    let last = std::fs::read_to_string(meta["last_message_file"].as_str().unwrap()).unwrap();
    assert_eq!(last, "The parser is fixed.\nCONTROL: DONE");
    let asked = model.first_main_request().unwrap();
    assert!(asked.text_as(PassageRole::User).contains("fix the zebra parser"));
}

/// The settings of the repository and of the user allow everything, but the run gets only tools that read.
#[test]
fn c10_claude_code_cannot_write_in_a_read_only_run() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written.txt");
    let command = format!("echo x > '{}'", written.display());
    let bash = ScriptedAnswer::tool_call(
        "Bash",
        serde_json::json!({ "command": command, "description": "d" }),
    );
    let model =
        LoopbackModel::start_with([write_tool(&written), bash, ScriptedAnswer::text("tried")]);
    let client = Client::new(ClientKind::ClaudeCode, &model);
    let allowed = serde_json::json!({ "permissions": { "allow": ["Bash", "Write"], "defaultMode": "bypassPermissions" } });
    let settings = client.home().join(".claude");
    std::fs::create_dir_all(&settings).unwrap();
    std::fs::write(settings.join("settings.json"), allowed.to_string()).unwrap();
    let ran = run_with(client, &["--agent", "claude", "--task", "write a file"]);
    assert_eq!(ran.finished.exit_code, Some(0), "{:#}", ran.meta);
    assert_eq!(model.main_requests().len(), 3, "both tools were tried");
    assert!(!written.exists() && !ran.repository.join("written.txt").exists());
}

#[test]
fn c10_orders_that_claude_code_cannot_express_are_refused() {
    let model = LoopbackModel::start_with([]);
    for (orders, reason) in [
        (&["--sandbox", "workspace-write", "--network"][..], "can only allow named hosts"),
        (&["--profile", "x"][..], "--profile is supported only with codex"),
        (&["--codex-config", "model_verbosity=high"][..], "is supported only with codex"),
    ] {
        let client = Client::new(ClientKind::ClaudeCode, &model);
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
        let launch =
            client.launch(program, repository.path()).arguments(["run", "--agent", "claude"]);
        let refused = launch.arguments(["--context", "off", "--task", "x"]).arguments(orders).run();
        assert_eq!(refused.exit_code, Some(126), "{refused:#?}");
        assert!(refused.stderr.contains(reason), "{refused:#?}");
    }
    assert!(model.main_requests().is_empty());
}

#[test]
fn c10_a_cap_stops_claude_code_after_its_turn() {
    let list = || ScriptedAnswer::tool_call("Glob", serde_json::json!({ "pattern": "*" }));
    let model = LoopbackModel::start_with((0..9).map(|_| list()));
    let ran = run_claude(&model, &["--task", "work", "--max-turns", "2"]);
    assert_eq!(
        (ran.finished.exit_code, &ran.meta["classification"]),
        (Some(60), &"budget".into()),
        "{:#}",
        ran.meta
    );
    assert_eq!(model.main_requests().len(), 2);

    let model = LoopbackModel::start_with((0..9).map(|_| list()));
    let ran = run_claude(&model, &["--task", "work", "--max-tokens", "1"]);
    assert_eq!(
        (ran.finished.exit_code, &ran.meta["classification"]),
        (Some(60), &"budget".into()),
        "{:#}",
        ran.meta
    );
    assert!(model.main_requests().len() <= 2, "more than one further turn");
}

#[test]
fn c10_claude_code_continues_when_its_usage_limit_is_reset() {
    let limit = ScriptedAnswer::UsageLimit { resets_in: RESETS_IN };
    let model =
        LoopbackModel::start_with([limit, ScriptedAnswer::text("It is done.\nCONTROL: DONE")]);
    // The service sends the times of usage limits only to accounts with a subscription.
    let client = Client::new(ClientKind::ClaudeCode, &model)
        .with_env("ANTHROPIC_API_KEY", "")
        .with_env("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-loopback");
    let ran = run_with(
        client,
        &["--agent", "claude", "--task", "fix the zebra parser", "--wait-for-limit", "10m"],
    );
    let meta = &ran.meta;
    assert_eq!(
        (ran.finished.exit_code, &meta["classification"]),
        (Some(0), &"done".into()),
        "{meta:#}"
    );
    let requests = model.main_requests();
    assert_eq!(requests.len(), 2);
    let asked = requests[1].text_as(PassageRole::User);
    assert_eq!(asked.matches("fix the zebra parser").count(), 1, "{asked}");
    let refused = seconds(&ran.events("iteration_completed").next().unwrap()["timestamp"]);
    let until = seconds(&ran.events("limit_wait_started").next().unwrap()["data"]["until"]);
    let started = seconds(&ran.events("iteration_started").nth(1).unwrap()["timestamp"]);
    assert!(until <= refused + i64::try_from(RESETS_IN).unwrap(), "{refused} {until}");
    assert!(started >= until && started <= until + 5, "{started} {until}");
}
