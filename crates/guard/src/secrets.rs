//! Secrets out of a text: finds them, replaces the secret part and counts kinds.
//!
//! One pass of one automaton over all anchors, then a small check at each hit; work is linear in the text.

mod anchors;
mod assignment;
mod private_key;
mod rules;
mod scan;
mod shape;
mod stream;
mod value;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use contract::Redaction;

pub use stream::StreamRedactor;

/// What stands where a secret was.
pub(crate) const MARK: &str = "<redacted>";

/// A text without its secrets, and what was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    pub text: Cow<'t, str>,
    /// Kinds in alphabetical order.
    pub redactions: Vec<Redaction>,
}

/// One secret: the bytes to replace and the kind to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    pub(crate) span: Range<usize>,
}

/// Takes every secret out of `text`; its shape stays readable (`AKIA<redacted>`).
#[must_use]
pub fn redact(text: &str) -> Redacted<'_> {
    let secrets = scan::secrets(text);
    if secrets.is_empty() {
        return Redacted { text: Cow::Borrowed(text), redactions: Vec::new() };
    }
    let mut clean = String::with_capacity(text.len());
    let mut tally = Tally::default();
    let mut written = 0;
    for secret in &secrets {
        clean.push_str(&text[written..secret.span.start]);
        clean.push_str(MARK);
        written = secret.span.end;
        tally.add(secret.kind);
    }
    clean.push_str(&text[written..]);
    Redacted { text: Cow::Owned(clean), redactions: tally.into_redactions() }
}

/// Counts of kinds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    pub(crate) fn add(&mut self, kind: &'static str) {
        *self.0.entry(kind).or_default() += 1;
    }

    pub(crate) fn into_redactions(self) -> Vec<Redaction> {
        self.0.into_iter().map(|(kind, count)| Redaction { kind: kind.to_owned(), count }).collect()
    }
}

pub(crate) use scan::secrets as find_secrets;

#[cfg(test)]
mod tests;
