//! Types for a value that may be a secret, and for its context.

use crate::bytes::{is_word_or, run_after, run_before};
use std::ops::Range;

/// The maximum number of bytes of an identifier that are read before and after the anchor word.
const MAX_IDENTIFIER: usize = 48;

/// The kind of name that precedes a value, and what the name implies about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// A name such as `token`, `secret` or `api_key`, for a value that a program generated.
    Token,
    /// A name such as `password`, for a value that a person chose.
    Password,
    /// A name such as `access_id`, for an identifier that some providers issue together with a secret key.
    Public,
    /// A name such as `key`, `auth` or `access`, which often refers to a map key or an access modifier rather than a
    /// credential.
    Vague,
    /// The name of a service whose keys have no recognisable format.
    Provider,
    /// The name of a service or of a token that may also be an ordinary word. The value must look generated.
    Service,
}

impl Name {
    /// Each kind of name with the section of `tables/names.txt` that contains the names.
    pub(crate) const SECTIONS: [(Self, &str); 6] = [
        (Self::Token, "token"),
        (Self::Password, "password"),
        (Self::Public, "public"),
        (Self::Provider, "provider"),
        (Self::Service, "service"),
        (Self::Vague, "vague"),
    ];

    /// Returns whether the name suggests that a secret is nearby, even if the secret does not directly follow the
    /// name.
    pub(crate) fn implies_secret(self) -> bool {
        matches!(self, Self::Token | Self::Password | Self::Public)
    }

    /// Returns the index of the names that this name is treated like: names of passwords, of tokens, or vague names.
    pub(crate) fn group(self) -> usize {
        match self {
            Self::Password => 0,
            Self::Token | Self::Public => 1,
            Self::Vague | Self::Provider | Self::Service => 2,
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
    /// `key="name" value="value"`, as in configuration files
    Attribute,
    /// `--name value`
    Flag,
    /// `name value`, separated only by blanks
    Beside,
    /// `the name is value`, `名称：value`
    Words,
    /// The name and the value are in a sentence: `the <name> of something is <value>`
    Prose,
    /// `set_name("value")`
    Argument,
    /// `name-value` or `name_value`, where the name and the value form one word
    Joined,
    /// The value is on the same line as `name = …`, but not directly after the operator.
    RestOfLine,
}

/// A value and the word that names it, with their positions in the text.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'t> {
    pub(crate) text: &'t str,
    pub(crate) name: Name,
    /// The range of the anchor word, which may be part of a longer identifier, such as `password` in `db_password_old`.
    pub(crate) word: Range<usize>,
    pub(crate) relation: Relation,
    pub(crate) quoting: Quoting,
    pub(crate) value: Range<usize>,
}

impl<'t> Candidate<'t> {
    pub(crate) fn value(&self) -> &'t str {
        self.text.get(self.value.clone()).unwrap_or_default()
    }

    /// Returns the anchor word.
    pub(crate) fn word(&self) -> &'t str {
        &self.text[self.word.clone()]
    }

    /// Returns the text before the anchor word.
    pub(crate) fn before(&self) -> &'t [u8] {
        &self.text.as_bytes()[..self.word.start]
    }

    /// Returns the part of the identifier before the anchor word. An identifier consists of letters, digits and `signs`.
    pub(crate) fn head(&self, signs: &[u8]) -> &'t [u8] {
        let before = self.before();
        let length = run_before(before, MAX_IDENTIFIER, |byte| is_word_or(byte, signs));
        &before[before.len() - length..]
    }

    /// Returns the part of the identifier after the anchor word.
    pub(crate) fn tail(&self, signs: &[u8]) -> &'t str {
        let after = &self.text[self.word.end..];
        let length = run_after(after.as_bytes(), MAX_IDENTIFIER, |byte| is_word_or(byte, signs));
        &after[..length]
    }

    /// Returns the text between the anchor word and the value.
    pub(crate) fn between(&self) -> &'t str {
        &self.text[self.word.end..self.value.start]
    }

    /// Returns the text after the value.
    pub(crate) fn after(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.value.end..]
    }

    /// Returns whether the value ends its line.
    pub(crate) fn ends_line(&self) -> bool {
        matches!(self.after(), [] | [b'\n' | b'\r', ..])
    }
}
