//! Creates the commit for `--auto-commit-on-done` and for tasks of the queue.
//!
//! The run may have written hooks, attributes and configuration, also in repositories that it created below its working
//! directory, and the commit is made outside the run's sandbox. Therefore git runs no hook and no filter that the
//! repository configures, does not sign the commit, and does not enter nested repositories. If a changed file needs such
//! a filter, nothing is committed, because git would store the unfiltered content.
//!
//! `git add` and `git commit` are not used, because both start git in submodules. The listed files are added with
//! `git update-index`, and the commit is created from the index.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use process::{Environment, Git, Repository};

use super::left_out::{self, GeneratedFiles};
use super::{COMMIT_TIMEOUT, Change, changed_in_work_tree, run_git};

/// References that exist while git merges, picks or reverts a commit. Committing would end the operation.
const OPERATIONS: [(&str, &str); 3] =
    [("MERGE_HEAD", "a merge"), ("CHERRY_PICK_HEAD", "a cherry-pick"), ("REVERT_HEAD", "a revert")];

/// The result of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// A message for the log.
    pub message: String,
    /// A sentence about the generated files that were not committed, or `None` if there are none.
    pub left_out: Option<String>,
}

/// Commits all changes in the work tree that contains `directory`, except the files that tools generate ([`GeneratedFiles`]).
/// Returns the reason if nothing was committed because of an error.
pub fn commit_all(
    environment: &Environment,
    directory: &Path,
    message: &str,
) -> Result<Committed, String> {
    let deadline = Instant::now() + COMMIT_TIMEOUT * environment.slowness();
    Commit { directory, confined_to: None, message, deadline }.create(environment)
}

/// A commit of all changes in one work tree.
pub(super) struct Commit<'a> {
    /// A directory in the work tree.
    pub(super) directory: &'a Path,
    /// The only folder in which a commit may be created, if a model requested the run.
    pub(super) confined_to: Option<&'a Path>,
    pub(super) message: &'a str,
    pub(super) deadline: Instant,
}

/// The paths that differ from the last commit.
#[derive(Default)]
struct Paths {
    added: Vec<Vec<u8>>,
    removed: Vec<Vec<u8>>,
    /// Nested repositories that are not in the index.
    nested: Vec<Vec<u8>>,
    /// For each untracked file that a tool generated: the file, or the generated folder that contains it.
    generated: Vec<PathBuf>,
}

impl Commit<'_> {
    pub(super) fn create(&self, environment: &Environment) -> Result<Committed, String> {
        let repository = self.repository()?;
        let git = Git::new(environment, &repository.top).until(self.deadline);
        git.check_git_directory().map_err(|problem| problem.to_string())?;
        let git = git.in_repository(&repository).map_err(|problem| problem.to_string())?;
        let git = git.for_work_tree().map_err(|problem| problem.to_string())?;
        if let Some((_, operation)) =
            OPERATIONS.iter().find(|(name, _)| repository.git_dir.join(name).exists())
        {
            return Err(format!("{operation} is in progress; finish it with git"));
        }
        let changes = changed_in_work_tree(&git)?;
        let paths =
            Paths::of(&changes, &repository.top, &GeneratedFiles::of(&git, &repository.top)?)?;
        needs_no_filter(&git, &paths.added)?;
        paths.update_index(&git)?;
        let left_out = left_out::describe(&paths.generated);
        let mut note = paths.note();
        if let Some(left_out) = &left_out {
            note = format!("{note}; {left_out}");
        }
        let message = match !changes.is_empty() && commit_index(&git, self.message)? {
            true => format!("committed: {}{note}", self.message),
            false => format!("nothing to commit{note}"),
        };
        Ok(Committed { message, left_out })
    }

    /// Finds the repository. If a model requested the run, the work tree and the git directory must be in the folder to
    /// which the run is confined, or be the ones of that folder.
    fn repository(&self) -> Result<Repository, String> {
        let found =
            Repository::for_commit(self.directory).map_err(|problem| problem.to_string())?;
        let Some(root) = self.confined_to else { return Ok(found) };
        let is_own = Repository::around(root).is_some_and(|own| own == found);
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        let is_inside = [&found.top, &found.git_dir, &found.common_dir]
            .into_iter()
            .all(|path| path.starts_with(&root));
        match is_own || is_inside {
            true => Ok(found),
            false => Err(format!(
                "the repository `{}` is not in `{}`",
                found.top.display(),
                root.display()
            )),
        }
    }
}

impl Paths {
    fn of(changes: &[Change], top: &Path, generated: &GeneratedFiles) -> Result<Self, String> {
        let mut paths = Self::default();
        for Change { state, path } in changes {
            let now = top.join(OsStr::from_bytes(path)).symlink_metadata();
            let is_folder = now.is_ok_and(|now| now.is_dir());
            if state == b"??"
                && let Some(place) = generated.place(path)
            {
                paths.generated.push(place);
                continue;
            }
            let list = match state {
                [b'U', _] | [_, b'U'] | b"AA" | b"DD" => {
                    let path = String::from_utf8_lossy(path);
                    return Err(format!("`{path}` has conflicts that are not resolved"));
                }
                _ if path.ends_with(b"/") => &mut paths.nested,
                [_, b'D'] | b"D " => &mut paths.removed,
                // A nested repository has replaced a file. `git update-index` would add the repository.
                _ if is_folder => {
                    paths.nested.push(path.clone());
                    &mut paths.removed
                }
                _ => &mut paths.added,
            };
            list.push(path.clone());
        }
        Ok(paths)
    }

    /// Returns the end of the log message, which names the nested repositories that are not committed.
    fn note(&self) -> String {
        if self.nested.is_empty() {
            return String::new();
        }
        let names: Vec<_> =
            self.nested.iter().map(|path| format!("`{}`", String::from_utf8_lossy(path))).collect();
        format!("; nested repositories are not committed: {}", names.join(", "))
    }

    fn update_index(&self, git: &Git) -> Result<(), String> {
        // A removed file can have the name of a folder that contains added files, so files are removed first.
        for (option, paths) in [("--force-remove", &self.removed), ("--remove", &self.added)] {
            if !paths.is_empty() {
                let arguments = ["update-index", "--add", "--replace", option, "-z", "--stdin"];
                run_git(git, &arguments, &list(paths))?;
            }
        }
        Ok(())
    }
}

/// Creates a commit from the index and moves the current branch to it. Returns false if the index does not differ from
/// the last commit.
fn commit_index(git: &Git, message: &str) -> Result<bool, String> {
    let ask = |arguments: &[&str], input: &[u8]| {
        let line = run_git(git, arguments, input)?;
        Ok::<_, String>(String::from_utf8_lossy(&line).trim().to_owned())
    };
    let tree = ask(&["write-tree"], b"")?;
    let head = ask(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], b"").ok();
    let subject = message.lines().next().unwrap_or_default();
    let mut arguments = vec!["commit-tree", &tree, "-F", "-"];
    let reason = match &head {
        Some(head) => {
            if tree == ask(&["rev-parse", "--verify", &format!("{head}^{{tree}}")], b"")? {
                return Ok(false);
            }
            arguments.extend(["-p", head]);
            format!("commit: {subject}")
        }
        None => format!("commit (initial): {subject}"),
    };
    let message = ask(&["stripspace"], message.as_bytes())?;
    let commit = ask(&arguments, format!("{message}\n").as_bytes())?;
    // If another process has committed in the meantime, the branch does not point to `head` and is not changed.
    let expected = head.as_deref().unwrap_or_default();
    run_git(git, &["update-ref", "-m", &reason, "HEAD", &commit, expected], b"")?;
    Ok(true)
}

fn list(paths: &[Vec<u8>]) -> Vec<u8> {
    paths.iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}

/// Fails if a changed file needs a filter that is disabled here.
fn needs_no_filter(git: &Git, changed: &[Vec<u8>]) -> Result<(), String> {
    let attributes = run_git(git, &["check-attr", "-z", "--stdin", "filter"], &list(changed))?;
    let mut words = attributes.split(|byte| *byte == 0);
    while let (Some(path), Some(_), Some(filter)) = (words.next(), words.next(), words.next()) {
        if git.is_switched_off(filter) {
            return Err(format!(
                "`{}` needs the filter `{}`, which this repository's own configuration defines and which is not \
                 started here; commit it yourself with git",
                String::from_utf8_lossy(path),
                String::from_utf8_lossy(filter)
            ));
        }
    }
    Ok(())
}
