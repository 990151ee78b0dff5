//! Finds a value that does not directly follow its name but is on the same line:
//! `key = os.environ.get("KEY", "value")`, `<secret>provider value</secret>`.

use crate::secrets::Secret;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::cursor::{is_word_or, line_after, run_before};
use crate::secrets::forms::ends_with;
use crate::secrets::verdict::is_secret;
use crate::work;
use std::ops::Range;

/// The maximum number of bytes that are searched after the operator.
const MAX_DISTANCE: usize = 160;
const MIN_VALUE: usize = 12;
/// The maximum length of a field's name and operator.
const MAX_FIELD: usize = 40;
/// The maximum number of words on the line that are scored.
const MAX_WORDS: usize = 8;

/// Returns the first secret after `from` on the same line. `word` is the range of the name on this line.
pub(crate) fn value_in_rest_of_line(
    text: &str,
    name: Name,
    word: Range<usize>,
    from: usize,
) -> Option<Secret> {
    let bytes = text.as_bytes();
    let line = line_after(bytes, from, MAX_DISTANCE);
    // `tls_private_key.ca: Refreshing state... [id=…]`: the identifier of a resource.
    let line = &line[..memchr::memmem::find(line, b"[id=").unwrap_or(line.len())];
    // `secrets: [name: ENC[AES256_GCM,data:…]]`: the value is encrypted.
    let line = &line[..memchr::memmem::find(line, b"ENC[").unwrap_or(line.len())];
    work::count(line.len());
    let mut start = from;
    let mut scored = 0;
    for part in line.split(|byte| !is_word_byte(byte)) {
        let span = start..start + part.len();
        start = span.end + 1;
        if part.len() < MIN_VALUE || scored == MAX_WORDS || belongs_to_identifier(bytes, span.start)
        {
            continue;
        }
        scored += 1;
        let end = span.end;
        let is_quoted = matches!(bytes.get(end), Some(b'"' | b'\'' | b'`'));
        let quoting = if is_quoted { Quoting::Quoted } else { Quoting::Bare };
        let candidate = Candidate {
            text,
            // A value that is not next to its name must look generated, even if the name is a password name.
            name: if name == Name::Password { Name::Token } else { name },
            word: word.clone(),
            relation: Relation::RestOfLine,
            quoting,
            value: span.start..end,
        };
        if is_secret(&candidate) {
            let end = end + continuation(bytes, end, from + line.len());
            return Some(Secret { kind: "secret-assignment", span: span.start..end });
        }
    }
    None
}

/// Returns whether the value at `at` belongs to a field for a public identifier: `"id": "…"`, `request_id=…`,
/// `correlationId: …`, `className:"…"`. Identifiers of sessions and of secrets do not count as public.
fn belongs_to_identifier(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(MAX_FIELD)..at];
    let name = before.trim_ascii_end();
    let signs = run_before(name, usize::MAX, |byte| {
        matches!(byte, b'"' | b'\'' | b':' | b'=' | b' ' | b'\\')
    });
    let operator = &name[name.len() - signs..];
    let name = &name[..name.len() - signs];
    let length = run_before(name, usize::MAX, |byte| is_word_or(byte, b"_-"));
    let name = &name[name.len() - length..];
    let head =
        [&b"_id"[..], b"-id", b"Id", b"ID", b"_ID"].iter().find_map(|end| name.strip_suffix(*end));
    let is_secret =
        |head: &[u8]| [&b"secret"[..], b"session"].iter().any(|word| ends_with(head, word));
    operator.iter().any(|byte| matches!(byte, b':' | b'='))
        && (matches!(name, b"id" | b"class" | b"className")
            || head.is_some_and(|head| !is_secret(head)))
}

/// Returns the number of bytes by which a word extends beyond the search window, or 0 if the word ends before
/// `window_end`.
fn continuation(bytes: &[u8], end: usize, window_end: usize) -> usize {
    if end < window_end {
        return 0;
    }
    bytes[end..].iter().take_while(|byte| is_word_byte(byte)).count()
}

/// Returns true for bytes that may be part of a value. The dot is included, because a token may have several parts
/// separated by dots.
fn is_word_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.')
}
