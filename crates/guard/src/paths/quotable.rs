//! Whether a file's content may be quoted, or only its path, size and hash.

use std::path::Path;

use super::is_sensitive;
use crate::secrets::find_all_secrets;

/// The answer for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotable {
    Yes,
    Binary,
    TooLarge,
    Sensitive,
}

/// Files beyond this are named, not quoted.
const LARGEST: u64 = 1024 * 1024;
/// How much of a file is looked at to judge it.
pub(crate) const SNIFFED: usize = 8 * 1024;

/// Judges a file by its path, its size and the start of its content.
#[must_use]
pub fn quotable(relative: &Path, size: u64, head: &[u8]) -> Quotable {
    let head = &head[..head.len().min(SNIFFED)];
    if is_sensitive(relative) || holds_key(head) {
        Quotable::Sensitive
    } else if is_binary(head) {
        Quotable::Binary
    } else if size > LARGEST {
        Quotable::TooLarge
    } else if is_made_of_secrets(head) {
        Quotable::Sensitive
    } else {
        Quotable::Yes
    }
}

/// Marks of files that are nothing but a key or a set of credentials, whatever their name.
const KEY_MARKS: &[&[u8]] = &[
    b"PuTTY-User-Key-File-",
    b"AGE-SECRET-KEY-1",
    b"openssh-key-v1",
    b"\xfe\xed\xfe\xed",
    b"KEYCHAIN",
    b"client-key-data:",
    b"\"private_key_id\"",
];

/// A key block at the start of a file is the file; one further down is an example in it, which redaction takes out.
fn holds_key(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    let first_line = &start[..start.len().min(80)];
    let is_key_block = first_line.starts_with(b"-----BEGIN")
        && memchr::memmem::find(first_line, b"PRIVATE KEY").is_some();
    is_key_block
        || KEY_MARKS.iter().any(|mark| {
            memchr::memmem::find(start, mark)
                .is_some_and(|at| at < 64 || mark.starts_with(b"client") || mark.starts_with(b"\""))
        })
}

/// NUL bytes, or many other controls: no text in any encoding that a prompt could quote.
fn is_binary(head: &[u8]) -> bool {
    let controls = head
        .iter()
        .filter(|byte| {
            byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
        })
        .count();
    memchr::memchr(0, head).is_some() || controls * 10 > head.len()
}

/// A file most of which is secret, or most of whose lines hold one, is a list of secrets: what redaction would leave is
/// not worth the risk.
fn is_made_of_secrets(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let secrets = find_all_secrets(&text);
    let secret_bytes: usize = secrets.iter().map(|secret| secret.span.len()).sum();
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).count();
    secret_bytes * 2 >= text.len().max(1) || secrets.len() >= 3 && secrets.len() * 2 >= lines()
}
