//! C5, C7, C8: unattended runs of the real codex with the loopback model.

use std::path::Path;

use serde_json::Value;
use testkit::{
    Client, ClientKind, Finished, Launch, LoopbackModel, PassageRole, Repository, ScriptedAnswer,
};

struct Setup {
    model: LoopbackModel,
    client: Client,
    repository: Repository,
}

impl Setup {
    fn new(answers: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        let model = LoopbackModel::start_with(answers);
        let client = Client::new(ClientKind::Codex, &model);
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        Self { model, client, repository }
    }

    fn launch(&self) -> Launch {
        let program = Path::new(env!("CARGO_BIN_EXE_adjutant"));
        self.client.launch(program, self.repository.path())
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        self.launch().arguments(["run", "--context", "off", "--json"]).arguments(arguments).run()
    }
}

fn meta(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

#[test]
fn c5_a_run_records_its_answer_tokens_and_thread() {
    let setup = Setup::new([ScriptedAnswer::text("The parser is fixed.\nCONTROL: DONE")]);
    let ran =
        setup.run(&["--task", "fix the parser", "--sandbox", "workspace-write"]).expect_success();
    let meta = meta(&ran);
    assert_eq!(meta["classification"], "done");
    assert_eq!(meta["effective_sandbox"], "workspace-write");
    assert!(meta["tokens_used"].as_u64().is_some(), "{meta:#}");
    assert!(meta["thread_id"].as_str().is_some_and(|id| id.len() == 36), "{meta:#}");
    let asked = setup.model.first_main_request().unwrap();
    assert!(asked.text_as(PassageRole::User).contains("fix the parser"));
    let last = std::fs::read_to_string(meta["last_message_file"].as_str().unwrap()).unwrap();
    assert_eq!(last, "The parser is fixed.\nCONTROL: DONE");
}

/// Checks the conversation, not only the arguments: the second request contains the first question and answer.
#[test]
fn c5_resume_continues_the_same_conversation() {
    let setup = Setup::new([
        ScriptedAnswer::text("The first answer."),
        ScriptedAnswer::text("The second answer."),
    ]);
    let first = meta(&setup.run(&["--task", "the first question"]).expect_success());
    let session = first["session"].as_str().unwrap();
    let job = |arguments: &[&str]| setup.launch().arguments(["job"]).arguments(arguments).run();
    let resumed = job(&["resume", session, "--task", "the second question"]).expect_success();
    let id = resumed.stdout.trim().to_owned();
    let mut status = Value::Null;
    testkit::eventually("the job has ended", || {
        status = meta(&job(&["status", &id, "--json"]).expect_success());
        status["state"] != "running"
    });
    assert_eq!(
        (&status["state"], &status["thread_id"]),
        (&"completed".into(), &first["thread_id"])
    );
    assert_eq!(status["effective_sandbox"], "read-only");
    let requests = setup.model.main_requests();
    let second = requests.last().unwrap();
    let asked = second.text_as(PassageRole::User);
    assert!(
        asked.contains("the first question") && asked.contains("the second question"),
        "{asked}"
    );
    assert!(second.text_as(PassageRole::Assistant).contains("The first answer."));
}

#[test]
fn c7_failures_of_the_model_are_distinguished() {
    for (status, classification) in
        [(401, "auth_error"), (429, "rate_limited"), (500, "network_error")]
    {
        let setup = Setup::new((0..20).map(|_| ScriptedAnswer::Status(status)));
        let ran = setup.run(&["--task", "anything about tokens, approval and sandbox"]);
        let meta = meta(&ran);
        assert_eq!((ran.exit_code, &meta["codex_exit_code"]), (Some(1), &1.into()), "{meta:#}");
        assert_eq!(meta["classification"], classification, "{meta:#}");
    }
}

#[test]
fn c7_a_directory_that_is_not_a_repository_is_reported() {
    let setup = Setup::new([]);
    let nowhere = tempfile::tempdir().unwrap();
    let ran = setup.run(&["--task", "x", "-C", nowhere.path().to_str().unwrap()]);
    assert_eq!(
        (ran.exit_code, &meta(&ran)["classification"]),
        (Some(1), &"config_error".into()),
        "{ran:#?}"
    );
}

#[test]
fn c1_codex_runs_in_the_ordered_sandbox() {
    let write = |sandbox: &str| {
        let command = serde_json::json!({ "cmd": "echo x > written.txt", "command": ["sh", "-c", "echo x > written.txt"] });
        let setup = Setup::new([
            ScriptedAnswer::tool_call("exec_command", command),
            ScriptedAnswer::text("tried"),
        ]);
        let ran = setup.run(&["--task", "write a file", "--sandbox", sandbox]);
        let written = setup.repository.join("written.txt").exists();
        (ran, written)
    };
    let (read_only, written) = write("read-only");
    assert!(!written, "{read_only:#?}");
    let (workspace, written) = write("workspace-write");
    assert!(written, "the command cannot write in workspace-write either: {workspace:#?}");
}

/// codex consists of a node launcher and the program, and it runs the command in a sandbox.
#[test]
fn c5_stop_ends_the_real_codex_and_its_command() {
    let command = serde_json::json!({ "cmd": "sleep 661", "yield_time_ms": 60_000 });
    let setup = Setup::new([ScriptedAnswer::tool_call("exec_command", command)]);
    let job = |arguments: &[&str]| setup.launch().arguments(["job"]).arguments(arguments).run();
    let started =
        job(&["start", "--context", "off", "--task", "wait", "--sandbox", "workspace-write"]);
    let id = started.expect_success().stdout.trim().to_owned();
    testkit::eventually("the command runs", || {
        let log = job(&["logs", &id]).stdout;
        log.contains("[command] ") && log.contains("sleep 661")
    });
    let running = process::processes_with("ADJUTANT_SESSION", &id);
    assert!(running.len() >= 2, "codex and its command do not have the variable: {running:?}");
    let stopped = meta(&job(&["stop", &id, "--json"]).expect_success());
    assert_eq!(stopped["newState"], "stopped", "{stopped:#}");
    let left = process::processes_with("ADJUTANT_SESSION", &id);
    assert!(left.is_empty(), "{left:?}");
    // A killed process is listed until the kernel has released it.
    testkit::eventually("its processes end", || {
        running.iter().all(|process| !process.is_running())
    });
}

/// The real codex uses exactly the directories in the record, regardless of the user's configuration.
#[test]
fn c1_only_the_directories_in_the_record_can_be_written_to() {
    // Not below /tmp, which every workspace sandbox can write to. The repository itself may be there.
    let outside = tempfile::tempdir_in("/var/tmp").unwrap();
    let outside = outside.path().canonicalize().unwrap();
    let file = outside.join("written.txt");
    let write = |arguments: &[&str]| {
        let cmd = format!("echo x > '{}'", file.display());
        let command = serde_json::json!({ "cmd": cmd, "command": ["sh", "-c", cmd] });
        let setup = Setup::new([
            ScriptedAnswer::tool_call("exec_command", command),
            ScriptedAnswer::text("tried"),
        ]);
        let config = setup.client.home().join("config.toml");
        let mut text = std::fs::read_to_string(&config).unwrap_or_default();
        let table = format!("\n[sandbox_workspace_write]\nwritable_roots = [{outside:?}]\n");
        text.push_str(&table);
        std::fs::write(&config, text).unwrap();
        let orders = ["--task", "write", "--sandbox", "workspace-write"];
        let ran = setup.run(&[&orders, arguments].concat());
        (meta(&ran)["effective_writable_roots"].clone(), file.exists())
    };
    assert_eq!(write(&[]), (serde_json::json!([]), false));
    let shown = outside.to_str().unwrap();
    let table = format!("sandbox_workspace_write={{writable_roots=[{shown:?}]}}");
    let widened = (serde_json::json!([shown]), true);
    assert_eq!(write(&["--codex-config", &table]), widened);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(write(&["--", "--add-dir", shown]), widened);
}

const SANDBOX_PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.cache/sandbox/bin");

/// Needs `bwrap` and `socat`, which `tests/sandbox/install` provides, and a kernel that allows user namespaces.
#[test]
fn c10_claude_code_writes_only_inside_its_directory_and_has_no_network() {
    let programs = Path::new(SANDBOX_PROGRAMS);
    let is_missing = |name: &str| !programs.join(name).exists();
    if is_missing("bwrap") || is_missing("socat") {
        eprintln!("not run: bwrap and socat are not in {SANDBOX_PROGRAMS}");
        return;
    }
    let outside = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let script = format!(
        "echo in > inside.txt\necho out > '{}/outside.txt'\n\
         if (exec 3<>/dev/tcp/127.0.0.1/{}); then echo yes > reached.txt; fi\necho tried\n",
        outside.path().display(),
        listener.local_addr().unwrap().port()
    );
    let input = serde_json::json!({ "command": "bash try.sh", "description": "try" });
    let model = LoopbackModel::start_with([
        ScriptedAnswer::tool_call("Bash", input),
        ScriptedAnswer::text("It is done.\nCONTROL: DONE"),
    ]);
    let client = Client::new(ClientKind::ClaudeCode, &model).with_programs(programs);
    let repository = Repository::builder().file("try.sh", script).commit("one").build();
    let launch = client.launch(Path::new(env!("CARGO_BIN_EXE_adjutant")), repository.path());
    let words = ["run", "--context", "off", "--json", "--agent", "claude", "--task", "try it"];
    let ran = launch.arguments(words).arguments(["--sandbox", "workspace-write"]).run();
    let requests = model.main_requests();
    let messages = &requests.last().expect("the model is asked").body["messages"];
    let answered = messages.as_array().and_then(|all| all.last()).cloned().unwrap_or_default();
    assert_eq!(meta(&ran.expect_success())["classification"], "done", "{answered:#}");
    assert!(answered.to_string().contains("tried"), "{answered:#}");
    let written = std::fs::read_to_string(repository.path().join("inside.txt"));
    assert_eq!(written.ok().as_deref(), Some("in\n"), "{answered:#}");
    assert!(!outside.path().join("outside.txt").exists(), "{answered:#}");
    assert!(!repository.path().join("reached.txt").exists(), "{answered:#}");
}
