//! Reads preprocessor directives while the source is split into tokens.
//!
//! All branches of a conditional are read. If the brackets in the first branch are not balanced, only that branch is
//! kept. A later branch whose brackets are not balanced is dropped. The text after `#if 0` is not code and is not
//! read.

use crate::span::Span;
use crate::token_reader::braces::{Directive, Lexer};
use crate::token_reader::lexer::{count_breaks, name_length};
use crate::token_reader::{Result, Unsupported};

/// The state of an `#if` whose `#endif` has not been reached.
pub(in crate::token_reader) struct Conditional {
    /// The brackets that were open before the `#if`.
    open: Vec<usize>,
    /// The number of tokens before the current branch, or `None` in the first branch.
    branch: Option<usize>,
}

/// Returns whether the `#` at the current position is the first character on its line, apart from white space.
pub(super) fn is_directive(lexer: &Lexer<'_>) -> bool {
    let before = lexer.source[..lexer.at].iter().rev().take_while(|byte| **byte != b'\n');
    before.into_iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

pub(super) fn directive(lexer: &mut Lexer<'_>) -> Result<()> {
    let (start, end) = (lexer.at, line_end(lexer.source, lexer.at));
    // A comment after a directive is read as a comment.
    let end = comment_start(&lexer.source[start..end]).map_or(end, |at| start + at);
    let text = &lexer.source[start + 1..end];
    let word = text.trim_ascii_start();
    let word = &word[..name_length(word)];
    let after = start + 1 + (text.len() - text.trim_ascii_start().len()) + word.len();
    match word {
        b"if" if lexer.source[after..end].trim_ascii() == b"0" => {
            let (end, is_endif) = branch_end(lexer.source, end, true).ok_or(Unsupported)?;
            if !is_endif {
                lexer.own.conditionals.push(Conditional { open: lexer.open.clone(), branch: None });
            }
            skip_to(lexer, end);
        }
        b"if" | b"ifdef" | b"ifndef" => {
            lexer.own.conditionals.push(Conditional { open: lexer.open.clone(), branch: None });
            skip_to(lexer, end);
        }
        b"else" | b"elif" | b"elifdef" | b"elifndef" => next_branch(lexer, end)?,
        b"endif" => {
            end_branch(lexer);
            lexer.own.conditionals.pop();
            skip_to(lexer, end);
        }
        b"include" | b"include_next" | b"import" | b"define" => {
            let is_define = word == b"define";
            lexer.own.directives.push(Directive {
                span: Span::new(start..end),
                after_word: after as u32,
                line: lexer.line,
                token: lexer.tokens.len(),
                is_define,
            });
            skip_to(lexer, end);
        }
        _ => skip_to(lexer, end),
    }
    Ok(())
}

/// Returns the position of the comment at the end of a directive, or `None` if there is none. A comment that is
/// followed by more text is part of the directive. In a `#define`, `//` is not treated as a comment, because it can be
/// part of the macro's text.
fn comment_start(text: &[u8]) -> Option<usize> {
    let is_define = text[1..].trim_ascii_start().starts_with(b"define");
    if let Some(line) = memchr::memmem::find(text, b" //").filter(|_| !is_define) {
        return Some(line + 1);
    }
    let mut comments = memchr::memmem::find_iter(text, b"/*");
    comments.find(|at| {
        let rest = &text[at + 2..];
        let end = memchr::memmem::find(rest, b"*/");
        end.is_none_or(|end| rest[end + 2..].trim_ascii().is_empty())
    })
}

/// Returns the position of the line break that ends a directive. A line break after a backslash does not end it.
fn line_end(source: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(length) = memchr::memchr(b'\n', &source[at..]) {
        at += length;
        let line = source[from..at].strip_suffix(b"\r").unwrap_or(&source[from..at]);
        if !line.ends_with(b"\\") {
            return at;
        }
        at += 1;
    }
    source.len()
}

fn skip_to(lexer: &mut Lexer<'_>, end: usize) {
    lexer.line += count_breaks(&lexer.source[lexer.at..end]);
    lexer.at = end;
    lexer.own.directive_line = lexer.line;
}

/// Ends the current branch. Drops it if it is not the first one and its brackets do not match.
fn end_branch(lexer: &mut Lexer<'_>) {
    if let Some(Conditional { open, branch: Some(n_tokens) }) = lexer.own.conditionals.last()
        && *open != lexer.open
    {
        lexer.tokens.truncate(*n_tokens);
        lexer.open.clone_from(open);
    }
}

fn next_branch(lexer: &mut Lexer<'_>, end: usize) -> Result<()> {
    end_branch(lexer);
    let n_tokens = lexer.tokens.len();
    let conditional = lexer.own.conditionals.last_mut().ok_or(Unsupported)?;
    if conditional.open != lexer.open {
        lexer.own.conditionals.pop();
        let (end, _) = branch_end(lexer.source, end, false).ok_or(Unsupported)?;
        skip_to(lexer, end);
        return Ok(());
    }
    conditional.branch = Some(n_tokens);
    skip_to(lexer, end);
    Ok(())
}

/// Searches for the `#endif` that ends the current conditional, starting at `from`. Returns the end of its line and
/// `true`. If `stops_at_else` is true, the search also stops at an `#else` or `#elif`. In this case, returns the end of
/// that line and `false`. Returns `None` if nothing is found.
fn branch_end(source: &[u8], from: usize, stops_at_else: bool) -> Option<(usize, bool)> {
    let mut depth = 0_u32;
    let mut at = from;
    loop {
        at += memchr::memchr(b'\n', source.get(at..)?)? + 1;
        let Some(text) = source[at..].trim_ascii_start().strip_prefix(b"#") else { continue };
        let is_same_line = memchr::memchr(b'\n', &source[at..])
            .is_none_or(|end| source.len() - at - end <= text.len());
        let text = text.trim_ascii_start();
        match &text[..name_length(text)] {
            _ if !is_same_line => {}
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" if depth == 0 => return Some((line_end(source, at), true)),
            b"endif" => depth -= 1,
            b"else" | b"elif" | b"elifdef" | b"elifndef" if depth == 0 && stops_at_else => {
                return Some((line_end(source, at), false));
            }
            _ => {}
        }
    }
}
