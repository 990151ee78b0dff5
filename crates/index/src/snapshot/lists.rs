//! The lists of a snapshot: postings, arrows, companions, days. Each decodes as it is read.

use super::Snapshot;
use crate::codec::{Cursor, u32_at};
use crate::edge::EdgeKind;
use crate::facts::counts;
use crate::layout::Section;
use crate::text::FIELDS;

/// An arrow as stored: the node at its other end, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RawArrow {
    pub(crate) other: u32,
    pub(crate) kind: EdgeKind,
    pub(crate) confidence: f32,
    pub(crate) line: u32,
}

impl Snapshot {
    /// In how many files a term stands.
    pub(crate) fn document_frequency(&self, term: &str) -> u32 {
        self.list(Section::Terms, term).count
    }

    /// Files with a term, ascending, with its counts per field.
    pub(crate) fn postings(&self, term: &str) -> impl Iterator<Item = (u32, [u32; FIELDS])> + '_ {
        let list = self.list(Section::Terms, term);
        let mut cursor = list.items;
        elsewhere(&mut cursor);
        elsewhere(&mut cursor);
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

    /// Passages with a term, ascending, with its count.
    pub(crate) fn passage_postings(&self, term: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut head = self.list(Section::Terms, term).items;
        let place = elsewhere(&mut head);
        self.pairs_at(Section::PassagePostings, place, self.meta.passages)
    }

    /// Symbols with a term in their name or their containers' names, with a mask of fields.
    pub(crate) fn symbol_postings(&self, term: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut head = self.list(Section::Terms, term).items;
        elsewhere(&mut head);
        let place = elsewhere(&mut head);
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

    /// Symbols whose name in lower case is `name`.
    pub(crate) fn symbols_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::SymbolNames, name, self.meta.symbols)
    }

    /// Files whose base name in lower case is `name`.
    pub(crate) fn files_named(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        ascending(self, Section::FileNames, name, self.meta.files)
    }

    /// Terms that start with `prefix`, ascending.
    pub(crate) fn terms_with_prefix(&self, prefix: &str, max: usize) -> Vec<String> {
        let mut terms = Vec::new();
        self.dictionary(Section::Terms).for_each_with_prefix(prefix.as_bytes(), |term, _| {
            terms.extend(std::str::from_utf8(term).map(str::to_owned));
            terms.len() < max
        });
        terms.truncate(max);
        terms
    }

    /// Arrows that leave `node`.
    pub(crate) fn arrows_from(&self, node: u32) -> impl Iterator<Item = RawArrow> + '_ {
        self.arrows(node, Section::EdgesOutStarts, Section::EdgesOut)
    }

    /// Arrows that reach `node`.
    pub(crate) fn arrows_into(&self, node: u32) -> impl Iterator<Item = RawArrow> + '_ {
        self.arrows(node, Section::EdgesInStarts, Section::EdgesIn)
    }

    fn arrows(
        &self,
        node: u32,
        starts: Section,
        edges: Section,
    ) -> impl Iterator<Item = RawArrow> + '_ {
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
            (!cursor.is_exhausted_early() && previous < n_nodes).then_some(RawArrow {
                other: previous,
                kind,
                confidence,
                line,
            })
        })
    }

    /// Files that changed together with `file`, strongest first, and in how many commits.
    pub(crate) fn co_changes(&self, file: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let n_files = self.meta.files;
        let mut cursor = self.slice_of(file, Section::CoChangeStarts, Section::CoChanges);
        std::iter::from_fn(move || {
            let pair = (!cursor.is_empty()).then(|| (cursor.small(), cursor.small()))?;
            (!cursor.is_exhausted_early()).then_some(pair)
        })
        .filter(move |(other, _)| *other < n_files)
    }

    /// Days since 1970 on which `file` was touched, newest first, one per commit.
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

    /// Folders and when their entries last changed.
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

/// How many items a list in another section has, where it starts there and how long it is.
fn elsewhere(head: &mut Cursor<'_>) -> (u32, u32, u32) {
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
