//! Tests the stored index: reuse between runs, permissions, and no repeated analysis.

use std::fs::{self, File};

use index::{OpenError, RefreshError, Store};

use crate::tree::{files_with, look, options, put, refresh, tree};

#[test]
fn an_unchanged_file_is_never_analysed_again() {
    let tree = tree(&[("a.rs", "fn first() {}\n"), ("b.rs", "fn second() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    assert_eq!(refresh(&store).analysed, 2);
    assert_eq!(refresh(&store).analysed, 0);
    put(tree.path(), "b.rs", "fn third() {}\n");
    assert_eq!(refresh(&store).analysed, 1);
    // The file gets its old content again, as after switching branches. The facts are still stored.
    put(tree.path(), "b.rs", "fn second() {}\n");
    assert_eq!(refresh(&store).analysed, 0);
    assert_eq!(files_with(&store.view_as_written().unwrap(), "second"), ["b.rs"]);
}

#[test]
fn nothing_is_written_into_the_repository() {
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    refresh(&Store::new(cache.path(), tree.path()));
    let names: Vec<_> =
        fs::read_dir(tree.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["a.rs"]);
}

#[test]
fn the_same_tree_gives_the_same_snapshot() {
    let tree = tree(&[
        ("a.rs", "fn first() { second() }\n"),
        ("b.rs", "pub fn second() {}\n"),
        ("c.md", "text\n"),
    ]);
    let now = options();
    let bytes = |cache: &std::path::Path| {
        let store = Store::new(cache, tree.path());
        store.refresh(&now, &|_| {}).unwrap();
        fs::read(store.snapshot_path()).unwrap()
    };
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert!(bytes(one.path()) == bytes(other.path()));
}

#[test]
fn worktrees_of_a_repository_share_facts() {
    let tree = tree(&[
        ("main/a.rs", "fn first() {}\n"),
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/worktrees/w/commondir", "../..\n"),
    ]);
    let root = tree.path();
    put(root, "w/a.rs", "fn first() {}\n");
    put(root, "w/.git", format!("gitdir: {}\n", root.join("main/.git/worktrees/w").display()));
    let cache = tempfile::tempdir().unwrap();
    let (main, worktree) =
        (Store::new(cache.path(), &root.join("main")), Store::new(cache.path(), &root.join("w")));
    assert_eq!(main.folder(), worktree.folder());
    assert_ne!(main.snapshot_path(), worktree.snapshot_path());
    assert_eq!(refresh(&main).analysed, 1);
    assert_eq!(refresh(&worktree).analysed, 0);
}

#[test]
fn a_second_writer_gets_an_error_and_a_reader_is_not_affected() {
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let held = File::open(store.folder().join("lock")).unwrap();
    held.lock().unwrap();
    assert!(matches!(store.refresh(&options(), &|_| {}), Err(RefreshError::Busy)));
    assert_eq!(files_with(&look(&store), "first"), ["a.rs"]);
    drop(held);
    refresh(&store);
}

#[test]
fn a_reader_keeps_its_snapshot_while_another_is_written() {
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let before = store.view_as_written().unwrap();
    put(tree.path(), "a.rs", "fn replaced() {}\n");
    refresh(&store);
    assert_eq!(files_with(&before, "first"), ["a.rs"]);
    assert_eq!(files_with(&store.view_as_written().unwrap(), "first"), Vec::<String>::new());
    fs::remove_dir_all(cache.path()).unwrap();
    assert_eq!(files_with(&before, "first"), ["a.rs"]);
    assert!(matches!(store.open(), Err(OpenError::Unreadable(_))));
}

#[cfg(unix)]
#[test]
fn a_cache_that_cannot_be_written_is_an_error_not_a_panic() {
    use std::os::unix::fs::PermissionsExt;
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    // A file instead of the folder causes an error for every user, including root.
    fs::write(cache.path().join("file"), "").unwrap();
    let store = Store::new(&cache.path().join("file"), tree.path());
    assert!(matches!(store.refresh(&options(), &|_| {}), Err(RefreshError::Unwritable { .. })));
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    fs::set_permissions(store.folder(), fs::Permissions::from_mode(0o500)).unwrap();
    assert_eq!(files_with(&look(&store), "first"), ["a.rs"]);
    fs::set_permissions(store.folder(), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn leftovers_of_a_killed_writer_are_removed() {
    let tree = tree(&[("a.rs", "fn first() {}\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let leftover = store.snapshot_path().with_extension("4711.tmp");
    fs::write(&leftover, "half a snapshot").unwrap();
    refresh(&store);
    assert!(!leftover.exists());
}

#[test]
fn a_small_change_does_not_cost_a_new_snapshot() {
    let tree = tree(&[
        ("a.py", "from b import helper\n\n\ndef caller():\n    helper()\n"),
        ("b.py", "def helper(): pass\n"),
        ("c.py", "def gone(): pass\n"),
    ]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    let snapshot = fs::read(store.snapshot_path()).unwrap();
    put(tree.path(), "b.py", "def helper(): return fresh_word\n");
    put(tree.path(), "d.py", "def added(): pass\n");
    fs::remove_file(tree.path().join("c.py")).unwrap();
    assert_eq!(refresh(&store).files, 3);
    assert!(fs::read(store.snapshot_path()).unwrap() == snapshot);
    let view = look(&store);
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
    assert_eq!(files_with(&view, "fresh_word"), ["b.py"]);
    assert_eq!(files_with(&view, "ad"), ["d.py"]);
    assert_eq!(files_with(&view, "gone"), Vec::<String>::new());
    assert_eq!(crate::tree::edges(&view, "caller"), ["calls helper"]);
    // Neither another refresh nor a new snapshot analyses a file again.
    assert_eq!(refresh(&store).analysed, 0);
    put(tree.path(), ".gitignore", "nothing\n");
    assert_eq!(refresh(&store).analysed, 1);
    assert!(fs::read(store.snapshot_path()).unwrap() != snapshot);
    assert_eq!(files_with(&look(&store), "fresh_word"), ["b.py"]);
}
