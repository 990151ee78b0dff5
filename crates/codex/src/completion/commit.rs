//! Creates the commit for `--auto-commit-on-done`.
//!
//! The run may have written hooks, attributes and configuration, and the commit is made outside the run's sandbox.
//! Therefore git runs no hook and no filter that the repository configures, and does not sign the commit. If a changed
//! file needs such a filter, nothing is committed, because git would store the unfiltered content.

use std::path::{Path, PathBuf};

use process::{Environment, Git};

use super::{changed_in_work_tree, run_git};

/// Commits all changes in the work tree that contains `directory`. Returns a message for the log, or the reason why
/// nothing was committed.
pub fn commit_all(
    environment: &Environment,
    directory: &Path,
    message: &str,
) -> Result<String, String> {
    // Git runs at the top of the work tree, because `git status` prints paths relative to the top, and `check-attr`
    // reads paths relative to its working directory.
    let git = Git::new(environment, &top(environment, directory)?);
    let git = git.for_work_tree().map_err(|problem| problem.to_string())?;
    let changed = changed_in_work_tree(&git)?;
    if changed.is_empty() {
        return Ok("nothing to commit".to_owned());
    }
    needs_no_filter(&git, &changed)?;
    run_git(&git, &["add", "--all"], b"")?;
    run_git(&git, &["commit", "--quiet", "--message", message], b"")?;
    Ok(format!("committed: {message}"))
}

fn top(environment: &Environment, directory: &Path) -> Result<PathBuf, String> {
    use std::os::unix::ffi::OsStringExt;

    let git = Git::new(environment, directory);
    let mut top = run_git(&git, &["rev-parse", "--show-toplevel"], b"")?;
    if top.last() == Some(&b'\n') {
        top.pop();
    }
    Ok(std::ffi::OsString::from_vec(top).into())
}

/// Fails if a changed file needs a filter that is disabled here.
fn needs_no_filter(git: &Git, changed: &[Vec<u8>]) -> Result<(), String> {
    let mut names = changed.join(&0);
    names.push(0);
    let attributes = run_git(git, &["check-attr", "-z", "--stdin", "filter"], &names)?;
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
