//! Tests trees that are only partly compared with the snapshot: the most recently modified files, the files that the
//! caller names, and the files that differ according to git.

use std::fs::File;
use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, HistoryOptions, LookOptions, Parser, Store, View};
use process::Environment;
use tempfile::TempDir;

use crate::clones::git;
use crate::tree::{files_with, look, options, put, tree};

const N_FOLDERS: usize = 40;

/// A tree whose last two folders and their files are newer than the others.
struct Indexed {
    tree: TempDir,
    _cache: TempDir,
    store: Store,
}

fn build_options() -> BuildOptions {
    let history = HistoryOptions::new(Environment::new(std::env::vars_os()));
    BuildOptions { history: Some(history), ..options() }
}

fn indexed() -> Indexed {
    let tree = tree(&[]);
    for folder in 0..N_FOLDERS {
        let path = format!("part_{folder:02}/code.rs");
        put(tree.path(), &path, format!("fn number_{folder}() {{}}\n"));
        if folder < N_FOLDERS - 2 {
            make_older(&tree, &path);
            make_older(&tree, &format!("part_{folder:02}"));
        }
    }
    make_older(&tree, "");
    git(tree.path(), &["init", "-q"]);
    git(tree.path(), &["add", "."]);
    git(tree.path(), &["commit", "-qm", "start"]);
    make_older(&tree, "");
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    store.refresh(&build_options(), &|_| {}).unwrap();
    Indexed { tree, _cache: cache, store }
}

fn make_older(tree: &TempDir, path: &str) {
    let time = SystemTime::now() - Duration::from_secs(3_600);
    File::open(tree.path().join(path)).unwrap().set_modified(time).unwrap();
}

/// Returns options that compare two folders, two files and `also`.
fn newest(also: &[&str]) -> LookOptions {
    let deadline = Instant::now() + Duration::from_secs(60);
    LookOptions {
        max_compared: 4,
        max_newest: 2,
        also: also.iter().map(|path| (*path).to_owned()).collect(),
        git: Some(HistoryOptions::new(Environment::new(std::env::vars_os()))),
        ..LookOptions::until(deadline, Parser::linked())
    }
}

impl Indexed {
    fn look(&self, also: &[&str]) -> View {
        self.store.view(&newest(also)).unwrap()
    }
}

#[test]
fn what_was_modified_last_is_compared() {
    let place = indexed();
    put(place.tree.path(), "part_39/code.rs", "fn changed_again() {}\n");
    put(place.tree.path(), "part_38/new.rs", "fn brand_new() {}\n");
    let view = place.look(&[]);
    assert_eq!(view.freshness().changed, ["part_39/code.rs"]);
    assert_eq!(view.freshness().added, ["part_38/new.rs"]);
    assert!(!view.freshness().complete && !view.freshness().is_current());
}

#[test]
fn other_files_are_compared_if_named_or_if_everything_is_compared() {
    let place = indexed();
    put(place.tree.path(), "part_03/code.rs", "fn edited_in_place() {}\n");
    put(place.tree.path(), "part_04/deep/new.rs", "fn brand_new() {}\n");
    let view = place.look(&[]);
    assert_eq!(files_with(&view, "number_3"), ["part_03/code.rs"]);
    assert!(files_with(&view, "brand_new").is_empty() && !view.freshness().complete);
    let view = place.look(&["part_03/code.rs", "part_04/deep/new.rs"]);
    assert_eq!(files_with(&view, "edited_in_place"), ["part_03/code.rs"]);
    assert_eq!(files_with(&view, "brand_new"), ["part_04/deep/new.rs"]);
    let view = look(&place.store);
    assert_eq!(files_with(&view, "edited_in_place"), ["part_03/code.rs"]);
    assert_eq!(files_with(&view, "brand_new"), ["part_04/deep/new.rs"]);
    assert!(view.freshness().complete);
}

#[test]
fn all_new_files_are_found_if_all_directories_are_compared() {
    let place = indexed();
    put(place.tree.path(), "part_03/code.rs", "fn edited_in_place() {}\n");
    put(place.tree.path(), "part_04/deep/new.rs", "fn brand_new() {}\n");
    let options = LookOptions { all_directories: true, ..newest(&[]) };
    let view = place.store.view(&options).unwrap();
    assert_eq!(files_with(&view, "brand_new"), ["part_04/deep/new.rs"]);
    assert!(files_with(&view, "edited_in_place").is_empty() && !view.freshness().complete);
}

#[test]
fn a_refresh_of_named_files_compares_nothing_else() {
    let place = indexed();
    let root = place.tree.path();
    let names = |paths: &[&str]| Some(paths.iter().map(|path| (*path).to_owned()).collect());
    let refresh = |paths: &[&str]| {
        let options = BuildOptions { changed: names(paths), ..build_options() };
        place.store.refresh(&options, &|_| {}).unwrap()
    };
    let compared_at = place.store.last_refresh();
    put(root, "part_03/code.rs", "fn in_the_delta() {}\n");
    put(root, "part_04/code.rs", "fn edited_unnoticed() {}\n");
    put(root, "part_05/deep/new.rs", "fn brand_new() {}\n");
    std::fs::remove_file(root.join("part_06/code.rs")).unwrap();
    let refreshed = refresh(&["part_03/code.rs", "part_05/deep/new.rs", "part_06/code.rs"]);
    assert_eq!((refreshed.files, refreshed.analysed), (N_FOLDERS, 2));
    // The files of the delta stay in it if they are not named again.
    assert_eq!(refresh(&["part_07/code.rs"]).analysed, 0);
    let view = place.store.view_as_written().unwrap();
    assert_eq!(files_with(&view, "in_the_delta"), ["part_03/code.rs"]);
    assert_eq!(files_with(&view, "brand_new"), ["part_05/deep/new.rs"]);
    assert!(files_with(&view, "edited_unnoticed").is_empty());
    assert!(view.file_by_path("part_06/code.rs").is_none());
    // The whole tree is compared when it was due before.
    assert_eq!(place.store.last_refresh(), compared_at);
    let refreshed = place.store.refresh(&build_options(), &|_| {}).unwrap();
    assert_eq!((refreshed.files, refreshed.analysed), (N_FOLDERS, 1));
    assert!(place.store.last_refresh() > compared_at);
}

#[test]
fn a_cited_file_that_changed_is_outdated_until_the_view_has_its_content() {
    let place = indexed();
    let view = place.look(&[]);
    let cited = ["part_03/code.rs".to_owned(), "part_05/code.rs".to_owned()];
    assert!(view.outdated(&cited, &newest(&[])).is_empty());
    put(place.tree.path(), "part_03/code.rs", "fn edited_in_place() {}\n");
    put(place.tree.path(), "part_05/new.rs", "fn brand_new() {}\n");
    let outdated = view.outdated(&cited, &newest(&[]));
    assert_eq!(outdated, ["part_03/code.rs", "part_05/new.rs"]);
    let also: Vec<&str> = outdated.iter().map(String::as_str).collect();
    assert!(place.look(&also).outdated(&cited, &newest(&[])).is_empty());
    std::fs::remove_file(place.tree.path().join("part_03/code.rs")).unwrap();
    assert_eq!(view.outdated(&cited[..1], &newest(&[])), ["part_03/code.rs"]);
}

#[test]
fn files_of_another_commit_are_compared() {
    let place = indexed();
    let root = place.tree.path();
    git(root, &["switch", "-qc", "other"]);
    put(root, "part_07/code.rs", "fn on_a_branch() {}\n");
    put(root, "part_08/new.rs", "fn new_on_a_branch() {}\n");
    std::fs::remove_file(root.join("part_09/code.rs")).unwrap();
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "branch"]);
    let check = |view: &View| {
        assert_eq!(files_with(view, "on_a_branch"), ["part_07/code.rs"]);
        assert_eq!(files_with(view, "new_on_a_branch"), ["part_08/new.rs"]);
        assert_eq!(view.freshness().deleted, ["part_09/code.rs"]);
    };
    check(&place.look(&[]));
    // The same with packed references and with a detached HEAD.
    git(root, &["pack-refs", "--all"]);
    check(&place.look(&[]));
    git(root, &["switch", "-q", "--detach"]);
    check(&place.look(&[]));
}

#[test]
fn files_of_the_delta_are_compared() {
    let place = indexed();
    put(place.tree.path(), "part_03/code.rs", "fn in_the_delta() {}\n");
    let refreshed = place.store.refresh(&build_options(), &|_| {}).unwrap();
    assert_eq!((refreshed.files, refreshed.analysed), (N_FOLDERS, 1));
    assert_eq!(files_with(&place.look(&[]), "in_the_delta"), ["part_03/code.rs"]);
    put(place.tree.path(), "part_03/code.rs", "fn changed_again() {}\n");
    assert_eq!(files_with(&place.look(&[]), "changed_again"), ["part_03/code.rs"]);
}
