//! Parses and matches the patterns that select the calls to which a rule applies. A rule applies to a call if one of
//! its patterns matches.
//!
//! `ci_*` matches the tool's name. `key:pattern` matches a field of the hook's input or an argument. `*` matches any
//! characters, all other characters match themselves, and case is ignored. A matcher without a pattern matches every
//! call.

use super::HookInput;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matcher {
    text: String,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// The input field or argument to match. `None` means the tool's name.
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

    /// Returns true if one of the patterns matches the call. `names` are the tool's names; `input` is the hook's input.
    #[must_use]
    pub fn matches(&self, names: &[&str], input: &HookInput) -> bool {
        self.patterns.is_empty()
            || self.patterns.iter().any(|pattern| pattern.matches(names, input))
    }
}

impl Pattern {
    fn matches(&self, names: &[&str], input: &HookInput) -> bool {
        match self.key.as_deref() {
            None | Some("toolName") => {
                names.iter().any(|name| glob_matches(&self.glob, &folded(name)))
            }
            Some(key) => {
                input.printed(key).is_some_and(|text| glob_matches(&self.glob, &folded(&text)))
            }
        }
    }
}

fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Returns true if the pattern matches all of `text`. Backtracks only to the last `*`, so the running time is at most
/// quadratic.
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
