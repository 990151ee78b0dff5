//! Decides whether a file's content may be quoted, or only its path, size and hash.

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use disk::{PathRefusal, Root};

use super::is_sensitive;
use crate::secrets::find_all_secrets;

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
    let is_key_block =
        [&b"-----BEGIN"[..], b"---- BEGIN"].iter().any(|mark| first_line.starts_with(mark))
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
