//! Redaction of a stream in chunks: what is handed out is final, what could still become a secret is held back.

use contract::Redaction;

use super::known::Known;
use super::scan::Samples;
use super::{Tally, find_all_secrets, without_secrets};

/// Text held back until more is known: no rule looks further ahead than this, except for what grows without bound.
const HELD_BACK: usize = 4 * 1024;
/// Text kept before an unfinished secret, so that its name or its `BEGIN` is still there when the rest arrives.
const CONTEXT: usize = 512;
/// A secret that is still unfinished after this much is given up waiting for: it is taken out, and its rest as it comes.
const LONGEST_WAIT: usize = 256 * 1024;

/// Redacts a byte stream whose chunks may end anywhere, also inside a secret or a character.
///
/// Bytes that are no UTF-8 become the replacement character.
#[derive(Debug)]
pub struct StreamRedactor {
    pending: Vec<u8>,
    /// Scanning waits for this many bytes: it doubles what was left over, so that work stays linear in the stream.
    next_scan: usize,
    /// The last secret was cut off unfinished: what follows without a break belongs to it.
    inside_secret: bool,
    tally: Tally,
    known: Known,
}

impl Default for StreamRedactor {
    fn default() -> Self {
        Self::new()
    }
}

impl StreamRedactor {
    #[must_use]
    pub fn new() -> Self {
        Self {
            pending: Vec::new(),
            next_scan: 2 * HELD_BACK,
            inside_secret: false,
            tally: Tally::default(),
            known: Known::default(),
        }
    }

    /// Takes a chunk and returns what may be written now: whole characters, no secret.
    #[must_use]
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(chunk);
        if self.pending.len() < self.next_scan {
            return Vec::new();
        }
        let clean = self.release(Until::HeldBack);
        self.next_scan = 2 * self.pending.len().max(HELD_BACK);
        clean
    }

    /// Returns what whole lines there are, for a stream that has fallen quiet; a line that ends in the middle of an
    /// assignment or a key stays.
    #[must_use]
    pub fn flush(&mut self) -> Vec<u8> {
        self.release(Until::LastLine)
    }

    /// The rest of the stream, and the counts of everything that was taken out.
    #[must_use]
    pub fn finish(mut self) -> (Vec<u8>, Vec<Redaction>) {
        let rest = self.release(Until::End);
        (rest, self.tally.into_redactions())
    }

    fn release(&mut self, until: Until) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.pending);
        let tail =
            if until == Until::End { Vec::new() } else { bytes.split_off(complete_length(&bytes)) };
        let text = String::from_utf8_lossy(&bytes);
        let start = self.rest_of_secret(&text);
        let cut = self.cut(&text, until).max(start);
        let part = &text[start..cut];
        let clean = without_secrets(part, &mut self.tally, &mut self.known, Samples::Go)
            .unwrap_or_else(|| part.to_owned());
        self.pending = text.as_bytes()[cut..].to_vec();
        self.pending.extend(tail);
        clean.into_bytes()
    }

    /// How much of `text` still belongs to the secret that was cut off before it.
    fn rest_of_secret(&mut self, text: &str) -> usize {
        if !std::mem::take(&mut self.inside_secret) {
            return 0;
        }
        let length = text
            .bytes()
            .take_while(|&byte| {
                byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'-')
            })
            .count();
        self.inside_secret = length == text.len();
        length
    }

    /// How much of `text` may go: nothing that a secret still in the making needs.
    fn cut(&mut self, text: &str, until: Until) -> usize {
        let wanted = match until {
            Until::End => return text.len(),
            Until::HeldBack => text.len().saturating_sub(HELD_BACK),
            Until::LastLine => finished_lines(text),
        };
        let secrets = find_all_secrets(text);
        let next = secrets
            .partition_point(|secret| secret.span.end <= wanted && secret.span.end < text.len());
        let Some(secret) = secrets.get(next) else { return floor_boundary(text, wanted) };
        if secret.span.end == text.len() && text.len() >= LONGEST_WAIT {
            self.inside_secret = true;
            return text.len();
        }
        // What names a secret stands between the secret before it and itself, and not far from it.
        let previous_end = next.checked_sub(1).map_or(0, |previous| secrets[previous].span.end);
        let context =
            floor_boundary(text, secret.span.start.saturating_sub(CONTEXT)).max(previous_end);
        floor_boundary(text, wanted.min(context))
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    HeldBack,
    LastLine,
    End,
}

/// The length without a character that is cut off at the end.
fn complete_length(bytes: &[u8]) -> usize {
    let start = bytes.len().saturating_sub(3);
    let lead = (start..bytes.len()).rev().find(|&at| bytes[at] & 0xc0 != 0x80);
    match lead {
        Some(at)
            if bytes[at] >= 0xc0
                && std::str::from_utf8(&bytes[at..])
                    .is_err_and(|error| error.error_len().is_none()) =>
        {
            at
        }
        _ => bytes.len(),
    }
}

/// The length of the lines that nothing on the next line could continue.
fn finished_lines(text: &str) -> usize {
    let Some(newline) = text.rfind('\n') else { return 0 };
    if is_open(text[..newline].rsplit('\n').next().unwrap_or_default().trim_end()) {
        text[..newline].rfind('\n').map_or(0, |previous| previous + 1)
    } else {
        newline + 1
    }
}

/// Whether a line waits for more: it ends in what joins, or in a quote that opens.
fn is_open(line: &str) -> bool {
    line.ends_with(['=', ':', '>', '\\', '|', ',', '+'])
        || ['"', '\''].iter().any(|&quote| {
            line.ends_with(quote) && line.chars().filter(|it| *it == quote).count() % 2 == 1
        })
}

#[cfg(test)]
mod tests;
