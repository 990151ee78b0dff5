//! Orders in raw arguments: `--codex-config sandbox_mode=…`, `-- --sandbox …`, `--codex-arg --yolo`.
//!
//! Each argument is looked up in the tables of codex's flags and keys. Orders are taken out and judged like Adjutant's own
//! flags; harmless arguments go to codex; what widens a run beside the sandbox is recorded; the rest is refused.

mod config;
mod flags;

use std::collections::BTreeMap;

use policy::{Approval, Author, Bypass, Network, Requested, Sandbox, UnknownWord};
use toml_edit::Value;

use config::{Entry, Meaning as KeyMeaning};
use flags::{Given, Meaning as FlagMeaning};

use crate::arguments::CodexOptions;

const NETWORK: &str = "network_access";
const ROOTS: &str = "writable_roots";
/// They make the sandbox narrower, if anything.
const NARROWING: [&str; 2] = ["exclude_tmpdir_env_var", "exclude_slash_tmp"];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawArgumentError {
    #[error("`{flag}` needs a value")]
    NoValue { flag: String },
    #[error("`{flag}` takes no value")]
    UnexpectedValue { flag: String },
    #[error("{0}")]
    Word(#[from] UnknownWord),
    #[error("`{what}` is said twice: `{first}` and `{second}`")]
    Twice { what: &'static str, first: String, second: String },
    #[error("`{flag}` cannot be passed to codex: {reason}")]
    Flag { flag: &'static str, reason: &'static str },
    #[error(
        "`{word}` is not a flag of codex that Adjutant knows, so its effect on the sandbox cannot be judged"
    )]
    Unknown { word: String },
    #[error("`{word}`: arguments for codex are flags; prompts and sub-commands are refused")]
    Positional { word: String },
    #[error("configuration `{key}` cannot be passed to codex: {reason}")]
    Config { key: String, reason: String },
    #[error("`{what}` can only be set by a person, with `adjutant run`")]
    PersonOnly { what: String },
    #[error(
        "`{value}` is not the name of a {what}: it is empty, begins with `-` or has other characters than letters, digits, `_` and `-`"
    )]
    Name { what: &'static str, value: String },
}

impl RawArgumentError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } | Self::Config { .. } => Some(
                "leave it out, or set it in codex's own config.toml or in a profile (`--profile`)",
            ),
            Self::Positional { .. } => Some(
                "say what is to be done with `--task`; continue a session with `adjutant job resume` or `codex.resume`",
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

/// What the options meant, and what is left of them for codex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) requested: Requested,
    /// Directories that codex may write to beside the working directory, as they were named.
    pub(crate) writable_roots: Vec<String>,
    pub(crate) options: CodexOptions,
    /// What the options widen beside the sandbox, for the record.
    pub(crate) notes: Vec<String>,
}

impl CodexOptions {
    /// Checks that this author may pass these options to codex.
    pub fn check(&self, requested: Requested, author: Author) -> Result<(), RawArgumentError> {
        judge(requested, self, author).map(drop)
    }
}

pub(crate) fn judge(
    requested: Requested,
    options: &CodexOptions,
    author: Author,
) -> Result<Judged, RawArgumentError> {
    let mut reader = Reader {
        author,
        workspace_write: BTreeMap::new(),
        judged: Judged {
            requested,
            writable_roots: Vec::new(),
            options: CodexOptions { config: Vec::new(), arguments: Vec::new(), ..options.clone() },
            notes: Vec::new(),
        },
    };
    for entry in &options.config {
        reader.entry(&Entry::parse(entry)?)?;
    }
    for given in flags::split(&options.arguments)? {
        reader.flag(&given)?;
    }
    reader.finish()
}

struct Reader {
    author: Author,
    /// What `sandbox_workspace_write` comes to, after all entries.
    workspace_write: BTreeMap<String, (Entry, Value)>,
    judged: Judged,
}

impl Reader {
    fn flag(&mut self, given: &Given) -> Result<(), RawArgumentError> {
        let Given { flag, value } = given;
        match flag.meaning {
            FlagMeaning::Sandbox => return self.sandbox(value.parse()?),
            FlagMeaning::Approval => return self.approval(value.parse()?),
            FlagMeaning::Bypass => self.judged.requested.bypass = Bypass::Yes,
            FlagMeaning::FullAuto => self.judged.requested.full_auto = true,
            FlagMeaning::Config => return self.entry(&Entry::parse(value)?),
            FlagMeaning::Feature(is_enabled) => {
                return self.entry(&Entry::feature(value, is_enabled));
            }
            FlagMeaning::AddDirectory => {
                self.for_a_person(flag.name)?;
                self.judged.writable_roots.push(value.clone());
            }
            FlagMeaning::Profile => {
                return once("--profile", &mut self.judged.options.profile, value);
            }
            FlagMeaning::Model => return once("--model", &mut self.judged.options.model, value),
            FlagMeaning::PassedAlready => {}
            FlagMeaning::Harmless => self.judged.options.arguments.push(flags::written(given)),
            FlagMeaning::PersonOnly => {
                self.for_a_person(flag.name)?;
                self.judged.options.arguments.push(flags::written(given));
            }
            FlagMeaning::Recorded(effect) => {
                self.for_a_person(flag.name)?;
                self.note(flag.name, effect);
                self.judged.options.arguments.push(flags::written(given));
            }
            FlagMeaning::Refused(reason) => {
                return Err(RawArgumentError::Flag { flag: flag.name, reason });
            }
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), RawArgumentError> {
        match entry.meaning()? {
            KeyMeaning::Sandbox => return self.sandbox(entry.word()?.parse()?),
            KeyMeaning::Approval => return self.approval(entry.word()?.parse()?),
            KeyMeaning::WorkspaceWrite => return self.workspace_write(entry),
            KeyMeaning::Features => self.features(entry)?,
            KeyMeaning::WebSearch => {
                if !matches!(entry.word()?, "disabled" | "cached") {
                    self.for_a_person(&entry.written())?;
                    self.note(&entry.key, "codex searches the web");
                }
            }
            KeyMeaning::Harmless => {}
            KeyMeaning::PersonOnly => self.for_a_person(&entry.key)?,
            KeyMeaning::Recorded(effect) => {
                self.for_a_person(&entry.key)?;
                self.note(&entry.key, effect);
            }
            KeyMeaning::Refused(reason) => return Err(entry.refused(reason)),
        }
        self.judged.options.config.push(entry.written());
        Ok(())
    }

    fn features(&self, entry: &Entry) -> Result<(), RawArgumentError> {
        for (name, value) in entry.fields()?.entries {
            if !config::is_harmless_feature(name) || value.as_bool().is_none() {
                return Err(entry.refused(&format!(
                    "the effect of the feature `{name}` on the sandbox cannot be judged"
                )));
            }
            self.for_a_person(&format!("features.{name}"))?;
        }
        Ok(())
    }

    /// Collects the table; entries that come later win, as they do for codex.
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
                NETWORK => {
                    let is_open = value.as_bool().ok_or_else(unusable)?;
                    if !is_open && self.judged.requested.network == Network::Enabled {
                        return Err(RawArgumentError::Twice {
                            what: "network access",
                            first: "enabled".to_owned(),
                            second: "restricted".to_owned(),
                        });
                    }
                    if is_open {
                        self.judged.requested.network = Network::Enabled;
                    }
                }
                ROOTS => {
                    for root in value.as_array().ok_or_else(unusable)? {
                        self.for_a_person("sandbox_workspace_write.writable_roots")?;
                        let root = root.as_str().ok_or_else(unusable)?;
                        self.judged.writable_roots.push(root.to_owned());
                    }
                }
                name if NARROWING.contains(&name) && value.as_bool().is_some() => {
                    let key = format!("sandbox_workspace_write.{name}");
                    self.for_a_person(&key)?;
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

    fn for_a_person(&self, what: &str) -> Result<(), RawArgumentError> {
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

    fn sandbox(&mut self, sandbox: Sandbox) -> Result<(), RawArgumentError> {
        match self.judged.requested.sandbox.replace(sandbox) {
            Some(first) if first != sandbox => Err(RawArgumentError::Twice {
                what: "--sandbox",
                first: first.to_string(),
                second: sandbox.to_string(),
            }),
            _ => Ok(()),
        }
    }

    fn approval(&mut self, approval: Approval) -> Result<(), RawArgumentError> {
        match self.judged.requested.approval.replace(approval) {
            Some(first) if first != approval => Err(RawArgumentError::Twice {
                what: "--ask-for-approval",
                first: first.to_string(),
                second: approval.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

fn once(
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
