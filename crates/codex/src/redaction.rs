//! Secrets out of everything a session persists or returns: log, instructions, meta, state, events, answers.
//!
//! The rules are the guard's; a caller's own patterns are added to them, never put in their place: the guard reads a text
//! before they do, because a pattern that removes a key's name or its prefix would hide the key from the guard. A value
//! once recognised by its name is taken out wherever else it stands in the same session.
//!
//! What this program reads back itself (directories, ids, states, process numbers, times) is not text of a run and is
//! never redacted: a caller's pattern must not hide a run from those who count or stop it.

use std::sync::{Arc, Mutex, PoisonError};

use guard::StreamRedactor;
use regex::{Captures, Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MARK: &str = "<redacted>";
/// A shorter value may be a word elsewhere.
const SHORTEST_KNOWN: usize = 12;
const MAX_KNOWN: usize = 256;
/// A caller's pattern is looked for within a line, and within this much of a line that does not end.
const LONGEST_LINE: usize = 1024 * 1024;
const MAX_PATTERNS: usize = 32;
const MAX_PATTERN_BYTES: usize = 1_000;
/// Of one compiled pattern, in bytes.
const MAX_COMPILED_BYTES: usize = 1024 * 1024;

/// What was asked for on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionRules {
    pub enabled: bool,
    /// Regular expressions of the caller, in addition.
    pub patterns: Vec<String>,
}

impl Default for RedactionRules {
    fn default() -> Self {
        Self { enabled: true, patterns: Vec::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPattern {
    #[error("`{pattern}` is not a usable regular expression: {reason}")]
    Unusable { pattern: String, reason: String },
    #[error("`{start}…` is a pattern of {bytes} bytes; at most {MAX_PATTERN_BYTES} are allowed")]
    TooLong { start: String, bytes: usize },
    #[error("{found} patterns to redact were given; at most {MAX_PATTERNS} are allowed")]
    TooMany { found: usize },
}

/// The rules of one session, ready to be applied.
#[derive(Clone, Debug)]
pub struct Redaction {
    enabled: bool,
    patterns: Vec<Regex>,
    known: Arc<Mutex<Vec<String>>>,
}

impl Redaction {
    pub fn new(rules: &RedactionRules) -> Result<Self, BadPattern> {
        if rules.patterns.len() > MAX_PATTERNS {
            return Err(BadPattern::TooMany { found: rules.patterns.len() });
        }
        let compile = |pattern: &String| compiled(pattern);
        let patterns = rules.patterns.iter().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { enabled: rules.enabled, patterns, known: Arc::default() })
    }

    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    #[must_use]
    pub fn text(&self, text: &str) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        self.own_rules(&self.guarded(text))
    }

    /// The guard's rules without the caller's patterns.
    #[must_use]
    pub fn guarded(&self, text: &str) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        let redacted = guard::redact(text);
        if !redacted.redactions.is_empty() {
            self.remember(text, &redacted.text);
        }
        redacted.text.into_owned()
    }

    /// A value whose name stands elsewhere: the flag before it, the key of an object.
    #[must_use]
    pub fn named(&self, name: &str, value: &str) -> String {
        if !self.enabled {
            return value.to_owned();
        }
        let guarded = self.guarded(value);
        let redacted = guard::redact_named(name, &guarded);
        if !redacted.redactions.is_empty() {
            self.remember(&guarded, &redacted.text);
        }
        self.own_rules(&redacted.text)
    }

    /// A command line: each word by itself, by the flag before it, and by the name in front of its `=`.
    #[must_use]
    pub fn arguments(&self, arguments: &[String]) -> Vec<String> {
        let mut previous = "";
        let mut clean = Vec::with_capacity(arguments.len());
        for argument in arguments {
            clean.push(match previous.strip_prefix("--") {
                Some(flag) => self.named(flag, argument),
                None => self.text(argument),
            });
            previous = argument;
        }
        clean
    }

    /// Every text of a value, keys included.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => {
                for (name, field) in std::mem::take(fields) {
                    let mut field = field;
                    if let Value::String(text) = &mut field {
                        *text = self.named(&name, text);
                    } else {
                        self.value(&mut field);
                    }
                    fields.insert(self.text(&name), field);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    #[must_use]
    pub fn stream(&self) -> CleanStream {
        CleanStream { redaction: self.clone(), line: Vec::new(), redactor: StreamRedactor::new() }
    }

    /// The caller's patterns and the values already known, over one text.
    fn own_rules(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for pattern in &self.patterns {
            if pattern.is_match(&clean) {
                // An empty match has nothing to take out; a mark for each would multiply the text.
                let mark = |found: &Captures<'_>| if found[0].is_empty() { "" } else { MARK };
                clean = pattern.replace_all(&clean, mark).into_owned();
            }
        }
        for known in self.known.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if clean.contains(known.as_str()) {
                clean = clean.replace(known.as_str(), MARK);
            }
        }
        // What was next to a removed part may now look like a secret.
        if clean == text { clean } else { guard::redact(&clean).text.into_owned() }
    }

    fn has_own_rules(&self) -> bool {
        !self.patterns.is_empty()
            || !self.known.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// What was taken out is what stands in `original` between the pieces that stayed. A mark that stood there before is none.
    fn remember(&self, original: &str, redacted: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = 0;
        let mut pieces = redacted.split(MARK).peekable();
        if let Some(first) = pieces.next() {
            at += first.len();
        }
        while let Some(piece) = pieces.next() {
            let Some(rest) = original.get(at..) else { return };
            let stood_before = rest.strip_prefix(MARK).is_some_and(|rest| rest.starts_with(piece));
            let length = match (stood_before, piece.is_empty()) {
                (true, _) => Some(MARK.len()),
                (false, false) => rest.find(piece),
                // Where one value ends and the next begins nobody can tell.
                (false, true) => pieces.peek().is_none().then_some(rest.len()),
            };
            let Some(length) = length else { return };
            let value = &rest[..length];
            let is_word = !value.chars().any(char::is_whitespace) && !value.contains(MARK);
            if value.len() >= SHORTEST_KNOWN
                && is_word
                && known.len() < MAX_KNOWN
                && !known.iter().any(|known| known == value)
            {
                known.push(value.to_owned());
            }
            at += length + piece.len();
        }
    }
}

/// A stream that comes in pieces and is written out clean.
#[derive(Debug)]
pub struct CleanStream {
    redaction: Redaction,
    /// A line whose end has not come yet.
    line: Vec<u8>,
    redactor: StreamRedactor,
}

impl CleanStream {
    #[must_use]
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        if !self.redaction.enabled {
            return bytes.to_vec();
        }
        let guarded = self.redactor.push(bytes);
        self.whole_lines(guarded)
    }

    /// Whole lines that were held back, when nothing more comes for a while.
    #[must_use]
    pub fn flush(&mut self) -> Vec<u8> {
        let guarded = self.redactor.flush();
        self.whole_lines(guarded)
    }

    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if !self.redaction.enabled {
            return Vec::new();
        }
        let mut last = std::mem::take(&mut self.line);
        last.extend(self.redactor.finish().0);
        self.redaction.own_rules(&String::from_utf8_lossy(&last)).into_bytes()
    }

    /// The caller's patterns and the known values, over the lines that are complete.
    fn whole_lines(&mut self, guarded: Vec<u8>) -> Vec<u8> {
        if !self.redaction.has_own_rules() && self.line.is_empty() {
            return guarded;
        }
        let before = self.line.len();
        let newline = guarded.iter().rposition(|byte| *byte == b'\n');
        self.line.extend(guarded);
        let whole = match newline {
            Some(newline) => before + newline + 1,
            None if self.line.len() >= LONGEST_LINE => self.line.len(),
            None => return Vec::new(),
        };
        let rest = self.line.split_off(whole);
        let lines = std::mem::replace(&mut self.line, rest);
        self.redaction.own_rules(&String::from_utf8_lossy(&lines)).into_bytes()
    }
}

fn compiled(pattern: &str) -> Result<Regex, BadPattern> {
    if pattern.len() > MAX_PATTERN_BYTES {
        let start = pattern.chars().take(40).collect();
        return Err(BadPattern::TooLong { start, bytes: pattern.len() });
    }
    RegexBuilder::new(pattern).size_limit(MAX_COMPILED_BYTES).build().map_err(|error| {
        let reason = last_line(&error.to_string());
        BadPattern::Unusable { pattern: pattern.to_owned(), reason }
    })
}

fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests;
