//! Reads `use` declarations and `extern crate` declarations.

use super::{Reader, Result, Token, TokenKind};
use crate::outline::Imported;
use crate::span::Span;
use crate::token_reader::Unsupported;

impl Reader<'_> {
    pub(super) fn use_declaration(&mut self) -> Result<()> {
        let mut tree = UseTree::default();
        self.at += 1;
        loop {
            let token = *self.tokens.get(self.at).ok_or(Unsupported)?;
            match token.kind {
                TokenKind::Sign if token.code == b';' => break,
                TokenKind::Sign if token.code == b',' => self.use_item(&mut tree),
                TokenKind::Sign if token.code == b'*' => {
                    let path = tree.with_last(self.builder.source);
                    tree.clear();
                    self.builder.import(&path, Imported::All, None, token.line);
                }
                TokenKind::Open => {
                    let path = tree.with_last(self.builder.source);
                    tree.prefixes.push(path);
                    tree.clear();
                }
                TokenKind::Close => {
                    self.use_item(&mut tree);
                    tree.prefixes.pop();
                }
                TokenKind::Keyword if self.bytes(token) == b"as" => {
                    self.at += 1;
                    tree.alias = self.tokens.get(self.at).map(|it| it.span());
                }
                TokenKind::Word | TokenKind::Keyword => {
                    tree.step(token, self.builder.source);
                }
                _ => {}
            }
            self.at += 1;
        }
        self.use_item(&mut tree);
        self.restart(self.at + 1);
        if tree.prefixes.is_empty() { Ok(()) } else { Err(Unsupported) }
    }

    fn use_item(&mut self, tree: &mut UseTree) {
        if let Some(last) = tree.last {
            let is_self = self.bytes(last) == b"self";
            let prefix = tree.scope();
            let (path, imported) = if prefix.is_empty() {
                (last.span().text(self.builder.source).to_owned(), Imported::Module)
            } else if is_self {
                (prefix, Imported::Module)
            } else {
                (prefix, Imported::Item(last.span()))
            };
            self.builder.import(&path, imported, tree.alias, last.line);
        }
        tree.clear();
    }

    /// Reads `extern crate name as other;`.
    pub(super) fn extern_crate(&mut self) -> Result<()> {
        let name = self.token_at(self.at + 2);
        if self.bytes(self.next()) != b"crate" || name.kind != TokenKind::Word {
            return Ok(());
        }
        let renamed = self.bytes(self.token_at(self.at + 3)) == b"as";
        let alias = renamed.then(|| self.token_at(self.at + 4).span());
        let path = name.span().text(self.builder.source);
        self.builder.import(path, Imported::Module, alias, name.line);
        self.at += if renamed { 4 } else { 2 };
        Ok(())
    }
}

/// The state of the reader in a nested import such as `a::{b, c::{d}}`.
#[derive(Default)]
struct UseTree {
    /// The path before each open brace.
    prefixes: Vec<String>,
    /// The path after the last open brace, without its last part.
    path: String,
    last: Option<Token>,
    alias: Option<Span>,
}

impl UseTree {
    fn step(&mut self, token: Token, source: &[u8]) {
        if let Some(last) = self.last.replace(token) {
            push_part(&mut self.path, last.span().text(source));
        }
    }

    fn scope(&self) -> String {
        let mut scope = self.prefixes.last().cloned().unwrap_or_default();
        push_part(&mut scope, &self.path);
        scope
    }

    /// Returns the whole path that has been read so far, including its last part. Used at a brace or a star.
    fn with_last(&self, source: &[u8]) -> String {
        let mut path = self.scope();
        push_part(&mut path, self.last.map(|it| it.span().text(source)).unwrap_or_default());
        path
    }

    fn clear(&mut self) {
        self.path.clear();
        self.last = None;
        self.alias = None;
    }
}

fn push_part(path: &mut String, part: &str) {
    if !path.is_empty() && !part.is_empty() {
        path.push_str("::");
    }
    path.push_str(part);
}
