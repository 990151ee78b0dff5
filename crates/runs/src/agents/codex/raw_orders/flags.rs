//! Lists the flags of `codex exec` and defines how each flag affects a run's permissions.
//!
//! The effect of a flag that is not in the table on the sandbox is unknown.

use super::{Permission, RawArgumentError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagMeaning {
    Sandbox,
    Approval,
    Bypass,
    FullAuto,
    Config,
    /// `--enable` or `--disable`, which set an entry of `features`.
    Feature(bool),
    AddDirectory,
    Profile,
    Model,
    /// Adjutant always passes this flag to codex, so it is not passed again.
    AlreadyPassed,
    Other(Permission),
}

pub(super) struct Flag {
    pub(super) name: &'static str,
    /// The short form or the alias of the flag, or an empty string if it has neither.
    other: &'static str,
    takes_value: bool,
    pub(super) meaning: FlagMeaning,
}

const fn switch(name: &'static str, other: &'static str, meaning: FlagMeaning) -> Flag {
    Flag { name, other, takes_value: false, meaning }
}

const fn valued(name: &'static str, other: &'static str, meaning: FlagMeaning) -> Flag {
    Flag { name, other, takes_value: true, meaning }
}

const ANYONE: FlagMeaning = FlagMeaning::Other(Permission::Anyone);
const PERSON_ONLY: FlagMeaning = FlagMeaning::Other(Permission::PersonOnly);

const fn recorded(effect: &'static str) -> FlagMeaning {
    FlagMeaning::Other(Permission::Recorded(effect))
}

const fn refused(reason: &'static str) -> FlagMeaning {
    FlagMeaning::Other(Permission::Refused(reason))
}

const OTHER_DIRECTORY: &str =
    "codex would work in a directory other than the recorded one; use `--cwd`";
const OWN_REVIEW: &str = "codex would decide about its own sandbox and approvals; use `--sandbox` and `--ask-for-approval`";

pub(super) const FLAGS: [Flag; 31] = [
    valued("--sandbox", "-s", FlagMeaning::Sandbox),
    valued("--ask-for-approval", "-a", FlagMeaning::Approval),
    switch("--dangerously-bypass-approvals-and-sandbox", "--yolo", FlagMeaning::Bypass),
    switch("--full-auto", "", FlagMeaning::FullAuto),
    valued("--config", "-c", FlagMeaning::Config),
    valued("--enable", "", FlagMeaning::Feature(true)),
    valued("--disable", "", FlagMeaning::Feature(false)),
    valued("--add-dir", "", FlagMeaning::AddDirectory),
    valued("--profile", "-p", FlagMeaning::Profile),
    valued("--model", "-m", FlagMeaning::Model),
    switch("--json", "--experimental-json", FlagMeaning::AlreadyPassed),
    switch("--skip-git-repo-check", "", ANYONE),
    switch("--ephemeral", "", ANYONE),
    switch("--strict-config", "", ANYONE),
    valued("--image", "-i", PERSON_ONLY),
    valued("--output-schema", "", PERSON_ONLY),
    valued("--output-last-message", "-o", PERSON_ONLY),
    valued("--thread-source", "", PERSON_ONLY),
    valued("--cyber-access-program", "", PERSON_ONLY),
    switch("--ignore-user-config", "", PERSON_ONLY),
    switch("--search", "", recorded("codex searches the web")),
    switch("--oss", "", recorded("prompts go to a local model provider")),
    valued("--local-provider", "", recorded("prompts go to a local model provider")),
    switch(
        "--ignore-rules",
        "",
        recorded("codex does not apply the user's and the project's command rules"),
    ),
    switch(
        "--dangerously-bypass-hook-trust",
        "",
        recorded("codex runs untrusted hooks outside the sandbox"),
    ),
    switch("--approve-for-me", "--not-so-yolo", refused(OWN_REVIEW)),
    valued("--cd", "-C", refused(OTHER_DIRECTORY)),
    switch("--worktree", "", refused(OTHER_DIRECTORY)),
    valued("--color", "", refused("Adjutant reads codex's output without colours")),
    switch("--help", "-h", refused("it does not start a run; use `codex exec --help`")),
    switch("--version", "-V", refused("it does not start a run; use `codex --version`")),
];

/// A word of the raw arguments.
pub(super) enum Given {
    Known(GivenFlag),
    /// A long flag that is not in the table, with its value if it is in the same word.
    Unknown(String),
}

/// A flag in the raw arguments. `value` is empty for a flag that takes no value.
pub(super) struct GivenFlag {
    pub(super) flag: &'static Flag,
    pub(super) value: String,
}

/// Splits raw arguments in the same way as codex's parser. An argument that starts with `-` is not accepted as the
/// value of the flag before it, because codex would parse it as a flag.
pub(super) fn split(raw: &[String]) -> Result<Vec<Given>, RawArgumentError> {
    let mut given = Vec::new();
    let mut words = raw.iter();
    while let Some(word) = words.next() {
        let (flag, attached) = match recognise(word) {
            Ok(known) => known,
            Err(RawArgumentError::Unknown { word }) if is_long(&word) => {
                given.push(Given::Unknown(word));
                continue;
            }
            Err(error) => return Err(error),
        };
        let value = match (flag.takes_value, attached) {
            (true, Some(value)) => value.to_owned(),
            (true, None) => words
                .next()
                .filter(|next| !next.starts_with('-'))
                .cloned()
                .ok_or_else(|| RawArgumentError::NoValue { flag: word.clone() })?,
            (false, None) => String::new(),
            (false, Some(_)) => {
                return Err(RawArgumentError::UnexpectedValue { flag: flag.name.to_owned() });
            }
        };
        given.push(Given::Known(GivenFlag { flag, value }));
    }
    Ok(given)
}

/// Returns true for `--flag` and `--flag=value`. A word with short flags can contain known flags after the unknown one.
fn is_long(word: &str) -> bool {
    let name = word.strip_prefix("--").and_then(|rest| rest.split('=').next());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    name.is_some_and(|name| !name.is_empty() && name.chars().all(is_plain))
}

/// Parses `--flag`, `--flag=value`, `-f`, `-fvalue` or `-f=value`. Returns the flag, and the value if the argument
/// contains one.
fn recognise(word: &str) -> Result<(&'static Flag, Option<&str>), RawArgumentError> {
    let unknown = || RawArgumentError::Unknown { word: word.to_owned() };
    if word.starts_with("--") && word != "--" {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let found = FLAGS.iter().find(|flag| flag.name == name || flag.other == name);
        return Ok((found.ok_or_else(unknown)?, value));
    }
    let short = word.strip_prefix('-').and_then(|rest| rest.chars().next());
    let Some(short) = short.filter(|_| word != "--") else {
        return Err(RawArgumentError::Positional { word: word.to_owned() });
    };
    let (name, rest) = word.split_at(1 + short.len_utf8());
    let flag = FLAGS.iter().find(|flag| flag.other == name).ok_or_else(unknown)?;
    let value = (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest));
    Ok((flag, value))
}

impl GivenFlag {
    /// Returns the flag and its value as one argument, so that codex cannot parse the value as a flag.
    pub(super) fn written(&self) -> String {
        if self.flag.takes_value {
            format!("{}={}", self.flag.name, self.value)
        } else {
            self.flag.name.to_owned()
        }
    }
}
