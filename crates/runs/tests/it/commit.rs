//! Tests for git commands during a run: detecting changes and committing them at the end.

use std::path::Path;

use testkit::{FakeCodex, Launch};

use crate::stage::Stage;

#[track_caller]
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    let launch = Launch::new("git", directory)
        .arguments(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    launch.run().expect_success().stdout
}

/// Creates a repository with one commit, and a fake codex that runs `scenario` in it.
pub(crate) fn stage(scenario: &str) -> Stage {
    let scenario = format!("thread; {scenario}; message 'done'; completed");
    let stage = Stage::new(FakeCodex::doing(&scenario), "x")
        .with(|spec| spec.repeat.conditions.auto_commit = Some("by the run".to_owned()));
    let work = stage.spec.directory.clone();
    git(&work, &["init", "--quiet", "--initial-branch=main"]);
    git(&work, &["config", "user.name", "x"]);
    git(&work, &["config", "user.email", "x@example.invalid"]);
    std::fs::write(work.join(".gitattributes"), "*.txt filter=evil\n").unwrap();
    git(&work, &["add", "--all"]);
    git(&work, &["commit", "--quiet", "--message", "first"]);
    stage
}

pub(crate) fn subject(stage: &Stage) -> String {
    git(&stage.spec.directory, &["log", "-1", "--format=%s"]).trim().to_owned()
}

#[test]
fn a54_the_commit_of_a_run_starts_no_filter_and_stores_nothing_unfiltered() {
    let own = "[filter \"evil\"]\n\tclean = sh -c 'touch marker && cat'\n";
    // Files in which a repository can define a filter, with the configuration that makes git read each file.
    for (file, config) in [
        (".git/evil", "include.path=evil"),
        (".git/config.worktree", "extensions.worktreeConfig=true"),
        (".gitconfig", "include.path=../.gitconfig"),
    ] {
        let stage = stage("echo new > a.txt");
        let work = &stage.spec.directory;
        std::fs::write(work.join(file), own).unwrap();
        let (key, value) = config.split_once('=').unwrap();
        git(work, &["config", key, value]);
        let outcome = stage.run();
        assert!(!work.join("marker").exists(), "{file}");
        assert_eq!(subject(&stage), "first", "{file}");
        let reason = &outcome.meta.reason;
        assert!(reason.contains("nothing was committed"), "{reason}");
        assert!(reason.contains("`a.txt` needs the filter `evil`"), "{reason}");
        git(work, &["add", "--all"]);
        assert!(work.join("marker").exists(), "git does not run the filter of {file} at all");
    }
}

#[test]
fn c8_a_file_without_such_a_filter_is_committed() {
    let stage = stage("echo new > a.rs; mkdir deep; echo new > deep/b.rs");
    git(&stage.spec.directory, &["config", "filter.evil.clean", "touch marker; cat"]);
    let outcome = stage.run();
    assert_eq!(subject(&stage), "by the run", "{}", outcome.meta.reason);
    assert!(!stage.spec.directory.join("marker").exists());
    assert_eq!(git(&stage.spec.directory, &["status", "--porcelain"]), "");
}

/// As with git-lfs, the user has chosen the filter program, and without the filter the wrong content would be stored.
#[test]
fn c8_a_filter_of_the_users_own_is_applied() {
    let stage = stage("echo new > a.txt");
    let config = stage.folder.path().join("gitconfig");
    std::fs::write(&config, "[filter \"evil\"]\n\tclean = tr a-z A-Z\n").unwrap();
    let mut host = stage.host();
    host.environment = host.environment.with("GIT_CONFIG_GLOBAL", &config);
    let switch = process::StopSwitch::default();
    let outcome =
        runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
    assert_eq!(subject(&stage), "by the run", "{}", outcome.meta.reason);
    assert_eq!(git(&stage.spec.directory, &["show", "HEAD:a.txt"]), "NEW\n");
}

#[test]
fn c8_a_fifo_among_the_ignore_files_is_reported_and_does_not_block() {
    for name in [".gitignore", "deep/.gitattributes", ".git/info/exclude"] {
        let stage = stage(&format!(
            "mkdir -p deep; rm -f {name}; mkfifo {name}; echo x > deep/x.rs"
        ))
        .with(|spec| {
            spec.repeat.conditions.change_in = vec!["**/*.rs".to_owned()];
            spec.repeat.max_runs = 1;
        });
        let outcome = stage.run();
        let reason = &outcome.meta.reason;
        assert!(reason.contains("cannot determine what changed"), "{name}: {reason}");
        assert!(reason.contains("is not a regular file"), "{name}: {reason}");
    }
}
