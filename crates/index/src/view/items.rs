//! Files, symbols and passages of a view, by number and by name.

use std::ops::{Range, RangeInclusive};

use syntax::{Complexity, Kind, Language};

use super::View;
use crate::codec::u32_at;
use crate::layout::{file, passage, symbol};
use crate::role::Role;
use crate::snapshot::{RawFile, Snapshot};
use crate::text::FIELDS;

/// A file of one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A symbol of one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A passage of one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassageId(pub u32);

/// A file's past.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHistory {
    /// Commits that touched it.
    pub commits: u32,
    /// Those in the ninety days before the newest commit.
    pub recent_commits: u32,
    /// When it was last touched, in seconds since 1970; zero when unknown.
    pub last_commit: i64,
    /// How many people touched it.
    pub authors: u32,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct File<'a> {
    /// Its number in this view.
    pub id: FileId,
    /// Relative to the root, with `/`.
    pub path: &'a str,
    /// The language it is written in, if a grammar knows it.
    pub language: Option<Language>,
    /// What it is for.
    pub role: Role,
    /// Its size.
    pub bytes: u32,
    /// Its lines; zero when it was not read as text.
    pub lines: u32,
    /// Tokens per field.
    pub lengths: [u32; FIELDS],
    /// Numbers of the symbols it defines, in the order of the source.
    pub symbols: Range<u32>,
    /// What git remembers of it.
    pub history: FileHistory,
    /// How central it is among the files; the mean is one.
    pub rank: f32,
}

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol<'a> {
    /// Its number in this view.
    pub id: SymbolId,
    /// The file it stands in.
    pub file: FileId,
    /// Its own name.
    pub name: &'a str,
    /// With everything around it, joined by dots.
    pub qualified: &'a str,
    /// What sort of thing it is.
    pub kind: Kind,
    /// From the first to the last line, counted from one.
    pub lines: RangeInclusive<u32>,
    /// Its head, cut.
    pub signature: &'a str,
    /// Its doc comment without marks, cut.
    pub doc: &'a str,
    /// The definition it stands in.
    pub parent: Option<SymbolId>,
    /// Of callables with a body.
    pub complexity: Option<Complexity>,
}

/// A stretch of a file that is ranked on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its number in this view.
    pub id: PassageId,
    /// The file it is in.
    pub file: FileId,
    /// The definition it is the text of.
    pub symbol: Option<SymbolId>,
    /// From the first to the last line, counted from one.
    pub lines: RangeInclusive<u32>,
    /// How many tokens it has.
    pub length: u32,
}

impl View {
    /// One more than the largest number of a file.
    pub fn file_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().files)
    }

    /// One more than the largest number of a symbol.
    pub fn symbol_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().symbols)
    }

    /// One more than the largest number of a passage.
    pub fn passage_slots(&self) -> usize {
        self.slots(|snapshot| snapshot.meta().passages)
    }

    fn slots(&self, count: impl Fn(&Snapshot) -> u32) -> usize {
        count(&self.base) as usize
            + self.overlay_snapshot().map_or(0, |overlay| count(overlay) as usize)
    }

    /// All files there are now.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.file_slots() as u32)
            .filter(|number| *number >= self.base.meta().files || !self.is_hidden(*number))
            .map(FileId)
    }

    pub(super) fn raw_file(&self, id: FileId) -> (RawFile<'_>, u32) {
        match (id.0.checked_sub(self.base.meta().files), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => (overlay.file(number), self.base.meta().symbols),
            _ => (self.base.file(id.0), 0),
        }
    }

    /// A file by its number.
    pub fn file(&self, id: FileId) -> File<'_> {
        let (raw, symbol_offset) = self.raw_file(id);
        let first = raw.number(file::FIRST_SYMBOL).saturating_add(symbol_offset);
        let last =
            first.saturating_add(raw.number(file::N_SYMBOLS)).min(self.symbol_slots() as u32);
        // What git remembers does not change when the file does; the snapshot of the changed files has no git.
        let past = self.past_of(id);
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
                commits: past.number(file::COMMITS),
                recent_commits: past.number(file::RECENT_COMMITS),
                last_commit: past.last_commit(),
                authors: past.number(file::N_AUTHORS),
            },
            rank: past.rank(),
        }
    }

    /// Names of those who touched a file most.
    pub fn authors(&self, id: FileId) -> Vec<&str> {
        self.past_of(id).authors()
    }

    fn past_of(&self, id: FileId) -> RawFile<'_> {
        match self.base_file(id) {
            Some(number) => self.base.file(number),
            None => self.raw_file(id).0,
        }
    }

    /// The file of the snapshot that this one is, or was before it changed.
    pub(super) fn base_file(&self, id: FileId) -> Option<u32> {
        let overlay_number = id.0.checked_sub(self.base.meta().files);
        match (overlay_number, &self.overlay) {
            (None, _) => Some(id.0),
            (Some(number), Some(overlay)) => overlay.twin_of_overlay.get(&number).copied(),
            (Some(_), None) => None,
        }
    }

    /// The path alone: cheaper than all of [`Self::file`].
    pub fn path(&self, id: FileId) -> &str {
        self.raw_file(id).0.path()
    }

    /// The role alone.
    pub fn role(&self, id: FileId) -> Role {
        self.raw_file(id).0.role()
    }

    /// The file with exactly this path.
    pub fn file_by_path(&self, path: &str) -> Option<FileId> {
        let in_overlay = self.overlay_snapshot().and_then(|overlay| overlay.file_by_path(path));
        match in_overlay {
            Some(number) => Some(FileId(self.base.meta().files + number)),
            None => {
                self.base.file_by_path(path).filter(|number| !self.is_hidden(*number)).map(FileId)
            }
        }
    }

    /// Files with this base name, in any case.
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

    /// Files whose path ends with these whole parts, in any case: `models/query.py`.
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

    /// A symbol by its number.
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

    /// The file of a symbol, without its texts.
    pub fn file_of(&self, id: SymbolId) -> FileId {
        let (snapshot, number, _, file_offset) = self.symbol_home(id);
        FileId(snapshot.symbol_row(number).number(symbol::FILE).saturating_add(file_offset))
    }

    fn symbol_home(&self, id: SymbolId) -> (&Snapshot, u32, u32, u32) {
        match (id.0.checked_sub(self.base.meta().symbols), self.overlay_snapshot()) {
            (Some(number), Some(overlay)) => {
                (overlay, number, self.base.meta().symbols, self.base.meta().files)
            }
            _ => (&self.base, id.0, 0, 0),
        }
    }

    /// The symbols a file defines, in the order of the source.
    pub fn symbols_in(&self, file: FileId) -> impl Iterator<Item = Symbol<'_>> + '_ {
        self.file(file).symbols.map(|number| self.symbol(SymbolId(number)))
    }

    /// The innermost definition around a line, counted from one.
    pub fn symbol_at(&self, file: FileId, line: u32) -> Option<SymbolId> {
        self.symbols_in(file)
            .filter(|symbol| symbol.lines.contains(&line))
            .min_by_key(|symbol| symbol.lines.end() - symbol.lines.start())
            .map(|symbol| symbol.id)
    }

    /// Symbols with exactly this name.
    pub fn symbols_named(&self, name: &str) -> Vec<SymbolId> {
        let mut found = self.symbols_named_like(name);
        found.retain(|id| self.symbol(*id).name == name);
        found
    }

    /// Symbols with this name in any case.
    pub fn symbols_named_like(&self, name: &str) -> Vec<SymbolId> {
        let name = name.to_lowercase();
        let mut found: Vec<SymbolId> = self
            .base
            .symbols_named(&name)
            .filter(|number| !self.is_hidden_symbol(*number))
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

    pub(super) fn is_hidden_symbol(&self, base_symbol: u32) -> bool {
        self.overlay.is_some()
            && self.is_hidden(self.base.symbol_row(base_symbol).number(symbol::FILE))
    }

    /// A passage by its number.
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
