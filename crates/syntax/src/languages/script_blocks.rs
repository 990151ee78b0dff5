//! Finds the script blocks in Vue, Svelte and HTML pages, which are parsed as JavaScript or TypeScript.

use tree_sitter::{Point, Range};

use crate::languages::Language;

/// Returns the ranges of the script blocks, and the language that is used to parse all of them. This is the last
/// language that a `lang` attribute specifies, or JavaScript if there is none.
pub(crate) fn find_scripts(source: &[u8]) -> (Language, Vec<Range>) {
    let mut language = Language::JavaScript;
    let mut ranges = Vec::new();
    let mut at = Position::default();
    while let Some(tag) = find(source, at.byte, b"<script") {
        let Some(tag_end) = find(source, tag, b">") else { break };
        let attributes = &source[tag..tag_end];
        if !is_script(attributes) {
            at = at.advance(source, tag_end + 1);
            continue;
        }
        language = language_of(attributes).unwrap_or(language);
        let end = find(source, tag_end, b"</script").unwrap_or(source.len());
        let from = at.advance(source, tag_end + 1);
        at = from.advance(source, end);
        ranges.push(Range {
            start_byte: from.byte,
            end_byte: at.byte,
            start_point: from.point(),
            end_point: at.point(),
        });
    }
    (language, ranges)
}

/// Returns whether a tag's attributes describe a script. Data blocks and template blocks have other `type` values.
fn is_script(attributes: &[u8]) -> bool {
    let Some(at) = find(attributes, 0, b" type=") else { return true };
    let kind = &attributes[at..];
    [b"module".as_slice(), b"javascript", b"typescript", b"babel", b"jsx", b"=\"\""]
        .iter()
        .any(|known| find(kind, 0, known).is_some())
}

fn language_of(attributes: &[u8]) -> Option<Language> {
    let has = |text: &[u8]| attributes.windows(text.len()).any(|window| window == text);
    if has(b"lang=\"tsx\"") || has(b"lang='tsx'") {
        Some(Language::Tsx)
    } else if has(b"lang=\"ts\"") || has(b"lang='ts'") || has(b"lang=\"typescript\"") {
        Some(Language::TypeScript)
    } else {
        None
    }
}

/// A byte offset with its row and the start of its line. Each script block needs its row and column, so that its nodes
/// have the line numbers of the page.
#[derive(Clone, Copy, Default)]
struct Position {
    byte: usize,
    row: usize,
    line_start: usize,
}

impl Position {
    fn advance(self, source: &[u8], to: usize) -> Self {
        let mut position = Self { byte: to, ..self };
        for (offset, byte) in source[self.byte..to].iter().enumerate() {
            if *byte == b'\n' {
                position.row += 1;
                position.line_start = self.byte + offset + 1;
            }
        }
        position
    }

    fn point(self) -> Point {
        Point { row: self.row, column: self.byte - self.line_start }
    }
}

fn find(source: &[u8], from: usize, text: &[u8]) -> Option<usize> {
    let rest = source.get(from..)?;
    rest.windows(text.len())
        .position(|window| window.eq_ignore_ascii_case(text))
        .map(|at| from + at)
}
