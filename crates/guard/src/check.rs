//! What the guard would take out of a text, and why: the answer behind `adjutant guard check`.

use crate::secrets::find_secrets;
use crate::{Reason, filter_injection};

/// Everything the guard finds in one text, in order of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub findings: Vec<Finding>,
}

/// One thing that would be taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// From 1.
    pub line: usize,
    pub kind: FindingKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A secret of this kind; its value is never part of a report.
    Secret(&'static str),
    Injection(Reason),
}

/// Reports without changing anything; holds no secret itself.
#[must_use]
pub fn check(text: &str) -> Report {
    let mut findings: Vec<Finding> = find_secrets(text)
        .into_iter()
        .map(|secret| {
            let line =
                1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..secret.span.start]).count();
            Finding { line, kind: FindingKind::Secret(secret.kind) }
        })
        .collect();
    findings.extend(filter_injection(text).removed.into_iter().map(|segment| Finding {
        line: segment.line,
        kind: FindingKind::Injection(segment.reason),
    }));
    findings.sort_by_key(|finding| finding.line);
    Report { findings }
}
