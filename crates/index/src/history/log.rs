//! Runs `git log` and parses its output.

use std::path::Path;
use std::time::Instant;

use process::{Bounds, End, Git, run};
use rustc_hash::FxHashMap;

use super::{Commit, History, HistoryOptions, HistoryState};

/// The maximum size of the log. A longer log is cut. For comparison, thirty thousand commits of a large project take
/// eleven megabytes.
const MAX_LOG_BYTES: usize = 64 * 1024 * 1024;
const MAX_SUBJECT_BYTES: usize = 200;

/// Reads the history of the repository that contains `root`, within the limits. If `known.head` is an ancestor of the
/// current commit, only later commits are read. If `known` is `None` and [`HistoryOptions::is_deferred`] is set,
/// returns [`History::pending`]. Returns `None` if there is no commit or git fails.
pub(crate) fn read_history(
    root: &Path,
    options: &HistoryOptions,
    known: Option<History>,
) -> Option<History> {
    let deadline = Instant::now() + options.time;
    let head = current_head(root, options)?;
    if known.is_none() && options.is_deferred {
        return Some(History::pending());
    }
    if let Some(known) = known {
        if known.head == head {
            return Some(known);
        }
        if let Some(extended) = extend(root, options, deadline, &head, known) {
            return Some(extended);
        }
    }
    let (log, finished) = git(root, options, deadline, &log_arguments(options.max_commits, &head))?;
    let mut reader = LogReader::default();
    reader.read(&log);
    let is_all =
        finished && (reader.commits.len() as u32) < options.max_commits && !is_shallow(root);
    let state = if is_all { HistoryState::Complete } else { HistoryState::Partial };
    Some(reader.into_history(head, state))
}

/// Returns the hash of the current commit, or `None` if there is no commit or git fails.
pub(crate) fn current_head(root: &Path, options: &HistoryOptions) -> Option<String> {
    let deadline = Instant::now() + options.time;
    let (head, _) =
        git(root, options, deadline, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
    std::str::from_utf8(&head).ok().map(|head| head.trim().to_owned())
}

/// Prepends the commits after `known.head` to the known commits. Returns `None` if `known.head` is not an ancestor of
/// `head`, or if git fails or does not finish in time.
fn extend(
    root: &Path,
    options: &HistoryOptions,
    deadline: Instant,
    head: &str,
    known: History,
) -> Option<History> {
    let range = format!("{}..{head}", known.head);
    git(root, options, deadline, &["merge-base", "--is-ancestor", &known.head, head])?;
    let (log, finished) =
        git(root, options, deadline, &log_arguments(options.max_commits, &range))?;
    if !finished {
        return None;
    }
    let mut reader = LogReader::over(known.authors, known.paths);
    reader.read(&log);
    reader.commits.extend(known.commits);
    // As in `read_history`, a history that reaches the limit may lack older commits.
    let is_cut = reader.commits.len() >= options.max_commits as usize;
    reader.commits.truncate(options.max_commits as usize);
    let state = if is_cut { HistoryState::Partial } else { known.state };
    Some(reader.into_history(head.to_owned(), state))
}

fn log_arguments(max_commits: u32, range: &str) -> Vec<String> {
    let limit = format!("--max-count={max_commits}");
    let format = "--format=%x01%ct%x00%an%x00%s";
    [
        "log",
        "--no-merges",
        "--no-renames",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--relative",
        "--name-only",
        "-z",
        &limit,
        format,
        range,
        "--",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Runs git. Returns the output and whether it is complete, or `None` if git failed, or reached the deadline without
/// printing anything.
fn git(
    root: &Path,
    options: &HistoryOptions,
    deadline: Instant,
    arguments: &[impl AsRef<str>],
) -> Option<(Vec<u8>, bool)> {
    let git = Git::new(&options.environment, root).by(&options.git);
    let program = git.command(arguments);
    let bounds = Bounds { deadline, stdout_bytes: MAX_LOG_BYTES, stderr_bytes: 4096 };
    let finished = run(&program, &bounds).ok()?;
    match finished.end {
        End::Exited(0) => Some((finished.stdout.bytes, !finished.stdout.cut)),
        End::TimedOut if !finished.stdout.bytes.is_empty() => Some((finished.stdout.bytes, false)),
        End::Exited(_) | End::Signalled(_) | End::TimedOut => None,
    }
}

/// Returns the paths of tracked files that an ignore file matches. Git keeps tracking such files, but a walk leaves
/// them out.
pub(crate) fn tracked_ignored_files(root: &Path, options: &HistoryOptions) -> Vec<String> {
    const ARGUMENTS: [&str; 5] = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
    let listed = git(root, options, Instant::now() + options.time, &ARGUMENTS);
    let (bytes, _) = listed.unwrap_or_default();
    let paths = bytes.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.filter_map(|path| Some(std::str::from_utf8(path).ok()?.to_owned())).collect()
}

fn is_shallow(root: &Path) -> bool {
    crate::cache_paths::git_common_dir(root).is_some_and(|folder| folder.join("shallow").exists())
}

/// Parses a log into commits, and assigns indices to the authors and paths.
#[derive(Default)]
pub(super) struct LogReader {
    authors: Numbered,
    paths: Numbered,
    pub(super) commits: Vec<Commit>,
}

#[derive(Default)]
struct Numbered {
    numbers: FxHashMap<String, u32>,
    texts: Vec<String>,
}

impl Numbered {
    fn over(texts: Vec<String>) -> Self {
        let numbers = texts.iter().cloned().zip(0..).collect();
        Self { numbers, texts }
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

impl LogReader {
    fn over(authors: Vec<String>, paths: Vec<String>) -> Self {
        Self { authors: Numbered::over(authors), paths: Numbered::over(paths), commits: Vec::new() }
    }

    /// Parses commits of the form `\x01time NUL author NUL subject NUL`, followed by paths that each end with NUL.
    /// Invalid commits are skipped.
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
            let paths = parts
                .map(|path| {
                    path.strip_prefix('\n').map(str::to_owned).unwrap_or_else(|| path.into_owned())
                })
                .filter(|path| !path.is_empty())
                .map(|path| self.paths.number(&path))
                .collect();
            let author = self.authors.number(&author);
            self.commits.push(Commit { time, author, subject, paths });
        }
    }

    pub(super) fn into_history(self, head: String, state: HistoryState) -> History {
        History {
            head,
            state,
            authors: self.authors.texts,
            paths: self.paths.texts,
            commits: self.commits,
        }
    }
}
