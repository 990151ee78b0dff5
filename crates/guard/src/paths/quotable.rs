//! Whether a file's content may be quoted, or only its path, size and hash.

use std::path::Path;

use super::is_sensitive;

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
const SNIFFED: usize = 8 * 1024;

/// Judges a file by its path, its size and the start of its content.
#[must_use]
pub fn quotable(relative: &Path, size: u64, head: &[u8]) -> Quotable {
    let head = &head[..head.len().min(SNIFFED)];
    if is_sensitive(relative) || holds_key(head) {
        Quotable::Sensitive
    } else if memchr::memchr(0, head).is_some() {
        Quotable::Binary
    } else if size > LARGEST {
        Quotable::TooLarge
    } else {
        Quotable::Yes
    }
}

/// A file that is a key, whatever its name: it starts with a key block.
fn holds_key(head: &[u8]) -> bool {
    let trimmed = head.trim_ascii_start();
    trimmed.starts_with(b"-----BEGIN")
        && memchr::memmem::find(&trimmed[..trimmed.len().min(80)], b"PRIVATE KEY").is_some()
}
