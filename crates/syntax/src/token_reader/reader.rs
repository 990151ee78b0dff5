//! The parts that the readers of all languages share: the current token, the stack of open brackets, and the definitions
//! that have started but not ended.

use std::time::Instant;

use super::lexer::Comment;
use super::token::{Kind as TokenKind, Token};
use super::{Result, Scratch, Unsupported};
use crate::builder::{Builder, SavedState};
use crate::complexity::Branch;
use crate::languages::Language;
use crate::outline::{MAX_RECEIVER, Outline, OutlineProblem, ProblemKind, ReferenceKind};
use crate::span::Span;

/// The rules of one language. The value contains the state that only this language needs.
pub(super) trait Rules: Sized {
    /// What a pair of brackets contains.
    type Content: Copy + PartialEq;
    /// The part of a [`Level`] that only this language needs.
    type Own: Default;

    /// The content of the file outside all brackets.
    const OUTERMOST: Self::Content;
    /// The content of the block of a branch, loop or closure.
    const CODE: Self::Content;
    /// A content whose parts are not statements. No statement starts after its opening bracket.
    const EXPRESSIONS: Option<Self::Content> = None;

    /// Splits the source into tokens, and records its strings.
    fn lex(source: &[u8], scratch: &mut Scratch, outline: &mut Outline) -> Result<Self>;

    /// Reads the current token, and those that belong to it.
    fn token(reader: &mut Reader<'_, Self>, token: Token) -> Result<()>;

    /// Reads what lies before the current token and is not a token.
    fn before_token(_: &mut Reader<'_, Self>) {}

    /// Ends the definitions that extend to the end of the file. `is_complete` is false if the deadline has passed.
    fn end(reader: &mut Reader<'_, Self>, is_complete: bool) -> Result<()> {
        if is_complete { reader.check_closed() } else { Ok(()) }
    }
}

/// What a closing bracket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// The definition that is open at the level around the bracket.
    Body,
    /// A branch, loop or closure, which adds one level of nesting.
    Nested,
    /// Nothing. The bracket closes the body in `typedef struct { … } Name;`, but the definition ends at the semicolon.
    Aliased,
}

/// An open bracket, or the whole file.
pub(super) struct Level<R: Rules> {
    pub(super) content: R::Content,
    pub(super) role: Role,
    /// Whether the next token starts a member, statement or parameter.
    pub(super) at_start: bool,
    /// What the next brace opens, if the tokens before it determine that.
    pub(super) ahead: Option<(R::Content, Role)>,
    /// The state to restore when the open definition at this level ends.
    pub(super) open_item: Option<SavedState>,
    /// The number of closures without braces that are open at this level.
    pub(super) closures: u16,
    pub(super) own: R::Own,
}

impl<R: Rules> Level<R> {
    fn new(content: R::Content, role: Role) -> Self {
        let at_start = R::EXPRESSIONS != Some(content);
        let own = R::Own::default();
        Self { content, role, at_start, ahead: None, open_item: None, closures: 0, own }
    }
}

/// The number of tokens that are read between two checks of the deadline. The clock is not read for every token,
/// because reading the clock takes longer than reading a token.
const TOKENS_BETWEEN_CLOCK_READINGS: usize = 1 << 16;

/// Reads the tokens of one file in one pass.
pub(super) struct Reader<'s, R: Rules> {
    pub(super) rules: R,
    pub(super) tokens: &'s mut [Token],
    pub(super) builder: Builder<'s>,
    pub(super) comments: &'s mut Vec<Comment>,
    /// The index of the first comment after the start of the last definition.
    pub(super) next_comment: usize,
    /// The index of the current token.
    pub(super) at: usize,
    outermost: Level<R>,
    /// The open brackets, the innermost last.
    inner: Vec<Level<R>>,
    /// The content and role of brackets that the reader has not reached yet, although it has read the header before
    /// them.
    bodies: Pending<(R::Content, Role)>,
    /// Token ranges that have already been read as part of a header: the token after each range.
    skipped: Pending<usize>,
}

/// Returns the outline of the source.
pub(super) fn read<R: Rules>(
    language: Language,
    source: &[u8],
    deadline: Option<Instant>,
    scratch: &mut Scratch,
) -> Result<Outline> {
    let mut outline = Outline::empty(language);
    let rules = R::lex(source, scratch, &mut outline)?;
    let Scratch { tokens, names, comments } = scratch;
    let mut reader = Reader {
        rules,
        tokens,
        builder: Builder::new(source, outline, names),
        comments,
        next_comment: 0,
        at: 0,
        outermost: Level::new(R::OUTERMOST, Role::Plain),
        inner: Vec::new(),
        bodies: Pending(Vec::new()),
        skipped: Pending(Vec::new()),
    };
    reader.run(deadline)?;
    let others = reader.comments.iter().filter(|it| !it.is_doc).map(|it| it.text);
    let comments = &mut reader.builder.outline.comments;
    comments.extend(others);
    comments.sort_by_key(|it| it.span);
    Ok(reader.builder.finish())
}

impl<'s, R: Rules> Reader<'s, R> {
    fn run(&mut self, deadline: Option<Instant>) -> Result<()> {
        while self.at < self.tokens.len() {
            R::before_token(self);
            if let Some(end) = self.skipped.take_reached(self.at) {
                self.at = self.at.max(end);
                continue;
            }
            let token = self.tokens[self.at];
            if self.at.is_multiple_of(TOKENS_BETWEEN_CLOCK_READINGS)
                && deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                let problem = OutlineProblem { kind: ProblemKind::OutOfTime, line: token.line };
                self.builder.outline.problems.push(problem);
                return R::end(self, false);
            }
            let here = self.at;
            R::token(self, token)?;
            // If a reader went back, for example before an empty statement, the loop would never end.
            self.at = self.at.max(here) + 1;
        }
        R::end(self, true)
    }

    /// Returns the token at index `at`, or an empty token if the index is out of range.
    pub(super) fn token_at(&self, at: usize) -> Token {
        const NOTHING: Token =
            Token { start: 0, end: 0, line: 0, opener: 0, kind: TokenKind::LineEnd, code: 0 };
        self.tokens.get(at).copied().unwrap_or(NOTHING)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.token_at(at).kind == TokenKind::Word
    }

    pub(super) fn next(&self) -> Token {
        self.token_at(self.at + 1)
    }

    pub(super) fn previous(&self) -> Token {
        self.token_at(self.at.wrapping_sub(1))
    }

    /// Returns the span from the start of token `first` to the end of token `last`.
    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        Span { start: self.token_at(first).start, end: self.token_at(last).end }
    }

    pub(super) fn bytes(&self, token: Token) -> &'s [u8] {
        token.span().of(self.builder.source)
    }

    /// Returns the index of the token after the bracket that closes the bracket at `opener`.
    pub(super) fn after_bracket(&self, opener: usize) -> usize {
        self.token_at(opener).opener as usize + 1
    }

    /// Returns the index of the first token from `from` on that `is_end` accepts, or of the bracket that closes the
    /// block. All other brackets are skipped with their content.
    pub(super) fn find_end(&self, from: usize, is_end: impl Fn(Token) -> bool) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            if token.kind == TokenKind::Close || is_end(*token) {
                break;
            }
            at = if token.kind == TokenKind::Open { token.opener as usize + 1 } else { at + 1 };
        }
        at
    }

    /// Returns the index of the semicolon that ends a statement, or of the closing bracket of the block that contains
    /// it.
    pub(super) fn statement_end(&self, from: usize) -> usize {
        self.find_end(from, |token| token.is_sign(b';'))
    }

    /// Returns whether the current token follows a plain name and a dot. This is true after `a.` and false after
    /// `x.a.`.
    pub(super) fn follows_plain_name(&self) -> bool {
        let object = self.token_at(self.at.wrapping_sub(2));
        let before = self.token_at(self.at.wrapping_sub(3));
        object.kind == TokenKind::Word && !before.is_sign(b'.')
    }

    /// Returns whether the current `while` ends a `do` loop. `do_keyword` is the keyword `do`.
    pub(super) fn ends_do(&self, do_keyword: impl Into<u8>) -> bool {
        let closing = self.previous();
        let before = self.token_at((closing.opener as usize).wrapping_sub(1));
        closing.closes(b'}') && before.is_keyword(do_keyword)
    }

    /// Returns the expression before the dot that precedes token `at`, such as `self.items` or `open(path)`. Returns
    /// `None` if there is no dot, and an empty span if the expression is too long or is not a chain of names, calls and
    /// subscripts.
    pub(super) fn receiver_at(&self, at: usize) -> Option<Span> {
        let dot = self.tokens.get(at.checked_sub(1)?).filter(|it| it.is_sign(b'.'))?;
        let unreadable = Span { start: dot.start, end: dot.start };
        let operand = |at: usize| match self.token_at(at) {
            token if token.kind == TokenKind::Close && token.code != b'}' => {
                Some(token.opener as usize)
            }
            token => matches!(token.kind, TokenKind::Word | TokenKind::Text | TokenKind::Number)
                .then_some(at),
        };
        let is_applied = |before: Token| matches!(before.kind, TokenKind::Word | TokenKind::Close);
        let is_dot = |at: usize| self.token_at(at).is_sign(b'.');
        let chain =
            at.checked_sub(2).and_then(|last| self.chain(last, operand, is_dot, is_applied));
        Some(chain.unwrap_or(unreadable))
    }

    /// Returns the expression that ends with token `last`. `operand` returns the index of the first token of the operand
    /// that ends at an index, or `None` if there is no operand. `is_separator` returns whether the token at an index
    /// separates two operands, and `is_applied` whether brackets after a token contain arguments or a subscript. Returns
    /// `None` if the expression is too long.
    pub(super) fn chain(
        &self,
        last: usize,
        operand: impl Fn(usize) -> Option<usize>,
        is_separator: impl Fn(usize) -> bool,
        is_applied: impl Fn(Token) -> bool,
    ) -> Option<Span> {
        let end = self.token_at(last).end;
        let mut first = last;
        loop {
            first = operand(first)?;
            let token = self.token_at(first);
            if end.saturating_sub(token.start) as usize > MAX_RECEIVER {
                return None;
            }
            let before = first.wrapping_sub(1);
            if is_separator(before) {
                first = first.checked_sub(2)?;
            } else if token.kind == TokenKind::Open
                && token.code != b'{'
                && is_applied(self.token_at(before))
            {
                first = before;
            } else {
                return Some(Span { start: token.start, end });
            }
        }
    }

    pub(super) fn level(&mut self) -> &mut Level<R> {
        self.inner.last_mut().unwrap_or(&mut self.outermost)
    }

    pub(super) fn is_outermost(&self) -> bool {
        self.inner.is_empty()
    }

    /// Returns an error if a bracket is still open.
    pub(super) fn check_closed(&self) -> Result<()> {
        if self.is_outermost() { Ok(()) } else { Err(Unsupported) }
    }

    /// Opens a bracket.
    pub(super) fn open_level(&mut self, content: R::Content, role: Role) {
        if role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_add(1);
        }
        self.inner.push(Level::new(content, role));
    }

    /// Closes the innermost bracket. Fails if no bracket is open. This can happen even though the lexer matches brackets,
    /// because the reader may have skipped an opening bracket as part of a header.
    pub(super) fn close_level(&mut self) -> Result<Level<R>> {
        let closed = self.inner.pop().ok_or(Unsupported)?;
        if closed.role == Role::Nested {
            self.builder.nesting = self.builder.nesting.saturating_sub(1);
        }
        Ok(closed)
    }

    /// Records the content and role of the bracket at token `bracket`, which the reader has not reached yet.
    pub(super) fn expect(&mut self, bracket: usize, content: R::Content, role: Role) {
        self.bodies.add(bracket, (content, role));
    }

    /// Returns the content and role that were recorded for the bracket at the current token.
    pub(super) fn expected(&mut self) -> Option<(R::Content, Role)> {
        self.bodies.take(self.at)
    }

    /// Makes the reader skip the tokens from `start` to `end` when it reaches them.
    pub(super) fn skip(&mut self, start: usize, end: usize) {
        if start < end {
            self.skipped.add(start, end);
        }
    }

    /// Records a branch or loop. The next brace at this level opens its block.
    pub(super) fn branch(&mut self, branch: Branch) {
        self.builder.branch(branch);
        self.level().ahead = Some((R::CODE, Role::Nested));
    }

    /// Records the current `if`. The `else` of an `else if` has already been counted.
    pub(super) fn if_branch(&mut self, else_keyword: impl Into<u8>) {
        let follows_else = self.previous().is_keyword(else_keyword);
        self.branch(if follows_else { Branch::Case } else { Branch::If });
    }

    /// Starts a closure without braces. It extends to the next comma, semicolon or closing bracket.
    pub(super) fn begin_closure(&mut self) {
        self.level().closures += 1;
        self.builder.nesting = self.builder.nesting.saturating_add(1);
    }

    pub(super) fn end_closures(&mut self) {
        let closures = std::mem::take(&mut self.level().closures);
        self.builder.nesting = self.builder.nesting.saturating_sub(closures);
    }

    pub(super) fn refer(&mut self, kind: ReferenceKind, name: Token, receiver: Option<Span>) {
        self.builder.refer(kind, name.span(), receiver, name.line);
    }

    /// Records a name that is a reference if it is known in the file.
    pub(super) fn name(&mut self, name: Token, receiver: Option<Span>) {
        self.builder.name(name.span(), receiver, name.line);
    }

    pub(super) fn operator(&mut self, sign: Token) {
        self.builder.operator(sign.code.into(), sign.span());
    }
}

/// Values, each with the index of the token at which it is needed. They are sorted so that the value that is needed
/// first is at the end.
struct Pending<T>(Vec<(usize, T)>);

impl<T> Pending<T> {
    fn add(&mut self, at: usize, value: T) {
        let position = self.0.partition_point(|(other, _)| *other > at);
        self.0.insert(position, (at, value));
    }

    /// Removes and returns the value for token `at`.
    fn take(&mut self, at: usize) -> Option<T> {
        self.0.pop_if(|(other, _)| *other == at).map(|(_, value)| value)
    }

    /// Removes and returns the next value if it is needed at token `at` or at an earlier token.
    fn take_reached(&mut self, at: usize) -> Option<T> {
        self.0.pop_if(|(other, _)| *other <= at).map(|(_, value)| value)
    }
}
