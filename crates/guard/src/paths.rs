//! Decides which files may be read and quoted. A file may be quoted only if it is beneath the root, not sensitive, not
//! binary and not too large. Sensitive names are compared without regard to case, because many file systems ignore case.

use crate::bytes::{ends_with_any, starts_with_any};
use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Component, Path};

pub use disk::{PathRefusal, Root, WriteRefusal};

use crate::secrets::find_all_secrets;
use crate::table::WordList;

/// Names of files that are never quoted.
const SENSITIVE: &str = include_str!("paths/sensitive.txt");
static FOLDERS: WordList = WordList::new(SENSITIVE, "folders");
static FILES_IN_FOLDERS: WordList = WordList::new(SENSITIVE, "files in folders");
static NAMES: WordList = WordList::new(SENSITIVE, "names");
static PREFIXES: WordList = WordList::new(SENSITIVE, "prefixes");
static SUFFIXES: WordList = WordList::new(SENSITIVE, "suffixes");
static STEMS: WordList = WordList::new(SENSITIVE, "stems");
static STEM_EXTENSIONS: WordList = WordList::new(SENSITIVE, "stem extensions");

/// Whether the content of a file may be quoted and, if not, the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotable {
    Yes,
    Binary,
    TooLarge,
    Sensitive,
}

/// A file opened beneath a root, and whether its content may be quoted.
#[derive(Debug)]
pub struct Opened {
    /// The open file, positioned at its start.
    pub file: File,
    pub size: u64,
    pub verdict: Quotable,
}

/// The maximum size of a quoted file. Larger files are cited by path, but not quoted.
pub const MAX_QUOTED_BYTES: u64 = 1024 * 1024;
/// The number of bytes at the start of a file that are used to classify it.
const MAX_INSPECTED_BYTES: usize = 8 * 1024;

/// Opens a file and classifies it by the requested path, the canonical path, the size and the content (requirement
/// A51).
///
/// # Errors
/// Returns the errors of [`Root::open_file`], and [`PathRefusal::Unreadable`] if the file cannot be read.
pub fn inspect(root: &Root, relative: &Path) -> Result<Opened, PathRefusal> {
    let unreadable = |source| PathRefusal::Unreadable { path: relative.to_owned(), source };
    let mut file = root.open_file(relative)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let mut head = Vec::with_capacity(MAX_INSPECTED_BYTES);
    file.by_ref().take(MAX_INSPECTED_BYTES as u64).read_to_end(&mut head).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    let is_hidden_by_link = root.real_path(&file, relative).is_none_or(|real| is_sensitive(&real));
    let verdict =
        if is_hidden_by_link { Quotable::Sensitive } else { quotable(relative, size, &head) };
    Ok(Opened { file, size, verdict })
}

/// Classifies a file by its path, its size and the start of its content.
#[must_use]
pub fn quotable(relative: &Path, size: u64, head: &[u8]) -> Quotable {
    let head = &head[..head.len().min(MAX_INSPECTED_BYTES)];
    if is_sensitive(relative) || is_key_file(head) {
        Quotable::Sensitive
    } else if is_binary(head) {
        Quotable::Binary
    } else if size > MAX_QUOTED_BYTES {
        Quotable::TooLarge
    } else if is_made_of_secrets(head) {
        Quotable::Sensitive
    } else {
        Quotable::Yes
    }
}

/// Byte strings that identify key and credential files regardless of their name.
const KEY_FILE_MARKS: &[&[u8]] = &[
    b"PuTTY-User-Key-File-",
    b"AGE-SECRET-KEY-1",
    b"openssh-key-v1",
    b"\xfe\xed\xfe\xed",
    b"KEYCHAIN",
    b"client-key-data:",
    b"\"private_key_id\"",
];

/// Returns whether the content shows that the file is a key file or a credential file. A private key block counts
/// only if it is at the start of the file. A later block is treated as an example, and redaction removes only that
/// block.
fn is_key_file(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let first_line = &start[..start.len().min(80)];
    let is_key_block = starts_with_any(first_line, &["-----BEGIN", "---- BEGIN"])
        && memchr::memmem::find(first_line, b"PRIVATE KEY").is_some();
    is_key_block
        || KEY_FILE_MARKS.iter().any(|mark| {
            memchr::memmem::find(start, mark)
                .is_some_and(|at| at < 64 || mark.starts_with(b"client") || mark.starts_with(b"\""))
        })
}

/// Returns whether the content is binary: it contains a NUL byte, or more than 10 % of its bytes are control characters
/// other than white space and ESC.
fn is_binary(head: &[u8]) -> bool {
    let controls = head
        .iter()
        .filter(|byte| {
            byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
        })
        .count();
    memchr::memchr(0, head).is_some() || controls * 10 > head.len()
}

/// Returns whether at least half of the content is secret, or the content has at least three secrets and at least one
/// secret for every two lines. Redaction might miss some secrets in such a file, so the file is not quoted at all.
fn is_made_of_secrets(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let secrets = find_all_secrets(&text);
    let secret_bytes: usize = secrets.iter().map(|secret| secret.span.len()).sum();
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).count();
    secret_bytes * 2 >= text.len().max(1) || secrets.len() >= 3 && secrets.len() * 2 >= lines()
}

/// Returns whether a file must never be quoted, regardless of its content. `relative` is the file's path relative to
/// the root.
#[must_use]
pub fn is_sensitive(relative: &Path) -> bool {
    let parts: Vec<String> = relative
        .components()
        .filter(|component| matches!(component, Component::Normal(_)))
        .map(|component| component.as_os_str().to_string_lossy().to_lowercase())
        .collect();
    let Some((name, directories)) = parts.split_last() else { return false };
    // Windows and some file systems treat `key.pem. ` and `key.pem::$DATA` as `key.pem`.
    let name = name.split("::").next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let in_folder = format!("{}/{name}", directories.last().map_or("", String::as_str));
    directories.iter().any(|directory| FOLDERS.contains(&directory.as_str()))
        || FILES_IN_FOLDERS.contains(&in_folder.as_str())
        || NAMES.contains(&name)
        || starts_with_any(name, &PREFIXES)
        || ends_with_any(name, &SUFFIXES)
        || has_sensitive_stem(name)
}

fn has_sensitive_stem(name: &str) -> bool {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let stem = stem.trim_start_matches('.');
    let is_sensitive_stem = STEMS.iter().any(|sensitive| {
        stem.strip_suffix(sensitive)
            .is_some_and(|before| before.is_empty() || before.ends_with(['-', '_', '.']))
            || stem.strip_prefix(sensitive).is_some_and(|after| after.starts_with(['-', '_', '.']))
    });
    is_sensitive_stem && (extension.is_empty() || STEM_EXTENSIONS.contains(&extension))
}

#[cfg(test)]
mod tests;
