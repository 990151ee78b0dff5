//! Secrets out of a text: finds them, replaces the secret part and counts kinds.
//!
//! One search for all anchors, then a small check at each hit; work is linear in the text.

mod anchors;
mod assignment;
mod bounds;
mod calls;
mod candidate;
mod columns;
mod commands;
mod cursor;
mod definition;
mod direct;
mod dsn;
mod encoded;
mod features;
mod key_list;
mod known;
mod later;
mod letters;
mod made_up;
mod manifest;
mod mnemonic;
mod pairs;
mod private_key;
mod prompts;
mod published;
mod rules;
mod scan;
mod schemes;
mod scorer;
mod shape;
mod stream;
#[cfg(feature = "training")]
pub mod training;
mod url;
mod value;
mod vocabulary;
mod weights;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use contract::Redaction;

use known::Known;
use scan::Samples;

pub use stream::StreamRedactor;

/// What stands where a secret was.
pub(crate) const MARK: &str = "<redacted>";
const MAX_ROUNDS: usize = 8;

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
    let mut tally = Tally::default();
    match without_secrets(text, &mut tally, &mut Known::default(), Samples::Stay) {
        None => Redacted { text: Cow::Borrowed(text), redactions: Vec::new() },
        Some(clean) => Redacted { text: Cow::Owned(clean), redactions: tally.into_redactions() },
    }
}

/// As [`redact`], for a value whose name stands elsewhere: a field of an object, a header, a variable.
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

/// `text` without its secrets, if it has any.
pub(crate) fn without_secrets(
    text: &str,
    tally: &mut Tally,
    known: &mut Known,
    samples: Samples,
) -> Option<String> {
    let mut clean = replaced(text, tally, known, samples)?;
    // What was taken out can uncover what stood beside it: `Bearer part<redacted>`. Few texts have secrets, fewer this.
    for _ in 0..MAX_ROUNDS {
        match replaced(&clean, tally, known, samples) {
            None => break,
            Some(cleaner) => clean = cleaner,
        }
    }
    Some(clean)
}

fn replaced(text: &str, tally: &mut Tally, known: &mut Known, samples: Samples) -> Option<String> {
    let secrets = scan::secrets(text, known, samples);
    if secrets.is_empty() {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let mut written = 0;
    for secret in &secrets {
        clean.push_str(&text[written..secret.span.start]);
        clean.push_str(MARK);
        written = secret.span.end;
        tally.add(secret.kind);
    }
    clean.push_str(&text[written..]);
    Some(clean)
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

/// Every secret of one text, as [`redact`] takes them out.
pub(crate) fn find_secrets(text: &str) -> Vec<Secret> {
    scan::secrets(text, &mut Known::default(), Samples::Stay)
}

/// Every secret of one text, samples of rules included.
pub(crate) fn find_all_secrets(text: &str) -> Vec<Secret> {
    scan::secrets(text, &mut Known::default(), Samples::Go)
}

#[cfg(test)]
mod tests;
