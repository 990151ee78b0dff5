//! The sections of a snapshot and the layout of its fixed-size records, shared by writer and reader.

/// The sections in file order. A dictionary has three: keys, block starts, lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    Meta = 0,
    Files = 1,
    FileTexts = 2,
    Symbols = 3,
    SymbolTexts = 4,
    Passages = 5,
    /// Dictionary from a term to its file postings and to the positions of its passage and symbol postings.
    Terms = 6,
    PassagePostings = 9,
    SymbolPostings = 10,
    /// Dictionary from a lower-case name to symbols.
    SymbolNames = 11,
    /// Dictionary from a lower-case base name to files.
    FileNames = 14,
    EdgesOutStarts = 17,
    EdgesOut = 18,
    EdgesInStarts = 19,
    EdgesIn = 20,
    CoChangeStarts = 21,
    CoChanges = 22,
    /// The days of each file's commits.
    TouchStarts = 23,
    Touches = 24,
    Directories = 25,
}

pub(crate) const N_SECTIONS: usize = 26;

/// A file record of 112 bytes.
pub(crate) mod file {
    pub(crate) const SIZE: usize = 112;
    pub(crate) const TEXT_AT: usize = 0;
    pub(crate) const LANGUAGE: usize = 4;
    pub(crate) const ROLE: usize = 5;
    pub(crate) const BYTES: usize = 8;
    pub(crate) const LINES: usize = 12;
    /// The number of tokens in each of the eight fields.
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

/// A symbol record of 28 bytes.
pub(crate) mod symbol {
    pub(crate) const SIZE: usize = 28;
    pub(crate) const FILE: usize = 0;
    /// The number of the parent plus one, or zero.
    pub(crate) const PARENT: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const TEXT_AT: usize = 16;
    pub(crate) const KIND: usize = 20;
    /// The nesting plus one, or zero if the symbol has no complexity.
    pub(crate) const NESTING: usize = 21;
    pub(crate) const CYCLOMATIC: usize = 22;
    pub(crate) const COGNITIVE: usize = 24;
}

/// A passage record of 20 bytes.
pub(crate) mod passage {
    pub(crate) const SIZE: usize = 20;
    pub(crate) const FILE: usize = 0;
    /// The number of the symbol plus one, or zero.
    pub(crate) const SYMBOL: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const LENGTH: usize = 16;
}
