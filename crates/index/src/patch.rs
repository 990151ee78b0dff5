//! Reads and writes patches and deltas: files next to a snapshot with the changes since it was written, so that the
//! changes can be used before the whole snapshot has been rebuilt.
//!
//! Both are snapshots of the changed files with additional sections. These list the files of the layers below that are
//! hidden, and the files and symbols that replace hidden ones. A patch contains many changes, for example after a switch
//! to another branch, and belongs to one base snapshot. A delta contains a few changes and their facts, and belongs to
//! one patch or, if there is none, to one base snapshot. Opening them reads only a few pages.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::codec::{Cursor, put_text, u32_at};
use crate::container::{Container, ContainerStream, OpenError};
use crate::fact_store::{FactKey, FactStore};
use crate::layout::{N_SECTIONS, PatchSection};
use crate::snapshot::Snapshot;
use crate::view::{Change, Counts, Hidden, Layer, NumberPairs, Replacements, View};

const DAMAGED: OpenError = OpenError::Damaged { what: "patch beside it" };

/// The number of bytes that are copied at a time.
const PIECE: usize = 1 << 20;

/// Adds the patch or delta at `path` to a view of the layers below it. Returns the view unchanged if there is no such
/// file, or if it belongs to another layer. A file that cannot be read is an error, because a view without it would show
/// an older state of the tree.
pub(crate) fn add_stored(below: View, path: &Path, change: Change) -> Result<View, OpenError> {
    let container = match Container::open(path) {
        Ok(container) => container,
        Err(error) if error.is_absent() => return Ok(below),
        Err(error) => return Err(error),
    };
    add_container(below, container, change)
}

/// Like [`add_stored`], but takes a container that is already open.
pub(crate) fn add_container(
    below: View,
    container: Container,
    change: Change,
) -> Result<View, OpenError> {
    // A delta of an earlier version has no such section.
    let has_binding = container.n_sections() > PatchSection::Binding as usize;
    let binding =
        if has_binding { container.whole(PatchSection::Binding as usize) } else { &[0; 33] };
    let mut cursor = Cursor::new(binding);
    let belongs_here = cursor.slice(32) == below.identity();
    let head = Some(cursor.utf8().to_owned()).filter(|head| !head.is_empty());
    if container.damaged() || cursor.is_exhausted_early() {
        return Err(DAMAGED);
    }
    if !belongs_here {
        return Ok(below);
    }
    let before = below.counts();
    let hidden = hidden(&container, before)?;
    let layer = Layer::new(Snapshot::over(container)?, before, hidden, Some(change));
    Ok(below.with_stored(layer, head))
}

/// Adds the facts in a delta to the fact store, unless it already contains them.
pub(crate) fn add_facts_of(delta: &Layer, facts: &FactStore) -> io::Result<()> {
    let container = delta.snapshot.container();
    let mut cursor = Cursor::new(container.whole(PatchSection::Facts as usize));
    while !cursor.is_empty() && !container.damaged() {
        let key = FactKey::read(&mut cursor);
        let record = cursor.text();
        if cursor.is_exhausted_early() {
            break;
        }
        if facts.find(key).is_none() {
            facts.add(key, record)?;
        }
    }
    Ok(())
}

/// Appends a record to the content of [`PatchSection::Facts`].
pub(crate) fn put_facts(out: &mut Vec<u8>, key: FactKey, record: &[u8]) {
    key.put(out);
    put_text(out, record);
}

fn hidden(container: &Container, before: Counts) -> Result<Hidden, OpenError> {
    let files = numbers(container, PatchSection::HiddenFiles);
    let symbols = ranges(container, PatchSection::HiddenSymbols);
    let passages = ranges(container, PatchSection::HiddenPassages);
    let is_sorted = |ranges: &[Range<u32>]| {
        ranges.iter().all(|range| range.start < range.end) && ranges.is_sorted_by_key(|it| it.start)
    };
    let files_fit = files.is_sorted() && files.last().is_none_or(|last| *last < before.files);
    if container.damaged() || !files_fit || !is_sorted(&symbols) || !is_sorted(&passages) {
        return Err(DAMAGED);
    }
    Ok(Hidden::new(&files, symbols, passages))
}

/// Reads which of the layer's files and symbols replace hidden ones. `before` states how many files and symbols the
/// layers below contain.
pub(crate) fn replacements(patch: &Snapshot, before: Counts) -> Replacements {
    let container = patch.container();
    let pairs = |section, old_end: u32, new: Range<u32>| {
        let pairs: Vec<(u32, u32)> =
            ranges(container, section).into_iter().map(|pair| (pair.start, pair.end)).collect();
        if pairs.iter().any(|(old, it)| *old >= old_end || !new.contains(it)) {
            container.note_damage();
            return NumberPairs::default();
        }
        NumberPairs::new(pairs)
    };
    let meta = patch.meta();
    let new_files = before.files..before.files.saturating_add(meta.files);
    let new_symbols = before.symbols..before.symbols.saturating_add(meta.symbols);
    Replacements {
        files: pairs(PatchSection::ReplacedFiles, before.files, new_files),
        symbols: pairs(PatchSection::ReplacedSymbols, before.symbols, new_symbols),
    }
}

/// Writes `layer` as a patch or delta for the layer with the identity `below`. `head` is the current commit, and `facts`
/// the content of [`PatchSection::Facts`].
pub(crate) fn write_layer(
    layer: &Layer,
    below: [u8; 32],
    head: Option<&str>,
    facts: Vec<u8>,
    target: &mut ContainerStream,
) -> io::Result<()> {
    let container = layer.snapshot.container();
    for section in 0..N_SECTIONS {
        target.start_section(section)?;
        for piece in container.pieces(section, PIECE) {
            target.put(&piece.ok_or_else(|| io::Error::other("a damaged patch"))?)?;
        }
    }
    let mut binding = below.to_vec();
    put_text(&mut binding, head.unwrap_or_default().as_bytes());
    let (hidden, replaced) = (&layer.hidden, layer.replacements());
    let pairs = |pairs: &NumberPairs| words(pairs.iter().flat_map(|(old, new)| [old, new]));
    let ends = |ranges: &[Range<u32>]| words(ranges.iter().flat_map(|it| [it.start, it.end]));
    for (section, bytes) in [
        (PatchSection::Binding, binding),
        (PatchSection::HiddenFiles, words(hidden.files())),
        (PatchSection::HiddenSymbols, ends(&hidden.symbols)),
        (PatchSection::HiddenPassages, ends(&hidden.passages)),
        (PatchSection::ReplacedFiles, pairs(&replaced.files)),
        (PatchSection::ReplacedSymbols, pairs(&replaced.symbols)),
        (PatchSection::Facts, facts),
    ] {
        target.start_section(section as usize)?;
        target.put(&bytes)?;
    }
    Ok(())
}

fn words(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

fn numbers(container: &Container, section: PatchSection) -> Vec<u32> {
    let words = container.whole(section as usize).chunks_exact(4);
    words.map(|word| u32_at(word, 0)).collect()
}

fn ranges(container: &Container, section: PatchSection) -> Vec<Range<u32>> {
    let pairs = container.whole(section as usize).chunks_exact(8);
    pairs.map(|pair| u32_at(pair, 0)..u32_at(pair, 4)).collect()
}
