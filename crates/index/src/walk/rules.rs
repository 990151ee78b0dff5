//! Applies the ignore files of a repository: `.gitignore`, `.ignore`, `.git/info/exclude` and the user's global
//! excludes file.
//!
//! The crate `ignore` follows symbolic links when it reads these files, and does not limit their size. Like git, this
//! module reads only regular files in a repository and does not follow links. It also limits the total number of
//! bytes that a walk reads from ignore files, because parsed patterns take many times their size in memory, and a
//! repository could contain a thousand copies of one large file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use disk::Links;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};
use rustc_hash::FxHashMap;

use crate::cache_paths::{common_dir_of, top_of_work_tree};

/// The maximum number of bytes that are read from one ignore file. Later lines are not applied.
const MAX_FILE_BYTES: u64 = 128 * 1024;
/// The maximum number of bytes that are read from all ignore files in one walk.
const MAX_TOTAL_BYTES: u64 = 2 * 1024 * 1024;

/// The maximum size of a git configuration file. Larger files are ignored.
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

/// The ignore rules of one tree. The rules of a folder are read when the first entry in the folder is checked.
pub(super) struct IgnoreRules {
    /// The topmost folder whose ignore files are read.
    top: PathBuf,
    global: Gitignore,
    folders: RwLock<FxHashMap<PathBuf, Arc<FolderRules>>>,
    bytes_left: AtomicU64,
    n_refused: AtomicU32,
}

/// The rules of a folder and, through `parent`, of the folders above it.
struct FolderRules {
    parent: Option<Arc<Self>>,
    ignore: Gitignore,
    git: Gitignore,
    exclude: Gitignore,
}

impl IgnoreRules {
    pub(super) fn new(root: &Path) -> Self {
        let top = top_of_work_tree(root).unwrap_or(root);
        let rules = Self {
            top: top.to_owned(),
            global: Gitignore::empty(),
            folders: RwLock::default(),
            bytes_left: AtomicU64::new(MAX_TOTAL_BYTES),
            n_refused: AtomicU32::new(0),
        };
        // Links are followed here, because the global file belongs to the user, and dotfile managers often make it a
        // link.
        let global = global_excludes_path()
            .map_or_else(Gitignore::empty, |file| rules.read(top, &file, Links::Follow));
        Self { global, ..rules }
    }

    /// Returns whether an entry is ignored. The order of precedence is: `.ignore` files, `.gitignore` files,
    /// `info/exclude`, the global file. Among files of the same kind, the one in the nearest folder wins.
    pub(super) fn leave_out(&self, path: &Path, is_folder: bool) -> bool {
        let Some(folder) = path.parent() else { return false };
        let rules = self.of_folder(folder);
        let decision = rules
            .decision(|rules| &rules.ignore, path, is_folder)
            .or(rules.decision(|rules| &rules.git, path, is_folder))
            .or(rules.decision(|rules| &rules.exclude, path, is_folder))
            .or(self.global.matched(path, is_folder));
        decision.is_ignore()
    }

    /// Returns whether an entry is ignored by the `.ignore` files alone.
    pub(super) fn leave_out_by_dot_ignore(&self, path: &Path, is_folder: bool) -> bool {
        let Some(folder) = path.parent() else { return false };
        self.of_folder(folder).decision(|rules| &rules.ignore, path, is_folder).is_ignore()
    }

    /// Returns the number of ignore files that were not applied completely.
    pub(super) fn n_refused(&self) -> u32 {
        self.n_refused.load(Ordering::Relaxed)
    }

    fn of_folder(&self, folder: &Path) -> Arc<FolderRules> {
        let known = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(folder) {
            return Arc::clone(rules);
        }
        drop(known);
        let is_top = folder == self.top;
        let parent = folder.parent().filter(|_| !is_top).map(|parent| self.of_folder(parent));
        let rules = self.read_folder(folder, parent);
        let mut known = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(folder.to_owned()).or_insert(rules))
    }

    fn read_folder(&self, folder: &Path, parent: Option<Arc<FolderRules>>) -> Arc<FolderRules> {
        let read = |name: &str| self.read(folder, &folder.join(name), Links::Refuse);
        let (ignore, git) = (read(".ignore"), read(".gitignore"));
        let exclude = common_dir_of(&folder.join(".git")).map_or_else(Gitignore::empty, |common| {
            self.read(folder, &common.join("info/exclude"), Links::Refuse)
        });
        match parent {
            Some(parent) if ignore.is_empty() && git.is_empty() && exclude.is_empty() => parent,
            parent => Arc::new(FolderRules { parent, ignore, git, exclude }),
        }
    }

    /// Reads the patterns in `file`, which apply to paths below `folder`. Invalid patterns are skipped, as in git.
    fn read(&self, folder: &Path, file: &Path, links: Links) -> Gitignore {
        let budget = self.bytes_left.load(Ordering::Relaxed).min(MAX_FILE_BYTES);
        let mut bytes = match disk::read_start(file, links, budget + 1) {
            Ok(bytes) => bytes,
            Err(error) => {
                if !is_absent(&error) {
                    self.refuse();
                }
                return Gitignore::empty();
            }
        };
        if bytes.len() as u64 > budget {
            self.refuse();
            let whole_lines = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
            bytes.truncate(whole_lines);
        }
        let used = bytes.len() as u64;
        // Two threads may read the same file and subtract its size twice; `saturating_sub` prevents an underflow.
        let spend = |left: u64| Some(left.saturating_sub(used));
        let _before = self.bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend);
        let text = String::from_utf8_lossy(&bytes);
        let mut builder = GitignoreBuilder::new(folder);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let _not_understood = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|_| {
            self.refuse();
            Gitignore::empty()
        })
    }

    fn refuse(&self) {
        self.n_refused.fetch_add(1, Ordering::Relaxed);
    }
}

impl FolderRules {
    /// Matches `path` against the rules of this folder, then against those of the folders above it, and returns the
    /// first match. `rules` selects one kind of rules.
    fn decision<'a>(
        &'a self,
        rules: impl Fn(&'a Self) -> &'a Gitignore,
        path: &Path,
        is_folder: bool,
    ) -> Match<&'a Glob> {
        let mut folder = Some(self);
        while let Some(current) = folder {
            let decision = rules(current).matched(path, is_folder);
            if !decision.is_none() {
                return decision;
            }
            folder = current.parent.as_deref();
        }
        Match::None
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns the path of the global excludes file. The file need not exist. Looks for `core.excludesFile` in the user's
/// git configuration, then in the system's. If neither contains it, returns git's default location. Returns `None` if
/// the result is not an absolute path.
#[expect(
    clippy::disallowed_methods,
    reason = "git reads these variables too, and a walk must ignore the same files as git"
)]
fn global_excludes_path() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = variable("HOME");
    let settings = variable("XDG_CONFIG_HOME").or(home.as_ref().map(|home| home.join(".config")));
    let configurations = [
        variable("GIT_CONFIG_GLOBAL"),
        home.as_ref().map(|home| home.join(".gitconfig")),
        settings.as_ref().map(|settings| settings.join("git/config")),
        variable("GIT_CONFIG_SYSTEM").or_else(|| Some(PathBuf::from("/etc/gitconfig"))),
    ];
    let named = configurations.into_iter().flatten().find_map(|file| {
        let bytes = disk::read(&file, Links::Follow, MAX_CONFIG_BYTES).ok()?;
        let named = excludes_file(&String::from_utf8_lossy(&bytes))?;
        match named.strip_prefix("~/") {
            Some(below) => Some(home.as_ref()?.join(below)),
            None => Some(PathBuf::from(named)),
        }
    });
    let usual = || settings.map(|settings| settings.join("git/ignore"));
    named.or_else(usual).filter(|path| path.is_absolute())
}

/// Returns the last value of `excludesFile` in a git configuration. The section is not checked, because no section
/// other than `core` has this key.
fn excludes_file(configuration: &str) -> Option<String> {
    configuration.lines().rev().find_map(|line| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().trim_matches('"').trim();
        let is_key = key.trim().eq_ignore_ascii_case("excludesfile");
        (is_key && !value.is_empty()).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests;
