//! C9, C10: usage limits and caps of a task of the queue, with the real clients and the loopback model.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

use serde_json::{Value, json};
use testkit::{
    Client, ClientKind, Finished, LoopbackModel, PassageRole, Repository, ScriptedAnswer,
};

const RESETS_IN: u64 = 3;

struct Queue<'a> {
    model: &'a LoopbackModel,
    client: Client,
    repository: Repository,
}

impl<'a> Queue<'a> {
    fn new(model: &'a LoopbackModel, client: Client) -> Self {
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        Self { model, client, repository }
    }

    fn codex(model: &'a LoopbackModel) -> Self {
        Self::new(model, Client::new(ClientKind::Codex, model))
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
        let launch = self.client.launch(program, self.repository.path());
        launch.arguments(arguments).run().expect_success()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"))
    }

    /// Adds a task, works until the queue is empty, and returns what `queue show` knows about the task.
    fn work_off(&self, task: &[&str]) -> Value {
        let added = self.run(&[&["queue", "add", "--context", "off"], task].concat());
        self.work();
        self.json(&["queue", "show", added.stdout.trim()])
    }

    fn work(&self) {
        self.run(&["queue", "work", "--until-empty"]);
    }

    /// Checks that the second attempt continued the conversation of the first one when the limit was reset.
    fn expect_continued(&self, shown: &Value) {
        let attempts = shown["attempts"].as_array().unwrap();
        let results: Vec<&Value> = attempts.iter().map(|attempt| &attempt["result"]).collect();
        assert_eq!(results, [&json!("waiting"), &json!("finished")], "{shown:#}");
        let notices = shown["notices"].as_array().unwrap();
        let kinds: Vec<&Value> = notices.iter().map(|notice| &notice["kind"]).collect();
        assert_eq!(kinds, [&json!("waiting"), &json!("finished")], "{shown:#}");
        // The attempt starts at the stated time, which follows from the reply. The store has one clock.
        let notice: Value = serde_json::from_str(notices[0]["content"].as_str().unwrap()).unwrap();
        let until = notice["waiting_until"].as_i64().unwrap();
        let refused = attempts[0]["ended_at"].as_i64().unwrap();
        let started = attempts[1]["started_at"].as_i64().unwrap();
        let resets_in = i64::try_from(RESETS_IN).unwrap() * 1_000;
        // The time of the reset is recorded in whole seconds, and rounded up.
        assert!(until <= refused + resets_in + 1_000, "refused at {refused}, until {until}");
        assert!(started >= until, "started at {started}, until {until}");
        // Both runs worked in one thread and in one directory.
        let session =
            |attempt: &Value| self.json(&["job", "status", attempt["session"].as_str().unwrap()]);
        let (first, second) = (session(&attempts[0]), session(&attempts[1]));
        assert!(first["thread_id"].is_string(), "{first:#}");
        assert_eq!(
            (&first["thread_id"], &first["cwd"]),
            (&second["thread_id"], &second["cwd"]),
            "{second:#}"
        );
        // The model saw the task once.
        let requests = self.model.main_requests();
        let asked = requests.last().unwrap().text_as(PassageRole::User);
        assert_eq!(asked.matches("fix the zebra parser").count(), 1, "{asked}");
    }
}

#[test]
fn c9_a_task_continues_in_its_thread_and_worktree_when_the_usage_limit_is_reset() {
    let cmd = "echo x > written.txt";
    let write = json!({ "cmd": cmd, "command": ["sh", "-c", cmd] });
    let model = LoopbackModel::start_with([
        ScriptedAnswer::tool_call("exec_command", write),
        ScriptedAnswer::UsageLimit { resets_in: RESETS_IN },
        ScriptedAnswer::text("It is done.\nCONTROL: DONE"),
    ]);
    let queue = Queue::codex(&model);
    let shown = queue.work_off(&["--task", "fix the zebra parser", "--sandbox", "workspace-write"]);
    queue.expect_continued(&shown);
    assert_eq!(model.main_requests().len(), 3);
    // The file that the first attempt wrote is part of the result.
    let branch = shown["task"]["product"]["branch"].as_str().unwrap();
    let files = queue.repository.git(&["ls-tree", "--name-only", branch]);
    assert_eq!(files, "a.txt\nwritten.txt");
}

#[test]
fn c10_a_task_of_claude_code_continues_when_its_usage_limit_is_reset() {
    let limit = ScriptedAnswer::UsageLimit { resets_in: RESETS_IN };
    let model =
        LoopbackModel::start_with([limit, ScriptedAnswer::text("It is done.\nCONTROL: DONE")]);
    // The service sends the times of usage limits to accounts with a subscription.
    let client = Client::new(ClientKind::ClaudeCode, &model)
        .with_env("ANTHROPIC_API_KEY", "")
        .with_env("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-loopback");
    let queue = Queue::new(&model, client);
    let shown = queue.work_off(&["--task", "fix the zebra parser", "--agent", "claude"]);
    queue.expect_continued(&shown);
    assert_eq!(model.main_requests().len(), 2);
}

#[test]
fn c9_a_cap_of_a_task_is_passed_by_at_most_one_turn() {
    let repeated = ["--task", "work", "--repeat-until", "ALL DONE", "--max-runs", "9"];
    let more = || (0..9).map(|_| ScriptedAnswer::text("There is more to do."));
    for (caps, n_turns) in [(["--max-tokens", "1"], 1), (["--max-turns", "2"], 2)] {
        let model = LoopbackModel::start_with(more());
        let queue = Queue::codex(&model);
        let shown = queue.work_off(&[&repeated[..], &caps].concat());
        let task = &shown["task"];
        assert_eq!(task["state"], "budget", "{shown:#}");
        assert_eq!(task["usage"]["turns"], n_turns, "{shown:#}");
        assert_eq!(model.main_requests().len(), n_turns);
        // The cap counts all attempts: a retry has no turn left.
        queue.run(&["queue", "retry", task["id"].as_str().unwrap()]);
        queue.work();
        let again = queue.json(&["queue", "show", task["id"].as_str().unwrap()]);
        assert_eq!(again["task"]["state"], "budget", "{again:#}");
        assert_eq!(model.main_requests().len(), n_turns);
    }
}

#[test]
fn c9_a_limit_of_the_day_is_passed_by_at_most_one_turn() {
    let model =
        LoopbackModel::start_with((0..9).map(|_| ScriptedAnswer::text("There is more to do.")));
    let queue = Queue::codex(&model);
    queue.run(&["queue", "limits", "--max-tokens", "1"]);
    let repeated = ["--task", "work", "--repeat-until", "ALL DONE", "--max-runs", "9"];
    let shown = queue.work_off(&repeated);
    assert_eq!(shown["task"]["state"], "budget", "{shown:#}");
    assert_eq!((&shown["task"]["usage"]["turns"], model.main_requests().len()), (&json!(1), 1));
}

#[test]
fn c9_the_next_account_takes_over_and_its_conversation_is_continued_with_its_own_login() {
    const TASK: &str = "fix the zebra parser";
    let first = LoopbackModel::start_with([ScriptedAnswer::UsageLimit { resets_in: 3_600 }]);
    let second = LoopbackModel::start_with([
        ScriptedAnswer::UsageLimit { resets_in: RESETS_IN },
        ScriptedAnswer::text("It is done.\nCONTROL: DONE"),
    ]);
    let queue = Queue::codex(&first);
    let account = Client::new(ClientKind::Codex, &second);
    let configuration = queue.client.home().join(".config/adjutant");
    std::fs::create_dir_all(&configuration).unwrap();
    let settings = format!("next_codex_homes = [{:?}]\n", account.home());
    std::fs::write(configuration.join("unattended.toml"), settings).unwrap();
    let shown = queue.work_off(&["--task", TASK]);
    let task = &shown["task"];
    assert_eq!(task["state"], "finished", "{shown:#}");
    // The first account is asked once, the second continues when its own limit is reset, which is earlier.
    assert_eq!((first.main_requests().len(), second.main_requests().len()), (1, 2), "{shown:#}");
    let asked = second.main_requests().last().unwrap().text_as(PassageRole::User);
    assert_eq!(asked.matches(TASK).count(), 1, "{asked}");
    let sessions = shown["attempts"].as_array().unwrap().iter();
    let sessions: Vec<Value> = sessions
        .map(|attempt| queue.json(&["job", "status", attempt["session"].as_str().unwrap()]))
        .collect();
    assert_eq!(sessions.len(), 2, "{shown:#}");
    assert_eq!(sessions[0]["thread_id"], sessions[1]["thread_id"], "{sessions:#?}");
    let home = json!(account.home());
    assert_eq!((&sessions[0]["codex_home"], &sessions[1]["codex_home"]), (&home, &home));
}
