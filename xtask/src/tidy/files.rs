//! Checks the size, name and first line of source files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

const MAX_LINES: usize = 800;
const MAX_BYTES: u64 = 500 * 1024;
const EMPTY_NAMES: [&str; 7] = ["mod", "utils", "util", "helpers", "common", "misc", "manager"];

pub(super) fn check(files: &[PathBuf]) -> Vec<String> {
    files.iter().flat_map(|path| complaints_about(path)).collect()
}

fn complaints_about(path: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    let shown = path.display();
    let full = root().join(path);
    if full.metadata().is_ok_and(|metadata| metadata.len() > MAX_BYTES) {
        complaints.push(format!("{shown} is larger than {MAX_BYTES} bytes"));
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return complaints;
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) {
        complaints.push(format!("{shown}: `{stem}` is not a descriptive file name"));
    }
    let text = fs::read_to_string(&full).unwrap_or_default();
    let n_lines = text.lines().count();
    if n_lines > MAX_LINES {
        complaints.push(format!("{shown} has {n_lines} lines: split it by responsibility"));
    }
    let is_test = stem == "tests" || path.components().any(|part| part.as_os_str() == "tests");
    if !is_test && !text.starts_with("//!") {
        complaints.push(format!("{shown} does not start with `//!`: describe the module"));
    }
    complaints
}
