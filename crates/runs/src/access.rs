//! Checks the directories that a run can write to and the conversation that it continues.

use std::io;
use std::path::{Path, PathBuf};

use policy::{Bypass, Effective, Sandbox};
use process::Environment;

use crate::agents::AgentKind;
use crate::agents::codex::rollout;
use crate::spec::{Continues, Spec};
use crate::supervisor::with_home;

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct AccessError {
    message: String,
    pub(crate) hint: &'static str,
}

fn refused<T>(message: String, hint: &'static str) -> Result<T, AccessError> {
    Err(AccessError { message, hint })
}

/// Resolves `named`, the directories that the caller wants codex to write to in addition to the working directory.
/// Appends notes for the session record to `notes`. Returns an empty list if the sandbox ignores such directories.
pub(crate) fn writable_roots(
    named: &[String],
    spec: &Spec,
    effective: Effective,
    notes: &mut Vec<String>,
) -> Result<Vec<PathBuf>, AccessError> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    if effective.bypass == Bypass::Yes || effective.sandbox != Sandbox::WorkspaceWrite {
        notes.push(format!(
            "writable directories have no effect: the sandbox is {}",
            effective.sandbox
        ));
        return Ok(Vec::new());
    }
    let mut roots = Vec::new();
    for named in named {
        let failed = |error: io::Error| AccessError {
            message: format!("codex cannot be allowed to write to `{named}`: {error}"),
            hint: "name a directory that exists",
        };
        let root = spec.directory.join(named).canonicalize().map_err(failed)?;
        if !root.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        if root.to_str().is_none() {
            return Err(failed(io::Error::other("the name is not UTF-8")));
        }
        if let Some(earlier) = &spec.continues
            && !earlier.effective.writable_roots.iter().any(|known| root.starts_with(known))
        {
            let (session, root) = (&earlier.session, root.display());
            return refused(
                format!(
                    "the session `{session}` could not write to `{root}`: a resumed session keeps its directories"
                ),
                "start a new run with the wider sandbox",
            );
        }
        if !roots.contains(&root) {
            notes.push(format!("codex can also write to `{}`", root.display()));
            roots.push(root);
        }
    }
    Ok(roots)
}

/// Checks that a conversation belongs to the run's agent, to one of the user's accounts, and to the repository in which
/// it is continued.
///
/// A conversation contains content from its repository, and the new run may have more permissions than the old one.
/// Therefore the new run's directory must be in the repository that the session record names, and also in the one that
/// codex's record of the thread names.
pub(crate) fn check_thread(
    earlier: &Continues,
    spec: &Spec,
    environment: &Environment,
) -> Result<(), AccessError> {
    let Spec { agent, directory, next_homes, .. } = spec;
    let Continues { session, thread, .. } = earlier;
    if earlier.agent != *agent {
        return refused(
            format!("the conversation of `{session}` belongs to another agent"),
            "continue the session without `--agent`",
        );
    }
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if thread.starts_with('-') || !thread.chars().all(is_id) {
        return refused(
            format!("`{thread}` is not the id of a conversation"),
            "start a new run; the record of the session is damaged",
        );
    }
    let home = earlier.codex_home.as_ref();
    if let Some(home) = home.filter(|home| !next_homes.contains(*home)) {
        // The configuration in an account folder can start programs. The session record may be in a repository, so the
        // account folder that it names is not trusted.
        let home = home.display();
        return refused(
            format!(
                "the conversation of `{session}` belongs to the account in `{home}`, which is not one of your accounts"
            ),
            "add the folder to `next_codex_homes` or `next_claude_homes` in unattended.toml, or start a new run",
        );
    }
    let environment = &with_home(environment, *agent, home.map(PathBuf::as_path));
    let by_codex = match agent {
        AgentKind::Codex => rollout::directory_of(thread, environment),
        // Claude Code finds a conversation only in the directory in which the conversation started.
        AgentKind::Claude => None,
    };
    for owner in std::iter::once(earlier.directory.clone()).chain(by_codex) {
        if !is_same_repository(&owner, directory) {
            let (owner, directory) = (owner.display(), directory.display());
            return refused(
                format!(
                    "the conversation of `{session}` belongs to `{owner}`, not to the repository of `{directory}`"
                ),
                "continue the session in its own repository, or start a new run here",
            );
        }
    }
    Ok(())
}

fn is_same_repository(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (one, other) = (real(one), real(other));
    match (policy::find_git_top(&one), policy::find_git_top(&other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.starts_with(&other) || other.starts_with(&one),
        (Some(_), None) | (None, Some(_)) => false,
    }
}
