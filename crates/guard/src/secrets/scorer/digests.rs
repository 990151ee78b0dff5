//! Recognises digests and fingerprints. They are public, even if the name before them contains a word such as `key`.

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};

/// The length of a SHA-1 digest in hexadecimal digits. Checksums of packages and fingerprints of keys have this length.
const DIGEST: usize = 40;
const SHORT_FINGERPRINT: usize = 16;
/// How many bytes before and after a line are searched for the previous line and the next line.
const MAX_LINES: usize = 160;
const MAX_NAME: usize = 48;

pub(super) fn is_digest(candidate: &Candidate<'_>, value: &str) -> bool {
    is_fingerprint(candidate, value) || is_checksum_of_package(candidate, value)
}

/// Recognises the fingerprint of a GnuPG key: `ENV GPG_KEY A035…`, `signingkey = 3AA5…`.
fn is_fingerprint(candidate: &Candidate<'_>, value: &str) -> bool {
    let word = &candidate.text.as_bytes()[candidate.word.clone()];
    let is_key = candidate.name == Name::Vague && word.eq_ignore_ascii_case(b"key")
        || word.eq_ignore_ascii_case(b"signingkey");
    is_key
        && matches!(value.len(), DIGEST | SHORT_FINGERPRINT)
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F'))
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Recognises an entry in a list of package checksums: `  KeychainAccess: c0c4f7f3…`. The package name must be
/// capitalised, and the line before or after the entry must be another entry or the heading of the list.
fn is_checksum_of_package(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_entry = candidate.relation == Relation::Colon
        && candidate.quoting == Quoting::Bare
        && value.len() == DIGEST
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    if !is_entry {
        return false;
    }
    let bytes = candidate.text.as_bytes();
    let before = &bytes[candidate.word.start.saturating_sub(MAX_NAME)..candidate.word.start];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let name = before[line_start..].trim_ascii_start();
    let first = name.first().unwrap_or(&bytes[candidate.word.start]);
    let start = candidate.word.start - (before.len() - line_start);
    let above = &bytes[start.saturating_sub(MAX_LINES)..start];
    let above = above.rsplit(|byte| *byte == b'\n').find(|line| !line.is_empty());
    let rest = &bytes[candidate.value.end..];
    let rest = &rest[..rest.len().min(MAX_LINES)];
    let below = rest.split(|byte| *byte == b'\n').nth(1);
    crate::work::count(MAX_LINES);
    first.is_ascii_uppercase() && above.into_iter().chain(below).any(is_entry_or_heading)
}

/// Returns whether a line is the heading of a list of checksums, or an entry whose name does not end with a word for a
/// secret.
fn is_entry_or_heading(line: &[u8]) -> bool {
    const SECRETS: [&[u8]; 4] = [b"key", b"token", b"secret", b"password"];
    if memchr::memmem::find(line, b"CHECKSUM").is_some() {
        return true;
    }
    let line = line.trim_ascii();
    let Some(colon) = memchr::memmem::find(line, b": ") else { return false };
    let (name, digest) = (line[..colon].to_ascii_lowercase(), &line[colon + 2..]);
    digest.len() == DIGEST
        && digest.iter().all(u8::is_ascii_hexdigit)
        && !SECRETS.iter().any(|word| name.ends_with(word))
}
