//! Removes a finding's text if it may contain instructions to the model. The finding keeps its path and line.
//!
//! A snippet may show only a part of an injected instruction, so this module also checks the file that contains the
//! snippet.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use contract::{Finding, NOT_QUOTED};
use guard::Root;

/// The maximum number of bytes of a file that are checked. For a finding beyond these bytes, only the finding's own text is
/// checked.
const MAX_FILE_BYTES: u64 = 1024 * 1024;
/// The minimum length of the lines and line fragments that are compared, in bytes. Shorter ones would match by
/// chance.
const MIN_PIECE_BYTES: usize = 12;
/// The number of characters at the start of an unquotable line that are searched for in a finding's text.
const LINE_START_CHARS: usize = 40;
/// Additional fields of a finding whose values do not come from the file.
const KEPT_FIELDS: [&str; 2] = ["tool", "version"];

/// The reason why a finding's text was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// The text contains an instruction that the injection filter removes.
    Instruction,
    /// The text, or the file around it, may contain an instruction.
    Suspicion,
}

/// For each file, the lines that must not be quoted. Each file is read only once.
pub(crate) struct Unquotable<'a> {
    root: &'a Root,
    files: HashMap<String, Vec<String>>,
}

impl<'a> Unquotable<'a> {
    pub(crate) fn new(root: &'a Root) -> Self {
        Self { root, files: HashMap::new() }
    }

    /// Removes a finding's text if it shows a line that must not be quoted. Returns the reason, or `None` if the finding
    /// keeps its text.
    pub(crate) fn withhold(&mut self, finding: &mut Finding) -> Option<Withheld> {
        let lines = finding.path.clone().map(|path| self.lines_of(path)).unwrap_or_default();
        let texts = shown_texts(finding);
        if !texts.iter().any(|text| is_unquotable(text, lines)) {
            return None;
        }
        let is_instruction =
            texts.iter().any(|text| !guard::filter_injection(text).removed.is_empty());
        finding.snippet = None;
        let is_sentence = |text: &str| text.contains(char::is_whitespace);
        for text in [&mut finding.summary, &mut finding.symbol, &mut finding.title] {
            if text.as_deref().is_some_and(is_sentence) {
                *text = Some(NOT_QUOTED.to_owned());
            }
        }
        for (key, value) in &mut finding.more {
            if !KEPT_FIELDS.contains(&key.as_str()) && value.as_str().is_some_and(is_sentence) {
                *value = NOT_QUOTED.into();
            }
        }
        Some(if is_instruction { Withheld::Instruction } else { Withheld::Suspicion })
    }

    fn lines_of(&mut self, path: String) -> &[String] {
        let root = self.root;
        self.files.entry(path).or_insert_with_key(|path| unquotable_lines(root, Path::new(path)))
    }
}

/// Returns the strings of a finding that come from the file.
fn shown_texts(finding: &Finding) -> Vec<&str> {
    let Finding { snippet, summary, symbol, title, more, .. } = finding;
    let more = more.iter().filter(|(key, _)| !KEPT_FIELDS.contains(&key.as_str()));
    let known = [snippet, summary, symbol, title].into_iter().filter_map(|text| text.as_deref());
    known.chain(more.filter_map(|(_, value)| value.as_str())).collect()
}

/// Returns the lines of the file `path` that must not be quoted, with whitespace reduced to single spaces. Short lines
/// are left out. Returns an empty vector if the file cannot be read.
fn unquotable_lines(root: &Root, path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = root.open_file(path).map(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes));
    if !matches!(read, Ok(Ok(_))) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    guard::unquotable_lines(&text)
        .into_iter()
        .flat_map(|range| lines.iter().skip(range.start() - 1).take(range.count()))
        .map(|line| single_spaced(line))
        .filter(|line| line.len() >= MIN_PIECE_BYTES)
        .collect()
}

/// Returns true if `text` contains one of the lines or a part of one, or if `text` itself resembles an injected
/// instruction.
fn is_unquotable(text: &str, lines: &[String]) -> bool {
    let pieces: Vec<String> =
        text.lines().map(|line| single_spaced(without_number(line))).collect();
    let shown = pieces.join("\n");
    lines.iter().any(|line| {
        let start: String = line.chars().take(LINE_START_CHARS).collect();
        shown.contains(&start)
            || pieces
                .iter()
                .any(|piece| piece.len() >= MIN_PIECE_BYTES && line.contains(piece.as_str()))
    }) || !guard::unquotable_lines(&shown).is_empty()
}

/// Removes the line number at the start of a snippet line.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() < line.len() { rest.strip_prefix('|').unwrap_or(line) } else { line }
}

fn single_spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
