//! What of a repository can be trusted, and what it would be trusted with: its configuration, its hook files.

use std::path::{Path, PathBuf};

use contract::ExitCode;
use policy::{
    Ask, CONFIG_PATH, ContentHash, Granted, RepositoryConfig, Settings, Trust, TrustStore,
    Uncovered,
};
use toolcall::{Found, HookFolders, HookKind, Scope, find_hook_files};

use crate::commands::repository::At;
use crate::edge;
use crate::failure::Failure;

/// A file that needs the user's word. What is shown, what is hashed and what is trusted was read once.
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    pub(super) trust: Trust,
    pub(super) content: Option<ContentHash>,
    /// In words for a person.
    pub(super) wishes: Vec<String>,
    /// Commands whose script cannot be determined: trust does not notice when it changes.
    pub(super) uncovered: Vec<Uncovered>,
    pub(super) problem: Option<String>,
}

/// The top of the repository, and the files that need trust: all of them, or the one that is named.
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
    candidates.extend(hook_files(folders, &top));
    let Some(file) = named.filter(|path| !path.is_dir()) else {
        candidates.retain(|candidate| candidate.problem.is_some() || !candidate.wishes.is_empty());
        return Ok((top, candidates));
    };
    let is_named = |candidate: &Candidate| candidate.path == file || candidate.path == real(&file);
    candidates.retain(is_named);
    if candidates.is_empty() {
        let message = format!("`{}` is no file that needs trust", file.display());
        return Err(Failure::new(message, ExitCode::Usage).hint(format!(
            "a repository's {CONFIG_PATH}, .adjutant/hooks/*.json and .snow/hooks/*.json do"
        )));
    }
    candidates.retain(|candidate| candidate.problem.is_some() || !candidate.wishes.is_empty());
    Ok((top, candidates))
}

fn is_beneath(path: &Path, at: &At) -> bool {
    at.place().is_ok_and(|place| path.starts_with(place.root))
}

/// From the directory the command is about.
pub(super) fn absolute(path: &Path, at: &At) -> PathBuf {
    let here = edge::working_directory().unwrap_or_default();
    let from = at.directory().map_or_else(|| here.clone(), |directory| here.join(directory));
    let path = if path.is_absolute() { path.to_owned() } else { from.join(path) };
    // The folder's real path, the file's own name: a link is what it is called.
    match (path.is_dir(), path.parent(), path.file_name()) {
        (false, Some(folder), Some(name)) => real(folder).join(name),
        _ => real(&path),
    }
}

pub(super) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The configuration, if there is one; without a wish it needs no trust.
fn configuration(root: &Path, store: &TrustStore) -> Option<Candidate> {
    let config = match RepositoryConfig::read(root, store) {
        Ok(config) => config,
        Err(error) => {
            return Some(Candidate {
                path: root.join(CONFIG_PATH),
                trust: Trust::Never,
                content: None,
                wishes: Vec::new(),
                uncovered: Vec::new(),
                problem: Some(error.to_string()),
            });
        }
    };
    let path = config.path()?;
    // Without the environment: whatever it sets today, this is what the file would get.
    let asks = Settings::resolve(&|_| None, &config.file, Trust::Never).asks;
    let grantable = asks.iter().filter(|ask| ask.granted != Granted::Never);
    let mut wishes: Vec<String> = grantable.map(|ask: &Ask| ask.text.clone()).collect();
    if !wishes.is_empty() {
        wishes.extend(config.programs().iter().map(|program| with(program, root)));
    }
    let content = config.content().cloned();
    let uncovered = config.uncovered();
    let RepositoryConfig { trust, problem, .. } = config;
    Some(Candidate { path, trust, content, wishes, uncovered, problem })
}

fn hook_files(folders: &HookFolders, top: &Path) -> Vec<Candidate> {
    let found = find_hook_files(folders, top, &HookKind::ALL);
    let projects = found.into_iter().filter(|file| file.scope == Scope::Project);
    projects.map(|found| hook_file(&found, top)).collect()
}

fn hook_file(found: &Found, top: &Path) -> Candidate {
    let rules = found.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
    let actions = rules.iter().flat_map(|rule| &rule.actions);
    let mut wishes: Vec<String> = actions
        .map(|action| {
            let state = if action.enabled { "" } else { " (off)" };
            format!("runs `{}`{state}", action.run.text())
        })
        .collect();
    wishes.extend(found.scripts(top).iter().map(|script| with(script, top)));
    if wishes.is_empty() {
        wishes.push("runs nothing".to_owned());
    }
    let problem = found.file.as_ref().err().map(ToString::to_string);
    let uncoverable =
        found.uncoverable.as_ref().map(|error| format!("{}: {error}", found.path.display()));
    Candidate {
        path: found.path.clone(),
        trust: found.trust,
        content: found.content.clone(),
        wishes,
        uncovered: found.uncovered(top),
        problem: problem.or(uncoverable),
    }
}

fn with(script: &Path, top: &Path) -> String {
    format!("with {}", script.strip_prefix(top).unwrap_or(script).display())
}
