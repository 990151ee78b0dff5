//! `cargo xtask tidy`: checks rules that the compiler does not check. The crate table must match the manifests, files must be
//! small and well named, links must resolve, names in backticks must exist, settings must be documented, and retired names
//! must not be used.

mod arrows;
mod dependencies;
mod files;
mod links;
mod names;
mod proofs;
mod retired;
mod variables;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::output::{print_message, print_result};

pub(crate) fn run() -> ExitCode {
    let mut complaints = arrows::check();
    complaints.extend(dependencies::check());
    let tree = tracked_files(crate::root());
    complaints.extend(files::check(&tree));
    complaints.extend(links::check(&tree));
    complaints.extend(names::check(&tree));
    complaints.extend(variables::check(&tree));
    complaints.extend(proofs::check(&tree));
    complaints.extend(retired::check(&tree));
    for complaint in &complaints {
        print_message(&format!("error: {complaint}"));
    }
    if complaints.is_empty() {
        print_result(&format!("tidy: {} files", tree.len()));
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns all files of the work tree, relative to the root. Skips `.git`, build output, caches and `node_modules`.
fn tracked_files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(root.join(&directory)) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if matches!(name.to_str(), Some(".git" | "target" | ".cache" | "node_modules")) {
                continue;
            }
            let path = directory.join(&name);
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                pending.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
