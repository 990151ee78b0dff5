//! Reads Python statements: definitions, branches, assignments and imports.

use super::lexer::{Keyword, without_quotes};
use super::{Block, BlockKind, Branch, Head, Reader, Result, Token, TokenKind};
use crate::conventions::{python_function_kind, python_variable_kind};
use crate::definition::Kind;
use crate::outline::Imported;
use crate::span::Span;
use crate::token_reader::Unsupported;
use crate::token_reader::item::Item;

/// The maximum number of tokens that are searched for the colon at the end of a `match` line.
const MAX_SUBJECT: usize = 1000;

impl Reader<'_> {
    /// Reads the start of a statement. The current token is the one before the statement.
    pub(super) fn statement(&mut self, indent: u32) -> Result<()> {
        let first = self.next();
        match first.kind {
            TokenKind::Keyword => self.keyword_statement(first, indent)?,
            TokenKind::Word => self.word_statement(first, indent),
            TokenKind::Sign if first.code == b'@' => {
                self.rules.decorator_line.get_or_insert(first.line);
                self.rules.head = Head::Nothing;
                self.decorator();
            }
            _ => {}
        }
        Ok(())
    }

    fn keyword_statement(&mut self, first: Token, indent: u32) -> Result<()> {
        let is = |keyword| first.is_keyword(keyword);
        let is_async = is(Keyword::Async);
        let second = self.token_at(self.at + 2);
        if is(Keyword::Def) || is_async && second.is_keyword(Keyword::Def) {
            self.function(indent, if is_async { 2 } else { 1 })?;
        } else if is(Keyword::Class) {
            self.class(indent)?;
        } else if is(Keyword::If) || is(Keyword::Elif) {
            self.builder.branch(if is(Keyword::If) { Branch::If } else { Branch::ElseIf });
            self.begin_block(indent, BlockKind::Branch);
            self.at += 1;
        } else if is(Keyword::Else) {
            self.builder.branch(Branch::Else);
            let kind = if self.rules.ended_branch { BlockKind::Branch } else { BlockKind::Plain };
            self.begin_block(indent, kind);
        } else if is(Keyword::For) || is(Keyword::While) {
            self.begin_loop(indent, 1);
            if is(Keyword::For) {
                self.bind_elements();
            }
        } else if is_async && second.is_keyword(Keyword::For) {
            self.begin_loop(indent, 2);
            self.bind_elements();
        } else if is(Keyword::Except) {
            self.builder.branch(Branch::Catch);
            self.begin_block(indent, BlockKind::Catch);
            self.bind_caught();
        } else if is(Keyword::Try) {
            self.begin_block(indent, BlockKind::Plain);
        } else if is(Keyword::Import) {
            self.at += 1;
            self.import_modules();
        } else if is(Keyword::From) {
            self.at += 1;
            self.import_from()?;
        } else {
            self.bind_other(first, second);
        }
        Ok(())
    }

    fn begin_loop(&mut self, indent: u32, n_words: usize) {
        self.builder.branch(Branch::Loop);
        self.begin_block(indent, BlockKind::Branch);
        self.at += n_words;
    }

    fn begin_block(&mut self, indent: u32, kind: BlockKind) {
        if kind.nests() {
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        }
        self.rules.blocks.push(Block { indent, kind, saved: None });
    }

    /// Reads a statement that starts with a name. The words `match`, `case` and `type` are keywords only at the start
    /// of certain statements.
    fn word_statement(&mut self, first: Token, indent: u32) {
        let second = self.token_at(self.at + 2);
        let is_head = !second.is_sign(b'=') && !second.is_sign(b':') && !second.is_sign(b'.');
        let in_match = self.rules.blocks.last().is_some_and(|it| it.kind == BlockKind::Match);
        match self.bytes(first) {
            b"match" if is_head && self.line_ends_with_colon() => {
                self.builder.branch(Branch::Switch);
                self.begin_block(indent, BlockKind::Match);
                self.at += 1;
            }
            b"case" if is_head && in_match => {
                let is_default =
                    self.bytes(second) == b"_" && self.token_at(self.at + 3).is_sign(b':');
                if !is_default {
                    self.builder.branch(Branch::Case);
                }
                self.at += 1;
            }
            b"type" if second.kind == TokenKind::Word => {
                self.at += 1;
                self.define_variable(Kind::TypeAlias, second);
                self.at += 1;
            }
            _ => {
                self.bind_assignment();
                self.assignment(first, second);
            }
        }
    }

    fn line_ends_with_colon(&self) -> bool {
        let mut rest = self.tokens[self.at + 1..].iter().take(MAX_SUBJECT).peekable();
        while let Some(token) = rest.next() {
            if rest.peek().is_none_or(|it| it.kind == TokenKind::LineEnd) {
                return token.is_sign(b':');
            }
        }
        false
    }

    /// Records an assignment to a plain name as a definition, unless it is inside a function.
    fn assignment(&mut self, name: Token, sign: Token) {
        let is_annotated = sign.is_sign(b':');
        if is_annotated {
            self.rules.head = Head::Annotation;
        }
        if self.builder.callable.is_some() || !is_annotated && !sign.is_sign(b'=') {
            return;
        }
        let kind = python_variable_kind(self.bytes(name), self.builder.enclosing_kind());
        self.define_variable(kind, name);
        self.at += 1;
    }

    fn define_variable(&mut self, kind: Kind, name: Token) {
        let line = &self.tokens[self.at + 1..];
        let ends_line = |it: &Token| it.kind == TokenKind::LineEnd || it.is_sign(b';');
        let length = line.iter().position(ends_line).unwrap_or(line.len());
        self.begin(self.item(kind, self.at + 1, name.span(), self.at + 1 + length));
    }

    fn function(&mut self, indent: u32, n_words: usize) -> Result<()> {
        let name = self.token_at(self.at + n_words + 1);
        if name.kind != TokenKind::Word {
            return Err(Unsupported);
        }
        let in_class = self.builder.enclosing_kind() == Some(Kind::Class);
        let kind = python_function_kind(self.bytes(name), in_class);
        self.begin_definition(kind, name, indent)?;
        self.bind_header(self.at + n_words + 2);
        self.rules.head = Head::Function;
        self.at += n_words + 1;
        Ok(())
    }

    fn class(&mut self, indent: u32) -> Result<()> {
        let name = self.token_at(self.at + 2);
        if name.kind != TokenKind::Word {
            return Err(Unsupported);
        }
        self.begin_definition(Kind::Class, name, indent)?;
        self.rules.head = Head::Class;
        self.at += 2;
        Ok(())
    }

    fn begin_definition(&mut self, kind: Kind, name: Token, indent: u32) -> Result<()> {
        let first = self.next();
        let colon = self.head_end()?;
        let line = self.rules.decorator_line.take().unwrap_or(first.line);
        self.rules.docstring = self.docstring_after(colon);
        let quoted = self.rules.docstring.map(|at| without_quotes(self.token_at(at)));
        let item = self.item(kind, self.at + 1, name.span(), colon).with_body(true);
        let (doc, docstring) = ((first.start, line), quoted.filter(|it| !it.is_empty()));
        let saved = self.begin_item(Item { doc, docstring, ..item });
        self.rules.blocks.push(Block { indent, kind: BlockKind::Definition, saved: Some(saved) });
        Ok(())
    }

    /// Returns the index of the colon that ends a definition's header.
    fn head_end(&self) -> Result<usize> {
        let is_end = |token: Token| token.is_sign(b':') || token.kind == TokenKind::LineEnd;
        let end = self.find_end(self.at + 1, is_end);
        if self.token_at(end).is_sign(b':') { Ok(end) } else { Err(Unsupported) }
    }

    /// Returns the index of the docstring in the block after `colon`. A docstring is a string that forms the whole
    /// first line of the block.
    fn docstring_after(&self, colon: usize) -> Option<usize> {
        let text = colon + 2;
        let is_alone = self.token_at(colon + 1).kind == TokenKind::LineEnd
            && self.token_at(text).kind == TokenKind::Text
            && self.token_at(text + 1).kind == TokenKind::LineEnd;
        is_alone.then_some(text)
    }

    /// Ends the variable definition and the lambdas on the current line. Fails if a bracket is still open.
    pub(super) fn end_line(&mut self) -> Result<()> {
        self.end_closures();
        self.check_closed()?;
        self.end_open_item(self.previous());
        self.rules.head = Head::Nothing;
        self.level().own = super::Own::default();
        Ok(())
    }

    /// Ends the blocks to which a line with the indentation `indent` cannot belong.
    pub(super) fn end_blocks(&mut self, indent: u32) {
        self.rules.ended_branch = false;
        let last = self.previous();
        while let Some(block) = self.rules.blocks.pop_if(|block| block.indent >= indent) {
            if block.kind.nests() {
                self.builder.nesting = self.builder.nesting.saturating_sub(1);
            }
            self.rules.ended_branch = block.kind == BlockKind::Branch;
            if let Some(saved) = block.saved {
                self.end_item(saved, last.end, last.last_line());
            }
        }
    }

    /// Reads `import a.b as c, d`.
    fn import_modules(&mut self) {
        while let Some((path, line)) = self.dotted_name() {
            let alias = self.alias();
            self.builder.import(path.text(self.builder.source), Imported::Module, alias, line);
            if !self.next().is_sign(b',') {
                break;
            }
            self.at += 1;
        }
    }

    /// Reads `from ..a import b as c, d`.
    fn import_from(&mut self) -> Result<()> {
        let (module, _) = self.dotted_name().ok_or(Unsupported)?;
        if !self.next().is_keyword(Keyword::Import) {
            return Err(Unsupported);
        }
        self.at += 1;
        let path = module.text(self.builder.source);
        let is_listed = self.next().opens(b'(');
        if is_listed {
            self.at += 1;
        }
        loop {
            let item = self.next();
            let imported = match item.kind {
                TokenKind::Word => Imported::Item(item.span()),
                TokenKind::Sign if item.code == b'*' => Imported::All,
                _ => break,
            };
            self.at += 1;
            let alias = self.alias();
            if path != "__future__" {
                self.builder.import(path, imported, alias, item.line);
            }
            if !self.next().is_sign(b',') {
                break;
            }
            self.at += 1;
        }
        if is_listed && !self.next().closes(b')') {
            return Err(Unsupported);
        }
        self.at += usize::from(is_listed);
        Ok(())
    }

    /// Reads names that are separated by dots. Returns their span and the line of the first name.
    fn dotted_name(&mut self) -> Option<(Span, u32)> {
        let is_part = |it: Token| it.kind == TokenKind::Word || it.is_sign(b'.');
        let first = Some(self.next()).filter(|it| is_part(*it))?;
        let mut end = first.end;
        while is_part(self.next()) {
            end = self.next().end;
            self.at += 1;
        }
        Some((Span { start: first.start, end }, first.line))
    }

    fn alias(&mut self) -> Option<Span> {
        let name = self.token_at(self.at + 2);
        if !self.next().is_keyword(Keyword::As) || name.kind != TokenKind::Word {
            return None;
        }
        self.at += 2;
        Some(name.span())
    }
}
