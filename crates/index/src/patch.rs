//! Reads and writes patches. A patch is a file next to a snapshot. It contains changes to many files, for example
//! after a switch to another branch, so that the changes can be used before the whole snapshot has been rebuilt.
//!
//! A patch is a snapshot of the changed files with additional sections. They list the files of the base snapshot that
//! the patch hides, and the files and symbols that replace hidden ones. A patch is valid for one base snapshot only.
//! Opening it reads only a few pages.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::codec::{Cursor, put_text, u32_at};
use crate::container::{Container, ContainerStream, OpenError};
use crate::layout::{N_SECTIONS, PatchSection};
use crate::snapshot::Snapshot;
use crate::view::{Counts, Hidden, Layer, NumberPairs, Replacements, View};

const DAMAGED: OpenError = OpenError::Damaged { what: "patch beside it" };

/// The number of bytes that are copied at a time.
const PIECE: usize = 1 << 20;

/// Adds the patch at `path` to a view of the base snapshot. Returns the view unchanged if there is no patch, or if it
/// belongs to another snapshot. A patch that cannot be read is an error, because a view without it would show an
/// older state of the tree.
pub(crate) fn add_patch(base: View, path: &Path) -> Result<View, OpenError> {
    let container = match Container::open(path) {
        Ok(container) => container,
        Err(error) if error.is_absent() => return Ok(base),
        Err(error) => return Err(error),
    };
    add_container(base, container)
}

/// Like [`add_patch`], but takes a container that is already open.
pub(crate) fn add_container(base: View, container: Container) -> Result<View, OpenError> {
    let mut cursor = Cursor::new(container.whole(PatchSection::Binding as usize));
    let belongs_here = cursor.slice(32) == base.identity();
    let head = Some(cursor.utf8().to_owned()).filter(|head| !head.is_empty());
    if container.damaged() || cursor.is_exhausted_early() {
        return Err(DAMAGED);
    }
    if !belongs_here {
        return Ok(base);
    }
    let before = base.counts();
    let hidden = hidden(&container, before)?;
    let layer = Layer::of_patch(Snapshot::over(container)?, before, hidden);
    Ok(base.with_patch(layer, head))
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

/// Reads which of the patch's files and symbols replace hidden ones. `before` states how many files and symbols the
/// base snapshot contains.
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

/// Writes `layer` as a patch for the snapshot with the identity `base`. `head` is the current commit.
pub(crate) fn write_patch(
    layer: &Layer,
    base: [u8; 32],
    head: Option<&str>,
    target: &mut ContainerStream,
) -> io::Result<()> {
    let container = layer.snapshot.container();
    for section in 0..N_SECTIONS {
        target.start_section(section)?;
        let length = container.len(section);
        for start in (0..length).step_by(PIECE) {
            let piece = container.copy(section, start, PIECE.min(length - start));
            target.put(section, &piece.ok_or_else(|| io::Error::other("a damaged patch"))?)?;
        }
    }
    let mut binding = base.to_vec();
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
    ] {
        target.start_section(section as usize)?;
        target.put(section as usize, &bytes)?;
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
