//! Looks up the files, symbols and passages of a view by number and by name.

use std::ops::{Range, RangeInclusive};

use syntax::{Complexity, Kind, Language};

use super::View;
use crate::codec::u32_at;
use crate::layout::{file, passage, symbol};
use crate::role::Role;
use crate::snapshot::{FileProfile, RawFile, Snapshot};
use crate::text::FIELDS;

/// The maximum number of symbols that a search by name returns.
const MAX_SAME_NAME: usize = 8_192;

/// The number of a file, valid for one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// The number of a symbol, valid for one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// The number of a passage, valid for one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassageId(pub u32);

/// The git history of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHistory {
    /// The number of commits that changed the file.
    pub commits: u32,
    /// The number of commits that changed the file in the ninety days before the newest commit of the repository.
    pub recent_commits: u32,
    /// The time of the last commit in seconds since the Unix epoch, or zero if the time is unknown.
    pub last_commit: i64,
    /// The number of distinct authors of all commits that changed the file.
    pub authors: u32,
}

/// A file in a view.
#[derive(Clone, Debug, PartialEq)]
pub struct File<'a> {
    pub id: FileId,
    /// The path relative to the root, separated by `/`.
    pub path: &'a str,
    /// The language, or `None` if it is unknown or not supported.
    pub language: Option<Language>,
    pub role: Role,
    /// The size in bytes.
    pub bytes: u32,
    /// The number of lines, or zero if the file was not read as text.
    pub lines: u32,
    /// The number of tokens per field.
    pub lengths: [u32; FIELDS],
    /// The numbers of the file's symbols, in source order.
    pub symbols: Range<u32>,
    pub history: FileHistory,
    /// The centrality of the file. The mean over all files of the snapshot is 1.
    pub rank: f32,
}

/// A definition in a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol<'a> {
    pub id: SymbolId,
    pub file: FileId,
    pub name: &'a str,
    /// The qualified name: the names of the enclosing definitions and of this one, joined by dots.
    pub qualified: &'a str,
    pub kind: Kind,
    /// The first and last line, counted from 1.
    pub lines: RangeInclusive<u32>,
    /// The signature: the text before the body, shortened.
    pub signature: &'a str,
    /// The doc comment without comment markers, shortened.
    pub doc: &'a str,
    /// The enclosing definition.
    pub parent: Option<SymbolId>,
    /// The complexity, or `None` if the symbol is not a function with a body.
    pub complexity: Option<Complexity>,
}

/// A range of lines that is ranked separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    pub id: PassageId,
    pub file: FileId,
    /// The definition that the passage belongs to, or `None` if it is outside all definitions.
    pub symbol: Option<SymbolId>,
    /// The first and last line, counted from 1.
    pub lines: RangeInclusive<u32>,
    /// The number of tokens in the passage.
    pub length: u32,
}

impl View {
    /// Returns the exclusive upper bound of all file numbers, including those of hidden files.
    pub fn file_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().files)
    }

    /// Returns the exclusive upper bound of all symbol numbers, including those of hidden symbols.
    pub fn symbol_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().symbols)
    }

    /// Returns the exclusive upper bound of all passage numbers, including those of hidden passages.
    pub fn passage_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().passages)
    }

    fn slots(&self, count: impl Fn(&Snapshot) -> u32) -> usize {
        count(&self.base) as usize
            + self.overlay_snapshot().map_or(0, |overlay| count(overlay) as usize)
    }

    /// Returns all files that are not hidden.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.file_slots() as u32)
            .filter(|number| *number >= self.base.meta().files || !self.is_hidden(*number))
            .map(FileId)
    }

    /// Returns the record of a file, and the number to add to its symbol numbers to get those of the view.
    pub(super) fn raw_file(&self, id: FileId) -> (RawFile<'_>, u32) {
        match (id.0.checked_sub(self.base.meta().files), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => (overlay.file(number), self.base.meta().symbols),
            _ => (self.base.file(id.0), 0),
        }
    }

    pub fn file(&self, id: FileId) -> File<'_> {
        let (raw, symbol_offset) = self.raw_file(id);
        let first = raw.number(file::FIRST_SYMBOL).saturating_add(symbol_offset);
        let last =
            first.saturating_add(raw.number(file::N_SYMBOLS)).min(self.symbol_slots() as u32);
        // A changed file keeps its git history and rank, which only the base snapshot has.
        let history = self.history_of(id);
        File {
            id,
            path: raw.path(),
            language: raw.language(),
            role: raw.role(),
            bytes: raw.number(file::BYTES),
            lines: raw.number(file::LINES),
            lengths: raw.lengths(),
            symbols: first.min(last)..last,
            history: FileHistory {
                commits: history.number(file::COMMITS),
                recent_commits: history.number(file::RECENT_COMMITS),
                last_commit: history.last_commit(),
                authors: history.number(file::N_AUTHORS),
            },
            rank: history.rank(),
        }
    }

    /// Returns the names of the file's most frequent authors.
    pub fn authors(&self, id: FileId) -> Vec<&str> {
        self.history_of(id).authors()
    }

    fn history_of(&self, id: FileId) -> RawFile<'_> {
        match self.base_file(id) {
            Some(number) => self.base.file(number),
            None => self.raw_file(id).0,
        }
    }

    /// Returns the number of a file in the base snapshot. For a changed file, this is the number of the version that it
    /// replaces. Returns `None` for a new file.
    pub(super) fn base_file(&self, id: FileId) -> Option<u32> {
        let overlay_number = id.0.checked_sub(self.base.meta().files);
        match (overlay_number, &self.overlay) {
            (None, _) => Some(id.0),
            (Some(number), Some(overlay)) => overlay.base_of_overlay.get(&number).copied(),
            (Some(_), None) => None,
        }
    }

    /// Returns the path of a file. Faster than [`Self::file`].
    pub fn path(&self, id: FileId) -> &str {
        self.raw_file(id).0.path()
    }

    /// Returns the role of a file. Faster than [`Self::file`].
    pub fn role(&self, id: FileId) -> Role {
        self.profile(id).role
    }

    /// Returns the data that a query needs to score a file. Faster than [`Self::file`].
    pub fn profile(&self, id: FileId) -> FileProfile {
        match (id.0.checked_sub(self.base.meta().files), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => overlay.profile(number),
            _ => self.base.profile(id.0),
        }
    }

    /// Returns the numbers of the passages of a file.
    pub fn passages_of(&self, id: FileId) -> Range<u32> {
        match (id.0.checked_sub(self.base.meta().files), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => {
                let (range, offset) = (overlay.passages_of(number), self.base.meta().passages);
                range.start.saturating_add(offset)..range.end.saturating_add(offset)
            }
            _ => self.base.passages_of(id.0),
        }
    }

    /// Finds a file by its exact path.
    pub fn file_by_path(&self, path: &str) -> Option<FileId> {
        let in_overlay = self.overlay_snapshot().and_then(|overlay| overlay.file_by_path(path));
        match in_overlay {
            Some(number) => Some(FileId(self.base.meta().files + number)),
            None => {
                self.base.file_by_path(path).filter(|number| !self.is_hidden(*number)).map(FileId)
            }
        }
    }

    /// Finds files by base name, ignoring case.
    pub fn files_with_name(&self, name: &str) -> Vec<FileId> {
        let name = name.to_lowercase();
        let mut found: Vec<FileId> = self
            .base
            .files_named(&name)
            .filter(|number| !self.is_hidden(*number))
            .map(FileId)
            .collect();
        if let Some(overlay) = self.overlay_snapshot() {
            found.extend(
                overlay.files_named(&name).map(|number| FileId(self.base.meta().files + number)),
            );
        }
        found
    }

    /// Finds files by the last parts of their paths, such as `models/query.py`, ignoring case.
    pub fn files_with_suffix(&self, suffix: &str) -> Vec<FileId> {
        let suffix = suffix.trim_start_matches('/');
        let name = suffix.rsplit('/').next().unwrap_or(suffix);
        let mut found = self.files_with_name(name);
        found.retain(|id| {
            let path = self.path(*id);
            let start = path.len().checked_sub(suffix.len());
            start.is_some_and(|start| {
                path.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(suffix))
                    && (start == 0 || path.as_bytes().get(start - 1) == Some(&b'/'))
            })
        });
        found
    }

    pub fn symbol(&self, id: SymbolId) -> Symbol<'_> {
        let (snapshot, number, offset, file_offset) = self.symbol_home(id);
        let raw = snapshot.symbol(number);
        Symbol {
            id,
            file: FileId(raw.number(symbol::FILE).saturating_add(file_offset)),
            name: raw.name,
            qualified: raw.qualified,
            kind: raw.kind(),
            lines: raw.number(symbol::FIRST_LINE)..=raw.number(symbol::LAST_LINE),
            signature: raw.signature,
            doc: raw.doc,
            parent: raw
                .number(symbol::PARENT)
                .checked_sub(1)
                .map(|parent| SymbolId(parent.saturating_add(offset))),
            complexity: raw.complexity(),
        }
    }

    /// Returns the file that contains a symbol, without reading the symbol's strings.
    pub fn file_of(&self, id: SymbolId) -> FileId {
        let (snapshot, number, _, file_offset) = self.symbol_home(id);
        FileId(snapshot.symbol_row(number).number(symbol::FILE).saturating_add(file_offset))
    }

    /// Returns the snapshot that contains a symbol, and the symbol's number there. The last two values are added to
    /// symbol and file numbers of that snapshot to get the numbers of the view.
    fn symbol_home(&self, id: SymbolId) -> (&Snapshot, u32, u32, u32) {
        match (id.0.checked_sub(self.base.meta().symbols), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => {
                (overlay, number, self.base.meta().symbols, self.base.meta().files)
            }
            _ => (&self.base, id.0, 0, 0),
        }
    }

    /// Returns the symbols of a file in source order.
    pub fn symbols_in(&self, file: FileId) -> impl Iterator<Item = Symbol<'_>> + '_ {
        self.file(file).symbols.map(|number| self.symbol(SymbolId(number)))
    }

    /// Returns the innermost definition that contains `line`. Lines are counted from 1.
    pub fn symbol_at(&self, file: FileId, line: u32) -> Option<SymbolId> {
        self.symbols_in(file)
            .filter(|symbol| symbol.lines.contains(&line))
            .min_by_key(|symbol| symbol.lines.end() - symbol.lines.start())
            .map(|symbol| symbol.id)
    }

    /// Finds symbols by their exact name.
    pub fn symbols_named(&self, name: &str) -> Vec<SymbolId> {
        let mut found = self.symbols_named_like(name);
        found.retain(|id| self.symbol(*id).name == name);
        found
    }

    /// Finds symbols by name, ignoring case. Returns at most 8,192 symbols of the snapshot, because a more common name
    /// does not identify anything.
    pub fn symbols_named_like(&self, name: &str) -> Vec<SymbolId> {
        let name = name.to_lowercase();
        let mut found: Vec<SymbolId> = self
            .base
            .symbols_named(&name)
            .filter(|number| !self.is_hidden_symbol(*number))
            .take(MAX_SAME_NAME)
            .map(SymbolId)
            .collect();
        if let Some(overlay) = self.overlay_snapshot() {
            found.extend(
                overlay
                    .symbols_named(&name)
                    .map(|number| SymbolId(self.base.meta().symbols + number)),
            );
        }
        found
    }

    pub fn passage(&self, id: PassageId) -> Passage {
        let (row, symbol_offset, file_offset) =
            match (id.0.checked_sub(self.base.meta().passages), self.overlay_snapshot()) {
                (Some(number), Some(overlay)) => {
                    (overlay.passage_row(number), self.base.meta().symbols, self.base.meta().files)
                }
                _ => (self.base.passage_row(id.0), 0, 0),
            };
        Passage {
            id,
            file: FileId(u32_at(row, passage::FILE).saturating_add(file_offset)),
            symbol: u32_at(row, passage::SYMBOL)
                .checked_sub(1)
                .map(|number| SymbolId(number.saturating_add(symbol_offset))),
            lines: u32_at(row, passage::FIRST_LINE)..=u32_at(row, passage::LAST_LINE),
            length: u32_at(row, passage::LENGTH),
        }
    }
}
