//! A value that may be a secret, with what its surroundings say about it.

use std::ops::Range;

/// What the word before a value says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// `token`, `secret`, `api_key` …: issued by a machine.
    Machine,
    /// `password` …: chosen by a person.
    Human,
    /// `client_id` …: an identifier that some providers treat as half of a key.
    Public,
    /// `key`, `auth`, `access` …: as often the key of a map or a modifier as a credential.
    Vague,
    /// A service whose keys have no format of their own.
    Provider,
}

impl Name {
    /// Whether the name alone says that a secret is near, even if it does not follow directly.
    pub(crate) fn is_telling(self) -> bool {
        match self {
            Self::Machine | Self::Human | Self::Public => true,
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

/// Where the value is in relation to its name.
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
    /// `name-value` without any separator but a dash or an underscore
    Joined,
    /// A column of a table whose header is the name
    Column,
    /// A later word on the line of `name = …`
    Later,
}

/// A value, the word that announces it, and their positions in the text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'t> {
    pub(crate) text: &'t str,
    pub(crate) name: Name,
    /// The announcing word itself, without the rest of the identifier around it.
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
