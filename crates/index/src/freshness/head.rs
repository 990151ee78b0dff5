//! Finds the files that differ between the index's commit and the current commit.

use std::path::Path;
use std::time::Instant;

use disk::Links;
use process::{Bounds, End, Git, run};

use super::LookOptions;
use crate::cache_paths::{common_dir_of, git_dir_of, top_of_work_tree};
use crate::view::View;

/// The maximum size in bytes of git's list of changed files. The rest of a longer list is ignored.
const MAX_LIST_BYTES: usize = 1 << 20;
const MAX_REF_BYTES: u64 = 4 * 1024;
const MAX_PACKED_REFS_BYTES: u64 = 16 * 1024 * 1024;

/// Returns the paths, relative to the root, that differ between the view's commit and the current commit. Returns no
/// paths if the commits are equal or one of them is unknown, or if a file of the git directory would block git. Git is
/// started only if the commits differ, and may take half of the time.
pub(super) fn changed_paths(view: &View, options: &LookOptions, deadline: Instant) -> Vec<String> {
    let root = view.root();
    let (Some(git), Some(before)) = (&options.git, view.head()) else {
        return Vec::new();
    };
    let Some(now) = current_commit(root).filter(|now| now != before && is_hash(before)) else {
        return Vec::new();
    };
    #[rustfmt::skip]
    let arguments = [
        "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative",
        before, &now, "--",
    ];
    // If git does not answer, the rest of the time is left for the comparison of other files.
    let now = Instant::now();
    let deadline = now + deadline.saturating_duration_since(now) / 2;
    let git = Git::new(&git.environment, root).by(&git.git).until(deadline);
    if git.check_git_directory().is_err() {
        return Vec::new();
    }
    let program = git.command(arguments);
    let bounds = Bounds { deadline, stdout_bytes: MAX_LIST_BYTES, stderr_bytes: 4096 };
    let Ok(finished) = run(&program, &bounds) else { return Vec::new() };
    let output = match finished.end {
        End::Exited(0) | End::TimedOut => finished.stdout.bytes,
        End::Exited(_) | End::Signalled(_) => return Vec::new(),
    };
    let mut paths: Vec<&[u8]> = output.split(|byte| *byte == 0).collect();
    // The string after the last separator is empty or incomplete.
    paths.pop();
    paths.into_iter().filter_map(|path| String::from_utf8(path.to_vec()).ok()).collect()
}

/// Returns the hash of the current commit. Reads git's files directly, because starting git for each prompt would take
/// longer than the rest of the comparison. Returns `None` if there is no commit, or if the repository does not store
/// its references in files.
pub(crate) fn current_commit(root: &Path) -> Option<String> {
    let dot_git = top_of_work_tree(root)?.join(".git");
    let git_dir = git_dir_of(&dot_git)?;
    let read = |path: &Path| disk::read_text(path, Links::Refuse, MAX_REF_BYTES).ok();
    let head = read(&git_dir.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else {
        return Some(head.trim().to_owned()).filter(|hash| is_hash(hash));
    };
    if !name.starts_with("refs/") || name.split('/').any(|part| part == "..") {
        return None;
    }
    let common = common_dir_of(&dot_git)?;
    let loose = [&git_dir, &common].into_iter().find_map(|folder| read(&folder.join(name)));
    if let Some(hash) = loose {
        return Some(hash.trim().to_owned()).filter(|hash| is_hash(hash));
    }
    let packed =
        disk::read_text(&common.join("packed-refs"), Links::Refuse, MAX_PACKED_REFS_BYTES).ok()?;
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    let (hash, _) = lines.find(|(_, packed_name)| *packed_name == name)?;
    Some(hash.to_owned()).filter(|hash| is_hash(hash))
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
