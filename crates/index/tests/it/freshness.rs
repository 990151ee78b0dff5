//! Tests that queries include changes since the snapshot without a rebuild.

use std::fs;
use std::time::Instant;

use index::{LookOptions, Parser, Store};

use crate::tree::{edges, files_with, look, passages_with, put, refresh, tree};

fn indexed(files: &[(&str, &str)]) -> (tempfile::TempDir, tempfile::TempDir, Store) {
    let tree = tree(files);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    (tree, cache, store)
}

#[test]
fn an_unchanged_tree_is_reported_as_current() {
    let (_tree, _cache, store) = indexed(&[("a.rs", "fn first() {}\n")]);
    let view = look(&store);
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
}

#[test]
fn queries_include_changed_new_and_deleted_files() {
    let (tree, _cache, store) = indexed(&[
        ("src/a.rs", "fn first() {}\n"),
        ("src/b.rs", "fn gone() {}\n"),
        ("src/c.rs", "fn stays() {}\n"),
    ]);
    put(tree.path(), "src/a.rs", "fn renamed() { stays() }\n");
    put(tree.path(), "src/deep/new.rs", "fn brand_new() {}\n");
    fs::remove_file(tree.path().join("src/b.rs")).unwrap();
    let view = look(&store);
    let freshness = view.freshness();
    assert_eq!(freshness.changed, ["src/a.rs"]);
    assert_eq!(freshness.added, ["src/deep/new.rs"]);
    assert_eq!(freshness.deleted, ["src/b.rs"]);
    assert!(freshness.complete && freshness.left_out == 0);
    assert_eq!(files_with(&view, "first"), Vec::<String>::new());
    assert_eq!(files_with(&view, "renam"), ["src/a.rs"]);
    assert_eq!(files_with(&view, "brand_new"), ["src/deep/new.rs"]);
    assert_eq!(files_with(&view, "gone"), Vec::<String>::new());
    assert_eq!(files_with(&view, "stay"), ["src/a.rs", "src/c.rs"]);
    assert_eq!(view.files().count(), 3);
    assert_eq!(view.symbols_named("first"), []);
    let new = view.symbols_named("brand_new")[0];
    assert_eq!(view.path(view.symbol(new).file), "src/deep/new.rs");
    assert_eq!(view.path(passages_with(&view, "renam")[0].file), "src/a.rs");
    assert_eq!(view.file_by_path("src/b.rs"), None);
    assert_eq!(view.files_with_name("new.rs").len(), 1);
}

#[test]
fn a_changed_file_keeps_the_edges_of_its_symbols() {
    let (tree, _cache, store) = indexed(&[
        ("a.py", "from b import helper\n\n\ndef caller():\n    helper()\n"),
        ("b.py", "def helper():\n    pass\n"),
    ]);
    put(tree.path(), "b.py", "# now documented\ndef helper():\n    return 1\n");
    let view = look(&store);
    assert_eq!(view.freshness().changed, ["b.py"]);
    assert_eq!(edges(&view, "helper"), ["<- calls caller", "<- imports a.py"]);
    assert_eq!(edges(&view, "caller"), ["calls helper"]);
}

#[test]
fn ignored_and_foreign_files_are_not_added() {
    let (tree, _cache, store) =
        indexed(&[(".gitignore", "*.log\nout/\n"), ("src/a.rs", "fn first() {}\n")]);
    put(tree.path(), "src/x.log", "noise\n");
    put(tree.path(), "out/y.rs", "fn noise() {}\n");
    put(tree.path(), ".git/config", "noise\n");
    assert_eq!(look(&store).freshness().added, Vec::<String>::new());
}

#[test]
fn a_view_without_time_uses_the_snapshot_and_reports_it() {
    let (tree, _cache, store) = indexed(&[("a.rs", "fn first() {}\n")]);
    put(tree.path(), "a.rs", "fn changed() {}\n");
    let view = store.view(&LookOptions::until(Instant::now(), Parser::linked())).unwrap();
    assert!(!view.freshness().complete);
    assert_eq!(files_with(&view, "first"), ["a.rs"]);
}

#[test]
fn more_changes_than_the_bound_are_counted() {
    let files: Vec<(String, String)> =
        (0..20).map(|n| (format!("f{n:02}.rs"), format!("fn old_{n}() {{}}\n"))).collect();
    let borrowed: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (tree, _cache, store) = indexed(&borrowed);
    for (path, _) in &files {
        put(tree.path(), path, "fn fresh_name() {}\n");
    }
    let mut options =
        LookOptions::until(Instant::now() + std::time::Duration::from_secs(60), Parser::linked());
    options.max_files = 5;
    let view = store.view(&options).unwrap();
    assert_eq!((view.freshness().changed.len(), view.freshness().left_out), (5, 15));
    assert_eq!(files_with(&view, "fresh_name").len(), 5);
    assert_eq!(view.files().count(), 20);
}
