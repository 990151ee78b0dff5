//! Lets the crate `fuzz-targets` create and read snapshots that have arbitrary content and correct checksums.
//!
//! Checksums detect accidental damage only. A malicious file can have correct checksums, so readers must not panic or
//! loop forever, whatever a file contains.

use std::path::Path;

use crate::build::{BuildError, BuildOptions, bytes_of};
use crate::container::{Container, ContainerStream, OpenError, container_of};
use crate::facts::{FactsReader, Reading, check_record};
use crate::history::History;
use crate::layout::N_SECTIONS;
use crate::patch::{add_container, write_layer};
use crate::snapshot::Snapshot;
use crate::view::{Change, FileId, Layer, View};

/// Returns the sections of a snapshot of the tree at `root`.
pub fn sections_of(root: &Path, options: &BuildOptions) -> Result<Sections, BuildError> {
    let container =
        Container::from_bytes(bytes_of(root, options)?).map_err(BuildError::Unusable)?;
    Ok(Sections((0..N_SECTIONS).map(|section| container.whole(section).to_vec()).collect()))
}

/// The contents of all sections of a snapshot, in the order of `crate::layout::Section`.
#[derive(Clone, Debug)]
pub struct Sections(pub Vec<Vec<u8>>);

impl Sections {
    /// Returns the bytes of a snapshot with these sections and correct checksums.
    pub fn seal(&self) -> Vec<u8> {
        // Writing to memory does not fail.
        container_of(&self.0).unwrap_or_default()
    }
}

/// Opens a snapshot from memory.
pub fn open(bytes: Vec<u8>) -> Result<Snapshot, OpenError> {
    Snapshot::from_bytes(bytes)
}

/// A snapshot, and the contents of all sections of its patch.
#[derive(Clone, Debug)]
pub struct Patched {
    base: Vec<u8>,
    pub patch: Sections,
}

impl Patched {
    /// Builds a snapshot of the tree at `root`, and a patch with the files of the tree at `changed`.
    pub fn of(root: &Path, changed: &Path, options: &BuildOptions) -> Result<Self, BuildError> {
        let base = bytes_of(root, options)?;
        let open = |bytes| Snapshot::from_bytes(bytes).map_err(BuildError::Unusable);
        let view = View::of(open(base.clone())?, root);
        let changed = open(bytes_of(changed, options)?)?;
        let paths = (0..changed.meta().files).map(|number| changed.file(number).path().to_owned());
        let mut hidden: Vec<FileId> = paths.filter_map(|path| view.file_by_path(&path)).collect();
        hidden.sort_unstable();
        let layer = Layer::over(view.counts(), &view, changed, &hidden);
        let mut stream = ContainerStream::in_memory();
        let written = write_layer(&layer, view.identity(), Some("commit"), Vec::new(), &mut stream);
        let finished = written.and_then(|()| stream.finish());
        let (_, bytes) = finished.map_err(BuildError::Unwritable)?;
        let container = Container::from_bytes(bytes).map_err(BuildError::Unusable)?;
        let sections = (0..container.n_sections()).map(|at| container.whole(at).to_vec());
        Ok(Self { base, patch: Sections(sections.collect()) })
    }

    /// Opens the snapshot with the patch.
    pub fn open(&self) -> Result<View, OpenError> {
        let base = View::of(Snapshot::from_bytes(self.base.clone())?, Path::new("/nonexistent"));
        add_container(base, Container::from_bytes(self.patch.seal())?, Change::Patch)
    }
}

/// Decodes a stored history. Returns the number of commits, or `None` if the bytes are invalid.
pub fn read_history(bytes: &[u8]) -> Option<usize> {
    History::decode(bytes).map(|history| history.commits.len())
}

/// Checks a fact record as if it came from another machine, and reads all its parts. The first byte is the code of the
/// record's `Reading`, and the record follows. Returns whether the record is accepted.
pub fn read_facts(bytes: &[u8]) -> bool {
    let Some((code, record)) = bytes.split_first() else { return false };
    let Some(reading) = Reading::of_code(*code) else { return false };
    let is_accepted = check_record(record, reading).is_ok();
    let reader = FactsReader::new(record);
    let names = reader.names();
    reader.terms(|_, _| {});
    reader.symbols(|symbol| symbol.terms.for_each(|_, _| {}));
    reader.references(&names, |_, _| {});
    reader.imports(&names, |_| {});
    reader.bindings(|_, _, _| {});
    reader.passages(|passage| passage.terms.for_each(|_, _| {}));
    is_accepted
}
