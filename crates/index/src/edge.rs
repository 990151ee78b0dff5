//! Defines the kinds of edges between files and symbols.

/// The relation that an edge represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A reference to a type, a constant or another value that is not a function.
    References,
    /// A call to a function, the construction of a type, or a function that is passed as a value.
    Calls,
    /// An import of a file or a symbol.
    Imports,
    /// A type that extends or implements another type.
    Inherits,
    /// A test file that tests a source file, according to the test file's name or imports.
    Tests,
}

impl EdgeKind {
    /// All kinds, in the order of their stored codes.
    pub const ALL: [Self; 5] =
        [Self::References, Self::Calls, Self::Imports, Self::Inherits, Self::Tests];

    /// Returns the name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::References => "references",
            Self::Calls => "calls",
            Self::Imports => "imports",
            Self::Inherits => "inherits",
            Self::Tests => "tests",
        }
    }

    pub(crate) fn of_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::References)
    }
}
