//! The hook files that count for one repository: read, judged by trust, in the order they run.

use std::fmt;
use std::path::{Path, PathBuf};

use contract::Limit;
use policy::{ContentHash, CoverError, Trust, TrustStore, Uncovered};

use super::file::Contents;
use super::folders::{self, HookFolders};
use super::{HookFile, HookKind, Scope, scripts};

/// Why a hook file cannot be used. It is never passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    pub line: Option<usize>,
    pub reason: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path.display(), self.reason),
            None => write!(f, "{}: {}", self.path.display(), self.reason),
        }
    }
}

/// One hook file that is there.
#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub scope: Scope,
    pub kind: HookKind,
    pub file: Result<HookFile, Problem>,
    /// Of the file and the scripts it names; only the repository's files need trust.
    pub content: Option<ContentHash>,
    /// Why there is no content to trust: a script that cannot be hashed as a whole.
    pub uncoverable: Option<CoverError>,
    pub trust: Trust,
    text: String,
}

impl Found {
    /// The files of the repository that trust in this one covers beside it.
    #[must_use]
    pub fn scripts(&self, repository: &Path) -> Vec<PathBuf> {
        let rules = self.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
        scripts::named_in(rules, repository).into_iter().collect()
    }

    /// The commands that run here and that trust in this file does not cover.
    #[must_use]
    pub fn uncovered(&self, repository: &Path) -> Vec<Uncovered> {
        let rules = self.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
        if self.kind.runs_here() { scripts::uncovered_in(rules, repository) } else { Vec::new() }
    }
}

/// Looks through all folders in the order the hooks run. A file that two folders lead to is found once.
#[must_use]
pub fn find_hook_files(folders: &HookFolders, repository: &Path, kinds: &[HookKind]) -> Vec<Found> {
    let store = TrustStore::in_folder(folders.configuration.as_deref());
    let mut found: Vec<Found> = Vec::new();
    for (scope, folder) in folders.in_order(repository) {
        for kind in kinds {
            let Some(one) = find(&folder, *kind, scope, repository, &store) else { continue };
            if !found.iter().any(|known| known.path == one.path) {
                found.push(one);
            }
        }
    }
    found
}

fn find(
    folder: &Path,
    kind: HookKind,
    scope: Scope,
    repository: &Path,
    store: &TrustStore,
) -> Option<Found> {
    let text = match folders::read(folder, kind, scope, repository) {
        Ok(None) => return None,
        Ok(Some(text)) => text,
        Err(error) => {
            let path = folder.join(format!("{}.json", kind.word()));
            let problem = Problem { path: path.clone(), line: None, reason: error.to_string() };
            let (trust, text) = (Trust::Never, String::new());
            return Some(Found {
                path,
                scope,
                kind,
                file: Err(problem),
                content: None,
                uncoverable: None,
                trust,
                text,
            });
        }
    };
    let path = text.path;
    let contents = Contents::parse(kind, &text.text).map_err(|error| {
        let line = (error.line() > 0).then_some(error.line());
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
        Problem { path: path.clone(), line, reason }
    });
    let rules = contents.as_ref().map(|contents| contents.rules.as_slice()).unwrap_or_default();
    let content = match scope {
        Scope::Global => None,
        Scope::Project => Some(scripts::content_hash(&text.text, rules, repository)),
    };
    let judged = match &content {
        None => Ok(Trust::Trusted),
        Some(Ok(content)) => store.judge(&path, content),
        Some(Err(_)) => store.judge_unhashed(&path),
    };
    let (content, uncoverable) = match content.transpose() {
        Ok(content) => (content, None),
        Err(error) => (None, Some(error)),
    };
    let mut file = contents.map(|contents| {
        let Contents { dialect, rules } = contents;
        HookFile { path: path.clone(), scope, kind, dialect, rules }
    });
    let trust = judged.unwrap_or_else(|error| {
        file = Err(Problem { path: path.clone(), line: None, reason: error.to_string() });
        Trust::Never
    });
    Some(Found { path, scope, kind, file, content, uncoverable, trust, text: text.text })
}

/// The hooks of one repository, ready to fire. The default has none.
#[derive(Debug, Default)]
pub struct Hooks {
    repository: PathBuf,
    armed: Vec<Armed>,
    problems: Vec<Problem>,
    untrusted: Vec<PathBuf>,
}

#[derive(Debug)]
pub(super) struct Armed {
    pub(super) file: HookFile,
    trusted: Option<(ContentHash, String)>,
}

impl Hooks {
    /// Never fails: what cannot be read is kept as a problem, and calls are judged by it.
    #[must_use]
    pub fn read(folders: &HookFolders, repository: &Path) -> Self {
        let mut hooks = Self { repository: repository.to_owned(), ..Self::default() };
        for found in find_hook_files(folders, repository, &HookKind::OF_TOOLS) {
            match (found.file, found.trust) {
                (Err(problem), _) => hooks.problems.push(problem),
                (Ok(_), Trust::Never) => hooks.untrusted.push(found.path),
                // Whoever can edit a guard must not be able to switch it off by editing it.
                (Ok(_), Trust::Changed) => hooks.problems.push(Problem {
                    path: found.path,
                    line: None,
                    reason: "changed since it was trusted; look at it, then run `adjutant trust`"
                        .to_owned(),
                }),
                (Ok(file), Trust::Trusted) => {
                    let trusted = found.content.map(|content| (content, found.text));
                    hooks.armed.push(Armed { file, trusted });
                }
            }
        }
        hooks
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.armed.is_empty() && self.problems.is_empty() && self.untrusted.is_empty()
    }

    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Files of the repository that nobody has trusted, and that therefore do not run.
    #[must_use]
    pub fn untrusted(&self) -> &[PathBuf] {
        &self.untrusted
    }

    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        if self.untrusted.is_empty() {
            return None;
        }
        let short = |path: &PathBuf| {
            format!("`{}`", path.strip_prefix(&self.repository).unwrap_or(path).display())
        };
        let files: Vec<String> = self.untrusted.iter().map(short).collect();
        Some(Limit::Said(format!(
            "hooks of this repository did not run, nobody trusted them: {} (`adjutant trust`)",
            files.join(", ")
        )))
    }

    /// A rule by the name a person knows it by.
    pub(super) fn label(&self, path: &Path, rule: usize) -> String {
        let path = path.strip_prefix(&self.repository).unwrap_or(path);
        format!("{} rule {}", path.display(), rule + 1)
    }

    /// Where hooks run.
    pub(super) fn repository(&self) -> &Path {
        &self.repository
    }

    pub(super) fn of(&self, kind: HookKind) -> impl Iterator<Item = &Armed> {
        self.armed.iter().filter(move |armed| armed.file.kind == kind)
    }

    /// Scripts may have changed since the files were read.
    pub(super) fn is_still_trusted(&self, armed: &Armed) -> bool {
        armed.trusted.as_ref().is_none_or(|(content, text)| {
            scripts::content_hash(text, &armed.file.rules, &self.repository).as_ref() == Ok(content)
        })
    }
}
