//! A test that a document names as proof exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::root;

const DOCUMENT: &str = "docs/security.md";

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let text = fs::read_to_string(root().join(DOCUMENT)).unwrap_or_default();
    let sources = files.iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let sources: Vec<String> =
        sources.filter_map(|path| fs::read_to_string(root().join(path)).ok()).collect();
    let exists = |name: &str| sources.iter().any(|text| text.contains(&format!("fn {name}(")));
    let missing = named_in(&text).into_iter().filter(|name| !exists(name));
    missing.map(|name| format!("{DOCUMENT}: there is no test `{name}`")).collect()
}

/// Words in backticks that begin with the id of a requirement: `a54_…`.
fn named_in(text: &str) -> BTreeSet<&str> {
    let is_test = |word: &&str| {
        let mut parts = word.splitn(2, '_');
        let id = parts.next().unwrap_or_default();
        let has_number = id.len() > 1 && id[1..].chars().all(|c| c.is_ascii_digit());
        has_number && id.starts_with(['a', 'b', 'c']) && parts.next().is_some()
    };
    text.split('`').skip(1).step_by(2).filter(is_test).collect()
}
