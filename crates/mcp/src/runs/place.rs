//! Where runs may work, and which sessions may be seen: inside the repository.

use std::path::{Path, PathBuf};

use codex::{SessionId, SessionState, Sessions, Status};

use crate::argument::Given;
use crate::context::CallContext;
use crate::problem::Problem;

/// The directory that was named, with links resolved; the repository itself if none was.
pub(super) fn directory(context: &CallContext, given: Given<'_>) -> Result<PathBuf, Problem> {
    let root = &context.host.root;
    let Some(named) = given.text("cwd") else { return Ok(root.clone()) };
    inside(context, Path::new(named))
}

/// A directory of the repository, with links resolved.
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
    Ok(directory)
}

/// Where sessions are looked for. A directory that is gone can still be asked about.
pub(super) fn looked_at(context: &CallContext, given: Given<'_>) -> Result<PathBuf, Problem> {
    let root = &context.host.root;
    let Some(named) = given.text("cwd") else { return Ok(root.clone()) };
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
        "a server works in one repository; start another one there, or name a wider root with -C",
    )
}

pub(super) fn sessions(context: &CallContext) -> Sessions {
    Sessions::at(&context.host.codex.sessions)
}

/// A session of this repository. One of another is not there as far as this server is concerned.
pub(super) fn session(
    context: &CallContext,
    given: Given<'_>,
) -> Result<(SessionId, SessionState), Problem> {
    let named = given.text("jobId").unwrap_or_default();
    let id = SessionId::new(named).map_err(codex::JobError::from)?;
    let state = sessions(context).status(&id)?;
    if !state.cwd.starts_with(looked_at(context, given)?) {
        return Err(Problem::new(
            "NOT_FOUND",
            format!("there is no session `{id}` in this repository"),
        )
        .hint("`codex.list` shows what there is"));
    }
    Ok((id, state))
}

pub(super) fn states(given: Given<'_>, key: &str) -> Vec<Status> {
    given.texts(key).iter().filter_map(|word| Status::named(word)).collect()
}
