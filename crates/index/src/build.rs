//! Builds a snapshot of a folder: scans the tree, analyses new content, reads the git history and assembles the result.

mod attempts;
mod gather;
mod pause;

use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::assemble::{Tree, TreeFiles, assemble, assemble_layer};
use crate::container::{ContainerStream, OpenError};
use crate::fact_store::{FactStore, RecordLocation};
use crate::history::{BuildGit, History, HistoryOptions, TrackedFiles, read_history};
use crate::parser::{Parser, ParserFailure};
use crate::snapshot::Snapshot;
use crate::spill::Spill;
use crate::threads;
use crate::tree_scan::{Scan, scan};
use crate::view::View;
use crate::walk::WalkEnd;
pub(crate) use attempts::Attempts;
pub(crate) use gather::{Analysis, Gathered, content_hash, gather, read_bounded};
pub(crate) use pause::Pauses;

#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The current time, which the snapshot records as its build time.
    pub now: SystemTime,
    pub access: TreeAccess,
    /// The options for reading the git history. If `None`, the snapshot has no history.
    pub history: Option<HistoryOptions>,
    /// The amount of memory, in bytes, that the build tries not to exceed. `docs/design/index.md` describes how a build
    /// uses memory.
    pub memory: usize,
    /// Whether the build pauses while other programs need the processors.
    pub pauses: bool,
    /// The maximum number of files to index. Additional files are skipped.
    pub max_files: usize,
    /// The time after which an unfinished build fails.
    pub deadline: Option<Instant>,
    /// Whether the index must be complete after a refresh. If this is false, a refresh may omit new commits, and the
    /// edges of new references if many files changed. The next complete refresh adds them.
    pub complete: bool,
    /// If `Some`, a refresh compares with the index only these paths and the files that earlier refreshes recorded as
    /// changed. Paths are relative to the root and need not exist. If too many files changed, the whole tree is
    /// compared.
    pub changed: Option<Vec<String>>,
}

/// How the files of a tree are read and analysed.
#[derive(Clone, Debug)]
pub struct TreeAccess {
    pub parser: Parser,
    /// The number of threads that compare and analyse files.
    pub threads: usize,
    /// Returns whether a path may be indexed. A refused file is treated as missing.
    pub admits: fn(&Path) -> bool,
    /// Returns whether a file with this content may be indexed. No facts about a refused file are stored, and the file is
    /// hidden even if an earlier snapshot contains it.
    pub admits_content: fn(&Path, &[u8]) -> bool,
}

impl TreeAccess {
    /// Returns options with one thread per processor, which admit every file.
    pub fn new(parser: Parser) -> Self {
        Self {
            parser,
            threads: threads::available(),
            admits: |_| true,
            admits_content: |_, _| true,
        }
    }
}

impl BuildOptions {
    /// The default value of [`Self::memory`].
    pub const DEFAULT_MEMORY: usize = 512 << 20;

    /// Returns options with default limits, one thread per processor and no history.
    pub fn new(now: SystemTime, parser: Parser) -> Self {
        Self {
            now,
            access: TreeAccess::new(parser),
            history: None,
            memory: Self::DEFAULT_MEMORY,
            pauses: false,
            max_files: 2_000_000,
            deadline: None,
            complete: true,
            changed: None,
        }
    }

    pub(crate) fn analysis(&self) -> Analysis<'_> {
        Analysis { access: &self.access, deadline: self.deadline }
    }

    /// Returns the git commands of a build, or `None` if the options do not request the history.
    pub(crate) fn git<'a>(&'a self, root: &'a Path) -> Option<BuildGit<'a>> {
        self.history.as_ref().map(|history| BuildGit::new(root, history, self.deadline))
    }
}

/// The reason why no snapshot was built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The root is not a readable directory.
    #[error("cannot read the folder `{root}`")]
    NoFolder {
        /// The root as given by the caller.
        root: String,
    },
    #[error("indexing timed out")]
    OutOfTime {
        /// The number of files in the tree, or zero if the scan did not finish.
        files: usize,
    },
    /// A file needs a grammar, but the parser program cannot be run.
    #[error(transparent)]
    NoParser(ParserFailure),
    /// The facts, the snapshot or a temporary file cannot be written.
    #[error("cannot write the index")]
    Unwritable(#[source] io::Error),
    /// The new snapshot cannot be opened.
    #[error("cannot open the new snapshot")]
    Unusable(#[source] OpenError),
}

/// The progress of a build: the number of files and bytes that are done, and the totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildProgress {
    pub done_files: usize,
    pub files: usize,
    pub done_bytes: u64,
    pub bytes: u64,
}

/// A callback that receives the progress. Several threads call it concurrently.
pub type OnProgress<'a> = &'a (dyn Fn(BuildProgress) + Sync);

/// Builds an index of the tree under `root` in memory, without a store.
pub fn build_in_memory(root: &Path, options: &BuildOptions) -> Result<View, BuildError> {
    let bytes = bytes_of(root, options)?;
    let snapshot = Snapshot::from_bytes(bytes).map_err(BuildError::Unusable)?;
    Ok(View::of(snapshot, root))
}

/// Returns the bytes of a snapshot of the tree under `root`.
pub(crate) fn bytes_of(root: &Path, options: &BuildOptions) -> Result<Vec<u8>, BuildError> {
    let spill = Spill::in_memory();
    let mut stream = ContainerStream::in_memory();
    build(root, options, Known::default(), &spill, &mut stream, &|_| {})?;
    let (_, bytes) = stream.finish().map_err(BuildError::Unwritable)?;
    Ok(bytes)
}

/// The results of earlier builds that a new build can reuse.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) facts: FactStore,
    pub(crate) snapshot: Option<Snapshot>,
    pub(crate) history: Option<History>,
    pub(crate) attempts: Attempts,
}

/// The result of a build, and the data to store for the next build.
pub(crate) struct Built {
    pub(crate) facts: FactStore,
    /// For each file of the tree, in order, the location of its facts.
    pub(crate) live: Vec<RecordLocation>,
    pub(crate) history: Option<History>,
    /// Whether the head commit of `history` differs from that of the stored history.
    pub(crate) history_is_new: bool,
    pub(crate) files: usize,
    pub(crate) analysed: usize,
}

/// The maximum duration of the scan if the build has no deadline.
const WALK_TIMEOUT: Duration = Duration::from_secs(600);

/// Builds a snapshot, and writes its sections to `snapshot`. Only content whose facts are not in `known` is analysed.
pub(crate) fn build(
    root: &Path,
    options: &BuildOptions,
    mut known: Known,
    spill: &Spill,
    snapshot: &mut ContainerStream,
    on_progress: OnProgress<'_>,
) -> Result<Built, BuildError> {
    let git = options.git(root);
    let scanned = scanned(root, options, git.as_ref())?;
    let n_known = known.facts.n_added();
    let pauses = Pauses::new(options.pauses, options.access.threads);
    let (gathered, history) = std::thread::scope(|scope| {
        let history = threads::start(scope, || read_history(git.as_ref()?, known.history.as_ref()));
        let gathered =
            gather(root, &scanned.files, options.analysis(), &known, &pauses, on_progress);
        (gathered, history.join().flatten())
    });
    if gathered.out_of_time {
        return Err(BuildError::OutOfTime { files: gathered.contents.len() });
    }
    if let Some(failure) = gathered.parser_failure {
        return Err(BuildError::NoParser(failure));
    }
    if let Some(error) = gathered.write_failure {
        return Err(BuildError::Unwritable(error));
    }
    let head = |history: &Option<History>| history.as_ref().map(|it| it.head.clone());
    let history_is_new = head(&history) != head(&known.history);
    let analysed = known.facts.n_added() - n_known;
    known.facts.end_adding().map_err(BuildError::Unwritable)?;
    let Known { mut facts, snapshot: old, .. } = known;
    // Frees the data that assembling the snapshot does not need.
    drop(old);
    facts.forget_keys();
    let mut problems = problems(&scanned, &gathered);
    problems.extend(git.and_then(|git| git.problem()));
    let files = TreeFiles::of(scanned.files.into_iter().map(|file| file.path), &gathered);
    drop(gathered);
    let since_epoch = options.now.duration_since(UNIX_EPOCH);
    let tree = Tree {
        root: root.to_str().unwrap_or_default(),
        built_at: since_epoch.map_or(0, |since| since.as_secs().cast_signed()),
        directories: scanned.directories,
        history: history.as_ref(),
        problems,
        threads: options.access.threads,
        ..Tree::of(files, &facts, spill, &pauses)
    };
    assemble(&tree, snapshot).map_err(BuildError::Unwritable)?;
    let (files, live) = (tree.files.paths.len(), tree.files.locations);
    Ok(Built { facts, live, history, history_is_new, files, analysed })
}

/// Lists the files of the tree: those that the walk visits, and the tracked files that it leaves out.
pub(crate) fn scanned(
    root: &Path,
    options: &BuildOptions,
    git: Option<&BuildGit<'_>>,
) -> Result<Scan, BuildError> {
    if !root.is_dir() {
        return Err(BuildError::NoFolder { root: root.display().to_string() });
    }
    let walk_deadline = options.deadline.unwrap_or_else(|| Instant::now() + WALK_TIMEOUT);
    let mut scanned = scan(root, walk_deadline, options);
    if let Some(git) = git {
        scanned.add_tracked(root, TrackedFiles::read(git).paths(), options);
    }
    if scanned.end == WalkEnd::OutOfTime && options.deadline.is_some() {
        return Err(BuildError::OutOfTime { files: 0 });
    }
    Ok(scanned)
}

fn problems(scanned: &Scan, gathered: &Gathered) -> Vec<String> {
    let mut problems = Vec::new();
    let mut note = |count: u32, what: &str| {
        if count > 0 {
            problems.push(format!("{what}: {count}"));
        }
    };
    note(gathered.unreadable, "files that could not be read");
    note(gathered.too_large, "files that are too large, indexed by their paths only");
    note(gathered.crashed, "files whose analysis failed, indexed by their paths only");
    note(scanned.unreadable_names, "files left out because their names are not UTF-8");
    note(
        scanned.n_refused_ignore_files,
        "ignore files that were not applied completely (links, not regular files, or too large)",
    );
    match scanned.end {
        WalkEnd::Complete => {}
        WalkEnd::TooManyFiles => problems.push("the tree has more files than the limit".to_owned()),
        WalkEnd::OutOfTime => {
            problems.push("listing the files took too long and was stopped".to_owned());
        }
    }
    problems
}

/// Returns a snapshot without files.
pub(crate) fn empty_snapshot() -> io::Result<Snapshot> {
    let files = TreeFiles::default();
    assemble_layer(files, &FactStore::default(), Vec::new(), 1, &Pauses::default())
}
