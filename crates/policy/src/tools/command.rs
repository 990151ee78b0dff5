//! How the command line asks a question: the arguments of its command and the columns of its table.

/// A command of the command line that asks a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    pub name: &'static str,
    /// The help text, one imperative line.
    pub about: &'static str,
    /// The end of the help text.
    pub examples: &'static str,
    pub subject: Option<CommandSubject>,
    pub flags: &'static [Flag],
    pub columns: &'static [Column],
    /// The headings that can be left out on a narrow terminal. The first one is left out first.
    pub optional: &'static [&'static str],
    /// Whether the exit code is 1 if nothing is found.
    pub fails_if_empty: bool,
}

/// The argument of a command that is not a flag: what the question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandSubject {
    /// The name in the help text.
    pub name: &'static str,
    /// The argument of the question that gets the value.
    pub key: &'static str,
    pub kind: SubjectKind,
    pub help: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectKind {
    /// One or more words of text. Without a word, or with `-`, the text is read from stdin.
    Words,
    /// A name, which is required.
    Name,
    /// A path below the root of the repository. The default is the root.
    Path,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    pub long: &'static str,
    pub short: Option<char>,
    /// The argument of the question that gets the value.
    pub key: &'static str,
    pub value: FlagValue,
    /// The arguments that cannot be combined with this flag.
    pub conflicts: &'static [&'static str],
    pub help: &'static str,
}

/// The value of a flag, with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagValue {
    Switch,
    Number(&'static str),
    /// A number of at most 32 bits.
    Small(&'static str),
    /// A text with this name in the help text. It has no default.
    Text(&'static str),
    Choice {
        name: &'static str,
        choices: &'static [&'static str],
        default: &'static str,
    },
    Folders,
    File,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub heading: &'static str,
    /// The field of an item that the column shows, or `place`, `kind`, `symbol` or `path`.
    pub field: &'static str,
    /// The flag with which the column is shown. `None` if it is always shown.
    pub with: Option<&'static str>,
}

impl Flag {
    pub(super) const fn new(key: &'static str, value: FlagValue, help: &'static str) -> Self {
        Self { long: key, short: None, key, value, conflicts: &[], help }
    }

    /// The flag `--limit` or `-n`, which sets the argument `key`.
    pub(super) const fn limit(
        key: &'static str,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        let value = FlagValue::Number(default);
        Self { long: "limit", short: Some('n'), key, value, conflicts: &[], help }
    }
}

impl Column {
    pub(super) const fn new(heading: &'static str, field: &'static str) -> Self {
        Self { heading, field, with: None }
    }
}
