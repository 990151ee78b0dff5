//! Decides whether a single word has the form of a password that a person chose, such as `yew.Tree.Gravel` or
//! `n3ttle^fen`.
//!
//! The form alone is not enough, because versions and identifiers look similar. Callers use this check only for
//! positions where a password is expected.

use super::dummy_values::is_placeholder;
use super::vocabulary::is_label;

const LENGTHS: std::ops::RangeInclusive<usize> = 8..=64;
const MIN_LETTERS: usize = 3;
/// The minimum number of different kinds of characters: lower case, upper case, digits, punctuation.
const MIN_KINDS: usize = 3;
/// Endings of compound adjectives that describe a password: `Base64-encoded`, `ASCII-only`.
const ADJECTIVES: &[&str] =
    &["ed", "only", "sensitive", "based", "compatible", "like", "safe", "free"];

/// Returns whether the word contains at least three kinds of characters and is not a reference, an address, a label or
/// a placeholder.
pub(crate) fn is_chosen_password(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| usize::from(value.as_bytes().iter().any(kind));
    let n_kinds = has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_digit)
        + has(u8::is_ascii_punctuation);
    let n_letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    LENGTHS.contains(&value.len())
        && value.bytes().all(is_password_byte)
        && n_kinds >= MIN_KINDS
        && n_letters >= MIN_LETTERS
        && !value.starts_with(['$', '%', '-', '.', '~', '@', '#', '&', '*', ':', '='])
        && !value.ends_with([':', '=', '\\'])
        && !is_address_or_code(value)
        && !is_adjective(value)
        && !is_label(value)
        && !is_placeholder(value)
}

/// Returns whether the word is a chosen password with a punctuation character that is rare in names, or with several
/// digits. This check is for positions in which names of programs and files also occur.
pub(crate) fn is_strong_password(value: &str) -> bool {
    let n_digits = value.bytes().filter(u8::is_ascii_digit).count();
    (n_digits >= 2 || value.contains(['!', '@', '#', '$', '%', '^', '&', '*', '?', '~']))
        && is_chosen_password(value)
}

fn is_password_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\''
                | b'`'
                | b','
                | b';'
                | b'('
                | b')'
                | b'<'
                | b'>'
                | b'|'
                | b'/'
                | b'{'
                | b'}'
                | b'['
                | b']'
                | b'\\'
        )
}

/// Recognises e-mail addresses, host names, versions, dates, file names, and values that contain `=`, `::` or `->`.
fn is_address_or_code(value: &str) -> bool {
    let is_email = value.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    let is_version = value.trim_start_matches('v').split(['.', '-', '_']).all(|part| {
        part.bytes().all(|byte| byte.is_ascii_digit()) || part.len() <= 5 && !has_upper(part)
    });
    let is_assigned = value.contains('=') || value.contains("::") || value.contains("->");
    let is_file = value.rsplit_once('.').is_some_and(|(name, extension)| {
        (2..=4).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    });
    let is_host = value.split('.').count() > 2
        && !has_upper(value)
        && !value.contains(['!', '#', '@', '%', '^', '&']);
    is_email || is_version || is_assigned || is_file || is_host
}

fn has_upper(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_adjective(value: &str) -> bool {
    value
        .rsplit_once('-')
        .is_some_and(|(_, last)| ADJECTIVES.iter().any(|ending| last.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::is_chosen_password;

    #[test]
    fn a_password_has_three_kinds_of_characters() {
        for password in
            ["yew.Tree.Gravel", "n3ttle^fen", "larkRise44", "iDr@c-Turnstone", "sand.martin8"]
        {
            assert!(is_chosen_password(password), "{password}");
        }
    }

    #[test]
    fn addresses_versions_and_descriptions_are_not_passwords() {
        for other in [
            "j.Doe@acme.io",
            "v1.24.0-rc1",
            "2024-05-01",
            "Base64-encoded",
            "README.md",
            "db1.acme.lan",
            "A=b.c1xyz",
            "correct-horse",
            "password1",
            "Access-Token",
        ] {
            assert!(!is_chosen_password(other), "{other}");
        }
    }
}
