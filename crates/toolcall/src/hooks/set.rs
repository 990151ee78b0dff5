//! Finds the hook files for one repository, in the order in which their hooks run, and checks whether the user trusts
//! them.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use contract::Limit;
use policy::{
    ContentHash, CoverError, Trust, TrustStore, TrustedContent, Uncovered, Verified, VerifyError,
    WrittenCommand, covered_content, named_files, uncovered_commands,
};

use super::file::Rule;
use super::folders::{self, HookFolders};
use super::{HookAction, HookFile, HookKind, Scope};

/// A hook file that cannot be used, and the reason. As long as such a file exists, a client asks the user before each
/// call that it runs itself, and all other calls are blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookProblem {
    pub path: PathBuf,
    pub line: Option<usize>,
    pub reason: String,
}

impl fmt::Display for HookProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path.display(), self.reason),
            None => write!(f, "{}: {}", self.path.display(), self.reason),
        }
    }
}

/// An existing hook file, its parsed content and its trust state.
#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub scope: Scope,
    pub kind: HookKind,
    pub file: Result<HookFile, HookProblem>,
    /// The hash of the file and of the scripts that its commands run. `None` for the user's files,
    /// which need no trust, and for files that cannot be read or hashed.
    pub content: Option<ContentHash>,
    /// The reason why the content cannot be hashed.
    pub uncoverable: Option<CoverError>,
    pub trust: Trust,
    text: String,
}

impl Found {
    /// Returns the scripts in the repository that the file's commands name. A change to one of them revokes the user's
    /// trust.
    #[must_use]
    pub fn scripts(&self, repository: &Path) -> Vec<PathBuf> {
        let named: BTreeSet<PathBuf> = named_files(&commands(self.rules(), |_| true), repository);
        named.into_iter().collect()
    }

    /// Returns the enabled commands for which the executed file cannot be determined. A change to that file does not
    /// revoke the user's trust.
    #[must_use]
    pub fn uncovered(&self, repository: &Path) -> Vec<Uncovered> {
        if !self.kind.runs_here() {
            return Vec::new();
        }
        uncovered_commands(&commands(self.rules(), |action| action.enabled), repository)
    }

    fn rules(&self) -> &[Rule] {
        self.file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default()
    }
}

/// Finds the hook files in all folders, in the order in which their hooks run. A file that is reachable from two
/// folders is included once.
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
            let problem = HookProblem { path: path.clone(), line: None, reason: error.to_string() };
            return Some(Found {
                path,
                scope,
                kind,
                file: Err(problem),
                content: None,
                uncoverable: None,
                trust: Trust::Never,
                text: String::new(),
            });
        }
    };
    let path = text.path;
    let mut file = HookFile::parse(kind, &text.text).map_err(|error| {
        let line = (error.line() > 0).then_some(error.line());
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
        HookProblem { path: path.clone(), line, reason }
    });
    let rules = file.as_ref().map(|file| file.rules.as_slice()).unwrap_or_default();
    let content = match scope {
        Scope::Global => None,
        Scope::Project => Some(covered_content(&text.text, &commands(rules, |_| true), repository)),
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
    let trust = judged.unwrap_or_else(|error| {
        file = Err(HookProblem { path: path.clone(), line: None, reason: error.to_string() });
        Trust::Never
    });
    Some(Found { path, scope, kind, file, content, uncoverable, trust, text: text.text })
}

/// The hooks that apply to one repository. The default value contains no hooks.
#[derive(Debug, Default)]
pub struct Hooks {
    repository: PathBuf,
    copies: Option<PathBuf>,
    active: Vec<ActiveFile>,
    problems: Vec<HookProblem>,
    untrusted: Vec<PathBuf>,
}

#[derive(Debug)]
pub(super) struct ActiveFile {
    pub(super) path: PathBuf,
    pub(super) scope: Scope,
    kind: HookKind,
    pub(super) file: HookFile,
    /// `None` if the file needs no trust.
    trusted: Option<TrustedContent>,
}

impl Hooks {
    /// Reads all hook files. A file that cannot be used is stored as a [`HookProblem`].
    #[must_use]
    pub fn read(folders: &HookFolders, repository: &Path) -> Self {
        let copies = folders.copies.clone();
        let mut hooks = Self { repository: repository.to_owned(), copies, ..Self::default() };
        for found in find_hook_files(folders, repository, &HookKind::OF_TOOLS) {
            match (found.file, found.trust) {
                (Err(problem), _) => hooks.problems.push(problem),
                (Ok(_), Trust::Never) => hooks.untrusted.push(found.path),
                // A changed file is a [`HookProblem`], not merely untrusted. Otherwise an agent could disable a hook by editing
                // its file.
                (Ok(_), Trust::Changed) => hooks.problems.push(HookProblem {
                    path: found.path,
                    line: None,
                    reason: "changed since it was trusted; review it, then run `adjutant trust`"
                        .to_owned(),
                }),
                (Ok(file), Trust::Trusted) => {
                    let trusted = found.content.map(|hash| TrustedContent {
                        text: found.text,
                        commands: commands(&file.rules, |_| true),
                        repository: repository.to_owned(),
                        hash,
                    });
                    let Found { path, scope, kind, .. } = found;
                    hooks.active.push(ActiveFile { path, scope, kind, file, trusted });
                }
            }
        }
        hooks
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.active.is_empty() && self.problems.is_empty() && self.untrusted.is_empty()
    }

    #[must_use]
    pub fn problems(&self) -> &[HookProblem] {
        &self.problems
    }

    /// Returns the repository's hook files that the user does not trust. Their hooks do not run.
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
            "hooks of this repository did not run, because they are not trusted: {} (`adjutant trust`)",
            files.join(", ")
        )))
    }

    /// Returns the label of a rule for messages, such as `.adjutant/hooks/beforeToolCall.json rule 2`.
    pub(super) fn label(&self, path: &Path, rule: usize) -> String {
        let path = path.strip_prefix(&self.repository).unwrap_or(path);
        format!("{} rule {}", path.display(), rule + 1)
    }

    /// Returns the repository root, which is the working directory of hooks.
    pub(crate) fn repository(&self) -> &Path {
        &self.repository
    }

    pub(super) fn of(&self, kind: HookKind) -> impl Iterator<Item = &ActiveFile> {
        self.active.iter().filter(move |active| active.kind == kind)
    }

    /// Verifies a command of the file again, because a script may have changed after the file was read. A command of a file
    /// that needs no trust is not changed.
    pub(super) fn verify(
        &self,
        active: &ActiveFile,
        command: WrittenCommand,
    ) -> Result<Verified, VerifyError> {
        match &active.trusted {
            Some(trusted) => trusted.verify(&command, self.copies.as_deref()),
            None => Ok(Verified::unchecked(command)),
        }
    }
}

/// Returns the commands of the wanted actions, in the form in which they run.
fn commands(rules: &[Rule], is_wanted: impl Fn(&HookAction) -> bool) -> Vec<WrittenCommand> {
    let actions = rules.iter().flat_map(|rule| &rule.actions);
    actions.filter(|action| is_wanted(action)).filter_map(|action| action.run.command()).collect()
}
