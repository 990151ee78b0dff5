//! Changes the clients' settings, and undoes the changes (requirement A60).
//!
//! Every change is a function from the old content of a file to the new content. The order, the comments and the
//! spacing of all other settings are kept. A receipt records the written files, so that uninstalling can restore them
//! byte for byte.

pub(crate) mod extension;
pub(crate) mod hooks_json;
pub(crate) mod json;
pub(crate) mod launcher;
mod receipt;
pub(crate) mod servers;
pub(crate) mod skill;
pub(crate) mod toml;
mod write;

pub(crate) use receipt::sha256;
pub use skill::{check_skill, skill_target};
pub(crate) use write::read;
pub use write::{Action, Step, install, uninstall};

use std::io;
use std::path::{Path, PathBuf};

/// The settings to change: those of the user or those of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsScope {
    User,
    Project,
}

/// The files and folders in which a client stores its settings.
#[derive(Clone, Debug)]
pub struct Locations {
    /// The client's settings folder, for example `~/.claude`.
    pub folder: PathBuf,
    /// The file with the list of MCP servers, or `None` if the client has no MCP servers.
    pub servers: Option<PathBuf>,
    /// The user's file that lists trusted hooks, or `None` if the client runs hooks without checking whether they are
    /// trusted.
    pub trust: Option<PathBuf>,
}

/// The options of an installation and the files that it changes.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The folder that contains `adjutant` and `adjutant-hook`.
    pub programs: PathBuf,
    /// See [`Locations::folder`].
    pub folder: PathBuf,
    /// See [`Locations::servers`]. `None` if the MCP server is not to be registered.
    pub servers: Option<PathBuf>,
    /// Whether the user's hooks also run for the client's own tool calls.
    pub with_tool_hooks: bool,
    /// See [`Locations::trust`]. `None` if the hooks are not to be marked as trusted.
    pub trust: Option<PathBuf>,
}

/// A file that an installation changes.
pub struct Target {
    pub path: PathBuf,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    /// A file that Adjutant writes as a whole. A file that contains `mark` was written by this or another version of
    /// Adjutant.
    Whole { text: String, mode: u32, mark: &'static str },
    /// Entries in a file that may contain other settings.
    Entries { put: PutEntries, take: TakeEntries },
}

/// Adds the entries to the old content and returns the new content. The old content is `None` if the file does not exist.
type PutEntries = Box<dyn Fn(Option<&str>) -> Result<String, SettingsProblem>>;
/// Removes the entries from the old content and returns the new content.
type TakeEntries = Box<dyn Fn(&str) -> Result<String, SettingsProblem>>;

impl Target {
    /// Creates a target for an executable script that is written as a whole.
    pub(crate) fn script(path: PathBuf, text: String) -> Self {
        Self { path, content: Content::Whole { text, mode: 0o755, mark: launcher::MARK } }
    }

    /// Creates a target for a generated plugin file that is written as a whole.
    pub(crate) fn extension(path: PathBuf, text: String) -> Self {
        Self { path, content: Content::Whole { text, mode: 0o644, mark: extension::MARK } }
    }

    pub(crate) fn entries(
        path: PathBuf,
        put: impl Fn(Option<&str>) -> Result<String, SettingsProblem> + 'static,
        take: impl Fn(&str) -> Result<String, SettingsProblem> + 'static,
    ) -> Self {
        Self { path, content: Content::Entries { put: Box::new(put), take: Box::new(take) } }
    }

    /// Adds the entries of `other`, which is in the same file, after those of this target. A file that is written as a whole
    /// has no other entries.
    pub(crate) fn with_entries_of(self, other: Self) -> Self {
        match (self.content, other.content) {
            (
                Content::Entries { put, take },
                Content::Entries { put: other_put, take: other_take },
            ) => Self::entries(
                self.path,
                move |text| other_put(Some(&put(text)?)),
                move |text| other_take(&take(text)?),
            ),
            (content, _) => Self { path: self.path, content },
        }
    }
}

/// Reads a settings file for a health check. Returns an empty string if the file cannot be read.
pub(crate) fn text_or_empty(file: &Path) -> String {
    read(file).ok().flatten().unwrap_or_default()
}

/// Returns an error if `path` is in `repository` and contains a symbolic link, because a committed link must not decide
/// which file is written.
pub fn check_beneath(repository: &Path, path: &Path) -> Result<(), SettingsProblem> {
    let Ok(relative) = path.strip_prefix(repository) else { return Ok(()) };
    let mut current = repository.to_owned();
    for part in relative.components() {
        current.push(part);
        if current.is_symlink() {
            let reason = "is a symbolic link in the repository, and links are not followed there";
            return Err(SettingsProblem::io(&current)(io::Error::other(reason)));
        }
    }
    Ok(())
}

/// Why a settings file cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingsProblem {
    #[error("{line}:{column}: {message}")]
    Syntax { line: usize, column: usize, message: String },
    #[error("`{key}` is not {expected}")]
    Shape { key: String, expected: &'static str },
    #[error("`{path}`: {problem}")]
    In { path: PathBuf, problem: Box<Self> },
    #[error("`{path}`: {error}")]
    Io { path: PathBuf, error: io::Error },
}

impl SettingsProblem {
    pub(crate) fn shape(key: &str, expected: &'static str) -> Self {
        Self::Shape { key: key.to_owned(), expected }
    }

    /// Adds the file's path to a problem that does not contain a path.
    pub(crate) fn at(self, path: &Path) -> Self {
        match self {
            Self::Syntax { .. } | Self::Shape { .. } => {
                Self::In { path: path.to_owned(), problem: Box::new(self) }
            }
            Self::In { .. } | Self::Io { .. } => self,
        }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}
