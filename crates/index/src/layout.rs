//! The sections of a snapshot and the shape of its fixed records. Writer and reader agree here and nowhere else.

/// Sections in the order they are written. A dictionary takes three: keys, block starts, lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    Meta = 0,
    Files = 1,
    FileTexts = 2,
    Symbols = 3,
    SymbolTexts = 4,
    Passages = 5,
    /// Dictionary: term to file postings, with the places of its passage and symbol postings.
    Terms = 6,
    PassagePostings = 9,
    SymbolPostings = 10,
    /// Dictionary: lower-case symbol name to symbols.
    SymbolNames = 11,
    /// Dictionary: lower-case base name to files.
    FileNames = 14,
    EdgesOutStarts = 17,
    EdgesOut = 18,
    EdgesInStarts = 19,
    EdgesIn = 20,
    CoChangeStarts = 21,
    CoChanges = 22,
    /// For each file the days of its commits.
    TouchStarts = 23,
    Touches = 24,
    Directories = 25,
}

pub(crate) const N_SECTIONS: usize = 26;

/// One file: 112 bytes.
pub(crate) mod file {
    pub(crate) const SIZE: usize = 112;
    pub(crate) const TEXT_AT: usize = 0;
    pub(crate) const LANGUAGE: usize = 4;
    pub(crate) const ROLE: usize = 5;
    pub(crate) const BYTES: usize = 8;
    pub(crate) const LINES: usize = 12;
    /// Eight numbers.
    pub(crate) const LENGTHS: usize = 16;
    pub(crate) const FIRST_SYMBOL: usize = 48;
    pub(crate) const N_SYMBOLS: usize = 52;
    pub(crate) const COMMITS: usize = 56;
    pub(crate) const RECENT_COMMITS: usize = 60;
    pub(crate) const LAST_COMMIT: usize = 64;
    pub(crate) const N_AUTHORS: usize = 72;
    pub(crate) const RANK: usize = 76;
    pub(crate) const MODIFIED: usize = 80;
    pub(crate) const SIZE_ON_DISK: usize = 88;
    pub(crate) const HASH: usize = 96;
}

/// One symbol: 28 bytes.
pub(crate) mod symbol {
    pub(crate) const SIZE: usize = 28;
    pub(crate) const FILE: usize = 0;
    /// Number of the parent plus one.
    pub(crate) const PARENT: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const TEXT_AT: usize = 16;
    pub(crate) const KIND: usize = 20;
    /// Nesting plus one, zero when the symbol has no complexity.
    pub(crate) const NESTING: usize = 21;
    pub(crate) const CYCLOMATIC: usize = 22;
    pub(crate) const COGNITIVE: usize = 24;
}

/// One passage: 20 bytes.
pub(crate) mod passage {
    pub(crate) const SIZE: usize = 20;
    pub(crate) const FILE: usize = 0;
    /// Number of the symbol plus one.
    pub(crate) const SYMBOL: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const LENGTH: usize = 16;
}
