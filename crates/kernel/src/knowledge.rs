//! What answers are drawn from: the index of the repository, or the files themselves while there is none.
//!
//! A prompt never waits for an index: a small repository is indexed on the spot, a large one is searched live
//! while another process builds the index.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use guard::Quotable;
use index::{BuildOptions, HistoryOptions, LookOptions, Store, View, WalkBounds, WalkEnd};
use policy::RepositoryRoot;
use process::Environment;

use crate::brief::Host;

/// Up to so many files a repository is indexed while the prompt waits.
const SMALL: usize = 300;
const SMALL_BUILD: Duration = Duration::from_millis(1_200);
/// How long to look for files that changed since the snapshot.
const LOOK: Duration = Duration::from_millis(250);
/// An index that was just written and is behind by a file is good enough for now.
const REFRESH_AFTER: Duration = Duration::from_secs(20);

/// Where a repository is, and where its index may be kept.
#[derive(Clone, Debug)]
pub struct IndexLocation {
    pub root: PathBuf,
    /// The user's cache folder; without one nothing is kept.
    pub cache: Option<PathBuf>,
    pub environment: Environment,
    pub now: SystemTime,
}

pub enum Knowledge {
    Indexed {
        view: Box<View>,
        is_behind: bool,
        /// The index on disk was damaged; this one was built in its place.
        replaces_damaged: bool,
    },
    /// No index that can be used, and the repository is too large to build one now.
    Files { is_damaged: bool },
}

/// The answer to a question about the index.
pub(crate) struct Asked<T> {
    /// `None` if there is no index to ask.
    pub(crate) answer: Option<T>,
    /// A damaged index was found, and nothing in the answer comes from it.
    pub(crate) found_damage: bool,
}

impl Knowledge {
    fn replaces_damaged(&self) -> bool {
        match self {
            Self::Indexed { replaces_damaged: found, .. } | Self::Files { is_damaged: found } => {
                *found
            }
        }
    }

    /// Whether a new index should be built in the background.
    pub(crate) fn wants_build(&self) -> bool {
        match self {
            Self::Indexed { view, is_behind, .. } => *is_behind || view.damaged(),
            Self::Files { .. } => true,
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
        }
    }

    #[must_use]
    pub fn store(&self) -> Option<Store> {
        self.cache.as_ref().map(|cache| Store::new(cache, &self.root))
    }

    /// Whether a prompt may have an index built behind its back: where it can be kept, and only of a git work tree or where
    /// somebody has built one. What else is a prompt's folder may be a whole home.
    #[must_use]
    pub fn is_indexed_unasked(&self) -> bool {
        let is_asked_for = |store: &Store| store.snapshot_path().exists();
        let is_work_tree = || policy::find_git_top(&self.root).is_some();
        self.store().is_some_and(|store| is_asked_for(&store) || is_work_tree())
    }

    /// How an index of this repository is built, whoever builds it.
    #[must_use]
    pub fn build_options(&self, deadline: Option<Instant>) -> BuildOptions {
        // git answers questions about history; it has no business with the client's keys.
        let history = HistoryOptions::new(self.environment.without_secrets());
        BuildOptions {
            history: Some(history),
            admits,
            admits_content,
            deadline,
            ..BuildOptions::new(self.now)
        }
    }

    #[must_use]
    pub fn look(&self, deadline: Instant) -> LookOptions {
        LookOptions { admits, admits_content, ..LookOptions::until(deadline) }
    }

    /// Opens what there is, makes what can be made by the deadline.
    #[must_use]
    pub fn open(&self, deadline: Instant) -> Knowledge {
        let look = self.look(deadline.min(Instant::now() + LOOK));
        match self.store().map(|store| store.view(look)) {
            Some(Ok(view)) => self.indexed(view, false),
            Some(Err(error)) => self.build_now(deadline, !error.is_absent()),
            None => self.build_now(deadline, false),
        }
    }

    /// The index as it was last written, whatever changed since; a small repository without one gets one.
    #[must_use]
    pub(crate) fn glance(&self, deadline: Instant) -> Knowledge {
        match self.store().map(|store| store.view_as_written()) {
            Some(Ok(view)) => self.indexed(view, false),
            Some(Err(_)) | None => self.open(deadline),
        }
    }

    /// Asks `question` of `first`. Damage shows while an index is read: an answer from a view that turns out to be damaged
    /// is dropped, and `question` is asked of `second`, which is built without the damaged files.
    pub(crate) fn ask<T>(
        &self,
        first: &Knowledge,
        second: &OnceLock<Knowledge>,
        deadline: Instant,
        question: impl Fn(&View) -> T,
    ) -> Asked<T> {
        let ask = |knowledge: &Knowledge| match knowledge {
            Knowledge::Indexed { view, .. } => {
                let answer = question(view);
                if view.damaged() { Err(()) } else { Ok(Some(answer)) }
            }
            Knowledge::Files { .. } => Ok(None),
        };
        if let Ok(answer) = ask(first) {
            return Asked { answer, found_damage: first.replaces_damaged() };
        }
        let second = second.get_or_init(|| self.build_now(deadline, true));
        Asked { answer: ask(second).unwrap_or_default(), found_damage: true }
    }

    /// An index of a small repository, built while the prompt waits. Reads nothing of a snapshot that is damaged.
    fn build_now(&self, deadline: Instant, replaces_damaged: bool) -> Knowledge {
        let files = Knowledge::Files { is_damaged: replaces_damaged };
        if !self.is_small() {
            return files;
        }
        let options = self.build_options(Some(deadline.min(Instant::now() + SMALL_BUILD)));
        let kept = self.store().filter(|store| store.refresh(&options, &|_| ()).is_ok());
        let view = match kept {
            Some(store) => store.view_as_written().ok(),
            None => index::build_in_memory(&self.root, &options).ok(),
        };
        view.map_or(files, |view| self.indexed(view, replaces_damaged))
    }

    fn indexed(&self, view: View, replaces_damaged: bool) -> Knowledge {
        let built = Duration::from_secs(u64::try_from(view.meta().built_at).unwrap_or(0));
        let age = self
            .now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .saturating_sub(built);
        let is_behind = !view.freshness().is_current() && age > REFRESH_AFTER;
        Knowledge::Indexed { view: Box::new(view), is_behind, replaces_damaged }
    }

    fn is_small(&self) -> bool {
        let bounds = WalkBounds { deadline: Instant::now() + LOOK, max_files: SMALL };
        index::visit_files(&self.root, bounds, || |_: &Path| ()) == WalkEnd::Complete
    }
}

/// Words of files that are never quoted are not kept in an index either.
fn admits(path: &Path) -> bool {
    !guard::is_sensitive(path)
}

/// Nor are those of a file that holds a key or credentials under an innocent name.
fn admits_content(path: &Path, bytes: &[u8]) -> bool {
    guard::quotable(path, bytes.len() as u64, bytes) != Quotable::Sensitive
}
