//! Redaction of a stream in chunks: what is handed out is final, what could still become a secret is held back.

use contract::Redaction;

use super::{MARK, Tally, find_secrets};

/// Text kept back until more is known: longer than any assignment that is split over two lines.
const HELD_BACK: usize = 8 * 1024;

/// Redacts a byte stream whose chunks may end anywhere, also inside a secret or a character.
#[derive(Debug, Default)]
pub struct StreamRedactor {
    pending: Vec<u8>,
    tally: Tally,
}

impl StreamRedactor {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a chunk and returns what may be written now: whole characters, no secret.
    pub fn push(&mut self, chunk: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(chunk);
        // Waiting for twice the held-back size keeps the work linear however small the chunks are.
        if self.pending.len() < 2 * HELD_BACK {
            Vec::new()
        } else {
            self.release(self.pending.len() - HELD_BACK)
        }
    }

    /// The rest of the stream, and the counts of everything that was taken out.
    #[must_use]
    pub fn finish(mut self) -> (Vec<u8>, Vec<Redaction>) {
        let rest = self.release(self.pending.len());
        (rest, self.tally.into_redactions())
    }

    fn release(&mut self, wanted: usize) -> Vec<u8> {
        let whole = std::mem::take(&mut self.pending);
        let text = String::from_utf8_lossy(&whole);
        let mut clean = Vec::with_capacity(wanted);
        let mut written = 0;
        for secret in find_secrets(&text) {
            if secret.span.start >= wanted {
                break;
            }
            clean.extend_from_slice(&text.as_bytes()[written..secret.span.start]);
            clean.extend_from_slice(MARK.as_bytes());
            written = secret.span.end;
            self.tally.add(secret.kind);
        }
        let mut cut = wanted.max(written).min(text.len());
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        clean.extend_from_slice(&text.as_bytes()[written..cut]);
        self.pending = text.as_bytes()[cut..].to_vec();
        clean
    }
}
