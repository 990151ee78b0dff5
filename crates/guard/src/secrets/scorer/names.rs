//! Recognises values that are names or lists of characters instead of secrets: constants, alphabets, files.

use crate::secrets::candidate::{Candidate, Name, Relation};
use crate::secrets::examples::names_credential;
use crate::secrets::file_names::{is_file_name, is_path_of_file};
use crate::secrets::value::is_random;

const LOWER_CASE: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER_CASE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

pub(super) fn is_other_name(candidate: &Candidate<'_>, value: &str) -> bool {
    is_constant(candidate, value)
        || candidate.name == Name::Vague && is_alphabet(value)
        || is_path_of_file(value)
        || is_file_name(value)
            && (candidate.name == Name::Token
                || matches!(candidate.relation, Relation::Words | Relation::Prose))
        || is_command_or_markup(value)
}

/// Recognises the name of a constant, a variable or a setting: `__GITLAB_OAUTH_SECRET__`. After the name of a password,
/// it must contain a word such as `password` or `token`, because a password may consist of capital letters.
fn is_constant(candidate: &Candidate<'_>, value: &str) -> bool {
    let n_words = value.split('_').filter(|word| !word.is_empty()).count();
    n_words > 1
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && (candidate.name != Name::Password || names_credential(value))
        && !is_random(value)
}

/// Recognises the characters of an encoding: all letters in ascending order, and no character twice.
fn is_alphabet(value: &str) -> bool {
    let mut characters: Vec<u8> = value.bytes().collect();
    characters.sort_unstable();
    characters.dedup();
    characters.len() == value.len() && (value.contains(LOWER_CASE) || value.contains(UPPER_CASE))
}

/// Recognises a quoted shell command, an escaped placeholder and the first line of a script:
/// `` password: "`pwgen 16`" ``, `&lt;password&gt;`, `#!/bin/sh`.
fn is_command_or_markup(value: &str) -> bool {
    let command = value.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    let is_command = command.is_some_and(|command| {
        command.contains(' ')
            || command.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
    });
    is_command || value.starts_with("&lt;") || value.starts_with("#!/")
}
