//! Tests of patch mode: where a patch may be written, and which answers contain a patch.

use std::os::unix::fs::symlink;
use std::path::Path;

use runs::{PatchSpec, RunError, RunOutcome};
use testkit::FakeCodex;

use crate::stage::Stage;

const DIFF: &str = "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n";

/// Creates a repository, and a fake codex that answers with this diff block.
fn answering(block: &str) -> Stage {
    let codex = FakeCodex::answering(&format!("Here:\n```diff\n{block}```\nCONTROL: DONE"));
    let stage = Stage::new(codex, "make a patch");
    let work = &stage.spec.directory;
    testkit::Launch::new("git", work).arguments(["init", "--quiet"]).run().expect_success();
    stage
}

/// Runs the stage with this `--patch-output`.
fn written_to(stage: Stage, output: &Path) -> (Stage, Result<RunOutcome, RunError>) {
    let output = stage.spec.directory.join(output);
    let stage = stage
        .with(|spec| spec.patch = Some(PatchSpec { output: Some(output), ..PatchSpec::default() }));
    let outcome = stage.try_run();
    (stage, outcome)
}

#[test]
fn a50_a_patch_is_never_written_into_git_or_through_a_link_or_over_another_file() {
    let outside = tempfile::tempdir().unwrap();
    for output in [
        ".git/config",
        ".git/new",
        ".GIT/new",
        ".git/hooks/pre-commit",
        "sub/../.git/config",
        "bare/new",
        "nested/.git/config",
        "worktree/.git",
        "link/new.txt",
        "sub/link/new.txt",
        "file-link",
        "dangling",
        "notes.md",
        "empty",
        "fifo",
        "sub",
        "missing/new.diff",
        "",
    ] {
        let stage = answering(DIFF);
        let work = stage.spec.directory.clone();
        let config = std::fs::read(work.join(".git/config")).unwrap();
        for folder in ["sub", ".GIT", "bare/objects", "bare/refs", "nested/.git", "worktree"] {
            std::fs::create_dir_all(work.join(folder)).unwrap();
        }
        for file in ["notes.md", "bare/HEAD", "nested/.git/config", "worktree/.git"] {
            std::fs::write(work.join(file), "mine").unwrap();
        }
        std::fs::write(work.join("empty"), "").unwrap();
        std::fs::write(outside.path().join("old.diff"), DIFF).unwrap();
        symlink(outside.path(), work.join("link")).unwrap();
        symlink(outside.path(), work.join("sub/link")).unwrap();
        symlink(outside.path().join("old.diff"), work.join("file-link")).unwrap();
        symlink(outside.path().join("none"), work.join("dangling")).unwrap();
        testkit::Launch::new("mkfifo", &work).argument("fifo").run().expect_success();
        let (stage, outcome) = written_to(stage, Path::new(output));
        let error = outcome.unwrap_err();
        assert!(matches!(error, RunError::PatchTarget(_)), "{output}: {error}");
        assert_eq!((error.exit_code(), stage.codex.n_runs()), (2, 0), "{output}");
        assert_eq!(std::fs::read(work.join(".git/config")).unwrap(), config, "{output}");
        for file in ["notes.md", "bare/HEAD", "nested/.git/config", "worktree/.git"] {
            assert_eq!(std::fs::read(work.join(file)).unwrap(), b"mine", "{output}");
        }
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1, "{output}");
    }
}

#[test]
fn a50_a_link_that_appears_while_codex_runs_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let stage = answering(DIFF);
    let work = stage.spec.directory.clone();
    std::fs::create_dir(work.join("out")).unwrap();
    let swap = format!("rmdir out; ln -s '{}' out", outside.path().display());
    let answer = format!("Here:\n```diff\n{DIFF}```\nCONTROL: DONE");
    let scenario = format!("thread; {swap}; message '{answer}'; completed");
    let stage = Stage { codex: FakeCodex::doing(&scenario), ..stage };
    let (_stage, outcome) = written_to(stage, Path::new("out/new.diff"));
    let meta = outcome.unwrap().meta;
    assert_eq!((meta.classification.as_str(), meta.exit_code), ("error", 1), "{}", meta.reason);
    assert!(meta.reason.contains("through a link"), "{}", meta.reason);
    assert_eq!(meta.patch_artifact, None);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn c8_a_person_chooses_a_new_file_or_an_earlier_patch() {
    let elsewhere = tempfile::tempdir().unwrap();
    let far = elsewhere.path().join("far.diff");
    for output in [Path::new("new.diff"), Path::new("sub/../old.diff"), &far] {
        let stage = answering(DIFF);
        let earlier = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
        std::fs::write(stage.spec.directory.join("old.diff"), earlier).unwrap();
        let (stage, outcome) = written_to(stage, output);
        let meta = outcome.unwrap().meta;
        assert_eq!(meta.classification, "patch_only", "{}", meta.reason);
        assert_eq!(
            std::fs::read_to_string(stage.spec.directory.join(output.file_name().unwrap()))
                .or_else(|_| std::fs::read_to_string(output))
                .unwrap(),
            DIFF
        );
        let names = std::fs::read_dir(&stage.spec.directory).unwrap().flatten();
        assert!(
            names
                .map(|name| name.file_name())
                .all(|name| !name.display().to_string().starts_with(".writing"))
        );
    }
}

#[test]
fn c8_what_is_not_a_well_formed_diff_is_not_written_and_the_result_says_so() {
    for block in [
        "--- x\n[core]\n  fsmonitor = touch marker\n",
        "--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/.git/config\n@@ -1 +1 @@\n-a\n+b\n",
    ] {
        let (stage, outcome) = written_to(answering(block), Path::new("new.diff"));
        let meta = outcome.unwrap().meta;
        assert_eq!((meta.classification.as_str(), meta.exit_code), ("error", 1), "{block}");
        assert!(meta.reason.starts_with("No patch was written: line "), "{}", meta.reason);
        assert!(!stage.spec.directory.join("new.diff").exists(), "{block}");
        assert!(stage.log().contains("[patch] nothing was written"), "{block}");
    }
}
