//! Finds passphrases that consist of several plain words: `unlock phrase: copper kettle never whistles`.

use std::ops::Range;

use super::Secret;
use super::chosen::{is_chosen_password, is_strong_password};
use crate::work;

const MAX_SUBJECT: usize = 40;
const MAX_PHRASE: usize = 96;
const N_WORDS: std::ops::RangeInclusive<usize> = 3..=8;
const MAX_WORD: usize = 14;
/// The number of groups in an app password. Such a generated password has four groups of four letters.
const N_GROUPS: usize = 4;
const GROUP_LENGTH: usize = 4;
/// The example that most texts about passphrases use.
const PUBLISHED: &str = "correct horse battery staple";

/// Words that are common in sentences about passphrases and rare in passphrases.
#[rustfmt::skip]
const SENTENCE_WORDS: &[&str] = &[
    "the", "you", "your", "to", "be", "is", "are", "was", "must", "should", "used", "use", "uses", "enter", "for", "of", "a", "an", "if", "not",
    "no", "with", "please", "that", "this", "which", "it", "will", "can", "at", "least", "characters", "words", "from", "when", "empty",
    "has", "have", "by", "or", "protects", "required", "optional", "see", "key", "keys", "file", "encrypt", "decrypt", "set", "stored", "value",
    "string", "phrase", "passphrase", "password", "secret", "none", "default", "unlock", "ask", "type", "prompt", "same", "as", "we", "they",
];

/// Returns the passphrase after the name or the opening tag `text[at]`.
pub(crate) fn phrase_at(text: &str, at: &Range<usize>) -> Option<Secret> {
    if text[at.clone()].ends_with('>') {
        phrase_of_element(text, at.start, at.end)
    } else {
        phrase_after(text, at.end)
    }
}

/// Returns the passphrase after the name that ends at `end`. The passphrase extends to the end of the line.
fn phrase_after(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let window = &bytes[end..bytes.len().min(end + MAX_SUBJECT + MAX_PHRASE)];
    let length = memchr::memchr(b'\n', window)
        .or((window.len() < MAX_SUBJECT + MAX_PHRASE).then_some(window.len()))?;
    let line = &window[..length];
    work::count(length);
    let begin = [&b": "[..], b" is ", b" = ", "：".as_bytes()]
        .iter()
        .filter_map(|mark| memchr::memmem::find(line, mark).map(|at| at + mark.len()))
        .filter(|at| *at <= MAX_SUBJECT)
        .min()?;
    let is_subject = line[..begin].iter().all(|byte| {
        !byte.is_ascii()
            || byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b':' | b'=' | b'-' | b'/' | b'.' | b'(' | b')')
    });
    let phrase = std::str::from_utf8(line[begin..].trim_ascii()).ok()?;
    let words = || phrase.split(' ');
    let is_group = |word: &str| {
        word.len() == GROUP_LENGTH && word.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let names_groups = !text[..end].ends_with("phrase");
    let is_phrase = if names_groups {
        words().count() == N_GROUPS && words().all(is_group) || is_strong_password(phrase)
    } else {
        is_plain_phrase(phrase) || is_chosen_password(phrase)
    };
    let start = end + length - line[begin..].trim_ascii_start().len();
    (is_subject && is_phrase)
        .then_some(Secret { kind: "password", span: start..start + phrase.len() })
}

/// Returns the passphrase in the element whose opening tag ends with `text[start..end]`:
/// `<passphrase>several words</passphrase>`.
fn phrase_of_element(text: &str, start: usize, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let name = bytes[..start]
        .iter()
        .rev()
        .take(MAX_SUBJECT)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_'))
        .count();
    let rest = &bytes[end..bytes.len().min(end + MAX_PHRASE)];
    let length = memchr::memchr2(b'<', b'\n', rest)?;
    work::count(name + length);
    let phrase = std::str::from_utf8(&rest[..length]).ok()?;
    let is_element = bytes[..start - name].ends_with(b"<") && rest[length..].starts_with(b"</");
    (is_element && is_plain_phrase(phrase))
        .then_some(Secret { kind: "password", span: end..end + length })
}

/// Returns whether the phrase consists of plain words and is not a sentence about passphrases or a published example.
fn is_plain_phrase(phrase: &str) -> bool {
    let words = || phrase.split(' ');
    N_WORDS.contains(&words().count())
        && words().enumerate().all(|(at, word)| is_word(word, at == 0))
        && !words().any(|word| SENTENCE_WORDS.contains(&word.to_ascii_lowercase().as_str()))
        && phrase != PUBLISHED
}

fn is_word(word: &str, is_first: bool) -> bool {
    let rest = if is_first { word.get(1..).unwrap_or_default() } else { word };
    (2..=MAX_WORD).contains(&word.len())
        && word.as_bytes()[0].is_ascii_alphabetic()
        && rest.bytes().all(|byte| byte.is_ascii_lowercase())
}
