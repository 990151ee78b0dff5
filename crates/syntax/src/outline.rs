//! The result: everything found in one file, as spans into its bytes.

use crate::definition::{Definition, DefinitionId};
use crate::language::Language;
use crate::span::{Lines, Span};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub language: Language,
    /// In the order of the source: a container precedes what it contains.
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
    pub imports: Vec<Import>,
    /// String literals without their quotes; empty ones are left out.
    pub strings: Vec<Text>,
    /// Comments, those on successive lines as one, except the ones that are a definition's doc.
    pub comments: Vec<Text>,
    pub problems: Vec<Problem>,
}

impl Outline {
    pub(crate) fn empty(language: Language) -> Self {
        Self {
            language,
            definitions: Vec::new(),
            references: Vec::new(),
            imports: Vec::new(),
            strings: Vec::new(),
            comments: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The name with everything around it, parts joined by dots: `Server.Options.retries`.
    pub fn qualified_name(&self, id: DefinitionId, source: &[u8]) -> String {
        let mut parts = Vec::new();
        let mut next = Some(id);
        // Ids only point backwards, so the chain ends.
        while let Some(definition) = next.and_then(|id| self.definitions.get(id.index())) {
            parts.push(String::from_utf8_lossy(definition.name.of(source)));
            if let Some(owner) = definition.owner {
                parts.push(String::from_utf8_lossy(owner.of(source)));
            }
            next = definition.container;
        }
        parts.reverse();
        parts.join(".").replace("::", ".").replace('\\', ".")
    }

    /// The types a class, struct or extension is declared to extend or implement.
    pub fn supertypes(&self, id: DefinitionId) -> impl Iterator<Item = &Reference> {
        self.references
            .iter()
            .filter(move |it| it.kind == ReferenceKind::Inherit && it.enclosing == Some(id))
    }
}

/// A place that names something defined elsewhere, here or in another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub kind: ReferenceKind,
    /// The last part of the name: `spawn` in `tokio::task::spawn(…)`.
    pub name: Span,
    /// What stands before it, if short: `tokio::task`, `self`, `request.user`.
    pub receiver: Option<Span>,
    pub line: u32,
    pub enclosing: Option<DefinitionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceKind {
    Call,
    Macro,
    Type,
    Inherit,
    /// A value: a constant, an enum variant, a function passed along. A plain name counts only if it
    /// is imported or defined at the top of this file, and once per enclosing definition.
    Use,
}

impl ReferenceKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Macro => "macro",
            Self::Type => "type",
            Self::Inherit => "inherit",
            Self::Use => "use",
        }
    }
}

/// One imported name; `from a import b, c` makes two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module as written, without quotes: `crate::store`, `..models`, `./button`, `net/http`.
    pub path: String,
    pub imported: Imported,
    /// The name it has here when that differs.
    pub alias: Option<Span>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// The module itself.
    Module,
    /// Everything in it.
    All,
    /// One name out of it.
    Item(Span),
}

/// A comment or string literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    pub span: Span,
    pub lines: Lines,
}

/// Why the outline may be incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// The grammar did not understand the text from this line on; only the first few are listed.
    Syntax,
    /// Longer than the limit; nothing was read.
    TooLarge,
    /// The deadline passed; what was read before it stays.
    OutOfTime,
    /// The grammar does not fit the parser.
    Grammar,
}
