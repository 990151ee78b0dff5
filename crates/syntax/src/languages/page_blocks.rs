//! Finds the code in pages: the script blocks in Vue, Svelte and HTML pages, which are parsed as JavaScript or TypeScript,
//! and the code blocks in Razor pages, which are parsed as C#.

use tree_sitter::{Point, Range};

use crate::chain::skip_space;
use crate::languages::Language;
use crate::outline::Outline;
use crate::span::Span;
use crate::text_reader::{after, find};

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

/// The words after `@` that start a block of class members.
const BLOCK_WORDS: [&[u8]; 2] = [b"code", b"functions"];
const CLASS: &[u8] = b"class";
/// The maximum number of blocks that are read. A page usually has one.
const MAX_BLOCKS: usize = 16;

/// The code blocks of a page, converted to C# source. The source has the same length as the page, so all spans and line
/// numbers are also valid for the page.
pub(crate) struct RazorCode {
    /// The page, with all text outside the blocks replaced by spaces. The word `class` is inserted before each block,
    /// so that the block becomes a class with the name `code` or `functions`. The grammar accepts members only in a
    /// class.
    pub(crate) source: Vec<u8>,
    blocks: Vec<Block>,
}

struct Block {
    /// The word after `@`.
    name: Span,
    line: u32,
}

impl RazorCode {
    /// Returns the code blocks of a page, or `None` if the page has none.
    pub(crate) fn find(page: &[u8]) -> Option<Self> {
        let blank = |byte: &u8| if *byte == b'\n' { b'\n' } else { b' ' };
        let mut code = Self { source: page.iter().map(blank).collect(), blocks: Vec::new() };
        let mut free_from = 0;
        let mut at = 0;
        while let Some(offset) = page[at..].iter().position(|byte| *byte == b'@')
            && code.blocks.len() < MAX_BLOCKS
        {
            let start = at + offset;
            at = start + 1;
            let Some((name, brace)) = block_start(page, start) else { continue };
            let end = block_end(page, brace);
            if let Some(class) = room_for_class(page, free_from, start) {
                code.source[class..class + CLASS.len()].copy_from_slice(CLASS);
                code.source[start + 1..end].copy_from_slice(&page[start + 1..end]);
                let line = page[..start].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
                code.blocks.push(Block { name, line });
            }
            (free_from, at) = (end, end);
        }
        (!code.blocks.is_empty()).then_some(code)
    }

    /// Moves the start of each block's class to the `@` of the block, because the page itself does not contain the
    /// word `class`.
    pub(crate) fn correct(&self, outline: &mut Outline) {
        for block in &self.blocks {
            let mut definitions = outline.definitions.iter_mut();
            if let Some(class) = definitions.find(|it| it.name == block.name) {
                class.span.start = block.name.start - 1;
                class.lines.first = block.line;
                class.signature = Span { start: block.name.start - 1, end: block.name.end };
            }
        }
    }
}

/// If a block starts at `at`, returns its name and the position of its opening brace.
fn block_start(page: &[u8], at: usize) -> Option<(Span, usize)> {
    let rest = &page[at + 1..];
    let word = BLOCK_WORDS.into_iter().find(|word| rest.starts_with(word))?;
    let end = at + 1 + word.len();
    let brace = skip_space(page, end);
    (page.get(brace) == Some(&b'{')).then(|| (Span::new(at + 1..end), brace))
}

/// Returns the position after the brace that closes the brace at `open`, or the end of the page. Braces in strings and
/// comments are skipped.
fn block_end(page: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = open;
    while at < page.len() {
        match page[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' => at = end_of_text(page, at),
            b'\'' if page.get(at + 2) == Some(&b'\'') => at += 2,
            // The last byte of the comment, or of the page.
            b'/' if page.get(at + 1) == Some(&b'/') => at = after(page, at, b"\n") - 1,
            b'/' if page.get(at + 1) == Some(&b'*') => at = after(page, at + 2, b"*/") - 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at.min(page.len());
        }
    }
    page.len()
}

/// Returns the position of the quotation mark that ends the string at `at`, or of the end of the line.
fn end_of_text(page: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < page.len() && page[end] != b'"' && page[end] != b'\n' {
        end += if page[end] == b'\\' { 2 } else { 1 };
    }
    end
}

/// Returns a position between `from` and `to` at which the word `class` fits without overwriting a line break, or
/// `None` if there is none.
fn room_for_class(page: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut end = to.checked_sub(1)?;
    while end >= from + CLASS.len() {
        let start = end - CLASS.len();
        match page[start..end].iter().rposition(|byte| *byte == b'\n') {
            None => return Some(start),
            Some(line_break) => end = start + line_break,
        }
    }
    None
}
