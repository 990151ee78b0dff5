use std::fs;
use std::path::Path;

use testkit::{FAKE_THREAD, FakeCodex};

use super::{Setup, json};
use crate::fixture::ADJUTANT;

#[test]
fn c6_json_prints_only_the_meta_data() {
    let setup = Setup::answering("Hello there.");
    let ran = setup.run(&["--task", "greet", "--json"]).expect_success();
    let meta = json(&ran);
    assert_eq!((&meta["classification"], &meta["tokens_used"]), (&"normal".into(), &127.into()));
    assert_eq!(meta["thread_id"], FAKE_THREAD);
    let plain = setup.run(&["greet", "me"]).expect_success();
    assert_eq!(plain.stdout, "Hello there.\n", "stdout contains only the answer");
    assert!(plain.stderr.contains("log: "), "{}", plain.stderr);
    assert!(setup.codex.prompt(2).contains("greet me"));
}

#[test]
fn c5_exit_codes_are_those_of_codex_or_the_documented_ones() {
    let setup = Setup::with(FakeCodex::doing("exit 7"));
    assert_eq!(setup.run(&["--task", "x"]).exit_code, Some(7));
    let slow = Setup::with(FakeCodex::doing("thread; sleep 600"));
    let timed_out = slow.run(&["--task", "x", "--timeout", "700ms", "--json"]);
    assert_eq!(
        (timed_out.exit_code, &json(&timed_out)["classification"]),
        (Some(124), &"timeout".into())
    );
    let missing = Setup::answering("x");
    let missing = missing
        .launch(ADJUTANT)
        .env("PATH", "/usr/bin:/bin")
        .arguments(["run", "--task", "x"])
        .run();
    assert_eq!(missing.exit_code, Some(127), "{missing:#?}");
    assert!(missing.stderr.contains("`codex` is not on PATH"));
}

#[test]
fn c8_instructions_from_files_stdin_and_the_environment_keep_their_order() {
    let setup = Setup::answering("x");
    fs::write(setup.repository.join("one.md"), "first file").unwrap();
    fs::write(setup.repository.join("two.md"), "second file").unwrap();
    setup
        .launch(ADJUTANT)
        .arguments([
            "run",
            "--context",
            "off",
            "-f",
            "one.md",
            "-c",
            "between",
            "-f",
            "two.md",
            "-",
            "--prepend",
            "before",
            "--append",
            "after",
        ])
        .input("from the pipe")
        .run()
        .expect_success();
    let prompt = setup.codex.prompt(1);
    let mut at = 0;
    for part in [
        "before",
        "You work unattended",
        "first file",
        "between",
        "second file",
        "from the pipe",
        "after",
    ] {
        at += prompt[at..]
            .find(part)
            .unwrap_or_else(|| panic!("`{part}` is missing or in the wrong order:\n{prompt}"));
    }
    setup
        .launch(ADJUTANT)
        .arguments(["run", "--context", "off"])
        .input("only a pipe")
        .run()
        .expect_success();
    assert!(setup.codex.prompt(2).contains("only a pipe"));
    let with_variable = setup.launch(ADJUTANT).env("INSTRUCTIONS", "base of mine");
    with_variable.arguments(["run", "--context", "off", "--task", "t"]).run().expect_success();
    assert!(
        setup.codex.prompt(3).contains("source=\"env\"")
            && setup.codex.prompt(3).contains("base of mine")
    );
}

#[test]
fn c8_orders_of_every_kind_are_passed_to_codex_once() {
    let setup = Setup::answering("x");
    setup
        .run(&[
            "--task",
            "x",
            "--approval-mode",
            "never",
            "--sandbox",
            "workspace-write",
            "--profile",
            "dev",
            "--codex-config",
            "sandbox_workspace_write.network_access=true",
            "--codex-config",
            "model_verbosity=low",
            "--model",
            "gpt-5 high",
            "--codex-arg",
            "--skip-git-repo-check",
            "--",
            "--ephemeral",
            "-c",
            "hide_agent_reasoning=true",
        ])
        .expect_success();
    assert_eq!(
        setup.codex.arguments(1).join(" "),
        "exec --json --color never --sandbox workspace-write --config sandbox_workspace_write.network_access=true \
         --config sandbox_workspace_write.writable_roots=[] --disable unbounded_connection_retries --profile dev --model gpt-5 --config model_reasoning_effort=\"high\" \
         --config model_verbosity=\"low\" --config hide_agent_reasoning=true --skip-git-repo-check --ephemeral -"
    );
}

#[test]
fn c7_the_briefing_comes_before_the_instructions() {
    let setup = Setup::answering("x");
    fs::write(setup.repository.join("budget.rs"), "pub fn enforce_retry_budget_zebra() {}\n")
        .unwrap();
    let task = "where is enforce_retry_budget_zebra defined?";
    setup.launch(ADJUTANT).arguments(["run", "--task", task]).run().expect_success();
    let prompt = setup.codex.prompt(1);
    assert!(prompt.contains("type=\"context\"") && prompt.contains("budget.rs:1"), "{prompt}");
    assert!(prompt.find("budget.rs:1") < prompt.find("type=\"base\""));
    setup.run(&["--task", task]).expect_success();
    assert!(!setup.codex.prompt(2).contains("type=\"context\""), "--context off");
}

#[test]
fn c7_a_before_hook_gets_the_run_and_can_forbid_it() {
    let setup = Setup::answering("x");
    let hooks = setup.folder.path().join(".config/adjutant/hooks");
    fs::create_dir_all(&hooks).unwrap();
    let heard = setup.folder.path().join("heard");
    let command = format!("cat > '{}'; echo not tonight >&2; exit 2", heard.display());
    let rule = serde_json::json!([{"matcher": "codex.exec", "hooks": [{"type": "command", "command": command, "enabled": true}]}]);
    fs::write(hooks.join("beforeToolCall.json"), rule.to_string()).unwrap();
    let ran = setup.run(&["--task", "delete everything", "--json"]);
    let meta = json(&ran);
    assert_eq!(
        (ran.exit_code, &meta["classification"]),
        (Some(40), &"blocked_by_hook".into()),
        "{ran:#?}"
    );
    assert!(meta["reason"].as_str().unwrap().contains("not tonight"), "{meta:#}");
    assert_eq!(setup.codex.n_runs(), 0);
    assert!(fs::read_to_string(heard).unwrap().contains("delete everything"));
}

#[test]
fn c5_ctrl_c_stops_codex_and_closes_the_record() {
    let setup = Setup::with(FakeCodex::doing(
        "trap '' TERM; thread; touch \"$here/up\"; sleep 631; sleep 632",
    ));
    let script = format!(
        "'{ADJUTANT}' run --context off --task x --grace 200ms --json & child=$!; while [ ! -e '{0}/up' ]; do sleep 0.05; done; kill -INT $child; wait $child; echo code $? >&2",
        setup.codex.folder().display()
    );
    // Without job control, a shell makes its background jobs ignore SIGINT. `bash -m` enables job control.
    let ran = setup.launch("/bin/bash").arguments(["-m", "-c", &script]).run();
    let meta = json(&ran);
    assert!(ran.stderr.contains("code 143"), "{ran:#?}");
    assert_eq!(meta["classification"], "user_cancelled");
    setup.no_process_is_left(meta["session"].as_str().unwrap());
}

#[test]
fn a_dry_run_prints_what_would_run_and_leaves_no_job() {
    let setup = Setup::answering("x");
    let secret = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz";
    let task = format!("why is a.txt short? {secret}");
    for command in [&["run"][..], &["job", "start"], &["queue", "add"]] {
        let launch = || {
            let launch = setup.launch(ADJUTANT).arguments(command);
            launch.arguments([&task, "--context", "off", "--dry-run"])
        };
        let shown = launch().run().expect_success().stdout;
        assert!(shown.starts_with("command    codex exec "), "{command:?}: {shown}");
        assert!(shown.contains("\nsandbox    read-only · approval never"), "{command:?}: {shown}");
        assert!(shown.contains("why is a.txt short?"), "{command:?}: {shown}");
        assert!(!shown.contains("wJalrXUtnFEMI"), "{command:?}: {shown}");
        let wider = launch().arguments(["--json", "--sandbox", "workspace-write"]);
        let wider = json(&wider.run().expect_success());
        assert_eq!(wider["effective"]["sandbox"], "workspace-write", "{wider:#}");
        assert!(wider["instructions"].as_str().unwrap().contains("a.txt"), "{wider:#}");
    }
    assert_eq!(setup.codex.n_runs(), 0);
    assert!(!setup.sessions().exists());
    let listed = setup.adjutant(&["job", "list", "--json"]).expect_success();
    assert_eq!(json(&listed), serde_json::json!([]));
    let tasks = setup.adjutant(&["queue", "list", "--json"]).expect_success();
    assert_eq!(json(&tasks), serde_json::json!([]));
}

#[test]
fn c8_the_launchers_keep_their_names_and_paths() {
    let setup = Setup::answering("Hello.");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = setup.folder.path().join("scripts");
    for script in ["start.sh", "job.sh"] {
        let text = fs::read_to_string(root.join(script)).unwrap();
        testkit::write_executable(&beside.join(script), &text);
    }
    let start = setup.launch(beside.join("start.sh").to_str().unwrap());
    let meta = json(
        &start.arguments(["--task", "x", "--context", "off", "--json"]).run().expect_success(),
    );
    let sessions = beside.join(".codex-father/sessions");
    assert!(meta["log_file"].as_str().unwrap().starts_with(sessions.to_str().unwrap()), "{meta:#}");
    let job = |arguments: &[&str]| {
        setup.launch(beside.join("job.sh").to_str().unwrap()).arguments(arguments).run()
    };
    let listed = json(&job(&["list", "--json"]).expect_success());
    assert_eq!(listed[0]["state"], "completed");
    assert_eq!(job(&["stat"]).exit_code, Some(2));
}

/// Callers of the older scripts use a codex that prints its arguments and has no `--help`.
#[test]
fn c8_the_launchers_pass_on_what_older_callers_wrote() {
    let setup = Setup::answering("unused");
    let stub = setup.folder.path().join("bin");
    let prints = "#!/bin/sh\nfor word in \"$@\"; do echo \"ARG: $word\"; done\n";
    testkit::write_executable(&stub.join("codex"), prints);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../start.sh");
    let log = setup.folder.path().join("log.txt");
    let launch = |arguments: &[&str]| {
        let start = setup.launch(script.to_str().unwrap()).first_on_path(&stub);
        start.env("CODEX_LOG_FILE", &log).arguments(arguments).run()
    };
    let check = |arguments: &[&str], expected: &[&str], warning: &str| {
        let common = ["--task", "x", "--context", "off", "--json"];
        let ran = launch(&[&common[..], arguments].concat()).expect_success();
        let meta = json(&ran);
        let log = fs::read_to_string(&log).unwrap();
        for word in expected {
            assert!(log.lines().any(|line| line == format!("ARG: {word}")), "{word}: {log}");
        }
        let is_recorded = meta["reasons"].to_string().contains("not judged");
        assert_eq!((is_recorded, ran.stderr.contains(warning)), (true, true), "{ran:#?}");
        fs::remove_file(meta["log_file"].as_str().unwrap()).unwrap();
    };
    let raw = "-- --profile dev --sandbox workspace-write --full-auto --ask-for-approval never --config foo.bar=1 --json";
    check(
        &raw.split(' ').collect::<Vec<_>>(),
        &[
            "--profile",
            "dev",
            "--full-auto",
            "--ask-for-approval",
            "never",
            "--config",
            "foo.bar=1",
        ],
        "warning: `foo.bar`",
    );
    let entries = ["foo.bar=\"baz\"", "a_number=42", "a_bool=true"];
    let config = entries.map(|entry| ["--codex-config", entry]);
    check(&config.concat(), &entries, "warning: `a_number`");
    for (flag, policy) in [("--approval-mode", "on-request"), ("--approvals", "untrusted")] {
        let warning = format!("warning: the approval policy `{policy}`");
        check(&[flag, policy], &["--ask-for-approval", policy], &warning);
    }
    let unknown = launch(&["--execute-remaining-tasks"]);
    assert_eq!(unknown.exit_code, Some(2));
    for part in ["未知参数", "--help", "--task"] {
        assert!(unknown.stderr.contains(part), "{}", unknown.stderr);
    }
    let dry = json(&launch(&["--task", "x", "--dry-run", "--json"]).expect_success());
    assert_eq!(dry["exit_code"], 0);
    for file in ["log_file", "instructions_file"] {
        assert!(Path::new(dry[file].as_str().unwrap()).is_file(), "{file}: {dry:#}");
    }
}

/// A person may request wider orders. The record contains the effective ones.
#[test]
fn c6_wider_orders_of_a_person_are_recorded() {
    let setup = Setup::answering("x");
    let more = setup.folder.path().join("more");
    fs::create_dir(&more).unwrap();
    std::os::unix::fs::symlink(&more, setup.folder.path().join("link")).unwrap();
    let link = setup.folder.path().join("link");
    let table = format!(
        "sandbox_workspace_write={{network_access=true, writable_roots=[{:?}]}}",
        link.display().to_string()
    );
    let orders = ["--task", "x", "--json", "--sandbox", "workspace-write"];
    let notify = ["--codex-config", "notify=[\"true\"]"];
    let ran = setup.run(&[&orders[..], &["--codex-config", &table], &notify].concat());
    let meta = json(&ran.expect_success());
    let more = more.canonicalize().unwrap();
    let shown = more.to_str().unwrap();
    assert_eq!(meta["effective_network_access"], "enabled", "{meta:#}");
    assert_eq!(meta["effective_writable_roots"], serde_json::json!([shown]), "{meta:#}");
    let reasons = meta["reasons"].to_string();
    assert!(reasons.contains(&format!("codex can also write to `{shown}`")), "{reasons}");
    assert!(reasons.contains("starts a program outside the sandbox"), "{reasons}");
    let words = setup.codex.arguments(1).join(" ");
    assert!(
        words.contains(&format!("sandbox_workspace_write.writable_roots=[\"{shown}\"]")),
        "{words}"
    );
    assert_eq!(words.matches("sandbox_workspace_write").count(), 2, "{words}");
    let log = fs::read_to_string(meta["log_file"].as_str().unwrap()).unwrap();
    assert!(log.contains("network true") && log.contains(shown), "{log}");
    let read_only = setup.run(&["--task", "x", "--json", "--", "--add-dir", shown]);
    let meta = json(&read_only.expect_success());
    assert_eq!(meta["effective_writable_roots"], serde_json::json!([]), "{meta:#}");
    assert!(meta["reasons"].to_string().contains("have no effect"), "{meta:#}");
    assert!(!setup.codex.arguments(2).join(" ").contains("add-dir"));
}

/// If the task is given on the command line, the run does not wait for an open stdin.
#[test]
fn c8_stdin_is_read_only_on_request() {
    let setup = Setup::answering("x");
    let launch = setup.launch(ADJUTANT).arguments(["run", "--context", "off", "--task", "x"]);
    let mut run = launch.start_piped();
    assert_eq!(run.exit_code(testkit::TEST_TIMEOUT), Some(0), "{}", run.stderr());
    assert_eq!(setup.codex.n_runs(), 1);
}

#[test]
fn a_run_says_that_the_default_sandbox_is_read_only() {
    let setup = Setup::answering("x");
    for (arguments, n_lines) in [(&[][..], 1), (&["--sandbox", "read-only"], 0)] {
        let ran = setup.run(&[&["--task", "x"], arguments].concat()).expect_success();
        let said = "sandbox: read-only, the default";
        assert_eq!(ran.stderr.matches(said).count(), n_lines, "{}", ran.stderr);
    }
}

/// One refusal of each step: the flags, the files, the pattern, the orders, and the raw arguments. The other rules are
/// tested next to the flags and in the crates `codex` and `policy`.
#[test]
fn c8_bad_input_is_refused_before_anything_is_written() {
    let setup = Setup::answering("x");
    for (arguments, said) in [
        (&["--task", "x", "--sandbox", "readonly"][..], "one of read-only"),
        (&["--task", "x", "--repeat-until", "(["], "invalid completion condition"),
        (&["--task", "x", "--yolo", "--full-auto"], "参数冲突"),
        (&["--task", "x", "--", "resume", "some-thread"], "sub-commands are refused"),
        (&["--task", "x", "-C", "/no/such/place"], "cannot work in"),
        (&["--file", "nope.md"], "文件不存在: nope.md"),
        (&[], "the task is missing"),
    ] {
        let ran = setup.run(arguments);
        assert_eq!(ran.exit_code, Some(2), "{arguments:?}: {ran:#?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{arguments:?}");
    }
    assert!(!setup.sessions().exists() && setup.codex.n_runs() == 0);
}
