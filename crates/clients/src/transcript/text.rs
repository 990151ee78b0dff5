//! Cuts text to a maximum length, and normalises the paths in a transcript.

use std::path::{Component, Path, PathBuf};

use contract::SessionActivity;

/// Returns the first `max_chars` characters.
pub(super) fn start(text: &str, max_chars: usize) -> &str {
    text.char_indices().nth(max_chars).map_or(text, |(at, _)| &text[..at])
}

/// Returns the last `max_chars` characters.
pub(super) fn end(text: &str, max_chars: usize) -> &str {
    let Some(last) = max_chars.checked_sub(1) else { return "" };
    text.char_indices().rev().nth(last).map_or(text, |(at, _)| &text[at..])
}

/// Resolves `path` against `directory` without reading the disk. A path inside `root` is made relative to it. Returns
/// `None` for the root itself, and for a path that is empty, too long or contains control characters.
pub(super) fn relative_path(
    path: &str,
    directory: Option<&str>,
    root: Option<&str>,
) -> Option<String> {
    let path = path.trim();
    let is_usable = !path.is_empty()
        && !path.contains(char::is_control)
        && start(path, SessionActivity::MAX_PATH_CHARS).len() == path.len();
    if !is_usable {
        return None;
    }
    let whole =
        directory.map_or_else(|| PathBuf::from(path), |folder| Path::new(folder).join(path));
    let whole = normalised(&whole);
    let root = root.map(|root| normalised(Path::new(root)));
    let inside = root.as_ref().and_then(|root| whole.strip_prefix(root).ok());
    let path = inside.unwrap_or(&whole).to_str()?;
    let is_short = start(path, SessionActivity::MAX_PATH_CHARS).len() == path.len();
    (!path.is_empty() && is_short).then(|| path.to_owned())
}

/// Removes `.` and `..` from a path without following links.
fn normalised(path: &Path) -> PathBuf {
    let mut normalised = PathBuf::new();
    for component in path.components() {
        if component == Component::CurDir {
            continue;
        }
        if component != Component::ParentDir {
            normalised.push(component);
        } else if normalised.file_name().is_some() {
            normalised.pop();
        } else if !normalised.has_root() {
            // The parent of `/` is `/`, but a relative path may begin with `..`.
            normalised.push(component);
        }
    }
    normalised
}
