//! Finds the repository that contains a folder, and the location of its index in the cache.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use disk::Links;
use rustix::fs::OFlags;

/// Returns the nearest folder that contains `.git`: `folder` or one of its ancestors.
pub(crate) fn top_of_work_tree(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").exists())
}

/// Returns the git directory that all worktrees of a repository share.
pub(crate) fn git_common_dir(root: &Path) -> Option<PathBuf> {
    common_dir_of(&top_of_work_tree(root)?.join(".git"))
}

/// Returns the git directory of the repository that contains `root`, with links resolved. All worktrees of a repository
/// share this directory, so it identifies the repository. Returns `None` outside a work tree.
#[must_use]
pub fn shared_git_directory(root: &Path) -> Option<PathBuf> {
    git_common_dir(root).map(|folder| canonical(&folder))
}

/// Like [`git_common_dir`], but takes the path of a `.git` directory or file.
pub(crate) fn common_dir_of(dot_git: &Path) -> Option<PathBuf> {
    let git_dir = git_dir_of(dot_git)?;
    if git_dir == dot_git {
        return Some(git_dir);
    }
    match read_pointer(&git_dir.join("commondir")) {
        Some(common) => Some(git_dir.join(common.trim())),
        None => Some(git_dir),
    }
}

/// Returns the git directory of one worktree. Takes the path of a `.git` directory or file.
pub(crate) fn git_dir_of(dot_git: &Path) -> Option<PathBuf> {
    if fs::metadata(dot_git).ok()?.is_dir() {
        return Some(dot_git.to_owned());
    }
    // In a worktree or a submodule, `.git` is a file that contains the path of the git directory.
    let pointer = read_pointer(dot_git)?;
    Some(dot_git.parent()?.join(pointer.strip_prefix("gitdir:")?.trim()))
}

/// Reads a small file that contains one path.
fn read_pointer(path: &Path) -> Option<String> {
    const MAX_BYTES: u64 = 8 * 1024;
    disk::read_text(path, Links::Refuse, MAX_BYTES).ok()
}

/// Returns the cache folder of a repository. All worktrees of the repository share it. The folder's name consists of
/// the repository's name and a hash.
pub(crate) fn repository_dir(cache: &Path, root: &Path) -> PathBuf {
    let root = canonical(root);
    let identity = git_common_dir(&root).map_or_else(|| root.clone(), |folder| canonical(&folder));
    let folder = if identity.file_name().is_some_and(|name| name == ".git") {
        identity.parent()
    } else {
        Some(identity.as_path())
    };
    let name =
        folder.and_then(Path::file_name).map(|name| name.to_string_lossy()).unwrap_or_default();
    let readable: String = name
        .chars()
        .filter(|it| it.is_ascii_alphanumeric() || *it == '-' || *it == '_')
        .take(40)
        .collect();
    cache.join(format!("{readable}-{}", short_hash(identity.as_os_str().as_encoded_bytes())))
}

/// Returns the key that identifies a worktree within the cache folder of its repository.
pub(crate) fn tree_key(root: &Path) -> String {
    short_hash(canonical(root).as_os_str().as_encoded_bytes())
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().chars().take(16).collect()
}

/// Opens a regular file for writing, and creates it if it does not exist. Does not follow a link.
///
/// # Errors
/// `InvalidInput` for links, pipes and other files that are not regular. A pipe never blocks the caller.
pub(crate) fn open_or_create(path: &Path) -> io::Result<File> {
    let refused = || {
        let message = format!("`{}` is not a regular file", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, message)
    };
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(refused());
    }
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
}
