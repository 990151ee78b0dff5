//! Defines the sections of a snapshot and the layouts of its fixed-size records. The writer and the reader use the
//! same definitions.

/// The sections of a snapshot in file order. A dictionary consists of three consecutive sections: key blocks, block
/// starts and lists. Only the first of them is named here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    Meta = 0,
    Files = 1,
    FileTexts = 2,
    Symbols = 3,
    SymbolTexts = 4,
    Passages = 5,
    /// The dictionary that maps a term to its file postings and to the positions of its passage and symbol postings.
    Terms = 6,
    PassagePostings = 9,
    SymbolPostings = 10,
    /// The dictionary that maps a lower-case name to symbols.
    SymbolNames = 11,
    /// The dictionary that maps a lower-case base name to files.
    FileNames = 14,
    EdgesOutStarts = 17,
    EdgesOut = 18,
    EdgesInStarts = 19,
    EdgesIn = 20,
    CoChangeStarts = 21,
    /// For each file, the files that changed in the same commits.
    CoChanges = 22,
    /// The offsets of the lists in [`Section::Touches`].
    TouchStarts = 23,
    /// For each file, the days of its commits.
    Touches = 24,
    /// The directories, sorted by path.
    Directories = 25,
    DirectoryTexts = 26,
    /// The paths and modification times of the most recently modified directories, newest first. They duplicate entries
    /// of [`Section::Directories`], so that a search for recent changes reads few pages.
    NewestDirectories = 27,
    /// The paths and stamps of the most recently modified files, newest first. They duplicate data of the file records,
    /// so that a search for recent changes reads few pages.
    NewestFiles = 28,
    /// The data that a query needs to score a file. The records are small, so that scoring many files reads few pages.
    Profiles = 29,
}

pub(crate) const N_SECTIONS: usize = 30;

/// The additional sections of a patch, which follow the sections of a snapshot. All lists consist of `u32` values and
/// are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum PatchSection {
    /// The identity of the base snapshot, and the commit that was current when the patch was written.
    Binding = N_SECTIONS,
    /// The files of the base that the patch hides.
    HiddenFiles = N_SECTIONS + 1,
    /// The symbols of the hidden files, as ranges. [`PatchSection::HiddenPassages`] contains their passages in the
    /// same form.
    HiddenSymbols = N_SECTIONS + 2,
    HiddenPassages = N_SECTIONS + 3,
    /// Pairs of a hidden file and the file that replaces it. The indices of the patch's files follow those of the
    /// base's files.
    ReplacedFiles = N_SECTIONS + 4,
    /// Pairs of a hidden symbol and the symbol that replaces it.
    ReplacedSymbols = N_SECTIONS + 5,
    /// In a delta, the facts of its files, so that the next full build need not analyse them. Empty in a patch, whose
    /// facts are in packs.
    Facts = N_SECTIONS + 6,
}

/// The maximum number of items in [`Section::NewestDirectories`] and in [`Section::NewestFiles`].
pub(crate) const MAX_NEWEST: usize = 8_192;

/// The layout of a file record (112 bytes). All constants except `SIZE` are byte offsets.
pub(crate) mod file {
    pub(crate) const SIZE: usize = 112;
    pub(crate) const TEXT_AT: usize = 0;
    pub(crate) const LANGUAGE: usize = 4;
    pub(crate) const ROLE: usize = 5;
    pub(crate) const BYTES: usize = 8;
    pub(crate) const LINES: usize = 12;
    /// The number of tokens in each [`Field`](crate::text::Field), as eight `u32` values.
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

/// The layout of a symbol record (28 bytes). All constants except `SIZE` are byte offsets.
pub(crate) mod symbol {
    pub(crate) const SIZE: usize = 28;
    pub(crate) const FILE: usize = 0;
    /// The enclosing symbol's index plus one, or zero if there is none.
    pub(crate) const PARENT: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const TEXT_AT: usize = 16;
    pub(crate) const KIND: usize = 20;
    /// The nesting depth plus one, or zero if the symbol has no complexity values.
    pub(crate) const NESTING: usize = 21;
    pub(crate) const CYCLOMATIC: usize = 22;
    pub(crate) const COGNITIVE: usize = 24;
}

/// The layout of a passage record (20 bytes). All constants except `SIZE` are byte offsets.
pub(crate) mod passage {
    pub(crate) const SIZE: usize = 20;
    pub(crate) const FILE: usize = 0;
    /// The containing symbol's index plus one, or zero if the passage is outside all symbols.
    pub(crate) const SYMBOL: usize = 4;
    pub(crate) const FIRST_LINE: usize = 8;
    pub(crate) const LAST_LINE: usize = 12;
    pub(crate) const LENGTH: usize = 16;
}

/// The layout of a directory record (16 bytes). All constants except `SIZE` are byte offsets.
pub(crate) mod directory {
    pub(crate) const SIZE: usize = 16;
    /// The modification time, in nanoseconds since the Unix epoch.
    pub(crate) const MODIFIED: usize = 0;
    pub(crate) const TEXT_AT: usize = 8;
}

/// The layout of a profile record (16 bytes). All constants except `SIZE` and `TEXT_LIMIT` are byte offsets.
pub(crate) mod profile {
    pub(crate) const SIZE: usize = 16;
    /// Offset of the number of tokens in signatures, docs, strings and bodies.
    pub(crate) const TEXT: usize = 0;
    /// Offset of the number of tokens in the commit subjects, a `u16`. `NAME` and `QUALIFIED` have the same format.
    pub(crate) const HISTORY: usize = 4;
    pub(crate) const NAME: usize = 6;
    pub(crate) const QUALIFIED: usize = 8;
    /// The number of tokens in the path, as `u8`.
    pub(crate) const PATH: usize = 10;
    pub(crate) const ROLE: usize = 11;
    pub(crate) const FIRST_PASSAGE: usize = 12;
    /// Counts in `TEXT` are less than this limit, because `f32` cannot represent all larger integers exactly. If a
    /// count reaches the limit, `u32::MAX` is stored instead. If a count in another field does not fit, the maximum
    /// value of the field's type is stored. In both cases, the exact count is read from the file record.
    pub(crate) const TEXT_LIMIT: u32 = 1 << 24;
}
