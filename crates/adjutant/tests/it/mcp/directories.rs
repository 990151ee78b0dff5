//! The `codex.*` tools: the directories in which a model may let codex work.

use serde_json::json;
use testkit::FakeCodex;

use super::client::{eventually, setup};

/// Codex protects `.git` and `.codex` in its working directory, but not a working directory inside them.
#[test]
fn c4_a_model_cannot_work_in_a_directory_that_configures_git_or_an_agent() {
    let setup = setup(FakeCodex::answering("done"));
    for folder in [".codex", ".agents/skills", ".claude", "docs", "vendor"] {
        std::fs::create_dir_all(setup.path().join(folder)).unwrap();
    }
    setup.fixture.repository.git(&["init", "-q", "--bare", "vendor/mirror"]);
    std::os::unix::fs::symlink(".git", setup.path().join("link")).unwrap();
    let mut client = setup.client();
    let job = client.ok("codex.exec", json!({ "task": "x" }))["runId"].clone();
    for cwd in [
        ".git",
        ".git/hooks",
        ".codex",
        ".agents/skills",
        ".claude",
        "docs/../.git",
        "link",
        "link/hooks",
        "vendor/mirror",
        "vendor/mirror/hooks",
    ] {
        for (tool, call) in [
            ("codex.exec", json!({ "task": "x", "cwd": cwd })),
            ("codex.start", json!({ "task": "x", "cwd": cwd })),
            ("codex.resume", json!({ "jobId": job, "task": "x", "cwd": cwd })),
            ("codex.reply", json!({ "jobId": job, "message": "x", "cwd": cwd })),
        ] {
            assert_eq!(client.error(tool, call), "INVALID_ARGUMENT", "{tool} {cwd}");
        }
    }
    let queued = client.call("codex.queue_add", json!({ "task": "x", "cwd": ".git" }));
    assert_eq!(queued["isError"], true, "{queued:#}");
    assert_eq!(setup.codex.n_runs(), 1);
    for cwd in ["docs", "vendor"] {
        client.ok("codex.exec", json!({ "task": "x", "cwd": cwd }));
    }
}

/// An earlier run may have replaced its working directory with a link.
#[test]
fn c5_a_job_is_continued_in_its_directory_or_below_it() {
    let setup = setup(FakeCodex::answering("done"));
    std::fs::create_dir_all(setup.path().join("docs/guide")).unwrap();
    let mut client = setup.client();
    let job = client.ok("codex.exec", json!({ "task": "x", "cwd": "docs" }))["runId"].clone();
    for cwd in [".", "src", "docs/.."] {
        let resume = json!({ "jobId": job, "task": "x", "cwd": cwd });
        assert_eq!(client.error("codex.resume", resume), "INVALID_ARGUMENT", "{cwd}");
        let reply = json!({ "jobId": job, "message": "x", "cwd": cwd });
        assert_eq!(client.error("codex.reply", reply), "INVALID_ARGUMENT", "{cwd}");
    }
    for cwd in ["docs", "docs/guide"] {
        let resumed = client.ok("codex.resume", json!({ "jobId": job, "task": "x", "cwd": cwd }));
        assert_eq!(resumed["cwd"], json!(setup.path().join(cwd)));
    }
    eventually("all jobs have ended", || {
        client.ok("codex.list", json!({ "state": ["running"] }))["count"] == 0
    });
    let n_runs = setup.codex.n_runs();
    std::fs::remove_dir_all(setup.path().join("docs")).unwrap();
    std::os::unix::fs::symlink(".", setup.path().join("docs")).unwrap();
    assert_eq!(client.error("codex.resume", json!({ "jobId": job })), "INVALID_ARGUMENT");
    assert_eq!(setup.codex.n_runs(), n_runs);
}
