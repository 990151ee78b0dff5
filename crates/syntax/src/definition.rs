//! Definitions, such as functions, types, constants and tests, and their signatures.

use std::ops::Range;

use crate::complexity::Complexity;
use crate::span::{Lines, Span, is_inside};

/// The index of a definition in [`crate::Outline::definitions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub u32);

impl DefinitionId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    pub kind: Kind,
    pub name: Span,
    /// The innermost definition that encloses this one.
    pub container: Option<DefinitionId>,
    /// The type that this definition belongs to, if the definition is not nested in that type, such as `Server` in
    /// `func (s *Server) Run()`.
    pub owner: Option<Span>,
    pub span: Span,
    pub lines: Lines,
    /// The source text before the body, truncated to 400 bytes.
    pub signature: Span,
    /// The comment above the definition, including comment markers, or the docstring inside it, without quotation
    /// marks.
    pub doc: Option<Span>,
    /// The complexity. `None` if the definition has no body or is not a function, method, constructor or test.
    pub complexity: Option<Complexity>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal)*) => {
        /// The kind of a definition. A language construct without its own kind is assigned the closest kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $($(#[$doc])* $kind),* }

        impl Kind {
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Module "module"
    Class "class"
    Struct "struct"
    Enum "enum"
    Interface "interface"
    Trait "trait"
    /// A block that adds members to a type that is defined elsewhere, such as `impl` or `extension`.
    Extension "extension"
    TypeAlias "type"
    Function "function"
    Method "method"
    Constructor "constructor"
    /// A test function or a named test case.
    Test "test"
    Macro "macro"
    Property "property"
    Field "field"
    Variant "variant"
    Constant "constant"
    Variable "variable"
}

impl Kind {
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Test)
    }

    /// Returns `Test` for a function or method if `is_test` is true. Other kinds do not change.
    pub(crate) fn or_test(self, is_test: bool) -> Self {
        let can_be_test = matches!(self, Self::Function | Self::Method);
        if is_test && can_be_test { Self::Test } else { self }
    }

    /// Returns the kind to record for a definition that is directly inside a definition of kind `enclosing`. A function
    /// in a type becomes a method.
    pub(crate) fn inside(self, enclosing: Option<Self>) -> Self {
        let is_method = self == Self::Function && enclosing.is_some_and(Self::has_methods);
        if is_method { Self::Method } else { self }
    }

    /// Returns whether a function directly inside a definition of this kind is a method.
    pub fn has_methods(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Struct
                | Self::Enum
                | Self::Interface
                | Self::Trait
                | Self::Extension
        )
    }
}

/// The maximum length of a signature in bytes. Longer signatures, which usually occur in generated code, are
/// truncated.
const MAX_SIGNATURE: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    AtLength,
    /// Truncates the signature at the maximum length or at the end of its first line, whichever comes first. Used for
    /// the definitions of values, such as constants and fields.
    AtLineEnd,
}

pub(crate) fn signature(source: &[u8], range: Range<usize>, cut: Cut) -> Span {
    let mut text = source.get(range.clone()).unwrap_or_default();
    if cut == Cut::AtLineEnd {
        text = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    }
    if text.len() > MAX_SIGNATURE {
        text = &text[..char_boundary(text, MAX_SIGNATURE)];
    }
    Span::new(range.start..range.start + without_opening(text).len())
}

/// Removes a `{`, `=>`, `=` or `;` from the end of the header. These characters separate the header from the body or
/// value.
fn without_opening(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let openings: [&[u8]; 4] = [b"{", b"=>", b"=", b";"];
    let opening = openings.into_iter().find_map(|opening| text.strip_suffix(opening));
    opening.unwrap_or(text).trim_ascii_end()
}

/// Returns the last character boundary at or before `at`.
fn char_boundary(text: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|index| !is_inside(text, *index)).unwrap_or(0)
}
