//! Finds the values under `data:` and `stringData:` in the manifest of a Kubernetes secret.

use crate::work;
use std::ops::Range;

const MAX_DOCUMENT_BYTES: usize = 64 * 1024;
/// The start of a value that SOPS has encrypted.
const ENCRYPTED: &[u8] = b"ENC[";

/// Returns the secret values in the YAML document that contains the `kind: Secret` ending at `kind_end`, and the end of
/// the document. Text before `floor` is not searched. The caller skips other `kind` lines before the returned end.
pub(crate) fn secrets_at(text: &str, floor: usize, kind_end: usize) -> (Vec<Range<usize>>, usize) {
    if text.as_bytes().get(kind_end).is_some_and(u8::is_ascii_alphanumeric) {
        return (Vec::new(), kind_end);
    }
    let first = floor.max(kind_end.saturating_sub(MAX_DOCUMENT_BYTES));
    let mut start = text.ceil_char_boundary(first);
    if let Some(separator) = text[start..kind_end].rfind("\n---") {
        start += separator + "\n---".len();
    }
    let mut data = DataSection::default();
    let mut line_start = start;
    for line in text[start..].split_inclusive('\n') {
        let is_next_document = line_start > kind_end && line.starts_with("---");
        if is_next_document || line_start > kind_end + MAX_DOCUMENT_BYTES {
            break;
        }
        work::count(line.len());
        data.read(line, line_start);
        line_start += line.len();
    }
    (data.found, line_start)
}

/// Returns the values of `"data"` and `"stringData"` near the `"kind"` field at `kind`.
pub(crate) fn json_secrets_around(text: &str, kind: usize) -> Vec<Range<usize>> {
    const MAX_DISTANCE: usize = 2048;
    let bytes = text.as_bytes();
    let floor = kind.saturating_sub(MAX_DISTANCE);
    let limit = bytes.len().min(kind + MAX_DISTANCE);
    work::count(limit - floor);
    let mut found = Vec::new();
    for name in ["\"data\"", "\"stringData\""] {
        let Some(at) = memchr::memmem::find(&bytes[floor..limit], name.as_bytes()) else {
            continue;
        };
        let Some(open) = memchr::memchr(b'{', &bytes[floor + at..limit]) else { continue };
        let start = floor + at + open + 1;
        let end = memchr::memchr2(b'}', b'{', &bytes[start..limit])
            .map_or(limit, |length| start + length);
        // Quoted names and quoted values alternate.
        let mut quotes = memchr::memchr_iter(b'"', &bytes[start..end]).map(|quote| start + quote);
        while let (Some(_), Some(_), Some(open), Some(close)) =
            (quotes.next(), quotes.next(), quotes.next(), quotes.next())
        {
            if is_data(&bytes[open + 1..close]) {
                found.push(open + 1..close);
            }
        }
    }
    found
}

/// Returns whether the value is neither a variable, a template nor encrypted.
fn is_data(value: &[u8]) -> bool {
    value.len() >= 4 && !matches!(value[0], b'$' | b'{' | b'<') && !value.starts_with(ENCRYPTED)
}

/// Tracks whether the current line is inside `data:` or `stringData:`, and collects the values.
#[derive(Default)]
struct DataSection {
    indent: Option<usize>,
    /// The indentation of a key whose value is on the following lines.
    block: Option<usize>,
    found: Vec<Range<usize>>,
}

impl DataSection {
    fn read(&mut self, line: &str, line_start: usize) {
        let body = line.trim_start_matches([' ', '\t']);
        let indent = line.len() - body.len();
        let body = body.trim_end();
        if body.is_empty() || body.starts_with('#') {
            return;
        }
        if self.block.is_some_and(|key| indent > key) {
            self.take(body, line_start + indent);
        } else if body == "data:" || body == "stringData:" {
            (self.indent, self.block) = (Some(indent), None);
        } else if self.indent.is_some_and(|section| indent <= section) {
            (self.indent, self.block) = (None, None);
        } else if let (Some(_), Some(colon)) = (self.indent, body.find(':')) {
            let value = body[colon + 1..].trim_start();
            self.block = value.starts_with(['|', '>']).then_some(indent);
            if self.block.is_none() {
                self.take(value, line_start + indent + body.len() - value.len());
            }
        }
    }

    fn take(&mut self, value: &str, start: usize) {
        let bare = value.trim_matches(['"', '\'']);
        let start = start + (value.len() - value.trim_start_matches(['"', '\'']).len());
        if is_data(bare.as_bytes()) {
            self.found.push(start..start + bare.len());
        }
    }
}
