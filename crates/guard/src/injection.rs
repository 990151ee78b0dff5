//! Instructions to the model inside evidence: found, removed by segment, reported by line and reason.

use std::borrow::Cow;
use std::fmt;

/// A text without the segments that try to instruct the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered<'t> {
    pub text: Cow<'t, str>,
    pub removed: Vec<RemovedSegment>,
}

/// Where a segment was taken out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedSegment {
    /// Line of the segment's start in the text as it was, from 1.
    pub line: usize,
    pub reason: Reason,
}

/// The strongest signal of a removed segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Orders the reader to drop earlier instructions.
    Override,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Override => "overrides earlier instructions",
        })
    }
}

const VERBS: &[&str] = &["ignore", "disregard", "forget", "忽略", "无视", "忘记"];
const OBJECTS: &[&str] =
    &["previous instruction", "prior instruction", "above instruction", "指令", "指示", "说明"];

/// Removes the segments of `text` that try to instruct the model; everything else stays as it is.
#[must_use]
pub fn filter_injection(text: &str) -> Filtered<'_> {
    let mut clean = String::new();
    let mut removed = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let lower = line.to_lowercase();
        let is_override = VERBS.iter().any(|verb| lower.contains(verb))
            && OBJECTS.iter().any(|object| lower.contains(object));
        if is_override {
            removed.push(RemovedSegment { line: index + 1, reason: Reason::Override });
            clean.push_str(if line.ends_with('\n') { "\n" } else { "" });
        } else {
            clean.push_str(line);
        }
    }
    let text = if removed.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(clean) };
    Filtered { text, removed }
}

#[cfg(test)]
mod tests;
