//! Looks up the files, symbols and passages of a view by id and by name.

use std::ops::{Range, RangeInclusive};

use syntax::{Complexity, Kind, Language};

use super::layer::{Counts, Layer};
use super::{Node, View};
use crate::codec::u32_at;
use crate::layout::{file, passage, symbol};
use crate::role::Role;
use crate::snapshot::{FileProfile, RawFile};
use crate::text::{FIELDS, Field};

/// The maximum number of symbols that a search by name returns from each layer.
const MAX_SAME_NAME: usize = 8_192;

/// The id of a file. It is valid for one view only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// The id of a symbol. It is valid for one view only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// The id of a passage. It is valid for one view only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassageId(pub u32);

/// The git history of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileHistory {
    /// The number of commits that changed the file.
    pub commits: u32,
    /// The number of commits that changed the file in the ninety days before the repository's newest commit.
    pub recent_commits: u32,
    /// The time of the last commit that changed the file, in seconds since the Unix epoch, or zero if it is unknown.
    pub last_commit: i64,
    /// The number of distinct authors of the commits that changed the file.
    pub authors: u32,
}

/// A file in a view.
#[derive(Clone, Debug, PartialEq)]
pub struct File<'a> {
    pub id: FileId,
    /// The path relative to the root, with `/` as the separator.
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
    /// The ids of the file's symbols, in source order.
    pub symbols: Range<u32>,
    pub history: FileHistory,
    /// The centrality of the file. The mean centrality of all files in the snapshot is 1.
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
    /// Returns the exclusive upper bound of all file ids, including those of hidden files.
    pub fn file_slots(&self) -> usize {
        self.counts().files as usize
    }

    /// Returns how many files, symbols and passages all layers contain together, including hidden ones.
    pub(crate) fn counts(&self) -> Counts {
        self.upper.last().unwrap_or(&self.base).end()
    }

    /// Returns all files that are not hidden.
    pub fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.file_slots() as u32).filter(|number| !self.is_hidden(*number)).map(FileId)
    }

    /// Returns the layer that contains the item with the id `number`. `first` selects the count for this kind of item
    /// from [`Layer::before`]. This count is also the first id in the layer.
    fn layer_at(&self, number: u32, first: impl Fn(&Counts) -> u32) -> &Layer {
        let mut upper = self.upper.iter().rev();
        upper.find(|layer| first(&layer.before) <= number).unwrap_or(&self.base)
    }

    pub(super) fn layer_of_file(&self, id: FileId) -> &Layer {
        self.layer_at(id.0, |before| before.files)
    }

    pub(super) fn layer_of_symbol(&self, id: SymbolId) -> &Layer {
        self.layer_at(id.0, |before| before.symbols)
    }

    /// Returns the record of a file, and the layer that contains it.
    pub(super) fn raw_file(&self, id: FileId) -> (RawFile<'_>, &Layer) {
        let layer = self.layer_of_file(id);
        (layer.snapshot.file(id.0 - layer.before.files), layer)
    }

    /// Returns the ids of a file's symbols.
    pub(super) fn symbols_of(&self, id: FileId) -> Range<u32> {
        let layer = self.layer_of_file(id);
        let range = layer.snapshot.symbols_of(id.0 - layer.before.files);
        moved(&range, layer.before.symbols)
    }

    pub fn file(&self, id: FileId) -> File<'_> {
        let (raw, layer) = self.raw_file(id);
        let first = raw.number(file::FIRST_SYMBOL).saturating_add(layer.before.symbols);
        let last = first.saturating_add(raw.number(file::N_SYMBOLS)).min(self.counts().symbols);
        // A changed file keeps its git history and rank, which only the base snapshot contains.
        let history = self.history_of(id);
        File {
            id,
            path: raw.path(),
            language: raw.language(),
            role: raw.role(),
            bytes: raw.number(file::BYTES),
            lines: raw.number(file::LINES),
            lengths: with_history(raw.lengths(), history.lengths()),
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

    /// Returns the names of the authors with the most commits that changed the file, in descending order of their
    /// number of commits.
    pub fn authors(&self, id: FileId) -> Vec<&str> {
        self.history_of(id).authors()
    }

    fn history_of(&self, id: FileId) -> RawFile<'_> {
        match self.base_file(id) {
            Some(number) => self.base.snapshot.file(number),
            None => self.raw_file(id).0,
        }
    }

    /// Returns the index of a file in the base snapshot. For a changed file, this is the index of the version that it
    /// replaces. Returns `None` for a new file.
    pub(super) fn base_file(&self, id: FileId) -> Option<u32> {
        let mut number = id.0;
        for layer in self.upper.iter().rev() {
            if number >= layer.before.files {
                number = layer.replacements().files.old_of(number)?;
            }
        }
        Some(number)
    }

    /// Returns the newest version of a file of the base snapshot, or `None` if the file was deleted.
    pub(super) fn newest_version(&self, base: u32) -> Option<FileId> {
        match self.current_node(&self.base, base) {
            Some(Node::File(file)) => Some(file),
            Some(Node::Symbol(_)) | None => None,
        }
    }

    /// Returns the path of a file. This is faster than [`Self::file`].
    pub fn path(&self, id: FileId) -> &str {
        self.raw_file(id).0.path()
    }

    /// Returns the role of a file. This is faster than [`Self::file`].
    pub fn role(&self, id: FileId) -> Role {
        self.profile(id).role
    }

    /// Returns the data that a query needs to score a file. This is faster than [`Self::file`].
    pub fn profile(&self, id: FileId) -> FileProfile {
        let layer = self.layer_of_file(id);
        let profile = layer.snapshot.profile(id.0 - layer.before.files);
        if layer.before.files == 0 {
            return profile;
        }
        let Some(base) = self.base_file(id) else { return profile };
        let first = self.base.snapshot.profile(base);
        FileProfile { lengths: with_history(profile.lengths, first.lengths), ..profile }
    }

    /// Returns the ids of a file's passages.
    pub fn passages_of(&self, id: FileId) -> Range<u32> {
        let layer = self.layer_of_file(id);
        let range = layer.snapshot.passages_of(id.0 - layer.before.files);
        moved(&range, layer.before.passages)
    }

    /// Finds a file by its exact path.
    pub fn file_by_path(&self, path: &str) -> Option<FileId> {
        self.layers().rev().find_map(|layer| {
            let number = layer.snapshot.file_by_path(path)?.saturating_add(layer.before.files);
            (!self.is_hidden(number)).then_some(FileId(number))
        })
    }

    /// Finds files by base name, ignoring case.
    pub fn files_with_name(&self, name: &str) -> Vec<FileId> {
        let name = name.to_lowercase();
        let in_layer = |layer: &Layer| {
            let numbers = layer.snapshot.files_named(&name);
            numbers.map(|number| number.saturating_add(layer.before.files)).collect::<Vec<u32>>()
        };
        let numbers = self.layers().flat_map(in_layer);
        numbers.filter(|number| !self.is_hidden(*number)).map(FileId).collect()
    }

    /// Finds the files whose paths end with the components in `suffix`, for example `models/query.py`. Case is ignored.
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
        let layer = self.layer_of_symbol(id);
        layer.snapshot.symbol(id.0 - layer.before.symbols, layer.before)
    }

    /// Returns the file that contains a symbol, without reading the symbol's strings.
    pub fn file_of(&self, id: SymbolId) -> FileId {
        let layer = self.layer_of_symbol(id);
        let row = layer.snapshot.symbol_row(id.0 - layer.before.symbols);
        FileId(u32_at(row, symbol::FILE).saturating_add(layer.before.files))
    }

    /// Returns the symbols of a file in source order.
    pub fn symbols_in(&self, file: FileId) -> impl Iterator<Item = Symbol<'_>> + '_ {
        self.file(file).symbols.map(|number| self.symbol(SymbolId(number)))
    }

    /// Returns the innermost definition in `file` that contains `line`. Lines are counted from 1.
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

    /// Finds symbols by name, ignoring case. Returns at most 8,192 symbols from each layer, because a name that is
    /// more common does not identify anything.
    pub fn symbols_named_like(&self, name: &str) -> Vec<SymbolId> {
        let name = name.to_lowercase();
        let in_layer = |layer: &Layer| {
            let numbers = layer.snapshot.symbols_named(&name);
            let numbers = numbers.map(|number| number.saturating_add(layer.before.symbols));
            let visible = numbers.filter(|number| !self.is_hidden_symbol(*number));
            visible.take(MAX_SAME_NAME).map(SymbolId).collect::<Vec<SymbolId>>()
        };
        self.layers().flat_map(in_layer).collect()
    }

    pub fn passage(&self, id: PassageId) -> Passage {
        let layer = self.layer_at(id.0, |before| before.passages);
        let row = layer.snapshot.passage_row(id.0 - layer.before.passages);
        Passage {
            id,
            file: FileId(u32_at(row, passage::FILE).saturating_add(layer.before.files)),
            symbol: u32_at(row, passage::SYMBOL)
                .checked_sub(1)
                .map(|number| SymbolId(number.saturating_add(layer.before.symbols))),
            lines: u32_at(row, passage::FIRST_LINE)..=u32_at(row, passage::LAST_LINE),
            length: u32_at(row, passage::LENGTH),
        }
    }
}

/// Converts a range of indices in a snapshot to ids in the view. `by` is the number of items in the layers below.
fn moved(range: &Range<u32>, by: u32) -> Range<u32> {
    range.start.saturating_add(by)..range.end.saturating_add(by)
}

/// Returns the lengths of the fields of a changed file: those of its new text, and that of its git history, which only the
/// base snapshot contains.
fn with_history(mut lengths: [u32; FIELDS], in_base: [u32; FIELDS]) -> [u32; FIELDS] {
    lengths[Field::History.slot()] = in_base[Field::History.slot()];
    lengths
}
