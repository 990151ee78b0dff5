//! Recognises texts of a user interface after the name of a password, in any language: `"createPassword": "Opprett et
//! passord, minst 6 tegn."`.

use crate::secrets::candidate::{Candidate, Quoting, Relation};

/// The minimum number of words in a sentence. A passphrase that ends with a punctuation character usually has fewer
/// words, or capitalised words.
const MIN_WORDS: usize = 4;
/// The minimum number of words in a sentence that ends with an exclamation mark, which is common in passwords.
const MIN_EXCLAMATION: usize = 5;
/// The minimum number of words in a question and in a text that ends with a colon.
const MIN_QUESTION: usize = 3;
/// The minimum number of words that no passphrase has.
const MIN_LONG: usize = 7;
const MIN_LABEL: usize = 3;

pub(super) fn is_text_of_interface(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.quoting == Quoting::Quoted
        && (is_label_of_field(value) || is_sentence(candidate, value))
}

/// Recognises one word that ends with a colon: `Engangskode:`.
fn is_label_of_field(value: &str) -> bool {
    value.strip_suffix([':', '：']).is_some_and(|word| {
        word.chars().count() >= MIN_LABEL && word.chars().all(char::is_alphabetic)
    })
}

/// Recognises a sentence: it starts with a capital letter, ends with a punctuation character, and most of its other
/// words start with a lower-case letter.
fn is_sentence(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches(['.', ',', ';', ':', '!', '?', '"', '(', ')', '…']);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        is_number || word.chars().all(|letter| letter.is_alphabetic() || "'’-/".contains(letter))
    };
    let is_lower = |word: &&str| word.chars().next().is_some_and(char::is_lowercase);
    let words = || value.split(' ').filter(|word| !word.is_empty());
    let n_words = words().count();
    let min_words = match value.chars().next_back() {
        Some('!') => MIN_EXCLAMATION,
        Some('?' | ':') => MIN_QUESTION,
        _ => MIN_WORDS,
    };
    value.chars().next().is_some_and(|first| first.is_uppercase() || "¿¡".contains(first))
        && value.ends_with(['.', '!', '?', ':', '…'])
        && n_words >= min_words
        && words().filter(is_lower).count() * 2 >= n_words
        && words().all(is_word)
        && (n_words >= MIN_LONG || value.contains([',', '?', ':']) || is_entry(candidate))
}

/// Returns whether the name is a compound name in a list of texts, such as `"createPassword": …`. A field that is just
/// called `password` may contain a passphrase.
fn is_entry(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let before = candidate.word.start.checked_sub(1).map(|at| bytes[at]);
    let is_part =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    candidate.relation == Relation::Colon
        && (is_part(before) || is_part(bytes.get(candidate.word.end).copied()))
}
