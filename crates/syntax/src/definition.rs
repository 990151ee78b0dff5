//! Types for definitions, such as functions, types, constants and tests.

use crate::complexity::Complexity;
use crate::span::{Lines, Span};

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

/// The kind of a definition. A language construct without its own kind is assigned the closest kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Module,
    Class,
    Struct,
    Enum,
    Interface,
    Trait,
    /// A block that adds members to a type that is defined elsewhere, such as `impl` or `extension`.
    Extension,
    TypeAlias,
    Function,
    Method,
    Constructor,
    /// A test function or a named test case.
    Test,
    Macro,
    Property,
    Field,
    Variant,
    Constant,
    Variable,
}

impl Kind {
    pub const ALL: [Self; 18] = [
        Self::Module,
        Self::Class,
        Self::Struct,
        Self::Enum,
        Self::Interface,
        Self::Trait,
        Self::Extension,
        Self::TypeAlias,
        Self::Function,
        Self::Method,
        Self::Constructor,
        Self::Test,
        Self::Macro,
        Self::Property,
        Self::Field,
        Self::Variant,
        Self::Constant,
        Self::Variable,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Extension => "extension",
            Self::TypeAlias => "type",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Test => "test",
            Self::Macro => "macro",
            Self::Property => "property",
            Self::Field => "field",
            Self::Variant => "variant",
            Self::Constant => "constant",
            Self::Variable => "variable",
        }
    }

    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Test)
    }

    /// Returns the kind to record for a definition that is directly inside a definition of kind `enclosing`. A function
    /// in a type becomes a method. If `is_test` is true, a function or method becomes a test.
    pub(crate) fn inside(self, enclosing: Option<Self>, is_test: bool) -> Self {
        if is_test && matches!(self, Self::Function | Self::Method) {
            Self::Test
        } else if self == Self::Function && enclosing.is_some_and(Self::has_methods) {
            Self::Method
        } else {
            self
        }
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
