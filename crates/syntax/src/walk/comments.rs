//! Records comments and string literals. Successive comments are merged, and a comment directly above a definition
//! becomes its doc comment.

use tree_sitter::Node;

use super::{Walk, lines};
use crate::outline::Text;
use crate::span::{Lines, Span};

/// The most recent run of comments on successive lines. Its text is the last entry of [`crate::Outline::comments`].
pub(super) struct Run {
    last_line: u32,
    own_line: bool,
}

impl Walk<'_> {
    pub(crate) fn comment(&mut self, node: Node<'_>) {
        let Some(text) = self.trimmed(node) else { return };
        let own_line = self.stands_first_on_line(node.start_byte());
        let joins = own_line
            && self
                .comment_run
                .as_ref()
                .is_some_and(|run| run.own_line && run.last_line + 1 == text.lines.first);
        match self.builder.outline.comments.last_mut() {
            Some(last) if joins => {
                last.span.end = text.span.end;
                last.lines.last = text.lines.last;
            }
            _ => self.builder.outline.comments.push(text),
        }
        self.comment_run = Some(Run { last_line: text.lines.last, own_line });
    }

    /// Extends the current run of comments over an attribute or decorator, so that a comment above it is assigned to
    /// the definition below it.
    pub(crate) fn attribute(&mut self, node: Node<'_>) {
        let Lines { first, last } = lines(node);
        if let Some(run) = &mut self.comment_run
            && run.last_line + 1 >= first
        {
            run.last_line = last;
        }
    }

    /// Removes the comment directly above `first_line` from the outline's comments and returns it as a doc comment.
    /// Returns `None` if there is no such comment, or if it describes the whole file (`//!` in Rust).
    pub(super) fn take_doc(&mut self, first_line: u32) -> Option<Span> {
        let run = self.comment_run.take()?;
        if !run.own_line || run.last_line + 1 < first_line {
            return None;
        }
        let text = self.builder.outline.comments.last()?.span;
        if self.builder.is_about_the_file(text) {
            return None;
        }
        self.builder.outline.comments.pop();
        Some(text)
    }

    /// Records a string statement as a comment. Used for strings that are not the docstring of a definition.
    pub(crate) fn comment_in_quotes(&mut self, node: Node<'_>) {
        let text = Text { span: self.without_quotes(node), lines: lines(node) };
        if !text.span.is_empty() {
            self.builder.outline.comments.push(text);
            self.comment_run = None;
        }
    }

    pub(crate) fn text(&mut self, node: Node<'_>) {
        if self.is_claimed(node) {
            return;
        }
        let span = self.without_quotes(node);
        if !span.is_empty() {
            self.builder.outline.strings.push(Text { span, lines: lines(node) });
        }
    }

    /// Records text that has no quotation marks, such as a heredoc or the text between the tags of a page, as a string.
    pub(crate) fn trimmed_text(&mut self, node: Node<'_>) {
        let bytes = self.bytes(node);
        let start = node.start_byte() + bytes.len() - bytes.trim_ascii_start().len();
        let span = Span::new(start..start + bytes.trim_ascii().len());
        if !span.is_empty() {
            self.builder.outline.strings.push(Text { span, lines: lines(node) });
        }
    }

    pub(crate) fn without_quotes(&self, node: Node<'_>) -> Span {
        const QUOTES: &[u8] = b"\"'`";
        let bytes = self.bytes(node);
        let whole = Span::new(node.byte_range());
        let Some(open) = bytes.iter().position(|byte| QUOTES.contains(byte)) else { return whole };
        let quote = bytes[open];
        let end = bytes.iter().rposition(|byte| *byte == quote).map_or(open, |close| close + 1);
        let quoted = &bytes[open..end];
        // An unterminated string may start with three quotation marks and end with a quotation mark of another string.
        let is_tripled = quoted.starts_with(&[quote; 3]) && quoted.ends_with(&[quote; 3]);
        let width = if is_tripled { 3 } else { 1 };
        if quoted.len() < 2 * width {
            return whole;
        }
        let start = whole.start + open as u32;
        Span { start: start + width as u32, end: start + (quoted.len() - width) as u32 }
    }

    fn trimmed(&self, node: Node<'_>) -> Option<Text> {
        let kept = self.bytes(node).trim_ascii_end().len();
        let start = node.start_byte();
        (kept > 0).then(|| Text { span: Span::new(start..start + kept), lines: lines(node) })
    }

    fn stands_first_on_line(&self, start: usize) -> bool {
        let before = self.source.get(..start).unwrap_or_default();
        let indent = before.iter().rev().take_while(|byte| **byte != b'\n');
        indent.into_iter().all(u8::is_ascii_whitespace)
    }
}
