//! Finds all secrets in a string, in order and without overlap.

use crate::bytes::{Cursor, consists_of};
use crate::prefix_search::{PrefixSearch, StartRule};
use crate::secrets::definition::Definitions;
use crate::secrets::forms::{Characters, has_digit, is_random};
use crate::secrets::positions::{ANCHORS, Anchor};
use crate::secrets::presentation::own_texts;
use crate::secrets::shape::{RunEnds, is_member};
use crate::secrets::stand_ins::label_share;
use crate::secrets::tokens::starts_token;
use crate::secrets::{Secret, keys};
use std::ops::Range;

/// The minimum length of a run of random characters that continues a secret on the next line.
const MIN_CONTINUATION: usize = 20;
/// The minimum length of a secret that may continue on the next line even if no character joins the lines.
const MIN_FULL_LINE: usize = 48;
/// The number of prefixes that are removed from a line one after the other: the time stamp and the mark of a diff.
const MAX_PREFIXES: usize = 3;

/// Whether to redact the sample values in the rule definitions of secret scanners (see `definition`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Samples {
    #[default]
    Keep,
    /// Used for input that may have been cut off. A rule definition in it may be incomplete and therefore not
    /// recognisable.
    Redact,
}

/// Returns the secrets near the anchors in `text`, and every other occurrence of their values and of the values in
/// `seen`. Adds the values that were found near anchors to `seen`.
pub(crate) fn secrets(text: &str, seen: &mut SeenValues, samples: Samples) -> Vec<Secret> {
    let found = find_in_all_views(text, samples, MAX_PREFIXES);
    seen.remember(text, &found);
    let repeated = seen.find(text);
    merged(found, repeated)
}

/// Returns the secrets in `text` and those that are found after up to `max_prefixes` prefixes have been removed from its
/// lines.
fn find_in_all_views(text: &str, samples: Samples, max_prefixes: usize) -> Vec<Secret> {
    let mut found = find_by_anchors(text);
    let mut behind_prefixes = Vec::new();
    for own in if max_prefixes > 0 { own_texts(text) } else { Vec::new() } {
        let secrets = find_in_all_views(&own.text, samples, max_prefixes - 1);
        behind_prefixes.extend(secrets.iter().map(|secret| own.in_original(secret)));
    }
    if samples == Samples::Keep && !(found.is_empty() && behind_prefixes.is_empty()) {
        let definitions = Definitions::of(text);
        found.retain(|secret| !definitions.contain_sample(secret));
        behind_prefixes.retain(|secret| !definitions.contain_sample(secret));
    }
    merged(found, behind_prefixes)
}

/// The state of a search for secrets.
pub(crate) struct Scan<'t> {
    pub(crate) text: &'t str,
    /// The end of the last secret that covers its anchors.
    pub(crate) covered: usize,
    /// The end of the last manifest that was read.
    pub(crate) manifest_end: usize,
    /// The end of the last table that was read.
    pub(crate) table_end: usize,
    pub(crate) runs: RunEnds,
    listed: Vec<Secret>,
}

impl Scan<'_> {
    /// Adds secrets that may overlap with other secrets. Returns `None`, because they do not cover the anchors in them.
    pub(crate) fn list(
        &mut self,
        kind: &'static str,
        spans: impl IntoIterator<Item = Range<usize>>,
    ) -> Option<Secret> {
        self.listed.extend(spans.into_iter().map(|span| Secret { kind, span }));
        None
    }
}

fn find_by_anchors(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut scan = Scan {
        text,
        covered: 0,
        manifest_end: 0,
        table_end: 0,
        runs: RunEnds::default(),
        listed: keys::seeds(text),
    };
    let anchors: Vec<_> = ANCHORS.find_iter(text).collect();
    for (index, (anchor, at)) in anchors.iter().enumerate() {
        if at.start < scan.covered || is_chained(text, *anchor, at.end, &anchors[index + 1..]) {
            continue;
        }
        if let Some(mut secret) = (anchor.find)(&mut scan, *anchor, at.clone()) {
            secret.span.end = continued(text, &secret.span, &mut scan.runs);
            scan.covered = secret.span.end;
            found.push(secret);
        }
    }
    merged(found, scan.listed)
}

/// Returns whether the value of a name starts with another name and an operator, as in `key=token=value`. The value then
/// belongs to the other name, which is one of the `following` anchors, unless the other name is a weaker sign of a secret.
fn is_chained(
    text: &str,
    anchor: Anchor,
    end: usize,
    following: &[(Anchor, Range<usize>)],
) -> bool {
    let is_operator = |at: usize| matches!(text.as_bytes().get(at), Some(b'=' | b':'));
    let Some(name) = anchor.name else { return false };
    following.iter().take_while(|(_, at)| at.start <= end + 1).any(|(next, at)| {
        next.name.is_some_and(|next| next.implies_secret() || !name.implies_secret())
            && at.start >= end
            && is_operator(at.start - 1)
            && (is_operator(at.end - 1) || is_operator(at.end))
    })
}

/// Merges both lists, ordered by position. Overlapping secrets become one secret.
fn merged(mut found: Vec<Secret>, values: Vec<Secret>) -> Vec<Secret> {
    if values.is_empty() {
        return found;
    }
    found.extend(values);
    found.sort_by_key(|secret| (secret.span.start, secret.span.end));
    found.dedup_by(|next, kept| {
        let overlaps = next.span.start < kept.span.end;
        kept.span.end = if overlaps { kept.span.end.max(next.span.end) } else { kept.span.end };
        overlaps
    });
    found
}

/// Returns the end of a secret that may be wrapped over several lines. A secret continues on the next line if that line
/// starts with a long random run of characters.
fn continued(text: &str, secret: &Range<usize>, runs: &mut RunEnds) -> usize {
    let bytes = text.as_bytes();
    let (start, mut end) = (secret.start, secret.end);
    while let Some((next, is_joined)) = wrap_at(bytes, end) {
        let length = bytes[next..].iter().take_while(|&&byte| is_member(b'v', byte)).count();
        let run = &text[next..next + length];
        let is_full_line = is_joined || end - start >= MIN_FULL_LINE;
        let is_assignment = run.trim_end_matches('=').contains('=');
        // Another token on the next line does not continue the secret.
        if !is_full_line
            || length < MIN_CONTINUATION
            || is_assignment
            || !is_random(run)
            || starts_token(text, next, runs)
        {
            break;
        }
        end = next + length;
    }
    end
}

/// Returns the end of the line break at `start` within a wrapped string, and whether quotes, `+` or a backslash join the lines.
fn wrap_at(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut cursor = Cursor { bytes, at: start };
    let joints = cursor.skip(6, |byte| matches!(byte, b'"' | b'\'' | b' ' | b'+' | b'\\'));
    cursor.skip(1, |byte| byte == b'\r');
    if cursor.skip(1, |byte| byte == b'\n') == 0 {
        return None;
    }
    cursor.skip_blanks();
    let quotes = cursor.skip(1, |byte| matches!(byte, b'"' | b'\''));
    Some((cursor.at, joints > 0 && quotes > 0 || bytes.get(start) == Some(&b'\\')))
}

/// The minimum length of a stored value. A shorter value may be an ordinary word elsewhere in the input.
const MIN_SEEN_BYTES: usize = 12;
/// The minimum length of a stored value that contains both letters and digits.
const MIN_SEEN_MIXED_BYTES: usize = 8;
const MAX_SEEN_BYTES: usize = 512;
/// The maximum number of stored values. Input with more secrets is probably a list in which each secret has its own
/// name and is found by it.
const MAX_SEEN_VALUES: usize = 64;

/// The secret values found so far in a string or a stream, with their kinds. Further occurrences of them are secrets even where
/// nothing else, such as the name of a variable before the value, indicates one.
#[derive(Debug, Default)]
pub(crate) struct SeenValues(Vec<(String, &'static str)>);

impl SeenValues {
    /// Stores the values of `secrets`, which were found in `text`. Identifiers and values of unsuitable length are not
    /// stored.
    pub(crate) fn remember(&mut self, text: &str, secrets: &[Secret]) {
        for secret in secrets {
            let value = &text[secret.span.clone()];
            let is_new = || self.0.iter().all(|(seen, _)| seen != value);
            let is_mixed = has_digit(value) && Characters::of(value).letters() > 0;
            let min = if is_mixed { MIN_SEEN_MIXED_BYTES } else { MIN_SEEN_BYTES };
            let is_suitable = (min..=MAX_SEEN_BYTES).contains(&value.len()) && !is_code_name(value);
            if self.0.len() < MAX_SEEN_VALUES && is_suitable && is_new() {
                self.0.push((value.to_owned(), secret.kind));
            }
        }
    }

    /// Returns all occurrences of stored values in `text`.
    pub(crate) fn find(&self, text: &str) -> Vec<Secret> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let search = PrefixSearch::new(
            self.0.iter().map(|(value, _)| value.clone()).collect(),
            StartRule::Anywhere,
        );
        search
            .hits(text.as_bytes())
            .filter(|hit| text.as_bytes()[hit.start..hit.end] == *self.0[hit.pattern].0.as_bytes())
            .map(|hit| Secret { kind: self.0[hit.pattern].1, span: hit.start..hit.end })
            .collect()
    }
}

/// Returns whether the value looks like a variable or a member in code, or consists of words about passwords: `shown_value`,
/// `form.errors`, `password2`. Such a value also occurs in places where it is not a password.
fn is_code_name(value: &str) -> bool {
    value.contains(['_', '.']) && consists_of(value, u8::is_ascii_lowercase, "_.")
        || label_share(value) == Characters::of(value).letters()
}
