//! Converts the paths in a client's transcript to paths relative to the repository root.

use std::path::{Component, Path, PathBuf};

use contract::{FileAction, Request, SessionActivity};
use engine::{SessionContext, SessionFile};

/// Converts the earlier activity of the session to the form that the ranking uses. Paths outside `root` are left out.
pub(crate) fn session_context(request: &Request, root: &Path) -> SessionContext {
    let Some(activity) = &request.activity else { return SessionContext::default() };
    let files = activity.files.iter().filter(|file| file.action != FileAction::Listed);
    SessionContext {
        files: files
            .filter_map(|file| {
                Some(SessionFile {
                    path: relative_path(&file.path, request, root)?,
                    is_edit: matches!(file.action, FileAction::Edited | FileAction::Created),
                    prompts_ago: file.prompts_ago,
                })
            })
            .collect(),
        prompts: activity.prompts.clone(),
        outputs: activity.failure.iter().cloned().collect(),
    }
}

/// The maximum number of files that [`recent_files`] returns.
const MAX_RECENT_FILES: usize = 5;

/// Returns the files that the session worked on last: the edited files, then those that it only read, each newest first.
pub(crate) fn recent_files(request: &Request, root: &Path) -> Vec<SessionFile> {
    let mut newest = session_context(request, root).files;
    newest.reverse();
    newest.sort_by_key(|file| !file.is_edit);
    let mut files: Vec<SessionFile> = Vec::new();
    for file in newest {
        if files.len() < MAX_RECENT_FILES && files.iter().all(|known| known.path != file.path) {
            files.push(file);
        }
    }
    files
}

/// Returns the paths of the files that the session read completely and did not edit afterwards. Their code is already
/// in the model's context, unless a compaction has removed it.
pub(crate) fn files_in_context(request: &Request, root: &Path) -> Vec<String> {
    let Some(SessionActivity { files, compacted_at, .. }) = &request.activity else {
        return Vec::new();
    };
    let is_lost = |file: &contract::TouchedFile| {
        compacted_at.is_some_and(|compacted| file.at.is_none_or(|at| at <= compacted))
    };
    let is_whole = |file: &&contract::TouchedFile| {
        file.action == FileAction::Read
            && file.lines.is_none()
            && file.prompts_ago <= MAX_PROMPTS_AGO
            && !is_lost(file)
    };
    let read = files.iter().enumerate().filter(|(_, file)| is_whole(file));
    let is_edited_later = |at: usize, path: &str| {
        files[at..].iter().any(|later| later.path == path && later.action == FileAction::Edited)
    };
    read.filter(|(at, file)| !is_edited_later(*at, &file.path))
        .filter(|(_, file)| !changed_after(&file.path, file.at, request, root))
        .filter_map(|(_, file)| relative_path(&file.path, request, root))
        .collect()
}

/// The number of prompts after which the client may have removed a file from the model's context.
const MAX_PROMPTS_AGO: u32 = 10;

/// Returns whether a file was modified after `at`, in seconds since 1970. Returns true if the modification time is
/// unknown, and false if only `at` is unknown.
fn changed_after(path: &str, at: Option<u64>, request: &Request, root: &Path) -> bool {
    let Some(path) = relative_path(path, request, root) else { return true };
    let changed = std::fs::symlink_metadata(root.join(path)).and_then(|found| found.modified());
    let since = changed.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    match (since, at) {
        (Some(changed), Some(at)) => changed.as_secs() > at,
        (None, _) => true,
        (Some(_), None) => false,
    }
}

/// Converts a path from the transcript to a path relative to `root`. Returns `None` if the path is not inside `root`.
fn relative_path(path: &str, request: &Request, root: &Path) -> Option<String> {
    let path = Path::new(path);
    let path = match request.cwd.as_deref().filter(|_| path.is_relative()) {
        Some(directory) => Path::new(directory).join(path),
        None if path.is_relative() => root.join(path),
        None => path.to_owned(),
    };
    let inside = normal(&path)?.strip_prefix(root).ok()?.to_str()?.to_owned();
    (!inside.is_empty()).then_some(inside)
}

/// Removes `.` and `..` from a path without reading the file system. Returns `None` if `..` would lead above the first
/// component.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => normal.pop().then_some(())?,
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                normal.push(component);
            }
        }
    }
    Some(normal)
}

#[cfg(test)]
mod tests;
