//! Types for a file's outline. Names, comments and string literals are stored as spans of the source. Import paths are
//! stored as strings.

use crate::binding::Binding;
use crate::definition::{Definition, DefinitionId};
use crate::languages::Language;
use crate::span::{Lines, Span, is_inside};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub language: Language,
    /// The definitions in source order. Each container precedes its members.
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
    pub imports: Vec<Import>,
    /// The statements from which the types of names can be derived. Bindings for supertypes exist in all languages. All
    /// other bindings exist only in Python, Rust, Go, JavaScript and TypeScript.
    pub bindings: Vec<Binding>,
    /// String literals without their quotation marks. Empty strings are omitted.
    pub strings: Vec<Text>,
    /// All comments except doc comments of definitions. Comments on successive lines are merged.
    pub comments: Vec<Text>,
    pub problems: Vec<OutlineProblem>,
}

impl Outline {
    pub(crate) fn empty(language: Language) -> Self {
        Self {
            language,
            definitions: Vec::new(),
            references: Vec::new(),
            imports: Vec::new(),
            bindings: Vec::new(),
            strings: Vec::new(),
            comments: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the definition's name, preceded by the names of the enclosing definitions and joined by dots:
    /// `Server.Options.retries`.
    pub fn qualified_name(&self, id: DefinitionId, source: &[u8]) -> String {
        let mut parts = Vec::new();
        let mut next = Some(id);
        // Each container precedes its members, so the loop terminates.
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

    /// Extends each span that starts or ends inside a multi-byte character to include that character. Nested spans stay
    /// nested.
    pub(crate) fn extend_to_characters(&mut self, source: &[u8]) {
        for span in self.spans() {
            while span.start > 0 && is_inside(source, span.start as usize) {
                span.start -= 1;
            }
            while is_inside(source, span.end as usize) {
                span.end += 1;
            }
        }
    }

    /// Returns all spans of the source.
    fn spans(&mut self) -> impl Iterator<Item = &mut Span> {
        let definitions = self.definitions.iter_mut().flat_map(|it| {
            [&mut it.name, &mut it.span, &mut it.signature]
                .into_iter()
                .chain(&mut it.owner)
                .chain(&mut it.doc)
        });
        let references = self
            .references
            .iter_mut()
            .flat_map(|it| [&mut it.name].into_iter().chain(&mut it.receiver));
        let imports = self.imports.iter_mut().flat_map(|it| {
            let item = match &mut it.imported {
                Imported::Item(name) => Some(name),
                Imported::Module | Imported::All | Imported::File => None,
            };
            item.into_iter().chain(&mut it.alias)
        });
        let texts = self.strings.iter_mut().chain(&mut self.comments).map(|it| &mut it.span);
        definitions.chain(references).chain(imports).chain(texts)
    }
}

/// The maximum length of a receiver in bytes. A longer receiver is recorded as an empty span.
pub(crate) const MAX_RECEIVER: usize = 2000;

/// A use of a name that is defined in this or another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    pub kind: ReferenceKind,
    /// The last part of the name, such as `spawn` in `tokio::task::spawn(…)`.
    pub name: Span,
    /// The text before the name, such as `tokio::task`, `self` or `request.user`. `None` if there is no such text; an
    /// empty span if the text is too long to be recorded.
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
    /// A use as a value: a constant, an enum variant, or a function passed as an argument. A plain name is recorded
    /// once per enclosing definition, and only if this file imports or defines it.
    Use,
}

/// One imported name. `from a import b, c` produces two imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The module path without quotation marks, such as `crate::store`, `..models`, `./button` or `net/http`. The path
    /// is usually the one in the source, but `mod store;` in Rust produces `self::store`, and `require_relative` in
    /// Ruby adds `./`.
    pub path: String,
    pub imported: Imported,
    /// The local name, if it differs from the imported name.
    pub alias: Option<Span>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Imported {
    /// The module itself.
    Module,
    /// All names in the module.
    All,
    /// One name in the module.
    Item(Span),
    /// A file of any kind that a string or an attribute refers to, such as a template, a style sheet or a script.
    File,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    pub span: Span,
    pub lines: Lines,
}

/// A reason why an outline may be incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineProblem {
    pub kind: ProblemKind,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// A syntax error on this line. At most 20 problems are listed per file.
    Syntax,
    /// The source exceeds the size limit, so nothing was read.
    TooLarge,
    /// The deadline passed, so the outline is empty or covers only the first part of the file.
    OutOfTime,
    /// The grammar is not compatible with the parser.
    Grammar,
}
