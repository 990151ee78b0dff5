//! Finds the directories in a repository that configure git and the coding agents.
//!
//! Codex in `workspace-write` does not write to `.git`, `.codex` and `.agents` in its working directory. It does not
//! recognise them if the working directory is one of them or is inside one. A program that is named in such a directory,
//! for example in a git hook, runs outside the sandbox. Therefore a model does not choose such a working directory.

use std::path::Path;

use crate::root::{is_git_directory, is_work_tree_top};

const NAMES: [&str; 4] = [".git", ".codex", ".agents", ".claude"];

/// Returns the protected directory that is `directory` or contains it. Both paths must be canonical, and `directory`
/// must be `root` or inside it.
///
/// A git directory is recognised by its content, so bare repositories and git directories with other names are
/// protected too. The names of `root` and of the directories that contain it are not checked, because the user chose
/// `root`. For example, the work trees of Claude Code are in `.claude/worktrees`.
#[must_use]
pub fn protected_around<'a>(directory: &'a Path, root: &Path) -> Option<&'a Path> {
    let mut is_below_root = true;
    for candidate in directory.ancestors() {
        is_below_root &= candidate != root;
        if is_git_directory(candidate) || (is_below_root && has_protected_name(candidate)) {
            return Some(candidate);
        }
        if !is_below_root && is_work_tree_top(candidate) {
            return None;
        }
    }
    None
}

/// Ignores the case, because a file system may ignore it.
fn has_protected_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests;
