//! Defines the facts about the content of one file: terms, symbols, references, imports, bindings and passages.
//!
//! A fact record depends only on the content and the way it is read ([`Reading`]), so all paths, branches and
//! worktrees with the same content share one record.

mod analyse;
pub(crate) mod counts;
mod decode;
mod encode;
mod memo;
mod passages;
#[cfg(test)]
mod tests;

use syntax::{Kind, Language, ReferenceKind};

use crate::role::{ContentMark, Role, role_of};
use crate::text::FIELDS;
pub(crate) use analyse::{Analyser, MAX_FILE_BYTES, PARSE_TIMEOUT, decode_text, unread};
pub(crate) use decode::{FactsReader, check_record, ending, name_at};

/// The version of the analysis. It must be increased whenever the analysis of the same content produces different
/// facts.
pub(crate) const FACTS_VERSION: u32 = 7;

/// The maximum length in bytes of a symbol's stored doc comment.
pub(crate) const MAX_SYMBOL_TEXT: usize = 240;

/// How a file's content is read. If the same content is read in different ways, each way has its own fact record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Code(Language),
    /// Text that is read up to [`analyse::MAX_WORD_BYTES`].
    Prose,
    /// Text of which only the beginning is read, up to [`analyse::MAX_DATA_BYTES`].
    Data,
    /// Nothing is read. The file can be found only by its path.
    PathOnly,
}

impl Reading {
    pub(crate) fn of(path: &str, language: Option<Language>) -> Self {
        match language {
            Some(language) => Self::Code(language),
            // The histories of coding agents repeat the words of the prompts, so a search would find them before the
            // code.
            None if crate::role::agent_tool(path).is_some() => Self::PathOnly,
            None if crate::role::is_data(path) => Self::Data,
            None => Self::Prose,
        }
    }

    /// Returns how the file at `path` is read. The language of a script without a known extension is in its first line.
    pub(crate) fn of_content(path: &str, bytes: &[u8]) -> Self {
        Self::of(path, Language::of_path(path).or_else(|| Language::of_shebang(bytes)))
    }

    pub(crate) fn language(self) -> Option<Language> {
        match self {
            Self::Code(language) => Some(language),
            Self::Prose | Self::Data | Self::PathOnly => None,
        }
    }

    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Prose => 0,
            Self::Code(language) => language.number(),
            Self::Data => u8::MAX,
            Self::PathOnly => u8::MAX - 1,
        }
    }

    /// Returns the reading whose [`Self::code`] is `code`.
    pub(crate) fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Prose),
            u8::MAX => Some(Self::Data),
            code if code == u8::MAX - 1 => Some(Self::PathOnly),
            code => Language::of_number(code).map(Self::Code),
        }
    }
}

/// The values at the start of every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FactsHead {
    pub(crate) mark: ContentMark,
    pub(crate) language: Option<Language>,
    pub(crate) lines: u32,
    /// The number of tokens per field. Path and history are not part of the content, so their counts are zero.
    pub(crate) lengths: [u32; FIELDS],
}

impl FactsHead {
    /// Returns the role of a file with this content.
    pub(crate) fn role(&self, path: &str) -> Role {
        role_of(path, self.mark, self.language.is_some())
    }
}

/// A definition in a record of facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymbolFact<'a> {
    pub(crate) kind: Kind,
    pub(crate) name: &'a str,
    pub(crate) qualified: &'a str,
    /// The enclosing definition, as a position in the file's list of definitions.
    pub(crate) container: Option<u32>,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    pub(crate) signature: &'a str,
    pub(crate) doc: &'a str,
    pub(crate) complexity: Option<syntax::Complexity>,
    /// The terms of the symbol's name and of its container's name, each with a bit mask of the fields that contain it.
    pub(crate) terms: TermList<'a>,
}

/// A range of lines that is ranked separately. It contains one definition without its nested definitions, or lines
/// outside all definitions, or a part of either if it is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PassageFact<'a> {
    pub(crate) symbol: Option<u32>,
    pub(crate) first_line: u32,
    pub(crate) last_line: u32,
    /// The number of tokens in the passage.
    pub(crate) length: u32,
    /// The terms with their counts. Empty if the file has only one passage, because the counts can then be derived from
    /// those of the file.
    pub(crate) terms: TermList<'a>,
}

/// A list of terms, each with a number. A term is stored as its position in the file's list of terms. The number is a
/// count or a bit mask of fields.
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

/// A reference to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceFact<'a> {
    pub(crate) kind: ReferenceKind,
    pub(crate) name: &'a str,
    /// The expression before the dot as a chain, such as `self.app.test_client()`, or empty if there is no dot.
    pub(crate) receiver: &'a str,
    pub(crate) enclosing: Option<u32>,
}

/// One imported name. `item` is empty if a whole module is imported, `*` if all names of a module are imported, and
/// [`ImportFact::FILE`] if a file is imported by its path in a string or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ImportFact<'a> {
    pub(crate) path: &'a str,
    pub(crate) item: &'a str,
    pub(crate) line: u32,
}

impl ImportFact<'_> {
    pub(crate) const FILE: &'static str = "/";
}

/// The value of [`ReferenceFact::receiver`] for calls on an expression that is not a chain, such as a sum.
pub(crate) const UNNAMED: &str = "?";
/// The value of [`ReferenceFact::receiver`] for calls on a literal, such as `", ".join(names)`.
pub(crate) const LITERAL: &str = "\"";

pub(crate) const REFERENCE_KINDS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Macro,
    ReferenceKind::Type,
    ReferenceKind::Inherit,
    ReferenceKind::Use,
];
