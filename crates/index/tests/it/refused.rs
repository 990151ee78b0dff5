//! Tests that a file that is refused because of its content is not stored, and that its stored facts are removed
//! (requirement A51).

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use index::{BuildOptions, LookOptions, Parser, Store, TreeAccess, View};

use crate::tree::{files_with, options, put, tree};

/// The prefix of content that [`admits_content`] refuses.
const MARK: &str = "KEY-BLOCK";

fn admits_content(_: &Path, bytes: &[u8]) -> bool {
    !bytes.starts_with(MARK.as_bytes())
}

fn access() -> TreeAccess {
    TreeAccess { admits_content, ..TreeAccess::new(Parser::linked()) }
}

fn build() -> BuildOptions {
    BuildOptions { access: access(), ..options() }
}

fn refresh(store: &Store) -> usize {
    store.refresh(&build(), &|_| {}).unwrap().files
}

fn look(store: &Store) -> View {
    let until = LookOptions::until(Instant::now() + Duration::from_secs(60), Parser::linked());
    store.view(&LookOptions { access: access(), ..until }).unwrap()
}

/// Returns whether any file of the store contains `word`.
fn is_stored(cache: &Path, word: &str) -> bool {
    fs::read_dir(cache).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return is_stored(&path, word);
        }
        let bytes = fs::read(path).unwrap();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

#[test]
fn a51_no_word_of_a_refused_file_is_kept() {
    let tree = tree(&[
        ("docs/notes.txt", "KEY-BLOCK zanzibarword of a key\n"),
        ("docs/other.txt", "quetzalword of a text\n"),
    ]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    assert_eq!(refresh(&store), 1);
    let view = look(&store);
    assert_eq!(view.file_by_path("docs/notes.txt"), None);
    assert_eq!(files_with(&view, "quetzalword"), ["docs/other.txt"]);
    assert!(is_stored(cache.path(), "quetzalword"));
    assert!(!is_stored(cache.path(), "zanzibarword"));
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
}

#[test]
fn a51_a_file_that_becomes_a_key_is_no_longer_seen() {
    let tree = tree(&[("notes.txt", "quetzalword\n"), ("a.txt", "other\n")]);
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), tree.path());
    refresh(&store);
    put(tree.path(), "notes.txt", "KEY-BLOCK zanzibarword, longer than before\n");
    put(tree.path(), "new.txt", "KEY-BLOCK zanzibarword\n");
    let view = look(&store);
    assert_eq!(files_with(&view, "quetzalword"), Vec::<String>::new());
    assert_eq!(files_with(&view, "zanzibarword"), Vec::<String>::new());
    assert_eq!(view.freshness().deleted, ["notes.txt"]);
    assert_eq!(view.freshness().left_out, 0);

    assert_eq!(refresh(&store), 1);
    let view = look(&store);
    assert_eq!(files_with(&view, "quetzalword"), Vec::<String>::new());
    assert!(view.freshness().is_current(), "{:?}", view.freshness());
    assert!(!is_stored(cache.path(), "zanzibarword"));

    put(tree.path(), "notes.txt", "quetzalword again, without the key\n");
    assert_eq!(files_with(&look(&store), "quetzalword"), ["notes.txt"]);
}
