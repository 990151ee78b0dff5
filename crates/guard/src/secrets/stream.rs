//! Redacts a stream that arrives in chunks. Text that has been returned is final. Text that could become part of a
//! secret is held back.

use crate::secrets::scan::Samples;
use crate::secrets::{Redactor, find_all_secrets};
use contract::Redaction;

/// The number of bytes at the end of the pending text that are held back. Most rules do not look further ahead than
/// this. Secrets of unbounded length and Kubernetes manifests may be longer.
const HELD_BACK_BYTES: usize = 4 * 1024;
/// The number of bytes kept before an unfinished secret, so that the name or the `BEGIN` line is still available when
/// the rest of the secret arrives.
const CONTEXT_BYTES: usize = 512;
/// The maximum number of pending bytes while waiting for the end of an unfinished secret. When this size is reached,
/// the unfinished secret is redacted, and the rest of the secret is removed as it arrives.
const MAX_UNFINISHED_BYTES: usize = 256 * 1024;

/// Redacts the secrets in a byte stream. Chunks may end anywhere, even inside a secret or a character.
///
/// Bytes that are not valid UTF-8 are replaced by U+FFFD.
#[derive(Debug)]
pub struct StreamRedactor {
    pending: Vec<u8>,
    /// The number of pending bytes at which the next scan starts. This is twice the number of bytes that remained
    /// after the last scan, so that the work stays linear.
    next_scan: usize,
    /// Whether the last redacted secret is still unfinished. Text that follows it without a break is part of the secret.
    inside_secret: bool,
    redactor: Redactor,
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
            next_scan: 2 * HELD_BACK_BYTES,
            inside_secret: false,
            redactor: Redactor { samples: Samples::Redact, ..Redactor::default() },
        }
    }

    /// Adds a chunk and returns the text that is now final, with its secrets replaced. The returned text contains only
    /// whole characters and may be empty.
    #[must_use]
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(chunk);
        if self.pending.len() < self.next_scan {
            return Vec::new();
        }
        let clean = self.release(ReleaseEnd::HeldBack);
        self.next_scan = 2 * self.pending.len().max(HELD_BACK_BYTES);
        clean
    }

    /// Returns the complete lines received so far, with their secrets replaced. Call this when the stream is idle.
    /// Lines that end in the middle of an assignment or a key are held back.
    #[must_use]
    pub fn flush(&mut self) -> Vec<u8> {
        self.release(ReleaseEnd::LastLine)
    }

    /// Returns the rest of the redacted stream and, for each kind, the number of secrets that were replaced in the
    /// whole stream.
    #[must_use]
    pub fn finish(mut self) -> (Vec<u8>, Vec<Redaction>) {
        let rest = self.release(ReleaseEnd::End);
        (rest, self.redactor.into_redactions())
    }

    fn release(&mut self, release_end: ReleaseEnd) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.pending);
        let tail = if release_end == ReleaseEnd::End {
            Vec::new()
        } else {
            bytes.split_off(complete_length(&bytes))
        };
        let text = String::from_utf8_lossy(&bytes);
        let start = self.rest_of_secret(&text);
        let cut = self.cut(&text, release_end).max(start);
        let part = &text[start..cut];
        let clean = self.redactor.without_secrets(part).unwrap_or_else(|| part.to_owned());
        self.pending = text.as_bytes()[cut..].to_vec();
        self.pending.extend(tail);
        clean.into_bytes()
    }

    /// Returns the number of bytes at the start of `text` that belong to the unfinished secret before `text`.
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

    /// Returns the length of the part of `text` that can be released. An unfinished secret is kept, together with the
    /// text before it that is needed to recognise it.
    fn cut(&mut self, text: &str, release_end: ReleaseEnd) -> usize {
        let target = match release_end {
            ReleaseEnd::End => return text.len(),
            ReleaseEnd::HeldBack => text.len().saturating_sub(HELD_BACK_BYTES),
            ReleaseEnd::LastLine => finished_lines(text),
        };
        let secrets = find_all_secrets(text);
        let next = secrets
            .partition_point(|secret| secret.span.end <= target && secret.span.end < text.len());
        let Some(secret) = secrets.get(next) else { return line_start(text, target) };
        if secret.span.end == text.len() && text.len() >= MAX_UNFINISHED_BYTES {
            self.inside_secret = true;
            return text.len();
        }
        // The name of a secret is between the previous secret and the value, and close to the value.
        let previous_end = next.checked_sub(1).map_or(0, |previous| secrets[previous].span.end);
        let context = text
            .floor_char_boundary(secret.span.start.saturating_sub(CONTEXT_BYTES))
            .max(previous_end);
        line_start(text, target.min(context)).max(previous_end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReleaseEnd {
    HeldBack,
    LastLine,
    End,
}

/// Returns the length of `bytes` without an incomplete UTF-8 character at the end.
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

/// Returns the start of the line that contains `at`, or `at` if it is in the first line. Lines are released as a whole,
/// because many rules depend on the start of a line.
fn line_start(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    text[..at].rfind('\n').map_or(at, |newline| newline + 1)
}

/// Returns the total length of the complete lines. The last complete line is excluded if it expects a continuation.
fn finished_lines(text: &str) -> usize {
    let Some(newline) = text.rfind('\n') else { return 0 };
    if expects_continuation(text[..newline].rsplit('\n').next().unwrap_or_default().trim_end()) {
        text[..newline].rfind('\n').map_or(0, |previous| previous + 1)
    } else {
        newline + 1
    }
}

/// Returns whether the line ends with an operator or an opening quote, so that the next line continues it.
fn expects_continuation(line: &str) -> bool {
    line.ends_with(['=', ':', '>', '\\', '|', ',', '+'])
        || ['"', '\''].iter().any(|&quote| {
            line.ends_with(quote) && line.chars().filter(|it| *it == quote).count() % 2 == 1
        })
}

#[cfg(test)]
mod tests;
