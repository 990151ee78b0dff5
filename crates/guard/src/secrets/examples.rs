//! Recognises values that state that they are not real: values with `EXAMPLE` in capital letters, and words that ask
//! the reader to insert a value, such as `your-password-here`.

use super::vocabulary::{is_label, words};

/// The maximum number of bytes in a value that are examined.
const MAX_EXAMINED_BYTES: usize = 160;
const EXAMPLE: &str = "EXAMPLE";
/// The minimum length of a value that is probably not chosen by a person.
const MIN_GENERATED: usize = 20;
/// Words for the value that the reader has to insert, in lower case.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "apikey", "credential", "credentials", "key", "pass", "passphrase", "passwd", "password", "pwd", "salt", "secret", "token",
];
/// Words that, together with one of the [`NOUNS`], form a placeholder: `sample_password`, `dummy-api-key`.
const MARKS: &[&str] = &["your", "example", "sample", "dummy", "fake", "mock"];
/// Verbs that, at the start of a value, ask the reader to insert a value: `PROVIDE-A-PASSWORD`.
const VERBS: &[&str] = &[
    "change", "enter", "fill", "insert", "paste", "provide", "put", "replace", "set", "specify",
    "update",
];
/// Words at the start of a note that a developer has to replace.
const NOTES: &[&str] = &["CHANGEME", "FIXME", "TODO"];
/// Words without a meaning of their own that occur in such requests.
const FILLERS: &[&str] = &["a", "an", "in", "it", "me", "real", "random", "that"];

/// Returns whether the value states that it is an example or a placeholder.
pub(crate) fn is_example(value: &str) -> bool {
    let value = &value[..value.floor_char_boundary(MAX_EXAMINED_BYTES)];
    has_example_mark(value) || is_note(value) || is_placeholder_of_words(value)
}

/// Returns whether one of the words of the value is a word for a secret, such as `password` or `token`.
pub(crate) fn names_credential(value: &str) -> bool {
    words(value).any(|word| NOUNS.iter().any(|noun| word.eq_ignore_ascii_case(noun)))
}

/// Returns whether the value contains `EXAMPLE` in capital letters. In a short value without lower-case letters, it must
/// be a separate word. A password may contain the word in another spelling: `Example2024!x`.
fn has_example_mark(value: &str) -> bool {
    let has_lower = || value.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_word = || {
        value
            .split(|character: char| !character.is_ascii_alphanumeric())
            .any(|part| part == EXAMPLE)
    };
    value.contains(EXAMPLE) && (value.len() >= MIN_GENERATED || has_lower() || is_word())
}

/// Recognises a note of a developer in capital letters: `FIXME!px1`, `TODO: ask the team`.
fn is_note(value: &str) -> bool {
    NOTES.iter().any(|note| {
        let rest = value.strip_prefix(note).unwrap_or_default();
        rest.starts_with(|next: char| !next.is_ascii_alphanumeric())
    })
}

/// Returns whether the words of the value ask the reader to insert a value. A word that contains both letters and
/// digits may be part of a real value.
fn is_placeholder_of_words(value: &str) -> bool {
    let mut parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    let is_mixed = |part: &str| {
        part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    if !value.is_ascii() || parts.any(is_mixed) {
        return false;
    }
    let words: Vec<String> =
        words(value).filter(|word| !word.is_empty()).map(str::to_ascii_lowercase).collect();
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    if words.len() < 2 {
        return false;
    }
    if words.iter().any(|word| word == "placeholder") {
        return true;
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_noun = words.iter().any(|word| is_in(NOUNS, word));
    has_noun
        && !has_digit
        && (words.iter().any(|word| is_in(MARKS, word))
            || is_request(&words)
            || is_position(&words))
}

/// Recognises `provide a password`, where every word is a verb, a noun or a filler.
fn is_request(words: &[String]) -> bool {
    VERBS.contains(&words[0].as_str())
        && words[1..].iter().all(|word| {
            let word = word.as_str();
            is_label(word) || NOUNS.contains(&word) || FILLERS.contains(&word)
        })
}

/// Recognises a place for a value: `… password here`, `… secret to replace`.
fn is_position(words: &[String]) -> bool {
    let is_noun = |word: &str| NOUNS.contains(&word);
    let last: Vec<&str> = words.iter().rev().take(3).map(String::as_str).collect();
    match last.as_slice() {
        ["here", noun, ..] => is_noun(noun),
        ["replace" | "change", "to", noun] => is_noun(noun),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_example;

    #[test]
    fn placeholders_and_examples_are_recognised() {
        for value in [
            "tq7RmEXAMPLEw2Zk",
            "FIXME!qz7",
            "backup_EXAMPLE",
            "EXAMPLE-7731-NODE",
            "set-your-mongo-pass-here",
            "PASTE_TOKEN_HERE!",
            "placeholder-secret.98765",
            "yourClientSecret",
            "sample_password",
            "secret_to_change",
            "ENTER-A-STRONG-PASSWORD",
        ] {
            assert!(is_example(value), "{value}");
        }
    }

    #[test]
    fn passwords_with_similar_words_are_not_examples() {
        for value in [
            "Example2024!x",
            "MYEXAMPLE77",
            "love-your-neighbour-daily",
            "secret-garden-is-here",
            "your-pass-4kT9",
            "SuperSecretPassword!",
            "change-Password-2024",
            "hunter2",
            "TODO2024!",
            "Fixme!qz7",
            "placeholder",
        ] {
            assert!(!is_example(value), "{value}");
        }
    }
}
