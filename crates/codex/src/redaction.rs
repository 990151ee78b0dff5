//! Secrets out of everything a session persists or returns: log, instructions, meta, state, events, answers.
//!
//! The rules are the guard's; a caller's own patterns are added to them, never put in their place. A value once
//! recognised by its name is taken out wherever else it stands in the same session.

use std::sync::{Arc, Mutex, PoisonError};

use guard::StreamRedactor;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const MARK: &str = "<redacted>";
/// A shorter value may be a word elsewhere.
const SHORTEST_KNOWN: usize = 12;
const MOST_KNOWN: usize = 256;
/// A caller's pattern is looked for within a line, and within this much of a line that does not end.
const LONGEST_LINE: usize = 1024 * 1024;

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
#[error("`{pattern}` is no regular expression: {reason}")]
pub struct BadPattern {
    pub pattern: String,
    pub reason: String,
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
        let compile = |pattern: &String| {
            Regex::new(pattern).map_err(|error| BadPattern {
                pattern: pattern.clone(),
                reason: last_line(&error.to_string()),
            })
        };
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
        let mine = self.own_rules(text);
        let redacted = guard::redact(&mine);
        if !redacted.redactions.is_empty() {
            self.remember(&mine, &redacted.text);
        }
        redacted.text.into_owned()
    }

    /// A value whose name stands elsewhere: the flag before it, the key of an object.
    #[must_use]
    pub fn named(&self, name: &str, value: &str) -> String {
        if !self.enabled {
            return value.to_owned();
        }
        let clean = self.text(value);
        let redacted = guard::redact_named(name, &clean);
        if !redacted.redactions.is_empty() {
            self.remember(&clean, &redacted.text);
        }
        redacted.text.into_owned()
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
                clean = pattern.replace_all(&clean, MARK).into_owned();
            }
        }
        for known in self.known.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if clean.contains(known.as_str()) {
                clean = clean.replace(known.as_str(), MARK);
            }
        }
        clean
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
                && known.len() < MOST_KNOWN
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
        if !self.redaction.has_own_rules() && self.line.is_empty() {
            return self.redactor.push(bytes);
        }
        let before = self.line.len();
        self.line.extend_from_slice(bytes);
        let whole = match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => before + newline + 1,
            None if self.line.len() >= LONGEST_LINE => self.line.len(),
            None => return Vec::new(),
        };
        let rest = self.line.split_off(whole);
        let lines = std::mem::replace(&mut self.line, rest);
        let clean = self.redaction.own_rules(&String::from_utf8_lossy(&lines));
        self.redactor.push(clean.as_bytes())
    }

    /// Whole lines that were held back, when nothing more comes for a while.
    #[must_use]
    pub fn flush(&mut self) -> Vec<u8> {
        self.redactor.flush()
    }

    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if !self.redaction.enabled {
            return Vec::new();
        }
        let last = std::mem::take(&mut self.line);
        let clean = self.redaction.own_rules(&String::from_utf8_lossy(&last));
        let mut out = self.redactor.push(clean.as_bytes());
        out.extend(self.redactor.finish().0);
        out
    }
}

fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests;
