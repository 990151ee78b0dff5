//! What answers are drawn from: the index of the repository, or the files themselves while there is none.
//!
//! A prompt never waits for an index: a small repository is indexed on the spot, a large one is searched live
//! while another process builds the index.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use guard::Quotable;
use index::{BuildOptions, HistoryOptions, LookOptions, Store, View, WalkBounds, WalkEnd};
use policy::RepositoryRoot;
use process::Environment;

use crate::brief::World;

/// Up to so many files a repository is indexed while the prompt waits.
const SMALL: usize = 300;
const SMALL_BUILD: Duration = Duration::from_millis(1_200);
/// How long to look for files that changed since the snapshot.
const LOOK: Duration = Duration::from_millis(250);
/// An index that was just written and is behind by a file is good enough for now.
const REFRESH_AFTER: Duration = Duration::from_secs(20);

/// Where a repository is, and where its index may be kept.
#[derive(Clone, Debug)]
pub struct Place {
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
    },
    /// No index, and too large to make one now.
    Files,
}

impl Place {
    pub(crate) fn of(world: &World, root: &RepositoryRoot) -> Self {
        Self {
            root: root.path.clone(),
            cache: world.cache.clone(),
            environment: world.environment.clone(),
            now: world.clock,
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
        let store = self.store();
        let look = self.look(deadline.min(Instant::now() + LOOK));
        if let Some(view) = store.as_ref().and_then(|store| store.view(look).ok()) {
            return self.indexed(view);
        }
        if !self.is_small() {
            return Knowledge::Files;
        }
        let options = self.build_options(Some(deadline.min(Instant::now() + SMALL_BUILD)));
        let kept = store.filter(|store| store.refresh(&options, &|_| ()).is_ok());
        let view = match kept {
            Some(store) => store.view_as_written().ok(),
            None => index::build_in_memory(&self.root, &options).ok(),
        };
        view.map_or(Knowledge::Files, |view| self.indexed(view))
    }

    /// The index as it was last written, whatever changed since; a small repository without one gets one.
    #[must_use]
    pub(crate) fn glance(&self, deadline: Instant) -> Option<View> {
        let written = self.store().and_then(|store| store.view_as_written().ok());
        written.or_else(|| match self.open(deadline) {
            Knowledge::Indexed { view, .. } => Some(*view),
            Knowledge::Files => None,
        })
    }

    fn indexed(&self, view: View) -> Knowledge {
        let built = Duration::from_secs(u64::try_from(view.meta().built_at).unwrap_or(0));
        let age = self
            .now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .saturating_sub(built);
        let is_behind = !view.freshness().is_current() && age > REFRESH_AFTER;
        Knowledge::Indexed { view: Box::new(view), is_behind }
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
