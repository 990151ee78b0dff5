//! Finds the code blocks in Razor pages, which are parsed as C#.

use crate::outline::Outline;
use crate::span::Span;

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
    let spaces = page[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (page.get(end + spaces) == Some(&b'{')).then(|| (Span::new(at + 1..end), end + spaces))
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
            b'/' if page.get(at + 1) == Some(&b'/') => at = position(page, at, b"\n"),
            b'/' if page.get(at + 1) == Some(&b'*') => at = position(page, at + 2, b"*/") + 1,
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

fn position(page: &[u8], from: usize, text: &[u8]) -> usize {
    let rest = page.get(from..).unwrap_or_default();
    rest.windows(text.len()).position(|window| window == text).map_or(page.len(), |at| from + at)
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
