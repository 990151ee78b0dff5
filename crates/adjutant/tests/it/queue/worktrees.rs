//! The initial content and the results of a task in its repository.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use testkit::Repository;

use super::{CHANGES_A_FILE, Queue};

#[test]
fn the_result_of_a_task_is_a_branch_and_a_patch() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let hook = queue.repository.join(".git/hooks/pre-commit");
    testkit::write_executable(&hook, "#!/bin/sh\nexit 1\n");
    queue.repository.git(&["config", "diff.noprefix", "true"]);
    let id = queue.add(&["--task", "change the file"]);
    queue.work();
    let task = queue.task(&id);
    assert_eq!(task["state"], "finished", "{task:#}");
    let branch = format!("adjutant/{id}");
    assert_eq!(task["product"]["branch"], branch.as_str());
    let author = queue.repository.git(&["log", "-1", "--format=%an <%ae>%n%s", &branch]);
    assert!(author.starts_with("Adjutant <adjutant@localhost>\n"), "{author}");
    let patch = fs::read_to_string(task["product"]["patch"].as_str().unwrap()).unwrap();
    assert!(patch.contains("+++ b/result.txt\n@@ -0,0 +1 @@\n+changed\n"), "{patch}");
    assert!(!queue.repository.join("result.txt").exists());
    assert_eq!(queue.repository.git(&["status", "--porcelain"]), "");
    assert_eq!(queue.worktree_names(), [id.as_str()]);

    let dry = queue.run("clean", &["--dry-run"]).expect_success();
    assert!(
        dry.stdout.contains("would be removed") && dry.stderr.contains("kB would be freed"),
        "{dry:?}"
    );
    assert_eq!(queue.worktree_names(), [id.as_str()]);
    queue.run("clean", &[]).expect_success();
    assert!(queue.worktree_names().is_empty());
    assert!(queue.repository.git(&["branch", "--list", &branch]).contains(&branch), "not merged");
}

#[test]
fn clean_deletes_a_merged_branch_and_keeps_changes_that_are_not_committed() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let merged = queue.add(&["--task", "one"]);
    queue.work();
    let kept = queue.add(&["--task", "two"]);
    queue.work();
    queue.repository.git(&["merge", "--quiet", "--ff-only", &format!("adjutant/{merged}")]);
    fs::write(queue.worktrees().join(&kept).join("more.txt"), "x").unwrap();
    let cleaned = queue.run("clean", &[]).expect_success().stdout;
    assert!(cleaned.contains("merged") && cleaned.contains("not committed"), "{cleaned}");
    assert_eq!(queue.worktree_names(), [kept.as_str()]);
    let branches = queue.repository.git(&["branch", "--list", "adjutant/*"]);
    assert!(!branches.contains(&merged) && branches.contains(&kept), "{branches}");
    queue.run("clean", &["--force"]).expect_success();
    assert!(queue.worktree_names().is_empty());
    queue.run("clean", &["--forget-after-hours", "0"]).expect_success();
    let listed = queue.run("list", &["--json"]).expect_success().stdout;
    assert_eq!(listed.trim(), "[]");
}

#[test]
fn a_task_without_changes_leaves_no_branch_and_no_worktree() {
    let queue = Queue::doing("thread; message 'Nothing to do.'; completed");
    let id = queue.add(&["--task", "look"]);
    queue.work();
    let task = queue.task(&id);
    assert_eq!(task["state"], "finished", "{task:#}");
    assert_eq!(task["product"]["branch"], json!(null));
    assert!(queue.worktree_names().is_empty());
    assert_eq!(queue.repository.git(&["branch", "--list", "adjutant/*"]), "");
}

#[test]
fn a_task_starts_from_head_without_the_changes_of_a_dirty_tree() {
    let queue = Queue::doing("thread; cat a.txt > result.txt; message 'Done.'; completed");
    fs::write(queue.repository.join("a.txt"), "not committed\n").unwrap();
    let added = queue.run("add", &["--context", "off", "--task", "copy"]).expect_success();
    assert!(
        added.stderr.contains("note: the work tree has changes that are not committed"),
        "{added:?}"
    );
    queue.work();
    let id = added.stdout.trim();
    assert_eq!(queue.repository.git(&["show", &format!("adjutant/{id}:result.txt")]), "a");
    assert_eq!(fs::read_to_string(queue.repository.join("a.txt")).unwrap(), "not committed\n");
}

#[test]
fn a_task_in_a_folder_of_the_repository_works_in_the_same_folder_of_its_worktree() {
    let repository = Repository::builder().file("sub/a.txt", "a\n").commit("one").build();
    let queue = Queue::at(repository, "thread; pwd > where.txt; message 'Done.'; completed");
    let id = queue.add(&["--task", "one", "--cwd", "sub"]);
    queue.work();
    let place = queue.repository.git(&["show", &format!("adjutant/{id}:sub/where.txt")]);
    assert_eq!(place, queue.worktrees().join(&id).join("sub").to_str().unwrap());
}

#[test]
fn a_detached_head_and_a_sparse_checkout_can_be_used() {
    let repository = Repository::builder()
        .file("kept/a.txt", "a\n")
        .file("left/b.txt", "b\n")
        .commit("one")
        .commit("two")
        .build();
    repository.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    repository.git(&["sparse-checkout", "set", "kept"]);
    let queue = Queue::at(repository, "thread; ls > result.txt; message 'Done.'; completed");
    let id = queue.add(&["--task", "one"]);
    queue.work();
    let branch = format!("adjutant/{id}");
    let listed = queue.repository.git(&["show", &format!("{branch}:result.txt")]);
    assert_eq!(listed, "kept\nresult.txt", "the worktree has the same sparse checkout");
    let files = queue.repository.git(&["ls-tree", "-r", "--name-only", &branch]);
    assert_eq!(files, "kept/a.txt\nleft/b.txt\nresult.txt", "nothing is deleted");
    let parent = queue.repository.git(&["rev-parse", &format!("{branch}~1")]);
    assert_eq!(parent, queue.repository.git(&["rev-parse", "HEAD"]));
    queue.run("clean", &[]).expect_success();
    assert!(queue.worktree_names().is_empty());
}

/// A repository with the sub-module `inner`.
fn with_submodule() -> (Repository, Repository) {
    let inner = Repository::builder().file("i.txt", "i\n").commit("inner").build();
    let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
    repository.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        inner.path().to_str().unwrap(),
        "inner",
    ]);
    repository.git(&["commit", "--quiet", "--message", "two"]);
    (repository, inner)
}

#[test]
fn sub_modules_are_named_and_not_touched() {
    let (repository, _inner) = with_submodule();
    let queue = Queue::at(repository, CHANGES_A_FILE);
    let added = queue.run("add", &["--context", "off", "--task", "one"]).expect_success();
    assert!(added.stderr.contains("note: sub-modules are not checked out"), "{added:?}");
    queue.work();
    let branch = format!("adjutant/{}", added.stdout.trim());
    let changed = queue.repository.git(&["diff", "--name-only", "HEAD", &branch]);
    assert_eq!(changed, "result.txt");
    queue.run("clean", &[]).expect_success();
    assert!(queue.worktree_names().is_empty());
}

#[test]
fn work_in_a_sub_module_that_the_agent_checked_out_is_not_deleted() {
    let (repository, _inner) = with_submodule();
    let update = "git -c protocol.file.allow=always submodule --quiet update --init >&2";
    let scenario = format!("thread; {update}; echo x > inner/new.txt; message 'Done.'; completed");
    let queue = Queue::at(repository, &scenario);
    let id = queue.add(&["--task", "one"]);
    queue.work();
    let work = queue.worktrees().join(&id).join("inner/new.txt");
    assert!(work.exists(), "{:#}", queue.show(&id));
    let cleaned = queue.run("clean", &[]).expect_success().stdout;
    assert!(cleaned.contains("it has a sub-module, which may have changes"), "{cleaned}");
    assert!(work.exists());
    queue.run("clean", &["--force"]).expect_success();
    assert!(queue.worktree_names().is_empty());
    // The sub-module of the repository itself is not affected.
    assert!(queue.repository.join("inner/i.txt").exists());
}

/// Runs a worker whose worktrees are on a file system of this size in megabytes. Returns `None` if mounting is not allowed.
fn work_on_small_disk(queue: &Queue, megabytes: u32) -> Option<testkit::Finished> {
    let folder = queue.worktrees();
    fs::create_dir_all(&folder).unwrap();
    let mount = format!(
        "mount -t tmpfs -o size={megabytes}m,mode=0700 tmpfs '{}' || exit 77; exec \"$@\"",
        folder.display()
    );
    let worker = queue.launch_program("unshare").arguments([
        "--map-root-user",
        "--mount",
        "/bin/sh",
        "-c",
        &mount,
        "sh",
        crate::fixture::ADJUTANT,
        "queue",
        "work",
        "--until-empty",
    ]);
    Some(worker.run()).filter(|ran| ran.exit_code == Some(0))
}

#[test]
fn a_full_disk_fails_the_task_with_its_cause_and_leaves_no_folder() {
    let large = "0123456789abcdef".repeat(256 * 1024);
    let repository = Repository::builder().file("large.txt", large).commit("one").build();
    let queue = Queue::at(repository, CHANGES_A_FILE);
    if work_on_small_disk(&queue, 1).is_some() {
        let id = queue.add(&["--task", "one"]);
        let worked = work_on_small_disk(&queue, 8).unwrap();
        let task = queue.task(&id);
        assert_eq!(task["class"], "disk-full", "{task:#}\n{}", worked.stderr);
        assert!(task["reason"].as_str().unwrap().contains("needs at least 64 MB"), "{task:#}");
    } else {
        eprintln!("no mount here: only a checkout that cannot be written is tested");
    }
    // The checkout of the large file fails, because files may have at most 1 MB.
    let id = queue.add(&["--task", "two"]);
    let limited = "trap '' XFSZ; ulimit -f 1024; exec \"$@\"";
    let worker = queue.launch_program("/bin/bash").arguments(["-c", limited, "bash"]);
    worker.arguments([crate::fixture::ADJUTANT, "queue", "work", "--until-empty"]).run();
    let task = queue.task(&id);
    assert_eq!(
        (&task["state"], &task["class"]),
        (&json!("failed"), &json!("worktree")),
        "{task:#}"
    );
    assert!(queue.worktree_names().is_empty(), "{:?}", queue.worktree_names());
    queue.run("retry", &[&id]).expect_success();
    queue.work();
    assert_eq!(queue.task(&id)["state"], "finished");
}

#[test]
fn a_repository_without_commits_and_a_folder_without_git_are_refused() {
    for (repository, message) in [
        (Repository::builder().file("a.txt", "a\n").build(), "has no commits"),
        (
            Repository::builder().file("a.txt", "a\n").without_git().build(),
            "not in a git repository",
        ),
    ] {
        let queue = Queue::at(repository, "thread; message 'Done.'; completed");
        let refused = queue.run("add", &["--context", "off", "--task", "one"]);
        assert_eq!(refused.exit_code, Some(2));
        assert!(refused.stderr.contains(message), "{}", refused.stderr);
        assert!(refused.stderr.contains("--no-worktree"), "{}", refused.stderr);
        let id = queue.add(&["--task", "one", "--no-worktree"]);
        queue.work();
        assert_eq!(queue.task(&id)["state"], "finished", "{:#}", queue.show(&id));
    }
}

#[test]
fn a_worktree_that_was_deleted_is_reported_and_a_deleted_repository_fails_the_task() {
    let queue = Queue::doing("rm -rf \"$PWD\"; thread; message 'Done.'; completed");
    let id = queue.add(&["--task", "one"]);
    queue.work();
    let task = queue.task(&id);
    assert_eq!(
        (&task["state"], &task["class"]),
        (&json!("failed"), &json!("not-committed")),
        "{task:#}"
    );
    assert!(task["reason"].as_str().unwrap().contains("was deleted"), "{task:#}");
    let next = queue.add(&["--task", "two"]);
    fs::remove_dir_all(queue.repository.path()).unwrap();
    queue
        .launch_in(queue.folder.path(), "work")
        .arguments(["--until-empty"])
        .run()
        .expect_success();
    let shown = queue.launch_in(queue.folder.path(), "show").arguments([&next, "--json"]).run();
    assert!(shown.stdout.contains("no-repository"), "{}", shown.stdout);
    let cleaned = queue.launch_in(queue.folder.path(), "clean").run().expect_success();
    assert!(queue.worktree_names().is_empty(), "{cleaned:?}");
}

#[test]
fn a50_folders_of_the_queue_that_others_can_write_to_are_refused() {
    let queue = Queue::doing(CHANGES_A_FILE);
    let first = queue.add(&["--task", "one"]);
    queue.work();
    assert_eq!(queue.task(&first)["state"], "finished");
    let id = queue.add(&["--task", "two"]);
    let allow = |name: &str, mode: u32| {
        let folder = queue.state().join(name);
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
        format!("chmod go-w '{}'", folder.display())
    };
    for folder in ["", "queue", "queue/results"] {
        let repair = allow(folder, 0o777).replace("/'", "'");
        let refused = queue.run("work", &["--until-empty"]);
        allow(folder, 0o700);
        assert_ne!(refused.exit_code, Some(0), "{folder}: {refused:#?}");
        assert!(refused.stderr.contains(&repair), "{folder}: {}", refused.stderr);
        assert_eq!((queue.task(&id)["state"].as_str(), queue.codex.n_runs()), (Some("queued"), 1));
    }
    let repair = allow("queue/patches", 0o777);
    queue.run("work", &["--until-empty"]);
    let task = queue.task(&id);
    assert!(task["product"]["patch"].is_null(), "{task:#}");
    assert!(task.to_string().contains(&repair), "{task:#}");
}
