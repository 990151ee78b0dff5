//! Removes secrets from everything that a session stores or returns: log, instructions, metadata, state, events and
//! answers.
//!
//! The rules of the crate `guard` are applied before the caller's patterns. Otherwise a pattern could remove the name
//! or prefix by which the guard recognises a key. A value that the guard has removed once is also removed from all
//! later output of the session.
//!
//! Values that this program reads back (directories, ids, states, process ids, times) are not redacted. Otherwise a
//! caller's pattern could hide a run from `list` and `stop`.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use guard::{MARK, Redacted, StreamRedactor};
use regex::{Captures, Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The minimum length in bytes of a redacted value that is remembered. Shorter values could be ordinary words.
const MIN_KNOWN: usize = 12;
const MAX_KNOWN: usize = 256;
/// The maximum length of a line in bytes. Patterns are matched within a line; a longer line is split.
const MAX_LINE: usize = 1024 * 1024;
const MAX_PATTERNS: usize = 32;
const MAX_PATTERN_BYTES: usize = 1_000;
const MAX_COMPILED_BYTES: usize = 1024 * 1024;

/// The redaction that a caller requested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionRules {
    pub enabled: bool,
    /// Regular expressions that are applied in addition to the guard's rules.
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
    #[error("the pattern `{start}…` has {bytes} bytes; at most {MAX_PATTERN_BYTES} are allowed")]
    TooLong { start: String, bytes: usize },
    #[error("{found} patterns to redact were given; at most {MAX_PATTERNS} are allowed")]
    TooMany { found: usize },
}

/// The compiled rules of one session, and the redacted values that are also removed from later text. Clones share the
/// list of these values.
#[derive(Clone, Debug)]
pub(crate) struct Redaction {
    enabled: bool,
    patterns: Vec<Regex>,
    known: Arc<Mutex<Vec<String>>>,
}

impl Default for Redaction {
    /// Returns a redaction with the guard's rules and without additional patterns.
    fn default() -> Self {
        Self { enabled: true, patterns: Vec::new(), known: Arc::default() }
    }
}

impl Redaction {
    pub(crate) fn new(rules: &RedactionRules) -> Result<Self, BadPattern> {
        if rules.patterns.len() > MAX_PATTERNS {
            return Err(BadPattern::TooMany { found: rules.patterns.len() });
        }
        let compile = |pattern: &String| compiled(pattern);
        let patterns = rules.patterns.iter().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { enabled: rules.enabled, patterns, ..Self::default() })
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    pub(crate) fn text(&self, text: &str) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        self.own_rules(&self.guarded(text))
    }

    /// Applies the guard's rules, but not the caller's patterns.
    pub(crate) fn guarded(&self, text: &str) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        self.without_secrets(text, guard::redact(text))
    }

    /// Redacts a value. `name` is the flag before the value, or its key in an object. The name can show that the value
    /// is a secret.
    pub(crate) fn named(&self, name: &str, value: &str) -> String {
        if !self.enabled {
            return value.to_owned();
        }
        let guarded = self.guarded(value);
        self.own_rules(&self.without_secrets(&guarded, guard::redact_named(name, &guarded)))
    }

    /// Returns the text that the guard has redacted, and remembers the removed values.
    fn without_secrets(&self, original: &str, redacted: Redacted<'_>) -> String {
        if !redacted.redactions.is_empty() {
            self.remember(original, &redacted.text);
        }
        redacted.text.into_owned()
    }

    /// Redacts the arguments of a command line. An argument after a `--flag` is redacted as the value of that flag.
    pub(crate) fn arguments(&self, arguments: &[String]) -> Vec<String> {
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

    /// Shortens every string in a JSON value to `max_characters` and redacts it. Keys of objects are redacted too.
    pub(crate) fn json(&self, value: &mut Value, max_characters: usize) {
        match value {
            Value::String(text) => *text = self.text(&shortened(text, max_characters)),
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.json(item, max_characters));
            }
            Value::Object(fields) => {
                for (name, mut field) in std::mem::take(fields) {
                    if let Value::String(text) = &mut field {
                        *text = self.named(&name, &shortened(text, max_characters));
                    } else {
                        self.json(&mut field, max_characters);
                    }
                    fields.insert(self.text(&name), field);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    pub(crate) fn stream(&self) -> CleanStream {
        CleanStream { redaction: self.clone(), line: Vec::new(), redactor: StreamRedactor::new() }
    }

    /// Applies the caller's patterns and removes the remembered values. If this changes the text, applies the guard's
    /// rules again.
    fn own_rules(&self, text: &str) -> String {
        let mut clean = text.to_owned();
        for pattern in &self.patterns {
            if pattern.is_match(&clean) {
                // If every empty match were replaced with a redaction mark, the text would become much longer.
                let mark = |found: &Captures<'_>| if found[0].is_empty() { "" } else { MARK };
                clean = pattern.replace_all(&clean, mark).into_owned();
            }
        }
        for known in self.known.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            if clean.contains(known.as_str()) {
                clean = clean.replace(known.as_str(), MARK);
            }
        }
        // After a part has been removed, the text before it and the text after it may together form a secret.
        if clean == text { clean } else { guard::redact(&clean).text.into_owned() }
    }

    fn has_own_rules(&self) -> bool {
        !self.patterns.is_empty()
            || !self.known.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Remembers the removed values: the parts of `original` that are replaced with a redaction mark in `redacted`.
    /// Ignores marks that `original` already contains.
    fn remember(&self, original: &str, redacted: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = 0;
        let mut pieces = redacted.split(MARK).peekable();
        if let Some(first) = pieces.next() {
            at += first.len();
        }
        while let Some(piece) = pieces.next() {
            let Some(rest) = original.get(at..) else { return };
            let is_old_mark = rest.strip_prefix(MARK).is_some_and(|rest| rest.starts_with(piece));
            let length = match (is_old_mark, piece.is_empty()) {
                (true, _) => Some(MARK.len()),
                (false, false) => rest.find(piece),
                // If two redaction marks are adjacent, the end of the first value is unknown.
                (false, true) => pieces.peek().is_none().then_some(rest.len()),
            };
            let Some(length) = length else { return };
            let value = &rest[..length];
            let is_word = !value.chars().any(char::is_whitespace) && !value.contains(MARK);
            if value.len() >= MIN_KNOWN
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

/// Redacts a stream that arrives in pieces.
#[derive(Debug)]
pub(crate) struct CleanStream {
    redaction: Redaction,
    /// The incomplete last line.
    line: Vec<u8>,
    redactor: StreamRedactor,
}

impl CleanStream {
    #[must_use]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        if !self.redaction.enabled {
            return bytes.to_vec();
        }
        let guarded = self.redactor.push(bytes);
        self.whole_lines(guarded)
    }

    /// Returns the complete lines that the guard's redactor has held back.
    #[must_use]
    pub(crate) fn flush(&mut self) -> Vec<u8> {
        let guarded = self.redactor.flush();
        self.whole_lines(guarded)
    }

    #[must_use]
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if !self.redaction.enabled {
            return Vec::new();
        }
        let mut last = std::mem::take(&mut self.line);
        last.extend(self.redactor.finish().0);
        self.redaction.own_rules(&String::from_utf8_lossy(&last)).into_bytes()
    }

    /// Applies the caller's patterns to complete lines and keeps the incomplete last line.
    fn whole_lines(&mut self, guarded: Vec<u8>) -> Vec<u8> {
        if !self.redaction.has_own_rules() && self.line.is_empty() {
            return guarded;
        }
        let before = self.line.len();
        let newline = guarded.iter().rposition(|byte| *byte == b'\n');
        self.line.extend(guarded);
        let whole = match newline {
            Some(newline) => before + newline + 1,
            None if self.line.len() >= MAX_LINE => self.line.len(),
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

/// Cuts a text after `max_characters` and marks the cut.
pub(crate) fn shortened(text: &str, max_characters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_characters) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

fn last_line(text: &str) -> String {
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests;
