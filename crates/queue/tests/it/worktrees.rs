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

#[test]
fn a_worktree_gets_the_ignored_files_that_worktreeinclude_selects() {
    let repository = Repository::builder()
        .file("a.txt", "one\n")
        .file(".gitignore", ".env\n/cache/\n")
        .file(".worktreeinclude", ".env\n*.local\n!/cache/large\n/cache/*\na.txt\n")
        .commit("first")
        .build();
    let write =
        |name: &str, text: &str| std::fs::write(repository.path().join(name), text).unwrap();
    std::fs::create_dir(repository.path().join("cache")).unwrap();
    write(".env", "KEY=1\n");
    write("not-ignored.local", "x");
    write("cache/small", "x");
    std::os::unix::fs::symlink("/etc/hostname", repository.path().join("cache/link")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let worktrees = worktrees(folder.path(), Environment::new(std::env::vars_os()));
    let id = TaskId::new("t-1").unwrap();
    let product = worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    let path = worktrees.path(&id);
    assert_eq!(std::fs::read_to_string(path.join(".env")).unwrap(), "KEY=1\n");
    assert!(path.join("cache/small").exists());
    assert!(!path.join("not-ignored.local").exists(), "only files that git ignores are copied");
    assert!(path.join("cache/link").symlink_metadata().is_err(), "links are not copied");
    // Nothing was changed, so the worktree is removed.
    let product = worktrees.collect(repository.path(), &id, product).unwrap();
    assert_eq!((product.worktree, product.branch), (None, None));
}

#[test]
fn a_file_that_only_an_uncommitted_rule_ignores_is_not_copied_into_a_worktree() {
    let repository = Repository::builder()
        .file(".gitignore", "/kept.env\n/folder/\n")
        .file(".worktreeinclude", "*.env\n/folder/\n")
        .commit("first")
        .build();
    let write =
        |name: &str, text: &str| std::fs::write(repository.path().join(name), text).unwrap();
    std::os::unix::fs::symlink("elsewhere", repository.path().join("folder")).unwrap();
    repository.git(&["add", "folder"]);
    repository.git(&["commit", "--quiet", "-m", "a link"]);
    write(".gitignore", "*.env\n/folder/\n");
    write("kept.env", "KEY=1\n");
    write("secret.env", "KEY=2\n");
    // The commit has a link in place of this folder.
    std::fs::remove_file(repository.path().join("folder")).unwrap();
    std::fs::create_dir(repository.path().join("folder")).unwrap();
    write("folder/file", "x");
    let folder = tempfile::tempdir().unwrap();
    let worktrees = worktrees(folder.path(), Environment::new(std::env::vars_os()));
    let id = TaskId::new("t-1").unwrap();
    let product = worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    let path = worktrees.path(&id);
    assert!(path.join("kept.env").exists());
    assert!(!path.join("secret.env").exists(), "the commit of the task would contain it");
    runs::commit_all(&worktrees.environment, &path, "by the test").unwrap();
    let product = worktrees.collect(repository.path(), &id, product).unwrap();
    assert_eq!((product.worktree, product.branch), (None, None), "nothing was committed");
}

#[test]
fn generated_files_do_not_count_as_changes_of_a_task() {
    let repository = repository();
    let folder = tempfile::tempdir().unwrap();
    let worktrees = worktrees(folder.path(), Environment::new(std::env::vars_os()));
    let id = TaskId::new("t-1").unwrap();
    let product = worktrees.create(repository.path(), &id, &Start::Head).unwrap();
    let cache = worktrees.path(&id).join("pkg/__pycache__");
    std::fs::create_dir_all(&cache).unwrap();
    std::fs::write(cache.join("m.pyc"), [0, 159, 146]).unwrap();
    let message = "by the test";
    let committed = runs::commit_all(&worktrees.environment, &worktrees.path(&id), message);
    let left_out = "1 generated file not committed: `pkg/__pycache__`";
    assert_eq!(committed.unwrap().left_out.as_deref(), Some(left_out));
    let product = worktrees.collect(repository.path(), &id, product).unwrap();
    assert_eq!((product.worktree, product.branch), (None, None));
}
