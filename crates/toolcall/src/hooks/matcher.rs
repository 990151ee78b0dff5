//! Which calls a rule is for: a list of patterns, any of which may match.
//!
//! `ci_*` is a pattern for the tool's name, `key:pattern` for a value of the context or of the arguments. `*` stands for
//! anything, the rest is literal, upper and lower case are the same. No pattern at all matches every call.

use serde_json::{Map, Value};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matcher {
    text: String,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// `None`: the name of the tool.
    key: Option<String>,
    glob: Vec<char>,
}

impl Matcher {
    #[must_use]
    pub fn new(text: &str) -> Self {
        let patterns = text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| {
            let (key, glob) = match part.split_once(':') {
                Some((key, glob)) => (Some(key.trim().to_owned()), glob.trim()),
                None => (None, part),
            };
            Pattern { key, glob: folded(glob) }
        });
        Self { text: text.to_owned(), patterns: patterns.collect() }
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `names` are all the names the tool is known by; `context` is what the hook would read.
    #[must_use]
    pub fn matches(&self, names: &[&str], context: &Map<String, Value>) -> bool {
        self.patterns.is_empty()
            || self.patterns.iter().any(|pattern| pattern.matches(names, context))
    }
}

impl Pattern {
    fn matches(&self, names: &[&str], context: &Map<String, Value>) -> bool {
        let Some(key) = &self.key else {
            return names.iter().any(|name| glob_matches(&self.glob, &folded(name)));
        };
        if key == "toolName" {
            return names.iter().any(|name| glob_matches(&self.glob, &folded(name)));
        }
        let value = context.get(key).or_else(|| context.get("args")?.get(key));
        value.is_some_and(|value| match value {
            Value::String(text) => glob_matches(&self.glob, &folded(text)),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => glob_matches(&self.glob, &folded(&value.to_string())),
        })
    }
}

fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// From the first to the last character. Goes back to the last `*` alone, so that no pattern takes exponential time.
fn glob_matches(glob: &[char], text: &[char]) -> bool {
    let (mut at_glob, mut at_text) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while at_text < text.len() {
        match glob.get(at_glob) {
            Some('*') => {
                last_star = Some((at_glob, at_text));
                at_glob += 1;
            }
            Some(expected) if *expected == text[at_text] => {
                at_glob += 1;
                at_text += 1;
            }
            _ => {
                let Some((star, taken)) = last_star else { return false };
                last_star = Some((star, taken + 1));
                at_glob = star + 1;
                at_text = taken + 1;
            }
        }
    }
    glob[at_glob..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests;
