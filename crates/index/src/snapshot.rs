//! Reads a snapshot without decoding it as a whole. A snapshot is one immutable version of the index.
//!
//! Accessors do not fail: a damaged page is read as empty, and [`Snapshot::damaged`] then returns true. The indices
//! of files, symbols and passages are valid for one snapshot only. [`crate::View`] combines a snapshot with later
//! changes.

mod lists;

use std::cmp::Ordering;
use std::ops::Range;
use std::path::Path;

use syntax::{Complexity, Kind, Language};

use crate::assemble::FileStamp;
use crate::codec::{Cursor, u32_at, u64_at};
use crate::container::{Container, OpenError};
use crate::dictionary::Dictionary;
use crate::facts::ending;
use crate::history::HistoryState;
use crate::layout::{Section, directory, file, passage, profile, symbol};
use crate::role::Role;
use crate::text::{FIELDS, Field};
use crate::view::{Counts, FileId, Symbol, SymbolId};
pub use lists::EdgeKind;
pub(crate) use lists::{Direction, NumberList, StoredEdge};

/// The metadata of a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotMeta {
    /// The root folder of the tree.
    pub root: String,
    /// The current commit when the snapshot was built, or `None` if no git history was read.
    pub head: Option<String>,
    /// The part of the git history that the snapshot contains.
    pub history: HistoryState,
    /// The number of commits in that history.
    pub commits: u32,
    /// The build time, in seconds since the Unix epoch.
    pub built_at: i64,
    pub files: u32,
    pub symbols: u32,
    pub edges: u32,
    /// The number of distinct terms.
    pub terms: u32,
    pub passages: u32,
    /// Messages about files that were not indexed completely.
    pub problems: Vec<String>,
}

/// Sums over all files, used to compute averages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of files that contain text.
    pub files: u32,
    /// The number of tokens per field.
    pub lengths: [u64; FIELDS],
    /// The number of passages.
    pub passages: u32,
    /// The number of tokens in all passages.
    pub passage_length: u64,
}

pub struct Snapshot {
    container: Container,
    meta: SnapshotMeta,
    totals: Totals,
}

impl Snapshot {
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::over(Container::open(path)?)
    }

    /// Opens a snapshot from bytes that were assembled in this process.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        Self::over(Container::from_bytes(bytes)?)
    }

    /// Opens the snapshot in a container. The container may have more sections after those of the snapshot.
    pub(crate) fn over(container: Container) -> Result<Self, OpenError> {
        let (meta, totals) = read_meta(container.whole(Section::Meta as usize))
            .ok_or(OpenError::Damaged { what: "meta" })?;
        let holds = |section: Section, count: u32, size: usize| {
            container.len(section as usize) == count as usize * size
        };
        let fits = holds(Section::Files, meta.files, file::SIZE)
            && holds(Section::Symbols, meta.symbols, symbol::SIZE)
            && holds(Section::Passages, meta.passages, passage::SIZE)
            && holds(Section::Profiles, meta.files, profile::SIZE)
            && holds(Section::EdgesOutStarts, (meta.files + meta.symbols).saturating_add(1), 4);
        if fits {
            Ok(Self { container, meta, totals })
        } else {
            Err(OpenError::Damaged { what: "table sizes" })
        }
    }

    pub fn meta(&self) -> &SnapshotMeta {
        &self.meta
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns whether any read has found damage.
    pub fn damaged(&self) -> bool {
        self.container.damaged()
    }

    /// Reads and verifies every page. Returns false if a page is damaged, or if damage was found before.
    pub fn verify(&self) -> bool {
        self.container.verify_all()
    }

    pub(crate) fn container(&self) -> &Container {
        &self.container
    }

    pub(crate) fn identity(&self) -> [u8; 32] {
        self.container.identity()
    }

    /// Returns the size of the snapshot in bytes.
    pub fn size(&self) -> usize {
        self.container.size()
    }

    pub(crate) fn file(&self, number: u32) -> RawFile<'_> {
        RawFile { snapshot: self, row: self.record(Section::Files, number, file::SIZE) }
    }

    /// Returns a symbol with the ids that it has in a view. `before` states how many items the layers below the snapshot
    /// contain.
    pub(crate) fn symbol(&self, number: u32, before: Counts) -> Symbol<'_> {
        let row = self.symbol_row(number);
        let [name, qualified, signature, doc] =
            self.texts(Section::SymbolTexts, u32_at(row, symbol::TEXT_AT), |texts| {
                let qualified = texts.utf8();
                let name = match (texts.small() as usize).checked_sub(1) {
                    Some(length) => ending(qualified, length),
                    None => texts.utf8(),
                };
                [name, qualified, texts.utf8(), texts.utf8()]
            });
        let kind = usize::from(row.get(symbol::KIND).copied().unwrap_or(u8::MAX));
        let nesting = row.get(symbol::NESTING).copied().unwrap_or(0).checked_sub(1);
        let short = |at: usize| (u32_at(row, at) & 0xffff) as u16;
        let parent = u32_at(row, symbol::PARENT).checked_sub(1);
        Symbol {
            id: SymbolId(before.symbols.saturating_add(number)),
            file: FileId(before.files.saturating_add(u32_at(row, symbol::FILE))),
            name,
            qualified,
            kind: Kind::ALL.get(kind).copied().unwrap_or(Kind::Variable),
            lines: u32_at(row, symbol::FIRST_LINE)..=u32_at(row, symbol::LAST_LINE),
            signature,
            doc,
            parent: parent.map(|parent| SymbolId(before.symbols.saturating_add(parent))),
            complexity: nesting.map(|nesting| Complexity {
                cyclomatic: short(symbol::CYCLOMATIC),
                cognitive: short(symbol::COGNITIVE),
                nesting: u16::from(nesting),
            }),
        }
    }

    /// Returns the record of a symbol, without its strings. This is faster than [`Self::symbol`].
    pub(crate) fn symbol_row(&self, number: u32) -> &[u8] {
        self.record(Section::Symbols, number, symbol::SIZE)
    }

    pub(crate) fn passage_row(&self, number: u32) -> &[u8] {
        self.record(Section::Passages, number, passage::SIZE)
    }

    fn record(&self, section: Section, number: u32, size: usize) -> &[u8] {
        self.container.bytes(section as usize, number as usize * size, size)
    }

    /// Calls `read` with a cursor over the strings at position `at` of `section`, and returns the result. Calls `read`
    /// again if the strings continue on the next page. The cursor covers at most `MAX_TEXTS` bytes.
    fn texts<'a, T>(&'a self, section: Section, at: u32, read: impl Fn(&mut Cursor<'a>) -> T) -> T {
        const MAX_TEXTS: usize = 8 * 1024;
        let (section, at) = (section as usize, at as usize);
        let length = self.container.len(section).saturating_sub(at).min(MAX_TEXTS);
        // Most records' strings are within one page, so the next page is read only if it is needed.
        let near = self.container.bytes_in_page(section, at, length);
        let mut texts = Cursor::new(near);
        let found = read(&mut texts);
        if !texts.is_exhausted_early() || near.len() == length {
            return found;
        }
        read(&mut Cursor::new(self.container.bytes(section, at, length)))
    }

    fn dictionary(&self, section: Section) -> Dictionary<'_> {
        Dictionary::new(&self.container, section as usize)
    }

    /// Returns the data that a query needs to score a file.
    pub(crate) fn profile(&self, number: u32) -> FileProfile {
        let row = self.record(Section::Profiles, number, profile::SIZE);
        let short = |at: usize| u32_at(row, at) & 0xffff;
        let byte = |at: usize| row.get(at).copied().unwrap_or(u8::MAX);
        let (text, history) = (u32_at(row, profile::TEXT), short(profile::HISTORY));
        let (name, qualified) = (short(profile::NAME), short(profile::QUALIFIED));
        let (path, largest) = (byte(profile::PATH), history.max(name).max(qualified));
        let role = Role::of_code(byte(profile::ROLE));
        if text >= profile::TEXT_LIMIT || largest == 0xffff || path == u8::MAX {
            return FileProfile { lengths: self.file(number).lengths(), role };
        }
        let mut lengths = [0; FIELDS];
        lengths[Field::Body.slot()] = text;
        lengths[Field::History.slot()] = history;
        lengths[Field::Name.slot()] = name;
        lengths[Field::Qualified.slot()] = qualified;
        lengths[Field::Path.slot()] = path.into();
        FileProfile { lengths, role }
    }

    /// Returns the indices of a file's symbols.
    pub(crate) fn symbols_of(&self, number: u32) -> Range<u32> {
        let raw = self.file(number);
        let first = raw.number(file::FIRST_SYMBOL);
        let end = first.saturating_add(raw.number(file::N_SYMBOLS)).min(self.meta.symbols);
        first.min(end)..end
    }

    /// Returns the indices of a file's passages.
    pub(crate) fn passages_of(&self, file: u32) -> Range<u32> {
        let first = |file: u32| {
            let row = self.record(Section::Profiles, file, profile::SIZE);
            u32_at(row, profile::FIRST_PASSAGE)
        };
        let end = if file + 1 < self.meta.files { first(file + 1) } else { self.meta.passages };
        let end = end.min(self.meta.passages);
        first(file).min(end)..end
    }

    pub(crate) fn n_directories(&self) -> u32 {
        (self.container.len(Section::Directories as usize) / directory::SIZE) as u32
    }

    /// Returns the path of a directory and its modification time, in nanoseconds since the Unix epoch. Directories are
    /// sorted by path.
    pub(crate) fn directory(&self, number: u32) -> (&str, i64) {
        let row = self.record(Section::Directories, number, directory::SIZE);
        let path = self
            .texts(Section::DirectoryTexts, u32_at(row, directory::TEXT_AT), |texts| texts.utf8());
        (path, u64_at(row, directory::MODIFIED).cast_signed())
    }

    /// Returns the most recently modified directories with their modification times, newest first.
    pub(crate) fn newest_directories(&self) -> impl Iterator<Item = (&str, i64)> {
        let mut cursor = Cursor::new(self.container.whole(Section::NewestDirectories as usize));
        std::iter::from_fn(move || {
            let directory = (!cursor.is_empty()).then(|| (cursor.utf8(), cursor.signed()))?;
            (!cursor.is_exhausted_early()).then_some(directory)
        })
    }

    /// Returns the most recently modified files with their stamps, newest first.
    pub(crate) fn newest_files(&self) -> impl Iterator<Item = (&str, FileStamp)> {
        let mut cursor = Cursor::new(self.container.whole(Section::NewestFiles as usize));
        std::iter::from_fn(move || {
            let path = (!cursor.is_empty()).then(|| cursor.utf8())?;
            let stamp = FileStamp { modified: cursor.signed(), size: cursor.varint() };
            (!cursor.is_exhausted_early()).then_some((path, stamp))
        })
    }

    /// Finds a directory by its path.
    pub(crate) fn directory_by_path(&self, path: &str) -> Option<u32> {
        search_sorted(self.n_directories(), |number| self.directory(number).0.cmp(path))
    }

    /// Finds a file by its path. Files are sorted by path, so this is a binary search.
    pub(crate) fn file_by_path(&self, path: &str) -> Option<u32> {
        search_sorted(self.meta.files, |number| self.file(number).path().cmp(path))
    }
}

/// Finds the index for which `compare` returns `Equal`. `compare` must return `Less` for all lower indices and
/// `Greater` for all higher indices.
fn search_sorted(n_items: u32, compare: impl Fn(u32) -> Ordering) -> Option<u32> {
    let (mut low, mut high) = (0, n_items);
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Some(middle),
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// The data that a query needs to score a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileProfile {
    /// The number of tokens per field. If the elements for signatures, docs and strings are zero, the element for
    /// bodies may contain the total of all four.
    pub lengths: [u32; FIELDS],
    pub role: Role,
}

#[derive(Clone, Copy)]
pub(crate) struct RawFile<'a> {
    snapshot: &'a Snapshot,
    row: &'a [u8],
}

impl<'a> RawFile<'a> {
    pub(crate) fn path(&self) -> &'a str {
        self.texts(|texts| texts.utf8())
    }

    pub(crate) fn authors(&self) -> Vec<&'a str> {
        self.texts(|texts| {
            texts.text();
            let n_authors = texts.small().min(16);
            (0..n_authors).map(|_| texts.utf8()).collect()
        })
    }

    fn texts<T>(&self, read: impl Fn(&mut Cursor<'a>) -> T) -> T {
        self.snapshot.texts(Section::FileTexts, u32_at(self.row, file::TEXT_AT), read)
    }

    pub(crate) fn number(&self, at: usize) -> u32 {
        u32_at(self.row, at)
    }

    pub(crate) fn language(&self) -> Option<Language> {
        self.row.get(file::LANGUAGE).copied().and_then(Language::of_number)
    }

    pub(crate) fn role(&self) -> Role {
        Role::of_code(self.row.get(file::ROLE).copied().unwrap_or(u8::MAX))
    }

    pub(crate) fn lengths(&self) -> [u32; FIELDS] {
        std::array::from_fn(|slot| u32_at(self.row, file::LENGTHS + slot * 4))
    }

    pub(crate) fn last_commit(&self) -> i64 {
        u64_at(self.row, file::LAST_COMMIT).cast_signed()
    }

    pub(crate) fn rank(&self) -> f32 {
        let rank = f32::from_bits(u32_at(self.row, file::RANK));
        if rank.is_finite() { rank } else { 0.0 }
    }

    pub(crate) fn stamp(&self) -> FileStamp {
        FileStamp {
            modified: u64_at(self.row, file::MODIFIED).cast_signed(),
            size: u64_at(self.row, file::SIZE_ON_DISK),
        }
    }

    pub(crate) fn hash(&self) -> [u8; 16] {
        let mut hash = [0; 16];
        if let Some(bytes) = self.row.get(file::HASH..file::HASH + 16) {
            hash.copy_from_slice(bytes);
        }
        hash
    }
}

fn read_meta(bytes: &[u8]) -> Option<(SnapshotMeta, Totals)> {
    let mut cursor = Cursor::new(bytes);
    let root = cursor.utf8().to_owned();
    let head = Some(cursor.utf8().to_owned()).filter(|head| !head.is_empty());
    let history = HistoryState::of_code(cursor.byte());
    let commits = cursor.small();
    let built_at = cursor.signed();
    let [files, symbols, edges, terms, passages] = std::array::from_fn(|_| cursor.small());
    let text_files = cursor.small();
    let passage_length = cursor.varint();
    let lengths = std::array::from_fn(|_| cursor.varint());
    let n_problems = cursor.small();
    let mut problems = Vec::new();
    for _ in 0..n_problems {
        if cursor.is_exhausted_early() {
            return None;
        }
        problems.push(cursor.utf8().to_owned());
    }
    let meta = SnapshotMeta {
        root,
        head,
        history,
        commits,
        built_at,
        files,
        symbols,
        edges,
        terms,
        passages,
        problems,
    };
    let totals = Totals { files: text_files, lengths, passages, passage_length };
    (!cursor.is_exhausted_early()).then_some((meta, totals))
}
