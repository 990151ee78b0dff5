//! The flags of `codex exec`, what each means for the orders of a run, and how a command line is split into them.
//!
//! One row per flag. An argument without a row is refused: nobody has judged what it does to the sandbox.

use super::RawArgumentError;

/// What a flag means for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Sandbox,
    Approval,
    Bypass,
    FullAuto,
    Config,
    /// `--enable` and `--disable`: an entry of `features`.
    Feature(bool),
    AddDirectory,
    Profile,
    Model,
    /// Adjutant passes it already.
    PassedAlready,
    /// Changes neither the sandbox, nor the files read or written outside it, nor who is contacted.
    Harmless,
    /// A person may pass it.
    PersonOnly,
    /// A person may pass it, and the record states the effect.
    Recorded(&'static str),
    /// Refused for everybody; the text says what to use instead.
    Refused(&'static str),
}

pub(super) struct Flag {
    pub(super) name: &'static str,
    short: Option<char>,
    alias: Option<&'static str>,
    takes_value: bool,
    pub(super) meaning: Meaning,
}

const fn switch(name: &'static str, meaning: Meaning) -> Flag {
    Flag { name, short: None, alias: None, takes_value: false, meaning }
}

const fn valued(name: &'static str, short: Option<char>, meaning: Meaning) -> Flag {
    Flag { name, short, alias: None, takes_value: true, meaning }
}

const OTHER_DIRECTORY: &str =
    "codex would work in another directory than the record states; use `--cwd`";
const OWN_REVIEW: &str = "codex would decide about its own sandbox and approvals; use `--sandbox` and `--ask-for-approval`";

pub(super) const FLAGS: [Flag; 31] = [
    valued("--sandbox", Some('s'), Meaning::Sandbox),
    valued("--ask-for-approval", Some('a'), Meaning::Approval),
    Flag {
        alias: Some("--yolo"),
        ..switch("--dangerously-bypass-approvals-and-sandbox", Meaning::Bypass)
    },
    switch("--full-auto", Meaning::FullAuto),
    valued("--config", Some('c'), Meaning::Config),
    valued("--enable", None, Meaning::Feature(true)),
    valued("--disable", None, Meaning::Feature(false)),
    valued("--add-dir", None, Meaning::AddDirectory),
    valued("--profile", Some('p'), Meaning::Profile),
    valued("--model", Some('m'), Meaning::Model),
    Flag { alias: Some("--experimental-json"), ..switch("--json", Meaning::PassedAlready) },
    switch("--skip-git-repo-check", Meaning::Harmless),
    switch("--ephemeral", Meaning::Harmless),
    switch("--strict-config", Meaning::Harmless),
    valued("--image", Some('i'), Meaning::PersonOnly),
    valued("--output-schema", None, Meaning::PersonOnly),
    valued("--output-last-message", Some('o'), Meaning::PersonOnly),
    valued("--thread-source", None, Meaning::PersonOnly),
    valued("--cyber-access-program", None, Meaning::PersonOnly),
    switch("--ignore-user-config", Meaning::PersonOnly),
    switch("--search", Meaning::Recorded("codex searches the web")),
    switch("--oss", Meaning::Recorded("prompts go to a local model provider")),
    valued("--local-provider", None, Meaning::Recorded("prompts go to a local model provider")),
    switch(
        "--ignore-rules",
        Meaning::Recorded("codex does not apply the command rules of the user and the project"),
    ),
    switch(
        "--dangerously-bypass-hook-trust",
        Meaning::Recorded("codex runs hooks that nobody has trusted, outside the sandbox"),
    ),
    Flag {
        alias: Some("--not-so-yolo"),
        ..switch("--approve-for-me", Meaning::Refused(OWN_REVIEW))
    },
    valued("--cd", Some('C'), Meaning::Refused(OTHER_DIRECTORY)),
    switch("--worktree", Meaning::Refused(OTHER_DIRECTORY)),
    valued("--color", None, Meaning::Refused("Adjutant reads codex's output without colours")),
    Flag {
        short: Some('h'),
        ..switch("--help", Meaning::Refused("it starts no run; use `codex exec --help`"))
    },
    Flag {
        short: Some('V'),
        ..switch("--version", Meaning::Refused("it starts no run; use `codex --version`"))
    },
];

/// A flag as it was given, with its value.
pub(super) struct Given {
    pub(super) flag: &'static Flag,
    pub(super) value: String,
}

/// Splits raw arguments the way codex's parser does. A value never begins with `-`: codex would read it as a flag.
pub(super) fn split(raw: &[String]) -> Result<Vec<Given>, RawArgumentError> {
    let mut given = Vec::new();
    let mut words = raw.iter();
    while let Some(word) = words.next() {
        let (flag, attached) = recognise(word)?;
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
        given.push(Given { flag, value });
    }
    Ok(given)
}

/// `--flag`, `--flag=value`, `-f`, `-fvalue` or `-f=value`.
fn recognise(word: &str) -> Result<(&'static Flag, Option<&str>), RawArgumentError> {
    let unknown = || RawArgumentError::Unknown { word: word.to_owned() };
    if word.starts_with("--") && word != "--" {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let found = FLAGS.iter().find(|flag| flag.name == name || flag.alias == Some(name));
        return Ok((found.ok_or_else(unknown)?, value));
    }
    let Some(short) = word.strip_prefix('-').and_then(|rest| rest.chars().next()) else {
        return Err(RawArgumentError::Positional { word: word.to_owned() });
    };
    if word == "--" {
        return Err(RawArgumentError::Positional { word: word.to_owned() });
    }
    let flag = FLAGS.iter().find(|flag| flag.short == Some(short)).ok_or_else(unknown)?;
    let rest = &word[1 + short.len_utf8()..];
    let value = (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest));
    Ok((flag, value))
}

/// The flag as codex is given it: one word, so that no value can be read as a flag or take the next word with it.
pub(super) fn written(given: &Given) -> String {
    if given.flag.takes_value {
        format!("{}={}", given.flag.name, given.value)
    } else {
        given.flag.name.to_owned()
    }
}
