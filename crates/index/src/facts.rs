//! What is known of one file's content, apart from where it lies: terms, symbols, references, imports.
//!
//! Encoded as bytes that depend on the content and its language alone, so one record serves every path, branch
//! and worktree that holds the same bytes. The record is made once and read at every merge.

mod analyse;
pub(crate) mod counts;
mod decode;
mod encode;
mod memo;
mod passages;
#[cfg(test)]
mod tests;

use syntax::{Kind, Language, ReferenceKind};

use crate::text::FIELDS;
pub use analyse::FileLimits;
pub(crate) use analyse::{Analyst, unread};
pub(crate) use decode::{FactsReader, ending};

/// Raised whenever the same bytes would give other facts.
pub(crate) const FACTS_VERSION: u32 = 2;

/// Texts kept per symbol are cut to this many bytes.
pub(crate) const MAX_SYMBOL_TEXT: usize = 240;

/// How a file's bytes are read. The same bytes may be read in several ways, each with facts of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Code(Language),
    /// Words, all of them.
    Prose,
    /// Words, of the beginning only.
    Data,
}

impl Reading {
    pub(crate) fn of(path: &str, language: Option<Language>) -> Self {
        match language {
            Some(language) => Self::Code(language),
            None if crate::role::is_data(path) => Self::Data,
            None => Self::Prose,
        }
    }

    pub(crate) fn language(self) -> Option<Language> {
        match self {
            Self::Code(language) => Some(language),
            Self::Prose | Self::Data => None,
        }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Prose => 0,
            Self::Code(language) => language as u8 + 1,
            Self::Data => u8::MAX,
        }
    }
}

/// What stands before the lists of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FactsHead {
    pub(crate) mark: crate::role::ContentMark,
    pub(crate) language: Option<Language>,
    pub(crate) lines: u32,
    /// Tokens per field; the path is not content and stays zero.
    pub(crate) lengths: [u32; FIELDS],
}

/// A definition as the merge sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymbolFact<'a> {
    pub(crate) kind: Kind,
    pub(crate) name: &'a str,
    pub(crate) qualified: &'a str,
    /// Position of the enclosing definition in the same file.
    pub(crate) container: Option<u32>,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) signature: &'a str,
    pub(crate) doc: &'a str,
    pub(crate) complexity: Option<syntax::Complexity>,
    /// The terms of its name and of what encloses it.
    pub(crate) terms: TermList<'a>,
}

/// A stretch of a file that is ranked on its own: the text of one definition without those inside it, or a piece of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PassageFact<'a> {
    pub(crate) symbol: Option<u32>,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    /// How many tokens it has.
    pub(crate) length: u32,
    /// How often each term stands in it; empty for the only passage of a file, whose counts are the file's.
    pub(crate) terms: TermList<'a>,
}

/// Terms by their place among the file's terms, each with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TermList<'a> {
    count: u32,
    encoded: crate::codec::Cursor<'a>,
}

impl TermList<'_> {
    pub(crate) fn is_empty(self) -> bool {
        self.count == 0
    }

    pub(crate) fn for_each(self, mut visit: impl FnMut(u32, u32)) {
        let mut cursor = self.encoded;
        let mut place = 0_u32;
        for _ in 0..self.count {
            let (step, number) = cursor.step();
            place = place.saturating_add(step);
            if cursor.is_exhausted_early() {
                return;
            }
            visit(place, number);
        }
    }
}

/// A place that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceFact<'a> {
    pub(crate) kind: ReferenceKind,
    pub(crate) name: &'a str,
    /// The last name before the dot; empty when there is no dot.
    pub(crate) receiver: &'a str,
    pub(crate) line: u32,
    pub(crate) enclosing: Option<u32>,
}

/// One imported name; `item` is empty for a whole module and `*` for everything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ImportFact<'a> {
    pub(crate) path: &'a str,
    pub(crate) item: &'a str,
    pub(crate) alias: &'a str,
    pub(crate) line: u32,
}

/// Stands for a receiver that is not a name: a literal, the result of a call.
pub(crate) const UNNAMED: &str = "?";

pub(crate) const REFERENCE_KINDS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Macro,
    ReferenceKind::Type,
    ReferenceKind::Inherit,
    ReferenceKind::Use,
];
