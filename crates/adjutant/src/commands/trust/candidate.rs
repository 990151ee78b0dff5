//! Finds the files of a repository that the user must trust before they are used: its configuration and its hook files.

use std::path::{Path, PathBuf};

use policy::{
    Ask, CONFIG_PATH, ContentHash, Granted, RepositoryConfig, Settings, Trust, TrustStore,
    Uncovered,
};
use toolcall::{Found, HookFolders, HookKind, Scope, find_hook_files};

use crate::commands::repository::{At, relative};
use crate::edge;
use crate::failure::Failure;

/// A file that needs the user's consent. The file is read only once, so that the displayed content is also the hashed
/// content.
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    pub(super) trust: Trust,
    pub(super) content: Option<ContentHash>,
    /// Descriptions of what the file requests, for display to the user.
    pub(super) requests: Vec<String>,
    /// Commands whose scripts cannot be determined. Changes to these scripts are not detected.
    pub(super) uncovered: Vec<Uncovered>,
    pub(super) problem: Option<String>,
}

/// Returns the top folder of the repository and the files that need trust. If `path` is a file, returns only that
/// file.
pub(super) fn find(
    path: Option<&Path>,
    at: &At,
    folders: &HookFolders,
    store: &TrustStore,
) -> Result<(PathBuf, Vec<Candidate>), Failure> {
    let named = path.map(|path| absolute(path, at));
    let at = match &named {
        Some(path) if path.is_dir() => at.elsewhere(path),
        Some(path) if !is_beneath(path, at) => at.elsewhere(path.parent().unwrap_or(path)),
        Some(_) | None => at.elsewhere(&at.place()?.root),
    };
    let top = at.top()?;
    let mut candidates: Vec<Candidate> =
        configuration(&at.place()?.root, store).into_iter().collect();
    let hook_files = find_hook_files(folders, &top, &HookKind::ALL);
    let own = hook_files.iter().filter(|file| file.scope == Scope::Project);
    candidates.extend(own.map(|file| hook_file(file, &top)));
    if let Some(file) = named.filter(|path| !path.is_dir()) {
        candidates.retain(|candidate| [&file, &real(&file)].contains(&&candidate.path));
        if candidates.is_empty() {
            let message = format!("`{}` is not a file that needs trust", file.display());
            return Err(Failure::usage(message).hint(format!(
                "only a repository's {CONFIG_PATH}, .adjutant/hooks/*.json and .snow/hooks/*.json need trust"
            )));
        }
    }
    candidates.retain(|candidate| candidate.problem.is_some() || !candidate.requests.is_empty());
    Ok((top, candidates))
}

fn is_beneath(path: &Path, at: &At) -> bool {
    at.place().is_ok_and(|place| path.starts_with(place.root))
}

/// Returns the absolute form of `path`. A relative path is resolved from the command's directory.
pub(super) fn absolute(path: &Path, at: &At) -> PathBuf {
    let here = edge::working_directory().unwrap_or_default();
    let from = at.directory().map_or_else(|| here.clone(), |directory| here.join(directory));
    let path = if path.is_absolute() { path.to_owned() } else { from.join(path) };
    // Symbolic links in the parent folders are resolved. If the file itself is a symbolic link, its own name is kept.
    match (path.is_dir(), path.parent(), path.file_name()) {
        (false, Some(folder), Some(name)) => real(folder).join(name),
        _ => real(&path),
    }
}

pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns the repository's configuration, or `None` if the repository has none. The configuration needs trust only if
/// its `requests` are not empty.
fn configuration(root: &Path, store: &TrustStore) -> Option<Candidate> {
    let config = match RepositoryConfig::read(root, store) {
        Ok(config) => config,
        Err(error) => {
            return Some(Candidate {
                path: root.join(CONFIG_PATH),
                trust: Trust::Never,
                content: None,
                requests: Vec::new(),
                uncovered: Vec::new(),
                problem: Some(error.to_string()),
            });
        }
    };
    let path = config.path()?;
    // The environment is ignored, because the user trusts the file in all environments.
    let asks = Settings::resolve(&|_| None, &config.file, Trust::Never).asks;
    let grantable = asks.iter().filter(|ask| ask.granted != Granted::Never);
    let mut requests: Vec<String> = grantable.map(|ask: &Ask| ask.text.clone()).collect();
    if !requests.is_empty() {
        requests.extend(config.programs().iter().map(|program| with(program, root)));
    }
    let content = config.content().cloned();
    let uncovered = config.uncovered();
    let RepositoryConfig { trust, problem, .. } = config;
    Some(Candidate { path, trust, content, requests, uncovered, problem })
}

fn hook_file(found: &Found, top: &Path) -> Candidate {
    let rules = found.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
    let actions = rules.iter().flat_map(|rule| &rule.actions);
    let mut requests: Vec<String> = actions
        .map(|action| {
            let state = if action.enabled { "" } else { " (off)" };
            format!("runs `{}`{state}", action.run.text())
        })
        .collect();
    requests.extend(found.scripts(top).iter().map(|script| with(script, top)));
    if requests.is_empty() {
        requests.push("runs nothing".to_owned());
    }
    let problem = found.file.as_ref().err().map(ToString::to_string);
    let uncoverable =
        found.uncoverable.as_ref().map(|error| format!("{}: {error}", found.path.display()));
    Candidate {
        path: found.path.clone(),
        trust: found.trust,
        content: found.content.clone(),
        requests,
        uncovered: found.uncovered(top),
        problem: problem.or(uncoverable),
    }
}

fn with(script: &Path, top: &Path) -> String {
    format!("with {}", relative(script, top))
}
