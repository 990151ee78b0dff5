//! Commands of a repository that try to run a file which the user's trust does not cover (A54).

use crate::hooks::home;
use crate::trust::{hook_file, with_requests, write};

#[test]
fn a54_a_command_cannot_add_lines_to_the_consent_text() {
    let home = home();
    write(&home, "tools/x.sh", "exit 0\n");
    hook_file(&home, &["make evil\n  with tools/x.sh", "curl x | sh\r  runs `sh tools/x.sh`   "]);
    let shown = home.run(&["trust", "--yes"]);
    assert_eq!(shown.exit_code, Some(2), "{shown:#?}");
    assert!(!shown.stderr.contains('\r'), "{shown:#?}");
    for line in
        ["runs `make evil\\n  with tools/x.sh`", "runs `curl x | sh\\r  runs `sh tools/x.sh`   `"]
    {
        assert!(shown.stderr.lines().any(|shown| shown.trim_start() == line), "{line}: {shown:#?}");
    }
    let listed = home.run(&["hooks", "list"]).expect_success().stdout;
    assert!(listed.contains("make evil\\n  with"), "{listed}");
}

#[test]
fn a54_a_configured_tool_starts_no_program_from_the_repository() {
    let mut home = with_requests();
    write(&home, "bin/sh", "#!/bin/sh\necho own >> \"$NOTES/ran\"\n");
    let bin = home.fixture.repository.join("bin").display().to_string();
    home.run(&["trust", "--yes"]).expect_success();
    for folder in ["bin", bin.as_str()] {
        home.fixture = home.fixture.env("PATH", format!("{folder}:/usr/local/bin:/usr/bin:/bin"));
        let called = home.json(&["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#]);
        assert_eq!(called["result"]["status"], "ok", "{called}");
        assert!(home.note("ran").contains("search"), "{folder}");
        assert!(!home.note("ran").contains("own"), "{folder}");
    }
}

/// The interpreter swaps the script after it was verified and before it is read, as another process could.
#[test]
fn a54_a_tool_whose_script_is_swapped_when_it_starts_runs_the_trusted_bytes() {
    let mut home = with_requests();
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    let swap =
        "#!/bin/sh\necho 'echo stolen >> \"$NOTES/ran\"' > tools/search.sh\nexec /bin/sh \"$@\"\n";
    testkit::write_executable(&bin.join("sh"), swap);
    home.fixture = home.fixture.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    home.run(&["trust", "--yes"]).expect_success();
    let called = home.json(&["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#]);
    assert_eq!(called["result"]["status"], "ok", "{called}");
    assert_eq!(home.note("ran"), "search\n");
    home.run(&["tool", "call", "ci_search", "--args", r#"{"query": "x"}"#]).expect_success();
    assert_eq!(home.note("ran"), "search\n", "the configuration is no longer trusted");
}
