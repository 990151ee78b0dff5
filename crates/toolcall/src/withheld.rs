//! Findings whose text may contain instructions to the model keep their place and lose their text.
//!
//! A snippet can be cut in the middle of an order, so the file around it is judged, not the snippet alone.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use guard::Root;
use serde_json::Value;

/// Files are judged up to this size; findings beyond it are judged by their own text.
const MAX_FILE: u64 = 1024 * 1024;
/// Shorter pieces of text carry no order, and would match by chance.
const MIN_PIECE: usize = 12;
/// So much of an unquotable line is looked for in the text of a finding.
const PIECE: usize = 40;
const NOTICE: &str = "text not quoted: it may contain instructions to the model";
/// Fields of a finding that are not text of the file.
const KEPT_FIELDS: [&str; 4] = ["path", "source", "tool", "version"];

/// Why a finding lost its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// Its text contains an order that the filter removes.
    Order,
    /// Its text, or the file around it, may contain an order.
    Suspicion,
}

/// The lines of each file that must not be quoted, read once a file.
pub(crate) struct Unquotable<'a> {
    root: &'a Root,
    files: HashMap<String, Vec<String>>,
}

impl<'a> Unquotable<'a> {
    pub(crate) fn new(root: &'a Root) -> Self {
        Self { root, files: HashMap::new() }
    }

    /// Takes the text out of a finding that shows a line that must not be quoted; `None` if the finding shows none.
    pub(crate) fn withhold(&mut self, item: &mut Value) -> Option<Withheld> {
        let path = item.get("path").and_then(Value::as_str).map(str::to_owned);
        let lines = path.map(|path| self.lines_of(path)).unwrap_or_default();
        let fields = item.as_object_mut()?;
        let texts = || {
            let own = fields.iter().filter(|(key, _)| !KEPT_FIELDS.contains(&key.as_str()));
            own.filter_map(|(_, value)| value.as_str())
        };
        if !texts().any(|text| is_unquotable(text, lines)) {
            return None;
        }
        let is_order = texts().any(|text| !guard::filter_injection(text).removed.is_empty());
        fields.remove("snippet");
        for (key, value) in fields.iter_mut() {
            let is_text = value.as_str().is_some_and(|text| text.contains(char::is_whitespace));
            if is_text && !KEPT_FIELDS.contains(&key.as_str()) {
                *value = NOTICE.into();
            }
        }
        Some(if is_order { Withheld::Order } else { Withheld::Suspicion })
    }

    fn lines_of(&mut self, path: String) -> &[String] {
        let root = self.root;
        self.files.entry(path).or_insert_with_key(|path| unquotable_lines(root, Path::new(path)))
    }
}

/// The lines of the file that must not be quoted, each with single spaces.
fn unquotable_lines(root: &Root, path: &Path) -> Vec<String> {
    let mut bytes = Vec::new();
    let read = root.open_file(path).map(|file| file.take(MAX_FILE).read_to_end(&mut bytes));
    if !matches!(read, Ok(Ok(_))) {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.split('\n').collect();
    guard::unquotable_lines(&text)
        .into_iter()
        .flat_map(|range| lines.iter().skip(range.start() - 1).take(range.count()))
        .map(|line| single_spaced(line))
        .filter(|line| line.len() >= MIN_PIECE)
        .collect()
}

/// Whether the text of a finding contains one of these lines or a part of one, or looks like an order by itself.
fn is_unquotable(text: &str, lines: &[String]) -> bool {
    let pieces: Vec<String> =
        text.lines().map(|line| single_spaced(without_number(line))).collect();
    let shown = pieces.join("\n");
    lines.iter().any(|line| {
        let start: String = line.chars().take(PIECE).collect();
        shown.contains(&start)
            || pieces.iter().any(|piece| piece.len() >= MIN_PIECE && line.contains(piece.as_str()))
    }) || !guard::unquotable_lines(&shown).is_empty()
}

/// Lines of snippets start with their number.
fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() < line.len() { rest.strip_prefix('|').unwrap_or(line) } else { line }
}

fn single_spaced(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
