//! The kinds of edges between files and symbols.

/// The relation that an edge represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Refers to a type, a constant, or a function passed as a value.
    References,
    /// Calls a function or constructs a type.
    Calls,
    /// Imports a file or a symbol.
    Imports,
    /// Extends or implements a type.
    Inherits,
    /// Tests a file, by the test's name or by its imports.
    Tests,
}

impl EdgeKind {
    /// All kinds, ordered by their stored codes.
    pub const ALL: [Self; 5] =
        [Self::References, Self::Calls, Self::Imports, Self::Inherits, Self::Tests];

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::References => "references",
            Self::Calls => "calls",
            Self::Imports => "imports",
            Self::Inherits => "inherits",
            Self::Tests => "tests",
        }
    }

    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    pub(crate) fn of_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::References)
    }
}
