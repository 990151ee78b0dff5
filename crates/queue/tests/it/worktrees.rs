//! Worktrees in a repository that other git processes use at the same time.

use std::path::Path;
use std::time::SystemTime;

use process::Environment;
use queue::{Start, TaskId, Worktrees};
use testkit::{Repository, write_executable};

fn repository() -> Repository {
    Repository::builder().file("a.txt", "one\n").commit("first").build()
}

fn worktrees(folder: &Path, environment: Environment) -> Worktrees {
    Worktrees { environment, folder: folder.join("worktrees"), patches: folder.join("patches") }
}

#[test]
fn a_worktree_whose_record_was_pruned_during_its_creation_is_created_again() {
    let repository = repository();
    let folder = tempfile::tempdir().unwrap();
    // Git deletes the record only if the prune coincides with the first instructions of the creation. The wrapper does the
    // same once.
    let environment = Environment::new(std::env::vars_os());
    let path = environment.text("PATH").unwrap().to_owned();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let wrapper = format!(
        r#"#!/bin/sh
PATH='{path}'
case " $* " in *" worktree add "*)
    if mkdir '{bin}/pruned' 2>/dev/null; then
        echo "fatal: could not open '.git/worktrees/t-1/locked' for writing: No such file or directory" >&2
        exit 128
    fi ;;
esac
exec git "$@"
"#,
        bin = bin.display()
    );
    write_executable(&bin.join("git"), &wrapper);
    let environment = environment.with("PATH", format!("{}:{path}", bin.display()));
    let worktrees = worktrees(folder.path(), environment);
    let id = TaskId::new("t-1").unwrap();
    worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    assert!(bin.join("pruned").exists());
    assert!(worktrees.path(&id).join("a.txt").exists());
}

/// A git process that is killed while it creates a worktree leaves a locked record, which `git worktree prune` keeps.
#[test]
fn a_locked_record_of_a_deleted_worktree_is_replaced() {
    let repository = repository();
    let folder = tempfile::tempdir().unwrap();
    let worktrees = worktrees(folder.path(), Environment::new(std::env::vars_os()));
    let id = TaskId::new("t-1").unwrap();
    worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    let path = worktrees.path(&id);
    repository.git(&["worktree", "lock", path.to_str().unwrap()]);
    worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    assert!(path.join("a.txt").exists());
    worktrees.remove(repository.path(), &id).unwrap();
    assert_eq!(repository.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn lock_files_of_a_killed_git_are_removed() {
    let repository = repository();
    let folder = tempfile::tempdir().unwrap();
    let worktrees = worktrees(folder.path(), Environment::new(std::env::vars_os()));
    let id = TaskId::new("t-1").unwrap();
    let git_dir = repository.path().join(".git");
    let leave_lock = |path: &Path| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let file = std::fs::File::create(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    };
    let branch = git_dir.join("refs/heads/adjutant/t-1.lock");
    leave_lock(&branch);
    worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    assert!(!branch.exists());
    let own = ["index.lock", "HEAD.lock"].map(|name| git_dir.join("worktrees/t-1").join(name));
    let locks = own.iter().chain([&branch]).collect::<Vec<_>>();
    locks.iter().for_each(|lock| leave_lock(lock));
    worktrees.reopen(repository.path(), &id, None, &Start::Head).unwrap();
    assert!(locks.iter().all(|lock| !lock.exists()));
    // A run has replaced the `.git` file, so that it names another repository.
    let other = git_dir.join("index.lock");
    leave_lock(&other);
    std::fs::write(worktrees.path(&id).join(".git"), format!("gitdir: {}\n", git_dir.display()))
        .unwrap();
    worktrees.reopen(repository.path(), &id, None, &Start::Head).unwrap();
    assert!(other.exists());
}
