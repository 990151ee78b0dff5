//! Gathers the facts of all files on several threads. Known facts are looked up by content hash, and new content is
//! analysed.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use disk::Links;
use syntax::Language;

use super::{BuildProgress, Known, OnProgress, Pauses, TreeAccess};
use crate::assemble::FileStamp;
use crate::fact_store::{FactKey, RecordLocation};
use crate::facts::{Analyser, MAX_FILE_BYTES, Reading, unread};
use crate::parser::ParserFailure;
use crate::role::ContentMark;
use crate::threads;
use crate::tree_scan::{ScannedFile, stamp_of};

/// The minimum time in nanoseconds between the modification of a file and the last snapshot. If the time is shorter,
/// the file may have changed again without a new modification time, so its stamp is not trusted.
const RACY_NANOS: i64 = 2_000_000_000;

/// The facts of the scanned files, in the order of the scan.
pub(crate) struct Gathered {
    /// One entry for each scanned file. `None` if the file is missing, cannot be read or was refused, or if its facts
    /// could not be gathered because of a failure or the deadline.
    pub(crate) contents: Vec<Option<Content>>,
    /// Positions of the files whose content was refused. Their entries in `contents` are `None`. Callers must remove
    /// stored facts about these files.
    pub(crate) refused: Vec<usize>,
    pub(super) unreadable: u32,
    pub(super) too_large: u32,
    pub(super) crashed: u32,
    /// Whether the deadline was reached before all files were read.
    pub(crate) out_of_time: bool,
    /// The reason why the parser program cannot be run, if a file needs it.
    pub(crate) parser_failure: Option<ParserFailure>,
    /// The reason why new facts cannot be stored.
    pub(super) write_failure: Option<io::Error>,
}

/// The key and the stamp of a file's content, and the location of its fact record.
#[derive(Clone, Copy)]
pub(crate) struct Content {
    pub(crate) key: FactKey,
    pub(crate) stamp: FileStamp,
    pub(crate) location: RecordLocation,
}

impl Gathered {
    /// Returns the positions of the files that are missing or cannot be read.
    pub(crate) fn unread(&self) -> impl Iterator<Item = usize> + '_ {
        let without = self.contents.iter().enumerate().filter(|(_, content)| content.is_none());
        without.map(|(at, _)| at).filter(|at| !self.refused.contains(at))
    }
}

/// The results of one thread.
#[derive(Default)]
struct ThreadResults {
    thread: usize,
    contents: Vec<(u32, Content)>,
    refused: Vec<usize>,
    unreadable: u32,
    too_large: u32,
    crashed: u32,
    parser_failure: Option<ParserFailure>,
    write_failure: Option<io::Error>,
}

/// How files are analysed, and the time after which the analysis stops.
#[derive(Clone, Copy)]
pub(crate) struct Analysis<'o> {
    pub(crate) access: &'o TreeAccess,
    pub(crate) deadline: Option<Instant>,
}

/// Looks up the facts of each file in `files`. Analyses files whose facts are unknown, and adds the new facts to
/// `known.facts`.
pub(crate) fn gather(
    root: &Path,
    files: &[ScannedFile],
    options: Analysis<'_>,
    known: &Known,
    pauses: &Pauses,
    on_progress: OnProgress<'_>,
) -> Gathered {
    let work = Work {
        root,
        files,
        options,
        known,
        pauses,
        on_progress,
        next: AtomicUsize::new(0),
        done_bytes: AtomicU64::new(0),
        bytes: files.iter().map(|file| file.stamp.size).sum(),
        out_of_time: AtomicBool::new(false),
    };
    let work = &work;
    let all_results: Vec<ThreadResults> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.access.threads.max(1))
            .map(|thread| threads::start(scope, move || work.run_thread(thread)))
            .collect();
        threads.into_iter().filter_map(|thread| thread.join()).collect()
    });
    let mut gathered = Gathered {
        contents: files.iter().map(|_| None).collect(),
        refused: Vec::new(),
        unreadable: 0,
        too_large: 0,
        crashed: 0,
        out_of_time: work.out_of_time.load(Ordering::Relaxed),
        parser_failure: None,
        write_failure: None,
    };
    for results in all_results {
        gathered.unreadable += results.unreadable;
        gathered.too_large += results.too_large;
        gathered.crashed += results.crashed;
        gathered.parser_failure = gathered.parser_failure.or(results.parser_failure);
        gathered.refused.extend(results.refused);
        gathered.write_failure = gathered.write_failure.or(results.write_failure);
        for (at, content) in results.contents {
            gathered.contents[at as usize] = Some(content);
        }
    }
    gathered
}

struct Work<'w> {
    root: &'w Path,
    files: &'w [ScannedFile],
    options: Analysis<'w>,
    known: &'w Known,
    pauses: &'w Pauses,
    on_progress: OnProgress<'w>,
    next: AtomicUsize,
    done_bytes: AtomicU64,
    bytes: u64,
    out_of_time: AtomicBool,
}

impl Work<'_> {
    fn run_thread(&self, thread: usize) -> ThreadResults {
        let mut results = ThreadResults { thread, ..ThreadResults::default() };
        let mut analyser = self.analyser();
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(at) else { return results };
            if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.out_of_time.store(true, Ordering::Relaxed);
                return results;
            }
            if results.write_failure.is_some() {
                return results;
            }
            self.pauses.wait();
            if let Some(content) = self.content_of(at, &mut analyser, &mut results) {
                results.contents.push((at as u32, content));
            }
            let done_bytes =
                self.done_bytes.fetch_add(file.stamp.size, Ordering::Relaxed) + file.stamp.size;
            if at.is_multiple_of(64) || at + 1 == self.files.len() {
                (self.on_progress)(BuildProgress {
                    done_files: at + 1,
                    files: self.files.len(),
                    done_bytes,
                    bytes: self.bytes,
                });
            }
        }
    }

    fn analyser(&self) -> Analyser {
        Analyser::new(&self.options.access.parser)
    }

    /// Returns the content of the file at position `at`. Returns `None` if the file is missing, cannot be read or is
    /// refused, or after a failure. Notes the reason in `results`.
    fn content_of(
        &self,
        at: usize,
        analyser: &mut Analyser,
        results: &mut ThreadResults,
    ) -> Option<Content> {
        let file = &self.files[at];
        let by_path = Language::of_path(&file.path);
        if let Some(content) = self.unchanged(file, by_path) {
            return Some(content);
        }
        if file.stamp.size > MAX_FILE_BYTES {
            results.too_large += 1;
            return self.too_large(file, by_path, results);
        }
        let Some((stamp, bytes)) = read_bounded(&self.root.join(&file.path)) else {
            results.unreadable += 1;
            return None;
        };
        if !(self.options.access.admits_content)(Path::new(&file.path), &bytes) {
            results.refused.push(at);
            return None;
        }
        self.analysed(file, stamp, &bytes, analyser, results)
    }

    /// Stores a new record. Returns `None` if it cannot be written.
    fn add(
        &self,
        key: FactKey,
        stamp: FileStamp,
        record: &[u8],
        results: &mut ThreadResults,
    ) -> Option<Content> {
        match self.known.facts.add(key, record) {
            Ok(location) => Some(Content { key, stamp, location }),
            Err(error) => {
                results.write_failure = Some(error);
                None
            }
        }
    }

    /// Returns the key and the location of the facts for `bytes`, the content of `file`. Analyses the content if its
    /// facts are unknown. Returns `None` if the parser cannot be run or the facts cannot be written.
    fn analysed(
        &self,
        file: &ScannedFile,
        stamp: FileStamp,
        bytes: &[u8],
        analyser: &mut Analyser,
        results: &mut ThreadResults,
    ) -> Option<Content> {
        let hash = content_hash(bytes);
        let reading = Reading::of_content(&file.path, bytes);
        let language = reading.language();
        let key = FactKey::new(hash, reading);
        if let Some(location) = self.known.facts.find(key) {
            return Some(Content { key, stamp, location });
        }
        if self.known.attempts.is_suspect(hash) {
            results.crashed += 1;
            return self.add(key, stamp, &unread(ContentMark::Unread, language), results);
        }
        self.known.attempts.note(results.thread, hash);
        let analysed = catch_unwind(AssertUnwindSafe(|| analyser.analyse(bytes, reading)));
        let record = match analysed.unwrap_or_else(|_| {
            // A panic may leave the parser in an invalid state.
            *analyser = self.analyser();
            Err(ParserFailure::Crashed)
        }) {
            Ok(record) => record,
            Err(ParserFailure::Crashed) => {
                results.crashed += 1;
                unread(ContentMark::Unread, language)
            }
            Err(failure @ ParserFailure::Unavailable { .. }) => {
                results.parser_failure = Some(failure);
                return None;
            }
        };
        self.add(key, stamp, &record, results)
    }

    /// Returns the key and the location of the facts that the last snapshot recorded for `file`, without reading the
    /// file. Returns `None` if the stamp changed or is too recent to be trusted, or if the facts are not known.
    fn unchanged(&self, file: &ScannedFile, by_path: Option<Language>) -> Option<Content> {
        let snapshot = self.known.snapshot.as_ref()?;
        let old = snapshot.file(snapshot.file_by_path(&file.path)?);
        let settled = file.stamp.modified
            < snapshot.meta().built_at.saturating_mul(1_000_000_000) - RACY_NANOS;
        if old.stamp() != file.stamp || !settled {
            return None;
        }
        let language = by_path.or_else(|| old.language());
        let key = FactKey::new(old.hash(), Reading::of(&file.path, language));
        let location = self.known.facts.find(key)?;
        Some(Content { key, stamp: file.stamp, location })
    }

    /// Stores an empty record for a file that is too large to read. The key of the record is a hash of the file's
    /// path, size and modification time.
    fn too_large(
        &self,
        file: &ScannedFile,
        language: Option<Language>,
        results: &mut ThreadResults,
    ) -> Option<Content> {
        let mut identity = file.path.clone().into_bytes();
        identity.extend(file.stamp.size.to_le_bytes());
        identity.extend(file.stamp.modified.to_le_bytes());
        let key = FactKey::new(content_hash(&identity), Reading::of(&file.path, language));
        self.add(key, file.stamp, &unread(ContentMark::Unread, language), results)
    }
}

/// Reads at most [`MAX_FILE_BYTES`] of a regular file, and its stamp. The stamp is read first, so that a later build detects a
/// write that happens during the read.
pub(crate) fn read_bounded(path: &Path) -> Option<(FileStamp, Vec<u8>)> {
    let file = disk::open_file(path, Links::Refuse).ok()?;
    let stamp = stamp_of(&file.metadata().ok()?);
    let mut bytes =
        Vec::with_capacity(usize::try_from(stamp.size.min(MAX_FILE_BYTES)).unwrap_or(0));
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some((stamp, bytes))
}

/// Returns the hash that identifies the content of a file.
pub(crate) fn content_hash(bytes: &[u8]) -> [u8; 16] {
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    hash
}
