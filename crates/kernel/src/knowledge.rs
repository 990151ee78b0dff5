//! Opens or builds a repository's index. While there is no index, the files themselves are searched.
//!
//! The index of a small repository is built while the prompt waits. A large repository is searched directly while another
//! process builds its index.

#[cfg(test)]
pub(crate) mod openings;
mod small_build;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use contract::Limit;
use guard::Quotable;
use index::{
    BuildOptions, Freshness, HistoryOptions, HistoryState, LookOptions, OpenError, Parser, Store,
    TreeAccess, View,
};
use policy::RepositoryRoot;
use process::Environment;

use crate::brief::Host;

/// The timeout for finding files that changed after the snapshot was written.
const CHANGES_TIMEOUT: Duration = Duration::from_millis(250);
/// The maximum number of files and folders in a repository that is compared completely with its index for each prompt.
const MAX_COMPARED: usize = 16_384;
/// The maximum number of files, and of folders, that are compared with the index for each prompt in a larger
/// repository. The most recently modified ones are compared. The cost of a prompt therefore does not depend on the size
/// of the repository.
const MAX_NEWEST: usize = 1_024;
/// The minimum age of an index before it is rebuilt because files changed.
const MIN_REBUILD_AGE: Duration = Duration::from_secs(20);
/// The maximum number of changed paths that are passed to a background refresh. If more files changed, the refresh compares the
/// whole repository.
const MAX_NAMED_CHANGES: usize = 32;
/// The minimum time between two comparisons of a whole repository in the background.
const COMPARE_INTERVAL: Duration = Duration::from_secs(60);

/// The root of a repository and the location of its index.
#[derive(Clone, Debug)]
pub struct IndexLocation {
    pub root: PathBuf,
    /// The user's cache folder. If `None`, indexes are not stored.
    pub cache: Option<PathBuf>,
    pub environment: Environment,
    pub now: SystemTime,
    pub parser: Parser,
}

/// The source from which queries are answered: an index or the files themselves.
pub enum Knowledge {
    Indexed {
        view: Box<View>,
        /// The refresh that brings the index on disk up to date, or `None` if the index is up to date or was written recently.
        refresh: Option<Refresh>,
        /// The reason why the index on disk was not used and this index was built instead, if there is one.
        replaced: Option<IndexProblem>,
    },
    /// There is no usable index, and it cannot be built now because the repository is too large or the build failed.
    Files {
        /// The reason why the index on disk is not used, if there is one.
        problem: Option<IndexProblem>,
    },
}

/// An index that was opened to look up names.
pub(crate) struct Glance {
    pub(crate) knowledge: Knowledge,
    /// Whether the tools can use it as it is: the repository was compared with it, or there is no index. A stored index is
    /// not compared for a glance, because most prompts need no tool and the comparison takes longer than everything else.
    pub(crate) is_compared: bool,
}

/// A refresh of the index in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Compares the whole repository with the index.
    Whole,
    /// Compares only these paths with the index.
    Changed(Vec<String>),
}

/// The answer to a query on the index.
pub struct Asked<T> {
    /// The answer, or `None` if there is no usable index.
    pub answer: Option<T>,
    /// The reason why the index on disk was not used for the answer, if there is one.
    pub problem: Option<IndexProblem>,
}

/// The reason why an index on disk is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexProblem {
    Damaged,
    /// The folder of the index belongs to another user, or other users can write to it. The message names the folder and
    /// the reason.
    Refused(String),
}

impl IndexProblem {
    /// Returns the problem that an error describes, or `None` if there is no index yet.
    fn of(error: &OpenError) -> Option<Self> {
        match error {
            OpenError::Refused(reason) => Some(Self::Refused(reason.clone())),
            error if error.is_absent() => None,
            OpenError::Unreadable(_)
            | OpenError::OtherFormat { .. }
            | OpenError::Damaged { .. } => Some(Self::Damaged),
        }
    }

    /// Returns the `[Limits]` message.
    pub(crate) fn limit(&self) -> Limit {
        match self {
            Self::Damaged => Limit::IndexDamaged,
            Self::Refused(reason) => Limit::Said(format!("the folder of the index {reason}")),
        }
    }
}

impl Knowledge {
    fn problem(&self) -> Option<IndexProblem> {
        match self {
            Self::Indexed { replaced: problem, .. } | Self::Files { problem } => problem.clone(),
        }
    }

    /// Returns the index, or `None` if there is none.
    pub(crate) fn view(&self) -> Option<&View> {
        match self {
            Self::Indexed { view, .. } => Some(view),
            Self::Files { .. } => None,
        }
    }

    /// Returns how the index should be refreshed in the background, or `None` if it need not be refreshed.
    pub(crate) fn refresh(&self) -> Option<Refresh> {
        match self {
            Self::Indexed { view, .. } if view.damaged() => Some(Refresh::Whole),
            Self::Indexed { refresh, .. } => refresh.clone(),
            Self::Files { .. } => Some(Refresh::Whole),
        }
    }
}

impl IndexLocation {
    pub(crate) fn of(host: &Host, root: &RepositoryRoot) -> Self {
        Self {
            root: root.path.clone(),
            cache: host.cache.clone(),
            environment: host.environment.clone(),
            now: host.clock,
            parser: host.parser.clone(),
        }
    }

    #[must_use]
    pub fn store(&self) -> Option<Store> {
        self.cache.as_ref().map(|cache| Store::new(cache, &self.root))
    }

    /// Returns whether a prompt may start an index build: the index can be stored, and the root is in a git work tree or
    /// already has an index. Any other folder is excluded, because it may be a whole home folder.
    #[must_use]
    pub fn is_indexed_automatically(&self) -> bool {
        let has_index = |store: &Store| store.snapshot_path().exists();
        let is_work_tree = || policy::find_git_top(&self.root).is_some();
        self.store().is_some_and(|store| has_index(&store) || is_work_tree())
    }

    /// Returns the options that all index builds for this repository use.
    #[must_use]
    pub fn build_options(&self, deadline: Option<Instant>) -> BuildOptions {
        // git reads the history and does not need the secrets in the environment.
        let history = HistoryOptions::new(self.environment.without_secrets());
        BuildOptions {
            history: Some(history),
            access: self.access(),
            deadline,
            ..BuildOptions::new(self.now, self.parser.clone())
        }
    }

    /// Returns the options for finding changed files until a deadline.
    #[must_use]
    pub fn look(&self, deadline: Instant) -> LookOptions {
        let access = self.access();
        LookOptions { access, ..LookOptions::until(deadline, self.parser.clone()) }
    }

    fn access(&self) -> TreeAccess {
        TreeAccess { admits, admits_content, ..TreeAccess::new(self.parser.clone()) }
    }

    /// Returns the options for finding changed files in a bounded part of the repository: the most recently modified
    /// files, the paths in `also`, and the files that differ from the commit that was indexed.
    pub(crate) fn look_at_newest(&self, deadline: Instant, also: Vec<String>) -> LookOptions {
        let git = Some(HistoryOptions::new(self.environment.without_secrets()));
        let deadline = deadline.min(Instant::now() + self.changes_timeout());
        let (max_compared, max_newest) = (MAX_COMPARED, MAX_NEWEST);
        LookOptions { max_compared, max_newest, also, git, ..self.look(deadline) }
    }

    /// Opens the index and compares all folders with it, so that all new files are found.
    pub(crate) fn open_with_new_files(&self, deadline: Instant, also: Vec<String>) -> Knowledge {
        let look = self.look_at_newest(deadline, also);
        let deadline = self.thorough_deadline(deadline);
        self.open_with(deadline, &LookOptions { all_directories: true, deadline, ..look })
    }

    /// Opens the index and compares the whole repository with it. If there is no usable index and the repository is
    /// small, builds one.
    #[must_use]
    pub fn open(&self, deadline: Instant) -> Knowledge {
        let until = deadline.min(Instant::now() + self.changes_timeout());
        self.open_with(deadline, &self.look(until))
    }

    /// Like [`Self::open`], but uses up to half of the remaining time to compare the repository with the index.
    pub(crate) fn open_thoroughly(&self, deadline: Instant) -> Knowledge {
        self.open_with(deadline, &self.look(self.thorough_deadline(deadline)))
    }

    /// Opens the index. If there is no usable index and the repository is small, builds one.
    pub(crate) fn open_with(&self, deadline: Instant, look: &LookOptions) -> Knowledge {
        match self.stored(look) {
            Ok(knowledge) => knowledge,
            Err(problem) => self.build_now(deadline, problem),
        }
    }

    /// Opens the index on disk. The error is the reason why it is not used, or `None` if there is no index yet.
    pub fn stored(&self, look: &LookOptions) -> Result<Knowledge, Option<IndexProblem>> {
        let view = self.store().ok_or(None)?.view(look);
        let view = view.map_err(|error| IndexProblem::of(&error))?;
        #[cfg(test)]
        openings::record(&self.root, openings::Opening::Compared);
        Ok(self.indexed(view, None))
    }

    /// Opens the index without looking for changed files. If the index cannot be opened, does the same as [`Self::open`].
    pub(crate) fn glance(&self, deadline: Instant) -> Glance {
        match self.store().map(|store| store.view_as_written()) {
            Some(Ok(view)) => {
                #[cfg(test)]
                openings::record(&self.root, openings::Opening::AsWritten);
                Glance { knowledge: self.indexed(view, None), is_compared: false }
            }
            Some(Err(_)) | None => Glance { knowledge: self.open(deadline), is_compared: true },
        }
    }

    /// Runs `query` on `first`. A damaged index is replaced by one that is built while the prompt waits.
    pub(crate) fn ask<T>(
        &self,
        first: &Knowledge,
        second: &OnceLock<Knowledge>,
        deadline: Instant,
        query: impl Fn(&View) -> T,
    ) -> Asked<T> {
        self.ask_or_repair(first, second, |problem| self.build_now(deadline, problem), query)
    }

    /// Returns the index for the tools: that of an earlier glance, compared with the repository, or a newly opened one.
    pub(crate) fn open_after(
        &self,
        glance: Option<Glance>,
        deadline: Instant,
        look: &LookOptions,
    ) -> Knowledge {
        match glance {
            Some(Glance { knowledge: Knowledge::Indexed { view, replaced, .. }, .. }) => {
                self.indexed(view.compared(look), replaced)
            }
            Some(Glance { knowledge: Knowledge::Files { .. }, .. }) | None => {
                self.open_with(deadline, look)
            }
        }
    }

    /// Runs `query` on `first`. If the index turns out to be damaged while it is read, discards the answer and runs
    /// `query` on `second`, which `build` creates without the damaged index.
    pub fn ask_or_repair<T>(
        &self,
        first: &Knowledge,
        second: &OnceLock<Knowledge>,
        build: impl FnOnce(Option<IndexProblem>) -> Knowledge,
        query: impl Fn(&View) -> T,
    ) -> Asked<T> {
        let ask = |knowledge: &Knowledge| match knowledge {
            Knowledge::Indexed { view, .. } => {
                let answer = query(view);
                if view.damaged() { Err(()) } else { Ok(Some(answer)) }
            }
            Knowledge::Files { .. } => Ok(None),
        };
        if let Ok(answer) = ask(first) {
            return Asked { answer, problem: first.problem() };
        }
        if let Some(store) = self.store() {
            store.distrust();
        }
        let damaged = Some(IndexProblem::Damaged);
        let second = second.get_or_init(|| build(damaged.clone()));
        Asked { answer: ask(second).unwrap_or_default(), problem: damaged }
    }

    /// Returns the time since an index was built.
    #[must_use]
    pub fn age(&self, view: &View) -> Duration {
        let built = Duration::from_secs(u64::try_from(view.meta().built_at).unwrap_or(0));
        let now = self.now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        now.saturating_sub(built)
    }

    /// Returns an index that was opened or built. `replaced` is the reason why it replaces the index on disk.
    #[must_use]
    pub fn indexed(&self, view: View, replaced: Option<IndexProblem>) -> Knowledge {
        let age = self.age(&view);
        let freshness = view.freshness();
        let is_pending = view.meta().history == HistoryState::Pending;
        let refresh = if !freshness.complete && self.is_comparison_due() {
            Some(Refresh::Whole)
        } else if freshness.found_changes() && age > MIN_REBUILD_AGE {
            Some(refresh_of(freshness))
        } else if (view.has_patch() || is_pending) && age > MIN_REBUILD_AGE {
            // The refresh completes the index: it resolves the references of the files in the patch, and reads the
            // history.
            Some(Refresh::Whole)
        } else {
            None
        };
        Knowledge::Indexed { view: Box::new(view), refresh, replaced }
    }

    fn changes_timeout(&self) -> Duration {
        CHANGES_TIMEOUT.saturating_mul(self.environment.slowness())
    }

    /// Returns the deadline for a comparison that may take up to half of the remaining time, but at least
    /// [`CHANGES_TIMEOUT`].
    fn thorough_deadline(&self, deadline: Instant) -> Instant {
        let now = Instant::now();
        let half = deadline.saturating_duration_since(now) / 2;
        now + half.max(self.changes_timeout())
    }

    /// Returns whether the last comparison of the whole repository is too old.
    fn is_comparison_due(&self) -> bool {
        let last = self.store().and_then(|store| store.last_refresh());
        let age = last.and_then(|last| self.now.duration_since(last).ok());
        // If the time is in the future, no comparison is due.
        age.is_some_and(|age| age > COMPARE_INTERVAL)
    }
}

/// Returns the refresh that brings the index up to date. If there are more than [`MAX_NAMED_CHANGES`] changes, it
/// compares the whole repository.
fn refresh_of(freshness: &Freshness) -> Refresh {
    let Freshness { changed, added, deleted, left_out, .. } = freshness;
    let paths: Vec<String> = [changed, added, deleted].into_iter().flatten().cloned().collect();
    let is_short = paths.len() <= MAX_NAMED_CHANGES && *left_out == 0;
    if is_short { Refresh::Changed(paths) } else { Refresh::Whole }
}

/// Returns whether a file may be indexed, judged by its path. Files that are never quoted are not indexed.
fn admits(path: &Path) -> bool {
    !guard::is_sensitive(path)
}

/// Returns whether a file with this content may be indexed. Files that contain a key or credentials are not indexed.
fn admits_content(path: &Path, bytes: &[u8]) -> bool {
    guard::quotable(path, bytes.len() as u64, bytes) != Quotable::Sensitive
}
