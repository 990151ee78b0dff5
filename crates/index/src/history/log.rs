//! Runs `git log` and parses its output.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use rustc_hash::FxHashMap;

use super::git::BuildGit;
use super::{Commit, History, HistoryState};
use crate::interner::Interner;

const MAX_SUBJECT_BYTES: usize = 200;
/// The part, in quarters, of the remaining time in which the history is read, while the files are analysed. The rest is
/// left for assembling the index.
const HISTORY_QUARTERS: u32 = 3;
/// The part, in quarters, of the remaining time in which git lists the tracked files. The files are analysed after that.
const TRACKED_QUARTERS: u32 = 1;

/// Reads the history of the repository, within the limits. If `known.head` is an ancestor of the current commit, only
/// later commits are read. If `known` is `None` and [`HistoryOptions::is_deferred`] is set, returns
/// [`History::pending`]. Returns `None` if there is no commit or git fails.
///
/// If git does not finish before the deadline of the build, returns `known` or [`History::pending`], so that a later
/// build without a deadline reads the history.
///
/// [`HistoryOptions::is_deferred`]: super::HistoryOptions::is_deferred
pub(crate) fn read_history(git: &BuildGit<'_>, known: Option<&History>) -> Option<History> {
    let read = read_within_limits(git, known);
    if git.is_late_for_build() {
        return Some(known.cloned().unwrap_or_else(History::pending));
    }
    read
}

fn read_within_limits(git: &BuildGit<'_>, known: Option<&History>) -> Option<History> {
    let deadline = git.until(HISTORY_QUARTERS);
    let head = head_until(git, deadline)?;
    if known.is_none() && git.options.is_deferred {
        return Some(History::pending());
    }
    if let Some(known) = known {
        if known.head == head {
            return Some(known.clone());
        }
        if let Some(extended) = extend(git, deadline, &head, known.clone()) {
            return Some(extended);
        }
    }
    let max_commits = git.options.max_commits;
    let log = git.run(deadline, &log_arguments(max_commits, &head))?;
    let mut reader = LogReader::default();
    reader.read(&log.bytes);
    let is_all = !log.is_cut
        && !log.is_out_of_time
        && (reader.commits.len() as u32) < max_commits
        && !is_shallow(git.root);
    let state = if is_all { HistoryState::Complete } else { HistoryState::Partial };
    Some(reader.into_history(head, state))
}

/// Returns the hash of the current commit, or `None` if there is no commit or git fails.
pub(crate) fn current_head(git: &BuildGit<'_>) -> Option<String> {
    head_until(git, git.until(TRACKED_QUARTERS))
}

fn head_until(git: &BuildGit<'_>, deadline: Instant) -> Option<String> {
    let head = git.run(deadline, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
    std::str::from_utf8(&head.bytes).ok().map(|head| head.trim().to_owned())
}

/// Prepends the commits after `known.head` to the known commits. Returns `None` if `known.head` is not an ancestor of
/// `head`, or if git fails or does not finish in time.
fn extend(git: &BuildGit<'_>, deadline: Instant, head: &str, known: History) -> Option<History> {
    let range = format!("{}..{head}", known.head);
    let max_commits = git.options.max_commits;
    git.run(deadline, &["merge-base", "--is-ancestor", &known.head, head])?;
    let log = git.run(deadline, &log_arguments(max_commits, &range))?;
    if log.is_cut || log.is_out_of_time {
        return None;
    }
    let mut reader = LogReader::over(&known.authors, &known.paths);
    reader.read(&log.bytes);
    let known_commits = known.commits.into_iter().map(|mut commit| {
        commit.paths.iter_mut().for_each(|path| *path = reader.newest_name(*path));
        commit
    });
    let known_commits: Vec<Commit> = known_commits.collect();
    reader.commits.extend(known_commits);
    // As in `read_within_limits`, a history that reaches the limit may lack older commits.
    let is_cut = reader.commits.len() >= max_commits as usize;
    reader.commits.truncate(max_commits as usize);
    let state = if is_cut { HistoryState::Partial } else { known.state };
    Some(reader.into_history(head.to_owned(), state))
}

fn log_arguments(max_commits: u32, range: &str) -> Vec<String> {
    let limit = format!("--max-count={max_commits}");
    let format = "--format=%x01%ct%x00%an%x00%s";
    [
        "log",
        "--no-merges",
        // Only unchanged files are recognised, because other renames need the content of the files, which a partial
        // clone lacks.
        "--find-renames=100%",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--relative",
        "--name-status",
        "-z",
        &limit,
        format,
        range,
        "--",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// The paths of the tracked files, relative to the root.
pub(crate) struct TrackedFiles(Vec<u8>);

impl TrackedFiles {
    /// Reads the paths from git's index. Returns no paths if git fails. Git is not asked which of them an ignore file
    /// matches, because it would open the ignore files, and one of them may be a FIFO.
    pub(crate) fn read(git: &BuildGit<'_>) -> Self {
        let listed = git.run(git.until(TRACKED_QUARTERS), &["ls-files", "-z", "--cached"]);
        Self(listed.map(|listed| listed.bytes).unwrap_or_default())
    }

    /// Returns the paths in the order of git's index, without those that are not UTF-8.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.0.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        paths.filter_map(|path| std::str::from_utf8(path).ok())
    }
}

fn is_shallow(root: &Path) -> bool {
    crate::cache_paths::git_common_dir(root).is_some_and(|folder| folder.join("shallow").exists())
}

/// Parses a log into commits, and assigns indices to the authors and paths.
#[derive(Default)]
pub(super) struct LogReader {
    authors: Interner,
    paths: Interner,
    /// Maps the old path of a renamed file to its newest path. The log is read from the newest commit to the oldest, so
    /// the older commits of a file are recorded under its newest path.
    renamed: FxHashMap<u32, u32>,
    pub(super) commits: Vec<Commit>,
}

impl LogReader {
    /// Returns a reader that continues the numbers of known authors and paths. Their texts are distinct.
    fn over(authors: &[String], paths: &[String]) -> Self {
        let mut reader = Self::default();
        for (interner, texts) in [(&mut reader.authors, authors), (&mut reader.paths, paths)] {
            for text in texts {
                interner.number(text.as_bytes());
            }
        }
        reader
    }

    /// Parses commits of the form `\x01time NUL author NUL subject NUL`, followed by the changed files. A file is
    /// `status NUL path NUL` or, if it was renamed, `R100 NUL old path NUL new path NUL`. Invalid commits are skipped.
    pub(super) fn read(&mut self, log: &[u8]) {
        for record in log.split(|byte| *byte == 1).skip(1) {
            let mut parts = record.split(|byte| *byte == 0).map(String::from_utf8_lossy);
            let (Some(time), Some(author), Some(subject)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let Ok(time) = time.parse() else { continue };
            let mut subject = subject.into_owned();
            subject.truncate(subject.floor_char_boundary(MAX_SUBJECT_BYTES));
            let paths = self.changed_paths(parts);
            let author = self.authors.number(author.as_bytes());
            self.commits.push(Commit { time, author, subject, paths });
        }
    }

    fn changed_paths<'a>(&mut self, mut parts: impl Iterator<Item = Cow<'a, str>>) -> Vec<u32> {
        let (mut paths, mut renamed) = (Vec::new(), Vec::new());
        while let Some(status) = parts.next() {
            let status = status.trim_start_matches('\n');
            let Some(path) = (if status.is_empty() { continue } else { parts.next() }) else {
                break;
            };
            let number = self.paths.number(path.as_bytes());
            if status.starts_with('R') {
                let Some(new) = parts.next() else { break };
                let new = self.paths.number(new.as_bytes());
                let newest = self.newest_name(new);
                renamed.push((number, newest));
                paths.push(newest);
            } else {
                paths.push(self.newest_name(number));
            }
        }
        self.renamed.extend(renamed);
        paths
    }

    fn newest_name(&self, path: u32) -> u32 {
        self.renamed.get(&path).copied().unwrap_or(path)
    }

    pub(super) fn into_history(self, head: String, state: HistoryState) -> History {
        let texts = |interner: &Interner| {
            (0..interner.len() as u32).map(|number| interner.text(number).to_owned()).collect()
        };
        let (authors, paths) = (texts(&self.authors), texts(&self.paths));
        History { head, state, authors, paths, commits: self.commits }
    }
}
