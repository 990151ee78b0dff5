//! The kinds of arrows between files and symbols.

/// Why two things are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// Names it: as a type, a constant, a function passed along.
    References,
    /// Calls it, or makes one of it.
    Calls,
    /// Brings it into a file.
    Imports,
    /// Extends or implements it.
    Inherits,
    /// Tests it, by its name or by what it imports.
    Tests,
}

impl EdgeKind {
    /// All kinds in the order of their codes.
    pub const ALL: [Self; 5] =
        [Self::References, Self::Calls, Self::Imports, Self::Inherits, Self::Tests];

    /// The kind in one word.
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
