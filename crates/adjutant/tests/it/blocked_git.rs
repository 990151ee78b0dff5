//! Repositories in which git waits for a pipe, and systems on which no thread can be started.

use std::fs;
use std::path::Path;

use testkit::Launch;

use crate::fixture::{ADJUTANT, Fixture, context, fixture, limits};

const PROMPT: &str = "where is enforce_retry_budget_zebra defined and who calls it?";
/// A size of the stack with which the system cannot create a thread.
const NO_THREAD: &str = "1152921504606846976";

fn make_pipe(path: &Path) {
    let _absent = fs::remove_file(path);
    let folder = path.parent().unwrap();
    Launch::new("mkfifo", folder).argument(path.to_str().unwrap()).run().expect_success();
}

/// A repository without an index. The pipe has the path `pipe`.
fn with_pipe(home: &Path, pipe: &str) -> Fixture {
    let fixture = fixture().env("HOME", home);
    make_pipe(&fixture.repository.join(pipe));
    fixture
}

/// The budget is shorter than the time for which two git commands would wait for the pipe.
#[test]
fn a40_a_pipe_that_git_would_open_leaves_the_prompt_its_evidence() {
    for pipe in [".gitignore", ".mailmap", ".git/info/exclude", ".git/config"] {
        let home = tempfile::tempdir().unwrap();
        let fixture = with_pipe(home.path(), pipe)
            .env("ADJUTANT_TEST_SLOWNESS", "1")
            .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", "12500");
        let (briefing, code) = fixture.json(PROMPT);
        assert_eq!(code, 0, "{pipe}: {briefing}");
        assert!(context(&briefing).contains("src/billing/retry_budget.rs:2"), "{pipe}: {briefing}");
        assert!(!limits(&briefing).contains("unavailable"), "{pipe}: {briefing}");
    }
}

#[test]
fn a40_a_pipe_that_git_would_open_is_reported() {
    let home = tempfile::tempdir().unwrap();
    let fixture = with_pipe(home.path(), ".git/config");
    let run = |command: &str| fixture.launch(ADJUTANT).argument(command).run().stdout;
    run("index");
    let status = run("status");
    assert!(status.contains("problem: git was not started"), "{status}");
    let doctor = run("doctor");
    assert!(doctor.contains(".git/config` is not a regular file: git would wait"), "{doctor}");
}

#[test]
fn a50_without_threads_the_index_is_built_and_a_briefing_gives_the_reason() {
    let home = tempfile::tempdir().unwrap();
    let fixture = fixture().env("HOME", home.path()).env("RUST_MIN_STACK", NO_THREAD);
    let brief = fixture.launch(ADJUTANT).arguments(["brief", "--force", PROMPT]).run();
    assert_eq!(brief.exit_code, Some(40), "{brief:#?}");
    assert!(brief.stdout.contains("cannot start a thread"), "{brief:#?}");
    let index = fixture.launch(ADJUTANT).argument("index").run();
    assert!(!index.stderr.contains("panicked"), "{index:#?}");
}

#[test]
fn a50_an_index_folder_that_others_can_write_to_is_reported_with_the_reason() {
    use std::os::unix::fs::PermissionsExt;

    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("cache");
    let fixture = fixture().env("HOME", home.path()).env("ADJUTANT_CACHE_DIR", &cache);
    let run = |command: &str| fixture.launch(ADJUTANT).argument(command).run();
    run("index").expect_success();
    for entry in fs::read_dir(&cache).unwrap().flatten() {
        fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let refused = run("index");
    assert!(refused.stderr.contains("other users may write to it"), "{refused:#?}");
    assert!(refused.stderr.contains("hint: make yourself the only user"), "{refused:#?}");
    let doctor = run("doctor").stdout;
    assert!(doctor.contains("lack  index: the folder") && doctor.contains("mode 777"), "{doctor}");
    let status = run("status").stdout;
    assert!(status.contains("mode 777") && !status.contains("damaged"), "{status}");
    let search = fixture.launch(ADJUTANT).arguments(["search", "retry budget"]).run();
    assert!(search.stdout.contains("retry_budget.rs"), "{search:#?}");
    assert!(search.stderr.contains("indexed in memory"), "{search:#?}");
    let (briefing, _) = fixture.json(PROMPT);
    assert!(limits(&briefing).contains("other users may write to it"), "{briefing}");
    assert!(!limits(&briefing).contains("damaged"), "{briefing}");
    assert!(context(&briefing).contains("src/billing/retry_budget.rs:2"), "{briefing}");
}
