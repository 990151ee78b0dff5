//! A value that may be a secret, with its context.

use std::ops::Range;

/// What the word before a value says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// `token`, `secret`, `api_key` …: a value issued by a program.
    Token,
    /// `password` …: a value chosen by a person.
    Password,
    /// `client_id` …: an identifier that some providers treat as half of a key.
    Public,
    /// `key`, `auth`, `access` …: often the key of a map or a modifier rather than a credential.
    Vague,
    /// The name of a service whose keys have no recognisable format.
    Provider,
}

impl Name {
    /// Whether the name suggests a secret nearby even if the secret does not follow directly.
    pub(crate) fn implies_secret(self) -> bool {
        match self {
            Self::Token | Self::Password | Self::Public => true,
            Self::Vague | Self::Provider => false,
        }
    }
}

/// Whether the value is written in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    Quoted,
    Bare,
}

/// The position of the value relative to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `name = value`
    Equals,
    /// `name: value`
    Colon,
    /// `name => value`, `"name", "value"`, `name | value`
    Sign,
    /// `key="name" value="value"`, which only configuration files contain
    Attribute,
    /// `--name value`
    Flag,
    /// `name value`
    Beside,
    /// `the name is value`, `名称：value`
    Words,
    /// `the name of something is value`
    Prose,
    /// `set_name("value")`
    Argument,
    /// `name-value` with only a dash or an underscore between them
    Joined,
    /// A column of a table whose header is the name
    Column,
    /// A later word on the line of `name = …`
    RestOfLine,
}

/// A value, the word that names it, and their positions in the text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'t> {
    pub(crate) text: &'t str,
    pub(crate) name: Name,
    /// The anchor word, without the rest of its identifier.
    pub(crate) word: Range<usize>,
    pub(crate) relation: Relation,
    pub(crate) quoting: Quoting,
    pub(crate) value: Range<usize>,
}

impl<'t> Candidate<'t> {
    pub(crate) fn value(&self) -> &'t str {
        self.text.get(self.value.clone()).unwrap_or_default()
    }
}
