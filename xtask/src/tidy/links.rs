//! Checks that relative links in the documents point to existing files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    let documents =
        files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    documents.flat_map(|path| broken_links(path)).collect()
}

fn broken_links(document: &Path) -> Vec<String> {
    let text = fs::read_to_string(root().join(document)).unwrap_or_default();
    let folder = document.parent().unwrap_or(Path::new(""));
    let mut broken = Vec::new();
    for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        let target = link.split('#').next().unwrap_or_default();
        if target.is_empty() || target.contains("://") || target.contains(char::is_whitespace) {
            continue;
        }
        if !root().join(folder).join(target).exists() {
            broken.push(format!("{}: broken link to `{link}`", document.display()));
        }
    }
    broken
}
