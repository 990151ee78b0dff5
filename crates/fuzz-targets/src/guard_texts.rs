//! Fuzzes the functions that clean the output of tools, hooks and codex before it is inserted into a prompt or a
//! record.

use guard::{StreamRedactor, check, filter_injection, neutralise, redact, redact_named};

/// Passes the bytes through every cleaning function. The first byte is the size of the chunks in which a stream is
/// redacted.
pub fn guard_texts(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    redaction(&text, usize::from(*first).max(1));
    injection(&text);
    let neutral = neutralise(&text);
    let closes =
        |after: &str| after.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
    assert!(!neutral.split("</untrusted-evidence").skip(1).any(closes), "the fence is closed");
    assert_eq!(neutralise(&neutral), neutral, "neutralising twice");
    let report = check(&text);
    let is_clean =
        redact(&text).redactions.is_empty() && filter_injection(&text).removed.is_empty();
    assert_eq!(report.is_empty(), is_clean, "the report and the filters disagree");
}

fn redaction(text: &str, piece: usize) {
    let whole = redact(text);
    assert_eq!(redact(&whole.text).text, whole.text, "redacting twice");
    let (name, value) = text.split_once('\n').unwrap_or(("password", text));
    let named = redact_named(name, value);
    assert!(named.redactions.is_empty() == (named.text == value), "what was replaced is counted");
    let mut stream = StreamRedactor::new();
    let mut out = Vec::new();
    for piece in text.as_bytes().chunks(piece) {
        out.extend(stream.push(piece));
    }
    out.extend(stream.finish().0);
    assert!(String::from_utf8(out).is_ok(), "a stream cut a character");
}

fn injection(text: &str) {
    let filtered = filter_injection(text);
    let n_lines = |text: &str| text.matches('\n').count();
    assert_eq!(n_lines(&filtered.text), n_lines(text), "filtering changed the lines");
    assert_eq!(filter_injection(&filtered.text).text, filtered.text, "filtering twice");
    assert_eq!(filtered.removed.is_empty(), filtered.text == text, "what was removed is counted");
}
