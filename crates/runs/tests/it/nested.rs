//! Tests for runs that create repositories and links below their working directory, to make Adjutant leave it.

use std::path::Path;
use std::time::Instant;

use crate::commit::{git, stage, subject};

/// Shell commands that create a repository in `sub`, with a commit.
const NESTED: &str = "mkdir -p sub; git init -q sub; echo one > sub/a.rs; git -C sub add a.rs; \
                      git -C sub -c user.name=x -c user.email=x@x commit -qm one";

/// Makes every program of the repository in `sub` that git could start create the file `marker`.
fn set_traps(work: &Path, marker: &Path) {
    let sub = work.join("sub");
    let run = format!("sh -c 'touch {}; cat'", marker.display());
    for key in ["filter.evil.clean", "filter.evil.process", "core.fsmonitor", "diff.external"] {
        git(&sub, &["config", key, &run]);
    }
    std::fs::write(sub.join(".git/info/attributes"), "* filter=evil\n").unwrap();
    let hook = sub.join(".git/hooks/post-index-change");
    std::fs::create_dir_all(sub.join(".git/hooks")).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\ntouch {}\n", marker.display())).unwrap();
    testkit::Launch::new("chmod", work).arguments(["755".as_ref(), hook.as_os_str()]).run();
    std::fs::write(sub.join("a.rs"), "two\n").unwrap();
}

#[test]
fn a54_the_commit_of_a_run_starts_no_program_of_a_nested_repository() {
    // The nested repository is untracked, tracked, or tracked with an entry in `.gitmodules` that demands a comparison.
    for kind in ["untracked", "tracked", "listed"] {
        let stage = stage("echo new > other.rs; echo two > sub/a.rs");
        let work = &stage.spec.directory;
        testkit::Launch::new("sh", work).arguments(["-c", NESTED]).run().expect_success();
        if kind != "untracked" {
            git(work, &["add", "sub"]);
            git(work, &["commit", "--quiet", "--message", "with sub"]);
        }
        if kind == "listed" {
            let text = "[submodule \"sub\"]\n\tpath = sub\n\turl = x\n\tignore = none\n";
            std::fs::write(work.join(".gitmodules"), text).unwrap();
            for (key, value) in [
                ("submodule.sub.ignore", "none"),
                ("diff.submodule", "diff"),
                ("status.submoduleSummary", "true"),
            ] {
                git(work, &["config", key, value]);
            }
        }
        let marker = stage.folder.path().join("marker");
        set_traps(work, &marker);
        let before = git(work, &["ls-files", "--stage", "sub"]);
        let outcome = stage.run();
        assert!(!marker.exists(), "{kind}");
        assert_eq!(subject(&stage), "by the run", "{kind}: {}", outcome.meta.reason);
        let files = git(work, &["ls-tree", "-r", "--name-only", "HEAD"]);
        assert!(files.contains("other.rs"), "{kind}: {files}");
        assert_eq!(git(work, &["ls-files", "--stage", "sub"]), before, "{kind}");
        if kind != "untracked" {
            git(work, &["status"]);
            assert!(marker.exists(), "{kind}: git starts no program at all");
        }
    }
}

#[test]
fn a54_a_nested_repository_in_place_of_a_file_is_not_recorded() {
    let stage = stage(&format!("rm -f sub; {NESTED}; echo new > other.rs"));
    let work = &stage.spec.directory;
    std::fs::write(work.join("sub"), "a file\n").unwrap();
    git(work, &["add", "sub"]);
    git(work, &["commit", "--quiet", "--message", "with sub"]);
    stage.run();
    assert_eq!(subject(&stage), "by the run");
    let files = git(work, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(files.contains("other.rs") && !files.contains("sub"), "{files}");
}

#[test]
fn c8_added_changed_moved_and_deleted_files_are_committed() {
    let stage = stage(
        "rm gone.rs; echo x > 'new name.rs'; rm file; mkdir file; echo x > file/x.rs; rm -r dir; echo x > dir; \
         ln -s nowhere link; chmod +x mode.rs; echo ignored > z.log",
    );
    let work = &stage.spec.directory;
    for name in ["gone.rs", "file", "dir/y.rs", "mode.rs"] {
        std::fs::create_dir_all(work.join(name).parent().unwrap()).unwrap();
        std::fs::write(work.join(name), "one\n").unwrap();
    }
    std::fs::write(work.join(".gitignore"), "*.log\n").unwrap();
    git(work, &["add", "--all"]);
    git(work, &["commit", "--quiet", "--message", "more"]);
    let outcome = stage.run();
    assert_eq!(subject(&stage), "by the run", "{}", outcome.meta.reason);
    assert_eq!(git(work, &["status", "--porcelain"]), "");
    let files = git(work, &["ls-tree", "-r", "--name-only", "HEAD"]);
    let expected = ".gitattributes\n.gitignore\ndir\nfile/x.rs\nlink\nmode.rs\nnew name.rs\n";
    assert_eq!(files, expected);
    assert!(git(work, &["reflog", "-1"]).contains("commit: by the run"));
}

#[test]
fn a54_a_commit_never_changes_another_repository() {
    for (name, prepare) in [
        ("core.worktree", "git init -q .; git config core.worktree ../../other"),
        (
            "an included core.worktree",
            "git init -q .; printf '[core]\\nworktree=../../../other\\n' > .git/more; git config include.path more",
        ),
        ("a file that names a git directory", "echo 'gitdir: ../../other/.git' > .git"),
        ("a link to a git directory", "ln -s ../../other/.git .git"),
        ("a common directory", "git init -q .; echo ../../../other/.git > .git/commondir"),
        (
            "linked references",
            "git init -q .; rm -rf .git/refs; ln -s ../../../other/.git/refs .git/refs",
        ),
        (
            "linked objects",
            "git init -q .; rm -rf .git/objects; ln -s ../../../other/.git/objects .git/objects",
        ),
        (
            "a linked log",
            "git init -q .; mkdir .git/logs; ln -s ../../../../other/wip .git/logs/HEAD",
        ),
        ("a linked index", "git init -q .; ln -s ../../../other/new .git/index"),
    ] {
        let stage = stage("echo new > new.rs").with(|spec| {
            spec.directory = spec.directory.join("nested");
        });
        let other = stage.folder.path().join("other");
        std::fs::create_dir_all(&other).unwrap();
        std::fs::create_dir_all(&stage.spec.directory).unwrap();
        git(&other, &["init", "--quiet", "--initial-branch=main"]);
        for (key, value) in [("user.name", "x"), ("user.email", "x@example.invalid")] {
            git(&other, &["config", key, value]);
        }
        std::fs::write(other.join("a.rs"), "one\n").unwrap();
        git(&other, &["add", "--all"]);
        git(&other, &["commit", "--quiet", "--message", "first"]);
        std::fs::write(other.join("wip"), "not committed\n").unwrap();
        testkit::Launch::new("sh", &stage.spec.directory)
            .arguments(["-c", prepare])
            .run()
            .expect_success();
        let outcome = stage.run();
        let reason = &outcome.meta.reason;
        assert!(reason.contains("nothing was committed"), "{name}: {reason}");
        assert_eq!(git(&other, &["log", "--format=%s", "--all"]), "first\n", "{name}");
        assert_eq!(git(&other, &["status", "--porcelain"]), "?? wip\n", "{name}");
        assert_eq!(std::fs::read_to_string(other.join("wip")).unwrap(), "not committed\n");
    }
}

#[test]
fn c8_a_linked_worktree_and_a_submodule_are_committed() {
    for kind in ["worktree", "submodule"] {
        let stage = stage("echo new > new.rs");
        let work = stage.spec.directory.clone();
        let inner = work.join("inner");
        match kind {
            "worktree" => git(&work, &["worktree", "add", "--quiet", "-b", "other", "inner"]),
            _ => git(
                &work,
                &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./", "inner"],
            ),
        };
        git(&inner, &["config", "user.name", "x"]);
        git(&inner, &["config", "user.email", "x@example.invalid"]);
        let stage = stage.with(|spec| spec.directory = inner.clone());
        let outcome = stage.run();
        assert_eq!(subject(&stage), "by the run", "{kind}: {}", outcome.meta.reason);
        assert_eq!(git(&work, &["log", "-1", "--format=%s"]), "first\n", "{kind}");
    }
}

#[test]
fn a54_a_confined_run_commits_only_in_its_root() {
    let stage = stage("echo new > new.rs").with(|spec| {
        spec.confined_to = Some(spec.directory.join("sub"));
        spec.directory = spec.directory.join("sub/deep");
    });
    std::fs::create_dir_all(&stage.spec.directory).unwrap();
    // The root is part of the repository, so its own repository is used.
    let outcome = stage.run();
    assert_eq!(subject(&stage), "by the run", "{}", outcome.meta.reason);
    let outside = stage.folder.path().to_owned();
    let stage = stage.with(|spec| spec.directory = outside);
    let refused = stage.try_run().unwrap_err().to_string();
    assert!(refused.contains("is not in"), "{refused}");
}

#[test]
fn c5_a_run_does_not_follow_a_directory_that_was_replaced_between_iterations() {
    let stage =
        stage("pwd -P >> \"$CODEX_WHERE\"; echo x > here; cd ..; mv sub old; ln -s ../outside sub");
    let where_file = stage.folder.path().join("where");
    let outside = stage.folder.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    let stage = stage.with(|spec| {
        spec.directory = spec.directory.join("sub");
        spec.repeat.until = Some("NEVER".to_owned());
        spec.repeat.max_runs = 3;
        spec.repeat.sleep_seconds = 0;
    });
    std::fs::create_dir(&stage.spec.directory).unwrap();
    let mut host = stage.host();
    host.environment = host.environment.with("CODEX_WHERE", &where_file);
    let switch = process::StopSwitch::default();
    let outcome =
        runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
    assert_eq!(std::fs::read_to_string(&where_file).unwrap().lines().count(), 1);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    let reason = &outcome.meta.reason;
    assert!(reason.contains("is no longer the directory in which the run started"), "{reason}");
    assert_ne!(outcome.exit_code, 0);
}

#[test]
fn a54_variables_of_git_do_not_enable_a_filter() {
    for (name, value) in
        [("GIT_CONFIG", "/dev/null"), ("GIT_DIR", "/nowhere"), ("GIT_INDEX_FILE", "/nowhere/index")]
    {
        let stage = stage("echo new > a.txt");
        let work = &stage.spec.directory;
        git(work, &["config", "filter.evil.clean", "sh -c 'touch marker; cat'"]);
        let mut host = stage.host();
        host.environment = host.environment.with(name, value);
        let switch = process::StopSwitch::default();
        let outcome =
            runs::exec(&stage.spec, &host, &switch, &crate::stage::NoHooks, &mut |_| ()).unwrap();
        let reason = &outcome.meta.reason;
        assert!(reason.contains("`a.txt` needs the filter `evil`"), "{name}: {reason}");
        assert!(!work.join("marker").exists(), "{name}");
    }
}

#[test]
fn c8_a_fifo_among_the_files_of_git_is_reported_and_does_not_block() {
    for (name, prepare) in [
        ("ff", "mkfifo ff; git config core.excludesFile ff"),
        ("ff", "mkfifo ff; git config include.path ../ff"),
        ("packed-refs", "mkfifo .git/packed-refs"),
        ("shallow", "mkfifo .git/shallow"),
        ("alternates", "mkdir -p .git/objects/info; mkfifo .git/objects/info/alternates"),
        ("index", "rm .git/index; mkfifo .git/index"),
        ("HEAD", &format!("{NESTED}; git add sub; rm sub/.git/HEAD; mkfifo sub/.git/HEAD")),
    ] {
        let stage = stage("true").with(|spec| {
            spec.directory = spec.directory.join("deep");
            spec.repeat.conditions.change_in = vec!["**/*.rs".to_owned()];
            spec.repeat.max_runs = 1;
        });
        std::fs::create_dir(&stage.spec.directory).unwrap();
        let top = stage.spec.directory.parent().unwrap();
        testkit::Launch::new("sh", top).arguments(["-c", prepare]).run().expect_success();
        let since = Instant::now();
        let outcome = stage.run();
        let reason = &outcome.meta.reason;
        assert!(reason.contains("is not a regular file"), "{name}: {reason}");
        assert!(reason.contains(name), "{name}: {reason}");
        assert!(since.elapsed() < testkit::TEST_TIMEOUT, "{name}: {:?}", since.elapsed());
    }
}

/// The changes in the other work tree do not count, and a FIFO there does not block.
#[test]
fn c8_changes_in_another_work_tree_do_not_meet_a_condition() {
    for file in ["echo x > ../other/x.rs", "mkfifo ../other/.gitignore"] {
        let stage = stage("true").with(|spec| {
            spec.repeat.conditions.change_in = vec!["**/*.rs".to_owned()];
            spec.repeat.max_runs = 1;
        });
        let prepare = format!("mkdir ../other; {file}; git config core.worktree ../../other");
        testkit::Launch::new("sh", &stage.spec.directory)
            .arguments(["-c", &prepare])
            .run()
            .expect_success();
        let reason = stage.run().meta.reason;
        assert!(reason.contains("cannot determine what changed"), "{file}: {reason}");
        assert!(reason.contains("another work tree"), "{file}: {reason}");
    }
}

#[test]
fn c5_a_session_is_not_resumed_in_a_directory_that_was_replaced() {
    let stage = stage("echo x > here").with(|spec| spec.directory = spec.directory.join("sub"));
    std::fs::create_dir(&stage.spec.directory).unwrap();
    let outcome = stage.run();
    let id = runs::SessionId::new(&outcome.session.id).unwrap();
    let (continues, _) = stage.sessions().continues(&id).unwrap();
    let stage = stage.with(|spec| *spec = crate::stage::resumed(spec, continues));
    stage.run();
    let (sub, outside) = (&stage.spec.directory, stage.folder.path().join("outside"));
    std::fs::create_dir(&outside).unwrap();
    std::fs::remove_dir_all(sub).unwrap();
    std::os::unix::fs::symlink(&outside, sub).unwrap();
    let refused = stage.try_run().unwrap_err().to_string();
    assert!(refused.contains("is no longer the directory"), "{refused}");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}
