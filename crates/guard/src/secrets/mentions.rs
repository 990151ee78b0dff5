//! Finds passwords in messages where no word such as `password` directly precedes the password:
//! `I have reset it. New one: …`, `use the same user with …`, and the answer below `what is the password?`. The word
//! that is found must have the form of a password.

use super::Secret;
use super::chosen::{is_chosen_password, is_strong_password};
use crate::work;

/// The maximum number of bytes before a phrase that are searched for a word about logins.
const MAX_CONTEXT: usize = 480;
const MAX_WORD: usize = 80;
/// The maximum number of bytes between the start of a question and its question mark.
const MAX_QUESTION: usize = 64;
/// The minimum numbers of letters and of digits in an answer that consists of both.
const MIN_LETTERS: usize = 6;
const MIN_DIGITS: usize = 2;
/// The maximum number of bytes at the start of an answer's line that are searched for a speaker's name.
const MAX_SPEAKER: usize = 40;

const LOGIN_WORDS: &[&[u8]] = &[
    b"passw",
    b"passphrase",
    b"kennwort",
    b" pw",
    b"pwd",
    b"credential",
    "密码".as_bytes(),
    "口令".as_bytes(),
    b"contrase",
    b"mot de passe",
];
/// Words that may directly precede the password, after the speaker's name or the phrase. They are skipped.
const FILLERS: &[&str] = &[
    "it's ",
    "its ",
    "it is ",
    "still ",
    "try ",
    "is ",
    "should be ",
    "here: ",
    "here you go: ",
    "with password ",
    "with ",
    "but with ",
    "but ",
    "密码是",
    "密码",
    "now ",
    "password ",
    "es ist ",
    "是",
    "：",
];

/// Returns the password after `text[start..end]`, which is one of [`PHRASES`].
pub(crate) fn password_after_phrase(text: &str, start: usize, end: usize) -> Option<Secret> {
    if is_about_login(text, start) { password_after_user(text, end) } else { None }
}

/// Returns the password between `auf` and the verb that starts at `verb`.
pub(crate) fn password_before_verb(text: &str, verb: usize) -> Option<Secret> {
    let before = &text.as_bytes()[verb.saturating_sub(MAX_WORD)..verb];
    work::count(before.len());
    let length = before.iter().rev().take_while(|byte| byte.is_ascii_graphic()).count();
    let start = verb - length;
    let follows_preposition = text.as_bytes()[..start].ends_with(b" auf ");
    if !follows_preposition || !is_about_login(text, start) {
        return None;
    }
    password_at(text, start, is_strong_password)
}

/// Returns whether the text shortly before `start` contains a word about logins.
fn is_about_login(text: &str, start: usize) -> bool {
    let before = text.as_bytes()[start.saturating_sub(MAX_CONTEXT)..start].to_ascii_lowercase();
    work::count(before.len());
    LOGIN_WORDS.iter().any(|word| memchr::memmem::find(&before, word).is_some())
}

/// Returns the password on the line below the question whose start ends at `end`.
pub(crate) fn answer_below_line(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_QUESTION)];
    work::count(rest.len());
    let mark = memchr::memchr3(b'?', b'\n', b'.', rest).filter(|&at| rest[at] == b'?')?;
    answer_below(text, end + mark + 1)
}

/// Returns the password after the phrase that ends at `end`, which is one of [`SAME_USER`].
pub(crate) fn password_after_user(text: &str, end: usize) -> Option<Secret> {
    password_at(text, after_fillers(text, end), is_strong_password)
}

/// Returns the password on the line below the question that ends at `end`.
pub(crate) fn answer_below(text: &str, end: usize) -> Option<Secret> {
    let rest = text.get(end..)?;
    let below = rest.trim_start_matches(['?', '？', ' ', '"', '\r']).strip_prefix('\n')?;
    let line_start = text.len() - below.len();
    let window = &below.as_bytes()[..below.len().min(MAX_SPEAKER)];
    work::count(window.len());
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let speaker = [&b": "[..], b"] ", b"> ", "：".as_bytes()]
        .iter()
        .filter_map(|mark| memchr::memmem::rfind(line, mark).map(|at| at + mark.len()))
        .max()
        .unwrap_or(0);
    let begin = after_fillers(text, line_start + speaker);
    // Without a speaker, the line may be a heading or a link.
    let accept = if begin > line_start { is_answer } else { is_strong_password };
    let secret = password_at(text, begin, accept)?;
    // An answer consists of the password alone.
    let after = text[secret.span.end..].trim_start_matches(['.', '!', ' ', '`', '"']);
    let is_alone = after.is_empty() || after.starts_with(['\n', '\r', '(', ',']);
    let is_hedged =
        ["afaik", "iirc", "i think", "I think"].iter().any(|word| after.starts_with(word));
    (is_alone || is_hedged).then_some(secret)
}

/// Returns whether the word has the form of a password. In an answer, letters followed by several digits are enough.
fn is_answer(word: &str) -> bool {
    let letters = word.trim_end_matches(|last: char| last.is_ascii_digit());
    let is_name_with_number = letters.len() >= MIN_LETTERS
        && letters.bytes().all(|byte| byte.is_ascii_lowercase())
        && word.len() - letters.len() >= MIN_DIGITS;
    is_name_with_number || is_chosen_password(word)
}

fn after_fillers(text: &str, mut at: usize) -> usize {
    for _ in 0..2 {
        let rest = &text[at..];
        let skipped = FILLERS
            .iter()
            .find(|filler| rest.starts_with(**filler))
            .map_or(0, |filler| filler.len());
        at += skipped + rest[skipped..].bytes().take(2).take_while(|byte| *byte == b' ').count();
    }
    at
}

/// Returns the word at `at` if `accept` returns true for it.
fn password_at(text: &str, at: usize, accept: fn(&str) -> bool) -> Option<Secret> {
    let rest = text.get(at..)?;
    let quotes =
        rest.bytes().take(1).take_while(|byte| matches!(byte, b'"' | b'\'' | b'`')).count();
    let word = &rest[quotes..];
    let length = word
        .bytes()
        .take(MAX_WORD)
        .take_while(|byte| {
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b')')
        })
        .count();
    work::count(length);
    let word = word[..length].trim_end_matches(['.', '!', '?']);
    let span = at + quotes..at + quotes + word.len();
    accept(word).then_some(Secret { kind: "password", span })
}
