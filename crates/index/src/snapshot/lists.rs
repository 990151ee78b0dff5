//! Reads the lists of a snapshot: postings, edges, co-changes, days of commits. Lists are decoded during iteration.

use super::Snapshot;
use crate::codec::{Cursor, u32_at};
use crate::edge::EdgeKind;
use crate::facts::counts;
use crate::layout::Section;
use crate::text::FIELDS;

/// An edge as stored in the list of one of its nodes. `other` is the node at the opposite end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StoredEdge {
    pub(crate) other: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) confidence: f32,
    pub(crate) line: u32,
}

impl Snapshot {
    /// Returns the number of files that contain a term.
    pub(crate) fn document_frequency(&self, term: &str) -> u32 {
        self.list(Section::Terms, term).count
    }

    /// Returns the files that contain a term, in ascending order, with the count per field.
    pub(crate) fn postings(&self, term: &str) -> impl Iterator<Item = (u32, [u32; FIELDS])> + '_ {
        let list = self.list(Section::Terms, term);
        let mut cursor = list.items;
        list_location(&mut cursor);
        list_location(&mut cursor);
        let n_files = self.meta.files;
        let mut previous = 0_u32;
        (0..list.count)
            .map_while(move |_| {
                previous = previous.saturating_add(cursor.small());
                let found = counts::read(&mut cursor);
                (!cursor.is_exhausted_early()).then_some((previous, found))
            })
            .take_while(move |(file, _)| *file < n_files)
    }

    /// Returns the passages that contain a term, in ascending order, each with the number of occurrences.
    pub(crate) fn passage_postings(&self, term: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut head = self.list(Section::Terms, term).items;
        let place = list_location(&mut head);
        self.pairs_at(Section::PassagePostings, place, self.meta.passages)
    }

    /// Returns the symbols whose name or container's name contains a term, each with a mask of fields.
    pub(crate) fn symbol_postings(&self, term: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut head = self.list(Section::Terms, term).items;
        list_location(&mut head);
        let place = list_location(&mut head);
        self.pairs_at(Section::SymbolPostings, place, self.meta.symbols)
    }

    fn pairs_at(
        &self,
        section: Section,
        (count, at, length): (u32, u32, u32),
        bound: u32,
    ) -> impl Iterator<Item = (u32, u32)> + '_ {
        let bytes = self.container.bytes(section as usize, at as usize, length as usize);
        pairs(Cursor::new(bytes), count, bound)
    }

    /// Returns the symbols whose lower-case name is `name`.
    pub(crate) fn symbols_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::SymbolNames, name, self.meta.symbols)
    }

    /// Returns the files whose lower-case base name is `name`.
    pub(crate) fn files_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::FileNames, name, self.meta.files)
    }

    /// Returns up to `max` terms that start with `prefix`, in ascending order.
    pub(crate) fn terms_with_prefix(&self, prefix: &str, max: usize) -> Vec<String> {
        let mut terms = Vec::new();
        self.dictionary(Section::Terms).for_each_with_prefix(prefix.as_bytes(), |term, _| {
            terms.extend(std::str::from_utf8(term).map(str::to_owned));
            terms.len() < max
        });
        terms.truncate(max);
        terms
    }

    /// Returns the edges that start at `node`. A reference on several lines gives several successive edges.
    pub(crate) fn edges_from(&self, node: u32) -> impl Iterator<Item = StoredEdge> + '_ {
        self.edges(node, Section::EdgesOutStarts, Section::EdgesOut)
    }

    /// Returns the edges that end at `node`. A reference on several lines gives several successive edges.
    pub(crate) fn edges_into(&self, node: u32) -> impl Iterator<Item = StoredEdge> + '_ {
        self.edges(node, Section::EdgesInStarts, Section::EdgesIn)
    }

    fn edges(
        &self,
        node: u32,
        starts: Section,
        edges: Section,
    ) -> impl Iterator<Item = StoredEdge> + '_ {
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

    /// Returns the directories with their modification times, in nanoseconds since the Unix epoch.
    pub(crate) fn directories(&self) -> Vec<(&str, i64)> {
        let mut cursor = Cursor::new(self.container.whole(Section::Directories as usize));
        let n_directories = cursor.varint();
        let mut directories = Vec::new();
        for _ in 0..n_directories {
            let directory = (cursor.utf8(), cursor.signed());
            if cursor.is_exhausted_early() {
                break;
            }
            directories.push(directory);
        }
        directories
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

/// Reads the item count, position and byte length of a list in another section.
fn list_location(head: &mut Cursor<'_>) -> (u32, u32, u32) {
    match head.small() {
        0 => (0, 0, 0),
        count => (count, head.small(), head.small()),
    }
}

fn pairs(mut cursor: Cursor<'_>, count: u32, bound: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
    let mut previous = 0_u32;
    (0..count)
        .map_while(move |_| {
            let (step, payload) = cursor.step();
            previous = previous.saturating_add(step);
            (!cursor.is_exhausted_early()).then_some((previous, payload))
        })
        .take_while(move |(owner, _)| *owner < bound)
}

fn ascending<'a>(
    snapshot: &'a Snapshot,
    section: Section,
    key: &str,
    bound: u32,
) -> impl Iterator<Item = u32> + 'a {
    let list = snapshot.list(section, key);
    let mut cursor = list.items;
    let mut previous = 0_u32;
    (0..list.count)
        .map_while(move |_| {
            previous = previous.saturating_add(cursor.small());
            (!cursor.is_exhausted_early()).then_some(previous)
        })
        .take_while(move |number| *number < bound)
}
