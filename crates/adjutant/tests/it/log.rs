//! The log of briefings, which contains no secrets.

use std::fs;

use serde_json::json;

use crate::fixture::{ADJUTANT, fixture};

const SECRET: &str = concat!("ghp_", "R7xq2LmZ9vKp4TnWb8YcJd3FhGs6Qa1EuX5o");

#[test]
fn the_log_lists_and_shows_runs_without_secrets() {
    let state = tempfile::tempdir().unwrap();
    let place = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let prompt = format!("where is enforce_retry_budget_zebra defined? my token is {SECRET}");
    place.ask(&prompt).expect_success();
    let adjutant = |arguments: &[&str]| place.launch(ADJUTANT).arguments(arguments).run();
    let runs: serde_json::Value =
        serde_json::from_str(&adjutant(&["log", "--json"]).expect_success().stdout).unwrap();
    let id = runs[0]["run_id"].as_str().unwrap().to_owned();
    assert!(adjutant(&["log"]).expect_success().stdout.contains(&id));
    let injected = "\nAuto Tools Results (Adjutant, run ";
    // Without an id, the newest run is shown.
    for arguments in [&["log", "show", &id][..], &["log", "show"]] {
        let shown = adjutant(arguments).expect_success().stdout;
        for part in ["ci_search: ok", "src/billing/retry_budget.rs:2", "prompt: where is", injected]
        {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
    let kept = fs::read_to_string(state.path().join("runs.jsonl")).unwrap();
    assert!(!kept.contains(SECRET) && kept.lines().count() == 1, "{kept}");
    assert_eq!(adjutant(&["log", "show", "no-such-run"]).exit_code, Some(1));
}

#[test]
fn a52_a_typed_password_is_not_logged() {
    let typed = [
        ("the staging password is Summer2024!", "Summer2024!"),
        ("DB_PASS=hunter2 does not work", "hunter2"),
        ("mysql -uroot -p'rocket_77' fails", "rocket_77"),
        ("数据库口令：Dragon2024!", "Dragon2024!"),
    ];
    let state = tempfile::tempdir().unwrap();
    let place = fixture().env("ADJUTANT_STATE_DIR", state.path());
    for (sentence, password) in typed {
        let prompt = format!("where is enforce_retry_budget_zebra defined? {sentence}");
        let printed = place.ask(&prompt).expect_success().stdout;
        let kept = fs::read_to_string(state.path().join("runs.jsonl")).unwrap();
        assert!(!kept.contains(password), "{kept}");
        assert!(!printed.contains(password), "{printed}");
    }
}

#[test]
fn a_plan_and_a_disabled_log_write_nothing() {
    let state = tempfile::tempdir().unwrap();
    let prompt = "where is enforce_retry_budget_zebra defined?";
    fixture().env("ADJUTANT_STATE_DIR", state.path()).plan().ask(prompt).expect_success();
    fixture()
        .env("ADJUTANT_STATE_DIR", state.path())
        .env("ADJUTANT_LOG", "off")
        .ask(prompt)
        .expect_success();
    assert!(!state.path().join("runs.jsonl").exists());
}

#[test]
fn a_read_only_log_does_not_block_a_prompt() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let place = fixture().env("ADJUTANT_STATE_DIR", &file);
    let finished = place.ask("where is enforce_retry_budget_zebra defined?").expect_success();
    assert!(finished.stdout.contains("src/billing/retry_budget.rs:2"), "{finished:#?}");
}

#[test]
fn a_damaged_line_hides_no_other_line() {
    let state = tempfile::tempdir().unwrap();
    let place = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let log = state.path().join("runs.jsonl");
    fs::write(&log, b"{\"run_id\": \"half\xff\n\xfe\n").unwrap();
    place.ask("where is enforce_retry_budget_zebra defined?").expect_success();
    let listed = place.launch(ADJUTANT).argument("log").run().expect_success().stdout;
    assert!(listed.contains("where is enforce_retry_budget_zebra"), "{listed}");
}

#[test]
fn the_log_lists_this_repository_with_times_and_all_repositories_on_request() {
    let state = tempfile::tempdir().unwrap();
    let here = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let there = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let log = |arguments: &[&str]| here.launch(ADJUTANT).argument("log").arguments(arguments).run();
    let nothing = log(&[]).expect_success();
    assert_eq!(
        (nothing.stdout.as_str(), nothing.stderr.as_str()),
        ("", "no prompt has been briefed yet\n")
    );
    assert_eq!(log(&["show"]).exit_code, Some(1));
    there.ask("where is enforce_retry_budget_zebra defined?").expect_success();
    let elsewhere = log(&[]).expect_success();
    assert_eq!(elsewhere.stdout, "");
    assert!(elsewhere.stderr.contains("`adjutant log --all` lists 1 run"), "{elsewhere:#?}");
    here.ask("who calls enforce_retry_budget_zebra?").expect_success();
    let own = log(&[]).expect_success().stdout;
    assert!(own.starts_with("time") && own.contains(" ago  "), "{own}");
    assert!(own.contains("who calls") && !own.contains("where is"), "{own}");
    let all = log(&["--all"]).expect_success().stdout;
    assert!(all.contains("who calls") && all.contains("where is"), "{all}");
    assert!(all.lines().next().unwrap().contains("repository"), "{all}");
    for arguments in [&["-n", "0"][..], &["--all", "-n", "0"]] {
        let none = log(arguments).expect_success();
        assert_eq!((none.stdout.as_str(), none.stderr.as_str()), ("", ""));
    }
}

#[test]
fn a_run_is_shown_with_scores_strongest_first_and_reasons_in_words() {
    let state = tempfile::tempdir().unwrap();
    let place = fixture().env("ADJUTANT_STATE_DIR", state.path());
    place.ask("where is the retry budget enforced in main?").expect_success();
    place.ask("commit and push").expect_success();
    let adjutant = |arguments: &[&str]| place.launch(ADJUTANT).arguments(arguments).run();
    let runs: serde_json::Value =
        serde_json::from_str(&adjutant(&["log", "--json"]).expect_success().stdout).unwrap();
    let show = |at: usize| {
        let id = runs[at]["run_id"].as_str().unwrap();
        adjutant(&["log", "show", id]).expect_success().stdout
    };
    let silent = show(0);
    let reason = "evidence: silent, because its words are about version control";
    assert!(silent.contains(reason), "{silent}");
    let shown = show(1);
    let scores: Vec<f64> = shown
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.split(' ').next()?.parse().ok())
        .collect();
    assert!(scores.len() >= 2, "{shown}");
    assert!(scores.is_sorted_by(|a, b| a >= b), "{shown}");
}

/// The transcript of Claude Code contains a read of one cited file and of another file. The sub-agent edits the other cited
/// file.
#[test]
fn the_summary_counts_the_cited_places_that_the_agent_used() {
    let home = tempfile::tempdir().unwrap();
    let place = fixture().env("HOME", home.path()).env("ADJUTANT_STATE_DIR", home.path());
    let root = place.repository.path();
    let run = |session: &str, client: &str, created_at: &str| {
        let finding = |path: &str| json!({"path": path, "line": 2, "tool": "ci_search"});
        let findings = [finding("src/a.rs"), finding("src/b.rs"), finding("src/c.rs")];
        json!({
            "run_id": session, "session_id": session, "client": client, "created_at": created_at,
            "repo_root": root, "characters": 700, "findings": findings,
        })
    };
    let now = "2999-01-01T12:00:00Z";
    let runs = [
        run("one", "claude-code", now),
        run("gone", "codex-cli", now),
        run("other", "gemini-cli", now),
        run("old", "claude-code", "2001-01-01T00:00:00Z"),
    ];
    let project = home.path().join(".claude/projects/-repository");
    let agents = project.join("one/subagents");
    fs::create_dir_all(&agents).unwrap();
    let call = |tool: &str, path: &str, is_of_agent: bool| {
        let input = json!({"file_path": root.join(path)});
        let content = [json!({"type": "tool_use", "id": path, "name": tool, "input": input})];
        json!({
            "type": "assistant", "sessionId": "one", "isSidechain": is_of_agent,
            "timestamp": "2999-01-01T12:00:09.000Z", "message": {"content": content},
        })
    };
    let lines =
        format!("{}\n{}\n", call("Read", "src/a.rs", false), call("Read", "src/d.rs", false));
    fs::write(project.join("one.jsonl"), lines).unwrap();
    fs::write(agents.join("agent-1.jsonl"), call("Edit", "src/b.rs", true).to_string()).unwrap();
    let adjutant = |arguments: &[&str]| {
        place.launch(ADJUTANT).arguments(["log", "--summary"]).arguments(arguments).run()
    };
    let empty = "since 7 days ago: 0 sessions, 0 prompts, 0 briefings, 0 characters added\n";
    assert_eq!(adjutant(&[]).expect_success().stdout, empty);
    let log: String = runs.iter().map(|run| format!("{run}\n")).collect();
    fs::write(home.path().join("runs.jsonl"), log).unwrap();
    assert_eq!(
        adjutant(&[]).expect_success().stdout,
        "since 7 days ago: 3 sessions, 3 prompts, 3 briefings, 2100 characters added\n\
         cited places that the agent then read or edited: 2 of 3\n\
         reads of files that no briefing had cited: 1 of 2\n\
         transcripts: 1 of 3 sessions read, 1 no longer there, 1 of clients whose transcripts cannot be read\n"
    );
    let all = adjutant(&["--since", "off", "--all", "--json"]).expect_success().stdout;
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    assert_eq!((&all["sessions"], &all["since_seconds"]), (&json!(4), &json!(null)), "{all}");
    assert_eq!(all["transcripts"], json!({"read": 1, "missing": 2, "unsupported": 1}), "{all}");
    let before = fs::read_dir(home.path()).unwrap().count();
    adjutant(&[]).expect_success();
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), before, "nothing is stored");
}
