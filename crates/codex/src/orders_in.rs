//! Orders that hide in raw arguments: `--codex-config sandbox_mode=…`, `-- --sandbox …`, `--codex-arg --yolo`.
//!
//! They are taken out and judged like the flags of their own; what is left goes to codex as it is.

use policy::{Approval, Bypass, Network, Requested, Sandbox, UnknownWord};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawArgumentError {
    #[error("`{flag}` needs a value")]
    NoValue { flag: String },
    #[error("{0}")]
    Word(#[from] UnknownWord),
    #[error("`{what}` is said twice: `{first}` and `{second}`")]
    Twice { what: &'static str, first: String, second: String },
    #[error(
        "`{flag}` would let codex decide about its own sandbox: use `--sandbox` and `--ask-for-approval`"
    )]
    NotOurs { flag: String },
}

/// What the raw arguments meant, and what is left of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) requested: Requested,
    /// `key=value`, for `--config`.
    pub(crate) config: Vec<String>,
    pub(crate) rest: Vec<String>,
}

pub(crate) fn judge(
    requested: Requested,
    config: &[String],
    raw: &[String],
) -> Result<Judged, RawArgumentError> {
    let mut judged = Judged { requested, config: Vec::new(), rest: Vec::new() };
    for entry in config {
        judged.config_entry(entry, None)?;
    }
    let mut words = raw.iter();
    while let Some(word) = words.next() {
        let (flag, glued) = split(word);
        let mut value = || {
            let next = glued.map(str::to_owned).or_else(|| words.next().cloned());
            next.ok_or_else(|| RawArgumentError::NoValue { flag: word.clone() })
        };
        match flag {
            "--sandbox" | "-s" => judged.sandbox(value()?.parse()?)?,
            "--ask-for-approval" | "-a" => judged.approval(value()?.parse()?)?,
            "--config" | "-c" => {
                let entry = value()?;
                judged.config_entry(&entry, Some(flag))?;
            }
            "--full-auto" => judged.requested.full_auto = true,
            "--dangerously-bypass-approvals-and-sandbox" | "--yolo" => {
                judged.requested.bypass = Bypass::Yes;
            }
            "--approve-for-me" => return Err(RawArgumentError::NotOurs { flag: word.clone() }),
            _ => judged.rest.push(word.clone()),
        }
    }
    Ok(judged)
}

/// `--flag=value` and `-svalue` in two.
fn split(word: &str) -> (&str, Option<&str>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
    }
    for short in ["-s", "-a", "-c"] {
        if let Some(value) = word.strip_prefix(short).filter(|value| !value.is_empty()) {
            return (short, Some(value.strip_prefix('=').unwrap_or(value)));
        }
    }
    (word, None)
}

impl Judged {
    fn config_entry(&mut self, entry: &str, flag: Option<&str>) -> Result<(), RawArgumentError> {
        let (key, value) = entry.split_once('=').unwrap_or((entry, ""));
        let value = value.trim().trim_matches(['"', '\'']);
        match key.trim() {
            "sandbox_mode" => self.sandbox(value.parse()?),
            "approval_policy" => self.approval(value.parse()?),
            "sandbox_workspace_write.network_access" => {
                if value == "true" {
                    self.requested.network = Network::Enabled;
                }
                Ok(())
            }
            _ => {
                match flag {
                    Some(flag) => self.rest.extend([flag.to_owned(), entry.to_owned()]),
                    None => self.config.push(entry.to_owned()),
                }
                Ok(())
            }
        }
    }

    fn sandbox(&mut self, sandbox: Sandbox) -> Result<(), RawArgumentError> {
        match self.requested.sandbox.replace(sandbox) {
            Some(first) if first != sandbox => Err(RawArgumentError::Twice {
                what: "--sandbox",
                first: first.to_string(),
                second: sandbox.to_string(),
            }),
            _ => Ok(()),
        }
    }

    fn approval(&mut self, approval: Approval) -> Result<(), RawArgumentError> {
        match self.requested.approval.replace(approval) {
            Some(first) if first != approval => Err(RawArgumentError::Twice {
                what: "--ask-for-approval",
                first: first.to_string(),
                second: approval.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
