//! Checks a record of facts that another machine produced.
//!
//! Reading a record never panics, even if its bytes are arbitrary. The check refuses records that this program would
//! not have written, so that an unexpected record is reported instead of being read in part.

use super::super::{REFERENCE_KINDS, Reading, counts};
use super::{FactsReader, symbol, term_list};
use crate::codec::Cursor;
use crate::role::ContentMark;
use crate::text::{FIELDS, Field};
use syntax::{BindingKind, Language};

/// The maximum length in bytes of one term, name, signature or doc comment in a record from another machine.
const MAX_TEXT_BYTES: usize = 64 * 1024;

type Checked = Result<(), &'static str>;

/// Checks that `record` is well formed and belongs to content that is read as `reading`.
pub(crate) fn check_record(record: &[u8], reading: Reading) -> Checked {
    check_head(record)?;
    let reader = FactsReader::new(record);
    if reader.head.language != reading.language() {
        return Err("its language does not match");
    }
    let bounds = Bounds {
        terms: terms(reader.terms)?,
        names: names(reader.names)?,
        symbols: count_symbols(reader.symbols)?,
        lines: reader.head.lines.saturating_add(1),
    };
    bounds.symbols(reader.symbols)?;
    bounds.references(reader.references)?;
    bounds.imports(reader.imports)?;
    bounds.bindings(reader.bindings)?;
    bounds.passages(reader.passages)
}

fn check_head(record: &[u8]) -> Checked {
    let mut cursor = Cursor::new(record);
    let (mark, language) = (cursor.byte(), cursor.byte());
    let _lines = cursor.small();
    let lengths: [u32; FIELDS] = std::array::from_fn(|_| cursor.small());
    let sizes: [u32; 7] = std::array::from_fn(|_| cursor.small());
    let total = sizes.iter().try_fold(0_usize, |sum, size| sum.checked_add(*size as usize));
    if cursor.is_exhausted_early() || total != Some(cursor.remaining()) {
        return Err("its length is wrong");
    }
    if ContentMark::of_code(mark) as u8 != mark {
        return Err("its mark is unknown");
    }
    if language != 0 && Language::of_number(language).is_none() {
        return Err("its language is unknown");
    }
    if lengths[Field::Path.slot()] != 0 || lengths[Field::History.slot()] != 0 {
        return Err("it counts words outside the content");
    }
    Ok(())
}

/// The number of items of each kind in a record. Other parts of the record refer to these items by their positions.
struct Bounds {
    terms: u32,
    names: u32,
    symbols: u32,
    lines: u32,
}

/// Checks the terms and returns their number.
fn terms(mut cursor: Cursor<'_>) -> Result<u32, &'static str> {
    let (mut previous, mut term, mut count) = (Vec::new(), Vec::new(), 0_u32);
    while !cursor.is_empty() {
        let shared = cursor.small() as usize;
        if shared > term.len() {
            return Err("a term is truncated");
        }
        term.truncate(shared);
        term.extend_from_slice(cursor.text());
        let counts = counts::read(&mut cursor);
        if cursor.is_exhausted_early() {
            return Err("a term is truncated");
        }
        if term.len() > MAX_TEXT_BYTES || std::str::from_utf8(&term).is_err() {
            return Err("a term is not text");
        }
        if count > 0 && term <= previous {
            return Err("its terms are not in order");
        }
        if counts[Field::Path.slot()] != 0 || counts[Field::History.slot()] != 0 {
            return Err("it counts words outside the content");
        }
        previous.clone_from(&term);
        count += 1;
    }
    Ok(count)
}

/// Checks the names and returns their number.
fn names(mut cursor: Cursor<'_>) -> Result<u32, &'static str> {
    let mut count = 0;
    while !cursor.is_empty() {
        let name = cursor.text();
        if cursor.is_exhausted_early()
            || name.len() > MAX_TEXT_BYTES
            || std::str::from_utf8(name).is_err()
        {
            return Err("a name is not text");
        }
        count += 1;
    }
    Ok(count)
}

fn count_symbols(mut cursor: Cursor<'_>) -> Result<u32, &'static str> {
    let (mut count, mut line) = (0, 0);
    while !cursor.is_empty() {
        symbol(&mut cursor, &mut line);
        if cursor.is_exhausted_early() {
            return Err("a symbol is truncated");
        }
        count += 1;
    }
    Ok(count)
}

impl Bounds {
    fn symbols(&self, mut cursor: Cursor<'_>) -> Checked {
        let (mut position, mut line) = (0, 0);
        while !cursor.is_empty() {
            let fact = symbol(&mut cursor, &mut line);
            // A definition comes after the one that contains it, so chains of containers have no cycles.
            if fact.container.is_some_and(|container| container >= position) {
                return Err("a symbol contains itself");
            }
            if [fact.name, fact.qualified, fact.signature, fact.doc]
                .iter()
                .any(|it| it.len() > MAX_TEXT_BYTES)
            {
                return Err("the text of a symbol is too long");
            }
            self.line(fact.first_line)?;
            self.line(fact.last_line)?;
            self.term_list(fact.terms)?;
            position += 1;
        }
        Ok(())
    }

    fn references(&self, mut cursor: Cursor<'_>) -> Checked {
        let mut line = 0;
        while !cursor.is_empty() {
            if usize::from(cursor.byte()) >= REFERENCE_KINDS.len() {
                return Err("the kind of a reference is unknown");
            }
            self.name(&mut cursor)?;
            self.name(&mut cursor)?;
            self.owner(&mut cursor)?;
            for _ in 0..cursor.small() {
                self.line(super::line_after(&mut line, cursor.signed()))?;
                not_cut(&cursor)?;
            }
            not_cut(&cursor)?;
        }
        Ok(())
    }

    fn imports(&self, mut cursor: Cursor<'_>) -> Checked {
        while !cursor.is_empty() {
            for _ in 0..3 {
                self.name(&mut cursor)?;
            }
            self.line(cursor.small())?;
            not_cut(&cursor)?;
        }
        Ok(())
    }

    fn bindings(&self, mut cursor: Cursor<'_>) -> Checked {
        while !cursor.is_empty() {
            if usize::from(cursor.byte()) >= BindingKind::ALL.len() {
                return Err("the kind of a binding is unknown");
            }
            self.owner(&mut cursor)?;
            self.name(&mut cursor)?;
            self.name(&mut cursor)?;
            not_cut(&cursor)?;
        }
        Ok(())
    }

    fn passages(&self, mut cursor: Cursor<'_>) -> Checked {
        let mut line = 0;
        while !cursor.is_empty() {
            self.owner(&mut cursor)?;
            let first = super::line_after(&mut line, cursor.signed());
            self.line(first)?;
            self.line(first.saturating_add(cursor.small()))?;
            let _tokens = cursor.small();
            let terms = term_list(&mut cursor);
            not_cut(&cursor)?;
            self.term_list(terms)?;
        }
        Ok(())
    }

    fn line(&self, line: u32) -> Checked {
        if line <= self.lines { Ok(()) } else { Err("a line is outside the file") }
    }

    fn name(&self, cursor: &mut Cursor<'_>) -> Checked {
        if cursor.small() < self.names { Ok(()) } else { Err("a name is missing") }
    }

    /// Checks a reference to a symbol. It is stored as the symbol's position plus one, or as zero if there is no
    /// symbol.
    fn owner(&self, cursor: &mut Cursor<'_>) -> Checked {
        if cursor.small() <= self.symbols { Ok(()) } else { Err("a symbol is missing") }
    }

    fn term_list(&self, list: super::TermList<'_>) -> Checked {
        let mut n_seen = 0_u32;
        let (mut next, mut is_sound) = (0_u64, true);
        list.for_each(|place, _| {
            is_sound &= u64::from(place) + u64::from(n_seen == 0) >= next && place < self.terms;
            next = u64::from(place) + 1;
            n_seen += 1;
        });
        if is_sound && n_seen == list.count { Ok(()) } else { Err("a list of terms is wrong") }
    }
}

fn not_cut(cursor: &Cursor<'_>) -> Checked {
    if cursor.is_exhausted_early() { Err("a part is truncated") } else { Ok(()) }
}
