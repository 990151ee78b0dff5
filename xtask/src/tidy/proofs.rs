//! Checks that the tests named in the documents exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::root;

const DOCUMENTS: [&str; 2] = ["docs/security.md", "docs/threat-model.md"];
/// The minimum number of underscores in a test name without a requirement id.
const MIN_UNDERSCORES: usize = 4;

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let sources = files.iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let sources: Vec<String> =
        sources.filter_map(|path| fs::read_to_string(root().join(path)).ok()).collect();
    let exists = |name: &str| sources.iter().any(|text| text.contains(&format!("fn {name}(")));
    let mut complaints = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root().join(document)).unwrap_or_default();
        let names = named_in(&text);
        if names.is_empty() {
            complaints.push(format!("{document} names no test"));
        }
        let missing = names.into_iter().filter(|name| !exists(name));
        complaints.extend(missing.map(|name| format!("{document}: there is no test `{name}`")));
    }
    complaints
}

/// Returns the test names in a document: words in backticks that start with a requirement id (`a54_…`) or that are a
/// sentence in snake case.
fn named_in(text: &str) -> BTreeSet<&str> {
    let is_test = |word: &&str| {
        let mut parts = word.splitn(2, '_');
        let id = parts.next().unwrap_or_default();
        let has_number = id.len() > 1 && id[1..].chars().all(|c| c.is_ascii_digit());
        let has_id = has_number && id.starts_with(['a', 'b', 'c']) && parts.next().is_some();
        let is_snake_case = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_sentence =
            word.chars().all(is_snake_case) && word.matches('_').count() >= MIN_UNDERSCORES;
        has_id || is_sentence
    };
    text.split('`').skip(1).step_by(2).filter(is_test).collect()
}
