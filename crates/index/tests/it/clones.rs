//! Tests shallow, partial and sparse clones.

use std::path::Path;

use index::{HistoryOptions, HistoryState, Store, View, build_in_memory};
use tempfile::TempDir;

use crate::tree::{files_with, look, options, put, refresh, tree};

pub(crate) fn git(root: &Path, arguments: &[&str]) {
    let environment =
        process::Environment::new(std::env::vars_os()).with("GIT_CONFIG_GLOBAL", "/dev/null");
    let program = process::Program::new("git", environment)
        .directory(root)
        .arguments(["-c", "user.name=Ann", "-c", "user.email=a@b.c"])
        .arguments(arguments.iter().map(|argument| (*argument).to_owned()));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let bounds = process::Bounds { deadline, stdout_bytes: 1 << 16, stderr_bytes: 1 << 16 };
    let finished = process::run(&program, &bounds).unwrap();
    assert_eq!(finished.end, process::End::Exited(0), "{}", finished.stderr.text());
}

#[test]
fn a_shallow_clone_has_a_partial_history() {
    let tree = tree(&[("a.py", "def first(): pass\n")]);
    git(tree.path(), &["init", "-q"]);
    for word in ["one", "two", "three"] {
        put(tree.path(), "a.py", format!("def {word}(): pass\n"));
        git(tree.path(), &["add", "."]);
        git(tree.path(), &["commit", "-qm", word]);
    }
    let folder = tempfile::tempdir().unwrap();
    let origin = format!("file://{}", tree.path().display());
    git(folder.path(), &["clone", "-q", "--depth", "2", &origin, "shallow"]);
    let mut options = options();
    options.history = Some(HistoryOptions::new(process::Environment::new(std::env::vars_os())));
    let whole = build_in_memory(tree.path(), &options).unwrap();
    assert_eq!((whole.meta().history, whole.meta().commits), (HistoryState::Complete, 3));
    let shallow = build_in_memory(&folder.path().join("shallow"), &options).unwrap();
    assert_eq!((shallow.meta().history, shallow.meta().commits), (HistoryState::Partial, 2));
    let file = shallow.file(shallow.file_by_path("a.py").unwrap());
    assert_eq!((file.history.commits, file.history.authors), (2, 1));
    assert_eq!(shallow.authors(file.id), ["Ann"]);
}

fn commit(root: &Path, word: &str) {
    put(root, "a.py", format!("def {word}(): pass\n"));
    git(root, &["add", "."]);
    git(root, &["commit", "-qm", word]);
}

#[test]
fn a_deferred_history_is_read_by_the_next_build() {
    let (tree, cache) = (tree(&[]), tempfile::tempdir().unwrap());
    git(tree.path(), &["init", "-q"]);
    commit(tree.path(), "one");
    let store = Store::new(cache.path(), tree.path());
    let mut options = options();
    let mut history = HistoryOptions::new(process::Environment::new(std::env::vars_os()));
    history.is_deferred = true;
    options.history = Some(history.clone());
    store.refresh(&options, &|_| {}).unwrap();
    let first = store.view_as_written().unwrap();
    assert_eq!((first.meta().history, first.meta().commits), (HistoryState::Pending, 0));
    assert!(first.file_by_path("a.py").is_some());
    history.is_deferred = false;
    options.history = Some(history);
    assert_eq!(store.refresh(&options, &|_| {}).unwrap().analysed, 0);
    let second = store.view_as_written().unwrap();
    assert_eq!((second.meta().history, second.meta().commits), (HistoryState::Complete, 1));
}

#[test]
fn a_history_that_grows_beyond_the_limit_is_partial() {
    let (tree, cache) = (tree(&[]), tempfile::tempdir().unwrap());
    git(tree.path(), &["init", "-q"]);
    let store = Store::new(cache.path(), tree.path());
    let mut options = options();
    let mut history = HistoryOptions::new(process::Environment::new(std::env::vars_os()));
    history.max_commits = 3;
    options.history = Some(history);
    let mut states = Vec::new();
    for word in ["one", "two", "three", "four"] {
        commit(tree.path(), word);
        store.refresh(&options, &|_| {}).unwrap();
        let view = store.view_as_written().unwrap();
        states.push((view.meta().history, view.meta().commits));
    }
    let expected = [
        (HistoryState::Complete, 1),
        (HistoryState::Complete, 2),
        (HistoryState::Partial, 3),
        (HistoryState::Partial, 3),
    ];
    assert_eq!(states, expected);
}

#[test]
fn a_second_worktree_reuses_the_snapshot_of_the_first() {
    let tree = tree(&[("main/keep.py", "from gone import old\n\n\ndef keep():\n    old()\n")]);
    let main = tree.path().join("main");
    put(&main, "gone.py", "def old(): pass\n");
    put(&main, "sub/same.py", "def same(): pass\n");
    git(&main, &["init", "-q"]);
    git(&main, &["add", "."]);
    git(&main, &["commit", "-qm", "start"]);
    git(&main, &["worktree", "add", "-q", "../second"]);
    let second = tree.path().join("second");
    let cache = tempfile::tempdir().unwrap();
    let first_store = Store::new(cache.path(), &main);
    assert_eq!(refresh(&first_store).analysed, 3);
    put(&second, "sub/same.py", "def fresh_word(): pass\n");
    put(&second, "new/added.py", "def added(): pass\n");
    std::fs::remove_file(second.join("gone.py")).unwrap();
    let store = Store::new(cache.path(), &second);
    let refreshed = refresh(&store);
    assert_eq!((refreshed.files, refreshed.analysed), (3, 2));
    // The postings and the graph were copied: only the tables with times and the delta are new.
    let delta = store.snapshot_path().with_extension("delta");
    assert!(delta.exists());
    let view = look(&store);
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
    assert_eq!(view.meta().root, second.to_str().unwrap());
    assert_eq!(files_with(&view, "keep"), ["keep.py"]);
    assert_eq!(files_with(&view, "fresh_word"), ["sub/same.py"]);
    assert_eq!(files_with(&view, "ad"), ["new/added.py"]);
    assert_eq!(files_with(&view, "old"), ["keep.py"]);
    assert_eq!(refresh(&store).analysed, 0);
    store.verify().unwrap();
    assert_eq!(files_with(&look(&first_store), "fresh_word"), Vec::<String>::new());
}

#[test]
fn programs_in_the_git_configuration_are_not_run() {
    let tree = tree(&[("a.py", "def first(): pass\n")]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "start"]);
    let marker = tree.path().join("marker");
    let program = format!("touch {}", marker.display());
    git(tree.path(), &["config", "core.fsmonitor", &program]);
    git(tree.path(), &["config", "log.showSignature", "true"]);
    git(tree.path(), &["config", "gpg.program", &program]);
    git(tree.path(), &["config", "core.pager", &program]);
    let mut options = options();
    options.history = Some(HistoryOptions::new(process::Environment::new(std::env::vars_os())));
    let view = build_in_memory(tree.path(), &options).unwrap();
    assert_eq!(view.meta().commits, 1);
    assert!(!marker.exists());
}

fn with_history(root: &Path) -> View {
    let mut options = options();
    options.history = Some(HistoryOptions::new(process::Environment::new(std::env::vars_os())));
    build_in_memory(root, &options).unwrap()
}

/// Creates a repository with two folders and two commits; the second commit changes one file.
fn origin() -> TempDir {
    let tree = tree(&[
        ("kept/a.py", "def kept_thing(): pass\n"),
        ("left/b.py", "def left_thing(): pass\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["config", "uploadpack.allowFilter", "true"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "start"]);
    put(tree.path(), "kept/a.py", "def kept_thing(): return 1\n");
    git(tree.path(), &["commit", "-qam", "change"]);
    tree
}

#[test]
fn a_partial_clone_is_read_without_fetching_what_it_lacks() {
    let origin = origin();
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.path().display());
    git(folder.path(), &["clone", "-q", "--filter=blob:none", &url, "partial"]);
    // Without the origin, missing blobs cannot be fetched: every attempt fails.
    drop(origin);
    let view = with_history(&folder.path().join("partial"));
    assert_eq!((view.meta().history, view.meta().commits), (HistoryState::Complete, 2));
    let file = view.file(view.file_by_path("kept/a.py").unwrap());
    assert_eq!(file.history.commits, 2);
}

#[test]
fn a_sparse_checkout_contains_only_the_files_on_disk() {
    let origin = origin();
    git(origin.path(), &["sparse-checkout", "set", "kept"]);
    assert!(!origin.path().join("left").exists());
    let view = with_history(origin.path());
    assert_eq!(files_with(&view, "kept"), ["kept/a.py"]);
    assert!(view.file_by_path("left/b.py").is_none());
    let file = view.file(view.file_by_path("kept/a.py").unwrap());
    assert_eq!(file.history.commits, 2);
}

#[test]
fn a_tracked_file_that_an_ignore_file_matches_is_indexed() {
    let tree = tree(&[
        (".gitignore", "packages/\n"),
        ("packages/kept.py", "def kept_thing(): pass\n"),
        ("packages/other.py", "def other_thing(): pass\n"),
    ]);
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", ".gitignore"]);
    git(tree.path(), &["add", "--force", "packages/kept.py"]);
    git(tree.path(), &["commit", "-qm", "start"]);
    let view = with_history(tree.path());
    assert_eq!(files_with(&view, "kept_thing"), ["packages/kept.py"]);
    assert_eq!(files_with(&view, "other_thing"), Vec::<String>::new());
}
