//! Restricts the `codex.*` tools to directories and sessions in the server's repository.

use std::path::{Path, PathBuf};

use runs::{SessionId, SessionState, Sessions};
use serde::Deserialize;

use crate::call::CallContext;
use crate::problem::Problem;

/// The arguments that select a session.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionArguments {
    pub(super) job_id: String,
    pub(super) cwd: Option<String>,
}

/// Resolves a directory in the repository in which codex may work. Directories outside the repository are refused.
/// Directories that configure git or an agent are refused too, because codex does not protect its own working directory.
pub(super) fn inside(context: &CallContext, named: &Path) -> Result<PathBuf, Problem> {
    let root = &context.host.root;
    let shown = named.display();
    let found = root.join(named).canonicalize();
    let directory =
        found.map_err(|error| Problem::arguments(format!("cannot work in `{shown}`: {error}")))?;
    if !directory.starts_with(root) {
        return Err(outside(&shown.to_string(), root));
    }
    if !directory.is_dir() {
        return Err(Problem::arguments(format!("`{shown}` is not a directory")));
    }
    if let Some(protected) = policy::protected_around(&directory, root) {
        let protected = protected.display();
        let message = format!("codex cannot work in `{shown}`: `{protected}` is protected");
        return Err(Problem::arguments(message).hint(
            "name a directory that does not configure git or an agent; codex can read the others",
        ));
    }
    Ok(directory)
}

/// Returns the directory whose sessions are selected: `cwd`, or the repository root if `cwd` is `None`. The directory
/// may have been deleted.
pub(super) fn selected(context: &CallContext, cwd: Option<&str>) -> Result<PathBuf, Problem> {
    let root = &context.host.root;
    let Some(named) = cwd else { return Ok(root.clone()) };
    let directory = root.join(named);
    let directory = directory.canonicalize().unwrap_or(directory);
    let climbs = directory.components().any(|part| part == std::path::Component::ParentDir);
    if climbs || !directory.starts_with(root) {
        return Err(outside(named, root));
    }
    Ok(directory)
}

fn outside(named: &str, root: &Path) -> Problem {
    Problem::arguments(format!("`{named}` is outside `{}`", root.display())).hint(
        "a server works in one repository; start another server there, or select a wider root with `-C`",
    )
}

pub(super) fn sessions(context: &CallContext) -> Sessions {
    Sessions::at(&context.host.codex.sessions)
}

/// Finds a session that belongs to this repository. Sessions of other repositories are reported as not found.
pub(super) fn session(
    context: &CallContext,
    arguments: &SessionArguments,
) -> Result<(SessionId, SessionState), Problem> {
    let id = SessionId::new(&arguments.job_id).map_err(runs::JobError::from)?;
    let state = sessions(context).status(&id)?;
    if !state.cwd.starts_with(selected(context, arguments.cwd.as_deref())?) {
        return Err(Problem::new(
            "NOT_FOUND",
            format!("unknown session `{id}` in this repository"),
        )
        .hint("`codex.list` lists the sessions"));
    }
    Ok((id, state))
}
