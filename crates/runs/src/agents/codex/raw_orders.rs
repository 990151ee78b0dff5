//! Extracts sandbox, approval and network options from raw codex arguments, such as `--codex-config sandbox_mode=…`,
//! `-- --sandbox …` or `--codex-arg --yolo`.
//!
//! Every argument is looked up in the tables of codex's flags and configuration keys. Sandbox, approval and network
//! options are merged with those that the caller requested with Adjutant's own options, and harmless arguments are
//! passed to codex. Arguments that extend a run's permissions in another way are passed and recorded. An argument that is
//! in no table is passed with a warning if the user wrote it, and refused if a model did. All other arguments are refused.

mod config;
mod flags;

use std::collections::BTreeMap;
use std::fmt::Display;

use policy::{Author, Bypass, Network, Requested, UnknownWord};
use toml_edit::Value;

use config::{Entry, KeyMeaning};
use flags::{FlagMeaning, Given, GivenFlag};

use crate::agents::codex::arguments::CodexOptions;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawArgumentError {
    #[error("`{flag}` needs a value")]
    NoValue { flag: String },
    #[error("`{flag}` takes no value")]
    UnexpectedValue { flag: String },
    #[error("{0}")]
    Word(#[from] UnknownWord),
    #[error("`{what}` is given twice: `{first}` and `{second}`")]
    Twice { what: &'static str, first: String, second: String },
    #[error("`{flag}` cannot be passed to codex: {reason}")]
    Flag { flag: &'static str, reason: &'static str },
    #[error(
        "`{word}` is not a codex flag that Adjutant knows, so its effect on the sandbox cannot be judged"
    )]
    Unknown { word: String },
    #[error("`{word}`: arguments for codex are flags; prompts and sub-commands are refused")]
    Positional { word: String },
    #[error("configuration `{key}` cannot be passed to codex: {reason}")]
    Config { key: String, reason: String },
    #[error("`{what}` can only be set by the user, with `adjutant run`")]
    PersonOnly { what: String },
    #[error(
        "`{value}` is not the name of a {what}: it is empty, begins with `-` or has characters other than letters, digits, `_` and `-`"
    )]
    Name { what: &'static str, value: String },
}

impl RawArgumentError {
    /// Returns a hint about how the user can fix the error.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } | Self::Config { .. } => Some(
                "leave it out, or set it in codex's own config.toml or in a profile (`--profile`)",
            ),
            Self::Positional { .. } => Some(
                "describe the task with `--task`; continue a session with `adjutant job resume` or `codex.resume`",
            ),
            Self::NoValue { .. } => Some("write a value that begins with `-` as `--flag=VALUE`"),
            Self::UnexpectedValue { .. }
            | Self::Word(_)
            | Self::Twice { .. }
            | Self::Flag { .. }
            | Self::PersonOnly { .. }
            | Self::Name { .. } => None,
        }
    }
}

/// Who may pass a codex argument. Applies to all flags and configuration keys except those for the sandbox, the
/// approval policy and network access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permission {
    /// Anyone can pass the argument. It does not affect the sandbox, the files read or written outside the sandbox, or
    /// the servers that are contacted.
    Anyone,
    /// Only the user can pass the argument, because it names files that a model must not choose, or changes codex's
    /// instructions.
    PersonOnly,
    /// Only the user can pass the argument. This description of its effect is added to the session record.
    Recorded(&'static str),
    /// The argument is always refused, for this reason.
    Refused(&'static str),
}

/// The permissions and options that result from the raw arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) requested: Requested,
    /// The directories that codex can write to in addition to the working directory, as the caller named them.
    pub(crate) writable_roots: Vec<String>,
    /// The options to pass to codex.
    pub(crate) options: CodexOptions,
    /// Notes for the session record about arguments that extend the permissions.
    pub(crate) notes: Vec<String>,
    /// Warnings about arguments that were passed to codex although their effect on the sandbox is not known.
    pub(crate) warnings: Vec<String>,
}

impl CodexOptions {
    /// Checks that the author of the request may pass these options to codex.
    pub fn check(&self, requested: Requested, author: Author) -> Result<(), RawArgumentError> {
        judge(requested, self, author).map(drop)
    }
}

pub(crate) fn judge(
    requested: Requested,
    options: &CodexOptions,
    author: Author,
) -> Result<Judged, RawArgumentError> {
    let mut judge = Judge {
        author,
        workspace_write: BTreeMap::new(),
        judged: Judged {
            requested,
            writable_roots: Vec::new(),
            options: CodexOptions { config: Vec::new(), arguments: Vec::new(), ..options.clone() },
            notes: Vec::new(),
            warnings: Vec::new(),
        },
    };
    for entry in &options.config {
        judge.entry(&Entry::parse(entry)?)?;
    }
    for given in flags::split(&options.arguments)? {
        match given {
            Given::Known(flag) => judge.flag(&flag)?,
            Given::Unknown(word) => judge.unknown_flag(word)?,
        }
    }
    judge.finish()
}

struct Judge {
    author: Author,
    /// The table `sandbox_workspace_write`, merged from all entries so far.
    workspace_write: BTreeMap<String, (Entry, Value)>,
    judged: Judged,
}

impl Judge {
    fn flag(&mut self, given: &GivenFlag) -> Result<(), RawArgumentError> {
        let GivenFlag { flag, value } = given;
        let Judged { requested, options, .. } = &mut self.judged;
        match flag.meaning {
            FlagMeaning::Sandbox => set("--sandbox", &mut requested.sandbox, value.parse()?)?,
            FlagMeaning::Approval => {
                set("--ask-for-approval", &mut requested.approval, value.parse()?)?;
            }
            FlagMeaning::Bypass => requested.bypass = Bypass::Yes,
            FlagMeaning::FullAuto => requested.full_auto = true,
            FlagMeaning::Config => self.entry(&Entry::parse(value)?)?,
            FlagMeaning::Feature(is_enabled) => self.entry(&Entry::feature(value, is_enabled))?,
            FlagMeaning::AddDirectory => {
                self.person_only(flag.name)?;
                self.judged.writable_roots.push(value.clone());
            }
            FlagMeaning::Profile => set_once("--profile", &mut options.profile, value)?,
            FlagMeaning::Model => set_once("--model", &mut options.model, value)?,
            FlagMeaning::AlreadyPassed => {}
            FlagMeaning::Other(Permission::Refused(reason)) => {
                return Err(RawArgumentError::Flag { flag: flag.name, reason });
            }
            FlagMeaning::Other(permission) => {
                self.permit(flag.name, permission)?;
                self.judged.options.arguments.push(given.written());
            }
        }
        Ok(())
    }

    /// Passes a flag that is not in the table, with a warning. The caller must be the user.
    fn unknown_flag(&mut self, word: String) -> Result<(), RawArgumentError> {
        if self.author != Author::Person {
            return Err(RawArgumentError::Unknown { word });
        }
        self.warn(word.split('=').next().unwrap_or(&word));
        self.judged.options.arguments.push(word);
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), RawArgumentError> {
        let requested = &mut self.judged.requested;
        match entry.meaning()? {
            KeyMeaning::Sandbox => {
                return set("--sandbox", &mut requested.sandbox, entry.word()?.parse()?);
            }
            KeyMeaning::Approval => {
                return set("--ask-for-approval", &mut requested.approval, entry.word()?.parse()?);
            }
            KeyMeaning::WorkspaceWrite => return self.workspace_write(entry),
            KeyMeaning::Features => self.features(entry)?,
            KeyMeaning::WebSearch => {
                if !matches!(entry.word()?, "disabled" | "cached") {
                    self.person_only(&entry.written())?;
                    self.note(&entry.key, "codex searches the web");
                }
            }
            KeyMeaning::Other(Permission::Refused(reason)) => return Err(entry.refused(reason)),
            KeyMeaning::Unknown if self.author == Author::Person => self.warn(&entry.key),
            KeyMeaning::Unknown => return Err(entry.refused(config::UNKNOWN)),
            KeyMeaning::Other(permission) => self.permit(&entry.key, permission)?,
        }
        self.judged.options.config.push(entry.written());
        Ok(())
    }

    fn features(&mut self, entry: &Entry) -> Result<(), RawArgumentError> {
        for (name, value) in entry.fields()?.entries {
            if value.as_bool().is_none() {
                return Err(entry.refused(&format!("the feature `{name}` must be true or false")));
            }
            let key = format!("features.{name}");
            self.person_only(&key)?;
            if let Some(reason) = config::refusal_of_feature(name) {
                return Err(entry.refused(reason));
            }
            if !config::is_harmless_feature(name) {
                self.warn(&key);
            }
        }
        Ok(())
    }

    /// Adds an entry to the table `sandbox_workspace_write`. As in codex, later entries override earlier ones.
    fn workspace_write(&mut self, entry: &Entry) -> Result<(), RawArgumentError> {
        let fields = entry.fields()?;
        if fields.replaces_all {
            self.workspace_write.clear();
        }
        for (name, value) in fields.entries {
            self.workspace_write.insert(name.to_owned(), (entry.clone(), value.clone()));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Judged, RawArgumentError> {
        for (name, (entry, value)) in std::mem::take(&mut self.workspace_write) {
            let unusable = || entry.refused(&format!("`{name}` cannot be judged"));
            match name.as_str() {
                "network_access" => {
                    let is_open = value.as_bool().ok_or_else(unusable)?;
                    let network = &mut self.judged.requested.network;
                    if !is_open && *network == Network::Enabled {
                        return Err(RawArgumentError::Twice {
                            what: "network access",
                            first: "enabled".to_owned(),
                            second: "restricted".to_owned(),
                        });
                    }
                    if is_open {
                        *network = Network::Enabled;
                    }
                }
                "writable_roots" => {
                    for root in value.as_array().ok_or_else(unusable)? {
                        self.person_only("sandbox_workspace_write.writable_roots")?;
                        let root = root.as_str().ok_or_else(unusable)?;
                        self.judged.writable_roots.push(root.to_owned());
                    }
                }
                // These keys can only restrict the sandbox.
                "exclude_tmpdir_env_var" | "exclude_slash_tmp" if value.as_bool().is_some() => {
                    let key = format!("sandbox_workspace_write.{name}");
                    self.person_only(&key)?;
                    self.judged.options.config.push(Entry { key, value }.written());
                }
                _ => return Err(unusable()),
            }
        }
        let CodexOptions { profile, model, .. } = &self.judged.options;
        if let Some(profile) = profile {
            check_name("profile", profile, |c| c.is_ascii_alphanumeric() || "_-".contains(c))?;
        }
        if let Some(model) = model {
            check_name("model", model, |c| !c.is_control())?;
        }
        Ok(self.judged)
    }

    /// Checks that the author may pass an argument with this permission. If the permission is `Recorded`, adds a note
    /// about the argument's effect. The permission must not be `Refused`.
    fn permit(&mut self, what: &str, permission: Permission) -> Result<(), RawArgumentError> {
        if permission != Permission::Anyone {
            self.person_only(what)?;
        }
        if let Permission::Recorded(effect) = permission {
            self.note(what, effect);
        }
        Ok(())
    }

    fn person_only(&self, what: &str) -> Result<(), RawArgumentError> {
        match self.author {
            Author::Person => Ok(()),
            Author::Model { .. } => Err(RawArgumentError::PersonOnly { what: what.to_owned() }),
        }
    }

    fn note(&mut self, what: &str, effect: &str) {
        let note = format!("`{what}` was passed to codex: {effect}");
        if !self.judged.notes.contains(&note) {
            self.judged.notes.push(note);
        }
    }

    fn warn(&mut self, what: &str) {
        let warning = format!(
            "`{what}` was passed to codex and not judged: its effect on the sandbox is not known"
        );
        if !self.judged.warnings.contains(&warning) {
            self.judged.warnings.push(warning);
        }
    }
}

/// Sets an option such as the sandbox. Fails if the option already has a different value.
fn set<T: Copy + PartialEq + Display>(
    what: &'static str,
    order: &mut Option<T>,
    value: T,
) -> Result<(), RawArgumentError> {
    match order.replace(value) {
        Some(first) if first != value => Err(RawArgumentError::Twice {
            what,
            first: first.to_string(),
            second: value.to_string(),
        }),
        _ => Ok(()),
    }
}

fn set_once(
    what: &'static str,
    option: &mut Option<String>,
    value: &str,
) -> Result<(), RawArgumentError> {
    match option.replace(value.to_owned()) {
        Some(first) => Err(RawArgumentError::Twice { what, first, second: value.to_owned() }),
        None => Ok(()),
    }
}

fn check_name(
    what: &'static str,
    value: &str,
    accepts: impl Fn(char) -> bool,
) -> Result<(), RawArgumentError> {
    if value.is_empty() || value.starts_with('-') || !value.chars().all(accepts) {
        return Err(RawArgumentError::Name { what, value: value.to_owned() });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
