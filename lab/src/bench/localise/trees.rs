//! Checks out the tree of a case, without later commits, and builds its index.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, HistoryOptions, Parser, Snapshot, Store, View};
use process::Environment;

/// A commit of a repository.
#[derive(Clone, Copy)]
pub(in crate::bench) struct Revision<'a> {
    /// The name under which the index is stored.
    pub(in crate::bench) id: &'a str,
    pub(in crate::bench) repo: &'a str,
    pub(in crate::bench) commit: &'a str,
}

/// A checked-out tree with its index.
pub(in crate::bench) struct Tree {
    pub(in crate::bench) view: View,
    /// The time to build the index, or `None` if an index of an earlier run was used.
    pub(in crate::bench) indexed_in: Option<Duration>,
}

/// The folders for trees and their indexes, and the options that apply to them.
pub(in crate::bench) struct WorkFolders<'a> {
    pub(in crate::bench) clones: &'a Path,
    pub(in crate::bench) work: &'a Path,
    pub(in crate::bench) with_history: bool,
    pub(in crate::bench) kept: StoredIndexes,
}

/// How the indexes of earlier runs are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) enum StoredIndexes {
    Used,
    /// Only stored indexes are used. A tree without a stored index is an error.
    Only,
    /// The tree is checked out and its index is refreshed, because the tested program reads the tree and the index.
    Renewed,
    /// Each case has its own tree, which is checked out and indexed once. The tested program reads the tree and the
    /// index.
    OnePerCase,
}

impl WorkFolders<'_> {
    fn kind(&self) -> &'static str {
        if self.with_history { "history" } else { "plain" }
    }

    /// Returns the folder for the index of the checked-out tree.
    pub(in crate::bench) fn cache(&self) -> PathBuf {
        self.work.join("cache").join(self.kind())
    }

    fn snapshot(&self, revision: &Revision<'_>) -> PathBuf {
        self.work.join(format!("{}/{}.snap", self.kind(), revision.id.replace('/', "+")))
    }

    pub(in crate::bench) fn tree(&self, revision: &Revision<'_>) -> PathBuf {
        let repo = revision.repo.replace('/', "+");
        match self.kept {
            StoredIndexes::OnePerCase => {
                self.work.join("trees-of-cases").join(revision.id.replace('/', "+"))
            }
            StoredIndexes::Used | StoredIndexes::Only | StoredIndexes::Renewed => {
                self.work.join("trees").join(repo)
            }
        }
    }
}

/// Opens the checked-out tree of a case with its index. Snapshots are stored under `work`, so that a second run does
/// not build the index again.
pub(in crate::bench) fn prepare(
    revision: &Revision<'_>,
    folders: &WorkFolders<'_>,
) -> Result<Tree, String> {
    let work = folders.work;
    let name = revision.repo.replace('/', "+");
    let kept = folders.snapshot(revision);
    let tree = folders.tree(revision);
    let is_usable = match folders.kept {
        StoredIndexes::Used | StoredIndexes::Only => true,
        StoredIndexes::Renewed => false,
        StoredIndexes::OnePerCase => Store::new(&folders.cache(), &tree).snapshot_path().exists(),
    };
    if is_usable && let Ok(snapshot) = Snapshot::open(&kept) {
        return Ok(Tree { view: View::of(snapshot, &tree), indexed_in: None });
    }
    if folders.kept == StoredIndexes::Only {
        return Err("no stored index".to_owned());
    }
    let clone = find_clone(folders.clones, &name)
        .ok_or_else(|| format!("no clone of `{}`", revision.repo))?;
    check_out(&clone, &tree, revision.commit)?;
    let store = Store::new(&folders.cache(), &tree);
    let mut options = BuildOptions::new(now(), Parser::linked());
    options.history = folders.with_history.then(|| HistoryOptions::new(environment()));
    let started = Instant::now();
    store.refresh(&options, &|_| {}).map_err(|error| error.to_string())?;
    let indexed_in = Some(started.elapsed());
    std::fs::create_dir_all(kept.parent().unwrap_or(work)).map_err(|error| error.to_string())?;
    std::fs::copy(store.snapshot_path(), &kept).map_err(|error| error.to_string())?;
    let snapshot = Snapshot::open(&kept).map_err(|error| error.to_string())?;
    Ok(Tree { view: View::of(snapshot, &tree), indexed_in })
}

/// Finds a clone by `owner+name`, ignoring case. Projects may have moved, so a clone with the same name under another owner
/// is accepted.
fn find_clone(clones: &Path, name: &str) -> Option<PathBuf> {
    let entries: Vec<PathBuf> =
        std::fs::read_dir(clones).ok()?.flatten().map(|entry| entry.path()).collect();
    let file_name = |path: &PathBuf| {
        path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    let lower = name.to_lowercase();
    let project = lower.split('+').nth(1).unwrap_or_default();
    let exact = entries.iter().find(|path| file_name(path) == lower);
    let moved = || entries.iter().find(|path| file_name(path).split('+').nth(1) == Some(project));
    let found = exact.or_else(moved)?;
    ["repo/.git", "repo", ".git", ""]
        .iter()
        .map(|inner| found.join(inner))
        .find(|path| path.join("objects").is_dir())
}

fn check_out(clone: &Path, tree: &Path, commit: &str) -> Result<(), String> {
    if !tree.join(".git").exists() {
        let parent = tree.parent().unwrap_or(tree);
        std::fs::create_dir_all(parent).map_err(|error| error.to_string())?;
        git(
            parent,
            &[
                "clone",
                "-q",
                "--shared",
                "--no-checkout",
                &clone.to_string_lossy(),
                &tree.to_string_lossy(),
            ],
        )?;
    }
    if git(tree, &["checkout", "-q", "-f", "--detach", commit]).is_err() {
        // The largest files of a clone may be missing. `checkout-index` still writes the other files.
        git(tree, &["read-tree", "--reset", commit])?;
        git(tree, &["update-ref", "--no-deref", "HEAD", commit])?;
        drop(git(tree, &["checkout-index", "-q", "-a", "-f"]));
    }
    git(tree, &["clean", "-qfdx"])
}

#[expect(clippy::disallowed_methods, reason = "a bench makes the trees it measures")]
fn git(directory: &Path, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("git")
        .args(["-c", "advice.detachedHead=false", "-c", "core.longpaths=true"])
        .args(arguments)
        .current_dir(directory)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("cannot start git: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("git {} failed", arguments.join(" "))) }
}

#[expect(clippy::disallowed_methods, reason = "a bench is the edge: it reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn environment() -> Environment {
    Environment::new(std::env::vars_os())
}
