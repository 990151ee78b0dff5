//! Reads the lists in a snapshot: postings, edges, co-changes and commit days. Lists are decoded during iteration.

use std::ops::Range;

use super::Snapshot;
use crate::codec::{Cursor, u32_at};
use crate::dictionary::KeyList;
use crate::layout::Section;
use crate::posting_list::{List, ListBytes, file_item, number_item};
use crate::text::FIELDS;

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

/// An edge as stored in the list of one of its nodes. `other` is the node at the opposite end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StoredEdge {
    pub(crate) other: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) confidence: f32,
    pub(crate) line: u32,
}

/// A posting list of a term whose items are not files.
#[derive(Clone, Copy)]
pub(crate) enum NumberList {
    Passages,
    /// The symbols whose name, or whose container's name, contains the term.
    Symbols,
}

/// Whether the edges that start at a node are read, or those that end there.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Outgoing,
    Incoming,
}

impl Snapshot {
    /// Returns the number of files that contain a term.
    pub(crate) fn document_frequency(&self, term: &str) -> u32 {
        self.term(term).map_or(0, |term| term.n_files)
    }

    /// Returns the files that contain a term, in ascending order, each with the number of occurrences in each field. If
    /// many files contain the term, returns only those in which the term is most prominent.
    pub(crate) fn best_postings(
        &self,
        term: &str,
    ) -> impl Iterator<Item = (u32, [u32; FIELDS])> + '_ {
        let list = self.term(term).map(|term| List::of_files(term.n_files, term.files).1);
        let n_files = self.meta.files;
        list.into_iter().flat_map(move |list| list.iter(n_files, file_item))
    }

    /// Calls `visit` for each file in the ranges `files` that contains a term. The ranges must be sorted and must not
    /// overlap.
    pub(crate) fn for_each_posting_in(
        &self,
        term: &str,
        files: &[Range<u32>],
        visit: impl FnMut(u32, [u32; FIELDS]),
    ) {
        if let Some(term) = self.term(term) {
            List::of_files(term.n_files, term.files).0.for_each_in(files, file_item, visit);
        }
    }

    /// Calls `visit` for each item of a list of a term that is in `ranges`, with the number of occurrences in a passage, or
    /// a bit mask of the fields of a symbol. The ranges must be sorted and must not overlap. Returns the total number of
    /// items.
    pub(crate) fn for_each_number_in(
        &self,
        term: &str,
        list: NumberList,
        ranges: &[Range<u32>],
        visit: impl FnMut(u32, u32),
    ) -> u32 {
        let Some(term) = self.term(term) else { return 0 };
        let KeyList { n_items, bytes } = match list {
            NumberList::Passages => term.passages,
            NumberList::Symbols => term.symbols,
        };
        List::of_numbers(n_items, bytes).for_each_in(ranges, number_item, visit);
        n_items
    }

    fn term(&self, term: &str) -> Option<TermLists<'_>> {
        let KeyList { n_items, bytes } = self.dictionary(Section::Terms).get(term.as_bytes())?;
        let start = bytes.part(0..TermLists::MAX_HEAD);
        let mut head = Cursor::new(start);
        let [passages, symbols] =
            [Section::PassagePostings, Section::SymbolPostings].map(|section| {
                let (n_items, at, length) = list_location(&mut head);
                let (container, section) = (&self.container, section as usize);
                let bytes =
                    ListBytes { container, section, at: at as usize, length: length as usize };
                KeyList { n_items, bytes }
            });
        let files = bytes.from(start.len() - head.remaining());
        Some(TermLists { n_files: n_items, files, passages, symbols })
    }

    /// Returns the symbols whose name, converted to lower case, is `name`.
    pub(crate) fn symbols_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::SymbolNames, name, self.meta.symbols)
    }

    /// Returns the files whose base name, converted to lower case, is `name`.
    pub(crate) fn files_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::FileNames, name, self.meta.files)
    }

    /// Returns the edges that start or end at `node`. A reference that occurs on several lines has several consecutive
    /// edges.
    pub(crate) fn edges(
        &self,
        node: u32,
        direction: Direction,
    ) -> impl Iterator<Item = StoredEdge> + '_ {
        let (starts, edges) = match direction {
            Direction::Outgoing => (Section::EdgesOutStarts, Section::EdgesOut),
            Direction::Incoming => (Section::EdgesInStarts, Section::EdgesIn),
        };
        let n_nodes = self.meta.files.saturating_add(self.meta.symbols);
        let mut cursor = self.slice_of(node, starts, edges);
        let mut previous = 0_u32;
        std::iter::from_fn(move || {
            if cursor.is_empty() {
                return None;
            }
            previous = previous.saturating_add(cursor.small());
            let kind = EdgeKind::of_code(cursor.byte());
            let confidence = f32::from(cursor.byte()) / 255.0;
            let line = cursor.small();
            (!cursor.is_exhausted_early() && previous < n_nodes).then_some(StoredEdge {
                other: previous,
                kind,
                confidence,
                line,
            })
        })
    }

    /// Returns the files that changed in the same commits as `file`, each with the number of such commits, in
    /// descending order of this number.
    pub(crate) fn co_changes(&self, file: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let n_files = self.meta.files;
        let mut cursor = self.slice_of(file, Section::CoChangeStarts, Section::CoChanges);
        std::iter::from_fn(move || {
            let pair = (!cursor.is_empty()).then(|| (cursor.small(), cursor.small()))?;
            (!cursor.is_exhausted_early()).then_some(pair)
        })
        .filter(move |(other, _)| *other < n_files)
    }

    /// Returns the day of each commit that changed `file`, in days since the Unix epoch, newest first.
    pub(crate) fn touch_days(&self, file: u32) -> impl Iterator<Item = u32> + '_ {
        let mut cursor = self.slice_of(file, Section::TouchStarts, Section::Touches);
        let mut previous: Option<u32> = None;
        std::iter::from_fn(move || {
            let step = (!cursor.is_empty()).then(|| cursor.small())?;
            let day = previous.map_or(step, |day| day.saturating_sub(step));
            previous = Some(day);
            Some(day)
        })
    }

    fn slice_of(&self, item: u32, starts: Section, lists: Section) -> Cursor<'_> {
        let bounds = self.container.bytes(starts as usize, item as usize * 4, 8);
        let (start, end) = (u32_at(bounds, 0) as usize, u32_at(bounds, 4) as usize);
        if end < start {
            self.container.note_damage();
            return Cursor::new(&[]);
        }
        Cursor::new(self.container.bytes(lists as usize, start, end - start))
    }
}

/// Reads the item count, position and byte length of a list that is stored in another section.
fn list_location(head: &mut Cursor<'_>) -> (u32, u32, u32) {
    match head.small() {
        0 => (0, 0, 0),
        count => (count, head.small(), head.small()),
    }
}

/// The posting lists of a term.
#[derive(Clone, Copy)]
struct TermLists<'a> {
    n_files: u32,
    files: ListBytes<'a>,
    passages: KeyList<'a>,
    symbols: KeyList<'a>,
}

impl TermLists<'_> {
    /// The maximum size in bytes of the header, which contains the locations of the passage and symbol lists and
    /// precedes the file list.
    const MAX_HEAD: usize = 60;
}

fn ascending<'a>(
    snapshot: &'a Snapshot,
    section: Section,
    key: &str,
    bound: u32,
) -> impl Iterator<Item = u32> + 'a {
    let list = snapshot.dictionary(section).get(key.as_bytes());
    list.into_iter().flat_map(move |list| {
        let mut cursor = Cursor::new(list.bytes.part(0..list.bytes.length));
        let mut previous = 0_u32;
        (0..list.n_items)
            .map_while(move |_| {
                previous = previous.saturating_add(cursor.small());
                (!cursor.is_exhausted_early()).then_some(previous)
            })
            .take_while(move |number| *number < bound)
    })
}
