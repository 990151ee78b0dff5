//! Reports the secrets and injected instructions in a string. `adjutant guard check` prints this report.

use std::ops::Range;

use crate::injection::segments;
use crate::secrets::find_secrets;
use crate::{Reason, neutralise, redact};

const MAX_EXCERPT_CHARS: usize = 120;
const MAX_CHARS_BEFORE_SECRET: usize = 40;

/// A secret that [`redact`] would replace, or an injected instruction that
/// [`filter_injection`](crate::filter_injection) would remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardFinding {
    /// The line number, counted from 1.
    pub line: usize,
    pub kind: FindingKind,
    /// A single-line excerpt. For a secret, it consists of the text before the secret and the redaction mark. For an
    /// injected instruction, it is the start of the instruction.
    pub excerpt: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// The kind of the secret. The secret's value is never part of a finding.
    Secret(&'static str),
    Injection(Reason),
}

/// Finds secrets and injected instructions in `text`, ordered by line. The findings do not contain the values of the secrets.
#[must_use]
pub fn check(text: &str) -> Vec<GuardFinding> {
    let mut found: Vec<(Range<usize>, FindingKind, String)> = Vec::new();
    let mut covered = 0;
    for secret in find_secrets(text) {
        let excerpt = secret_excerpt(text, covered, secret.span.start);
        covered = secret.span.end;
        found.push((secret.span, FindingKind::Secret(secret.kind), excerpt));
    }
    for (span, reason) in segments(text) {
        let excerpt = one_line(&redact(&text[span.clone()]).text);
        found.push((span, FindingKind::Injection(reason), excerpt));
    }
    found.sort_by_key(|(span, _, _)| span.start);
    let (mut line, mut counted) = (1, 0);
    found
        .into_iter()
        .map(|(span, kind, excerpt)| {
            line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..span.start]).count();
            counted = span.start;
            GuardFinding { line, kind, excerpt }
        })
        .collect()
}

/// Returns the text before the secret at `start` on the same line, followed by the redaction mark. Text before
/// `covered`, the end of the previous secret, is left out.
fn secret_excerpt(text: &str, covered: usize, start: usize) -> String {
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let earliest = line_start.max(covered);
    let begin = text[earliest..start]
        .char_indices()
        .rev()
        .nth(MAX_CHARS_BEFORE_SECRET)
        .map_or(earliest, |(at, _)| earliest + at);
    one_line(&format!("{}<redacted>", &text[begin..start]))
}

fn one_line(text: &str) -> String {
    neutralise(text)
        .chars()
        .map(|character| if character.is_whitespace() { ' ' } else { character })
        .take(MAX_EXCERPT_CHARS)
        .collect()
}
