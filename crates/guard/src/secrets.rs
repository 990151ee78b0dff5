//! Finds secrets in a string, replaces the secret parts and counts them by kind.
//!
//! A single search finds all anchors: fixed strings, such as `password` or `ghp_`, that often occur near a secret. The
//! text near each anchor is then checked for a secret. The work is linear in the length of the input.

mod accounts;
mod assignment;
mod bounds;
mod calls;
mod candidate;
mod columns;
mod commands;
mod definition;
mod direct;
mod encoded;
mod features;
mod forms;
mod keys;
mod letters;
mod manifest;
mod phrases;
mod positions;
mod presentation;
mod private_key;
mod requests;
mod scan;
mod shape;
mod stand_ins;
mod stream;
mod tokens;
#[cfg(feature = "training")]
pub mod training;
mod verdict;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use contract::Redaction;

use scan::{Samples, SeenValues};

pub use stream::StreamRedactor;

/// The string that replaces each secret.
pub const MARK: &str = "<redacted>";
/// Lists of words that the modules use.
const WORDS: &str = include_str!("secrets/tables/words.txt");
const MAX_ROUNDS: usize = 8;

/// A string whose secrets have been replaced, and the number of replaced secrets by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    pub text: Cow<'t, str>,
    /// One entry per kind, sorted by the name of the kind.
    pub redactions: Vec<Redaction>,
}

/// The byte range of one secret in a string, and the kind to report for the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    pub(crate) span: Range<usize>,
}

/// Replaces every secret in `text` with a mark. A prefix that identifies the issuer is kept, as in `AKIA<redacted>`.
#[must_use]
pub fn redact(text: &str) -> Redacted<'_> {
    let mut redactor = Redactor::default();
    let text = redactor.without_secrets(text).map_or(Cow::Borrowed(text), Cow::Owned);
    Redacted { text, redactions: redactor.into_redactions() }
}

/// Replaces every secret in the text of a file, like [`redact`], and keeps every line break, so that all lines keep their
/// numbers.
#[must_use]
pub fn redact_file(text: &str) -> Cow<'_, str> {
    let mut redactor = Redactor { keeps_line_breaks: true, ..Redactor::default() };
    redactor.without_secrets(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Redacts a value whose name is stored separately, such as an object field, a header or a variable. The name helps to
/// recognise the value as a secret.
#[must_use]
pub fn redact_named<'t>(name: &str, value: &'t str) -> Redacted<'t> {
    let redacted = redact(value);
    if !redacted.redactions.is_empty() {
        return redacted;
    }
    let prefix = format!("{name}: \"");
    let sentence = format!("{prefix}{value}\"");
    let in_value =
        find_secrets(&sentence).into_iter().find(|secret| secret.span.start >= prefix.len());
    match in_value {
        None => redacted,
        Some(secret) => Redacted {
            text: Cow::Borrowed(MARK),
            redactions: vec![Redaction { kind: secret.kind.to_owned(), count: 1 }],
        },
    }
}

/// Replaces the secrets in the parts of one text.
#[derive(Debug, Default)]
pub(crate) struct Redactor {
    /// Whether the mark that replaces a secret of several lines is followed by the secret's line breaks.
    keeps_line_breaks: bool,
    samples: Samples,
    /// The number of replaced secrets by kind.
    tally: BTreeMap<&'static str, u64>,
    seen: SeenValues,
}

impl Redactor {
    /// Returns `text` with its secrets replaced, or `None` if `text` has no secrets.
    pub(crate) fn without_secrets(&mut self, text: &str) -> Option<String> {
        let mut clean = self.replaced(text)?;
        // In rare cases, a replacement makes another secret recognisable, as in `Bearer part<redacted>`.
        for _ in 0..MAX_ROUNDS {
            match self.replaced(&clean) {
                None => break,
                Some(cleaner) => clean = cleaner,
            }
        }
        Some(clean)
    }

    fn replaced(&mut self, text: &str) -> Option<String> {
        let secrets = scan::secrets(text, &mut self.seen, self.samples);
        if secrets.is_empty() {
            return None;
        }
        let mut clean = String::with_capacity(text.len());
        let mut written = 0;
        for Secret { kind, span } in secrets {
            clean.push_str(&text[written..span.start]);
            clean.push_str(MARK);
            if self.keeps_line_breaks {
                let breaks = memchr::memchr_iter(b'\n', &text.as_bytes()[span.clone()]);
                clean.extend(breaks.map(|_| '\n'));
            }
            written = span.end;
            *self.tally.entry(kind).or_default() += 1;
        }
        clean.push_str(&text[written..]);
        Some(clean)
    }

    pub(crate) fn into_redactions(self) -> Vec<Redaction> {
        let counts = self.tally.into_iter();
        counts.map(|(kind, count)| Redaction { kind: kind.to_owned(), count }).collect()
    }
}

/// Returns the secrets in `text` that [`redact`] replaces. Secrets that become recognisable only after a replacement
/// are not included.
pub(crate) fn find_secrets(text: &str) -> Vec<Secret> {
    scan::secrets(text, &mut SeenValues::default(), Samples::Keep)
}

/// Returns all secrets in `text`, including the sample values in scanner rule definitions.
pub(crate) fn find_all_secrets(text: &str) -> Vec<Secret> {
    scan::secrets(text, &mut SeenValues::default(), Samples::Redact)
}

#[cfg(test)]
mod tests;
