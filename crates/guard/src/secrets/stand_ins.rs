//! Recognises values that are not secrets whatever their position is: labels, placeholders, dummies, examples, published values
//! and names of files. Each concept is defined here once.

use crate::bytes::{consists_of, contains_any, equals_any_ignoring_case};
use crate::secrets::WORDS;
use crate::secrets::forms::{Characters, has_digit, is_random, is_uuid};
use crate::secrets::positions::NAMES;
use crate::table::{self, WordList};
use std::ops::Range;
use std::sync::LazyLock;

/// A value that consists only of these words is a label and not a secret.
static LABELS: WordList = WordList::new(NAMES, "labels");

/// Returns whether every word of the value is a label: `access_token`, `Confirm password`, `invalidToken`.
pub(crate) fn is_label(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    letters > 0 && label_share(value) == letters
}

/// Returns the number of bytes of the value that belong to label words.
pub(crate) fn label_share(value: &str) -> usize {
    words(value).filter(|word| LABELS.has(word)).map(str::len).sum()
}

/// Splits an identifier or a phrase into words: at every character that is not an ASCII letter, and between a
/// lower-case and an upper-case letter.
pub(crate) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(|character: char| !character.is_ascii_alphabetic()).flat_map(|run| {
        split_between(run, |before, next| before.is_ascii_lowercase() && next.is_ascii_uppercase())
    })
}

/// Splits an ASCII string between each two bytes for which `is_end` returns true. An empty string has no parts.
pub(crate) fn split_between(run: &str, is_end: impl Fn(u8, u8) -> bool) -> Vec<&str> {
    let bytes = run.as_bytes();
    let inner = (1..bytes.len()).filter(|&at| is_end(bytes[at - 1], bytes[at]));
    let mut ends: Vec<usize> = inner.collect();
    ends.extend((!run.is_empty()).then_some(run.len()));
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| &run[start..*end]).collect()
}

/// The minimum length of a value that is checked for regularity. Shorter values can look regular by chance.
const MIN_CHARACTERS: usize = 12;
const MAX_PERIOD: usize = 8;
/// The maximum number of bytes in a value that are checked for regularity.
const MAX_EXAMINED_BYTES: usize = 160;
static PLACEHOLDERS: WordList = WordList::new(WORDS, "placeholders");
static DUMMY_WORDS: WordList = WordList::new(WORDS, "dummy words");

/// Returns whether the value contains a placeholder string or has fewer than five distinct bytes.
pub(crate) fn is_placeholder(value: &str) -> bool {
    contains_in_any_case(value, &PLACEHOLDERS) || has_format(value) || is_repetitive(value)
}

/// Returns whether the value contains `%s` and no letter follows it. In `Bramble%Sled19`, the percent sign is part of a
/// password.
fn has_format(value: &str) -> bool {
    value.match_indices("%s").any(|(at, format)| {
        let after = value.as_bytes().get(at + format.len());
        after.is_none_or(|byte| !byte.is_ascii_alphabetic())
    })
}

/// Returns whether the value is not a real secret because it is regular, contains a dummy word or has been published.
pub(crate) fn is_dummy(value: &str) -> bool {
    is_regular(value) || contains_in_any_case(value, &DUMMY_WORDS) || is_published(value)
}

/// Returns whether the value has fewer than five distinct bytes.
pub(crate) fn is_repetitive(value: &str) -> bool {
    let mut seen = [false; 256];
    value.bytes().for_each(|byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|seen| **seen).count() < 5
}

/// Returns whether the value consists mostly of runs (`aaaa`, `abcd`, `4321`) or of one repeated part.
fn is_regular(value: &str) -> bool {
    let bytes = &value.as_bytes()[..value.len().min(MAX_EXAMINED_BYTES)];
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    // Some providers issue UUIDs as keys, and a real UUID may look regular.
    letters >= MIN_CHARACTERS && !is_uuid(value) && (is_mostly_runs(bytes) || is_periodic(bytes))
}

/// Returns whether the value consists mostly of runs: in at least half of the pairs of adjacent letters or digits, the
/// character codes differ by at most one. In random hexadecimal strings, this is true of about 17 % of the pairs, and
/// in random decimal numbers of 28 %. For numbers, the minimum is therefore two thirds of the pairs.
fn is_mostly_runs(bytes: &[u8]) -> bool {
    let (mut pairs, mut continued) = (0, 0);
    for pair in bytes.windows(2) {
        let (first, second) = (pair[0].to_ascii_lowercase(), pair[1].to_ascii_lowercase());
        if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() {
            pairs += 1;
            continued += usize::from(first.abs_diff(second) <= 1);
        }
    }
    let is_number = bytes.iter().all(u8::is_ascii_digit);
    let share = if is_number { 3 } else { 2 };
    pairs >= MIN_CHARACTERS - 1 && continued * share >= pairs * (share - 1)
}

/// Returns whether the value repeats a part of at most [`MAX_PERIOD`] bytes. A longer repeated part may be a key that
/// was written twice.
fn is_periodic(bytes: &[u8]) -> bool {
    (1..=MAX_PERIOD.min(bytes.len() / 2))
        .any(|period| bytes[period..] == bytes[..bytes.len() - period])
}

fn contains_in_any_case(value: &str, words: &[&str]) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut present = [false; 256];
    lower.bytes().for_each(|byte| present[usize::from(byte)] = true);
    // Most words contain a letter that the value lacks. These words do not have to be searched for.
    words
        .iter()
        .any(|word| word.bytes().all(|byte| present[usize::from(byte)]) && lower.contains(word))
}

const EXAMPLE: &str = "EXAMPLE";
/// The minimum length of a value that is probably not chosen by a person.
const MIN_GENERATED: usize = 20;
static NOUNS: WordList = WordList::new(WORDS, "stand_ins: nouns");
/// Words that, together with one of the [`NOUNS`], form a placeholder: `sample_password`, `dummy-api-key`.
const MARKS: &[&str] = &["your", "example", "sample", "dummy", "fake", "mock"];
static VERBS: WordList = WordList::new(WORDS, "verbs");
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
    words(value).any(|word| equals_any_ignoring_case(word, &NOUNS))
}

/// Returns whether the value contains `EXAMPLE` in capital letters. In a short value without lower-case letters, it must
/// be a separate word. A password may contain the word in another spelling: `Example2024!x`.
fn has_example_mark(value: &str) -> bool {
    let has_lower = || value.bytes().any(|byte| byte.is_ascii_lowercase());
    let mut parts = value.split(|character: char| !character.is_ascii_alphanumeric());
    value.contains(EXAMPLE)
        && (value.len() >= MIN_GENERATED || has_lower() || parts.any(|part| part == EXAMPLE))
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
    let is_mixed = |part: &str| has_digit(part) && Characters::of(part).letters() > 0;
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
    let has_noun = words.iter().any(|word| is_in(&NOUNS, word));
    has_noun
        && !has_digit(value)
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

/// The two halves of each value. Each is written in two halves, so that no row looks like a real token.
static PUBLISHED: LazyLock<Vec<[&str; 2]>> =
    LazyLock::new(|| table::rows(include_str!("tables/published.txt")).collect());

/// Returns whether `value` is a published example, with or without base64 padding.
pub(crate) fn is_published(value: &str) -> bool {
    let value = value.trim_end_matches('=');
    PUBLISHED.iter().any(|[first, second]| {
        value.strip_prefix(first).is_some_and(|rest| rest == second.trim_end_matches('='))
    })
}

/// Extensions of files that web pages load. The names of such files often contain a digest.
const ASSETS: &[&str] =
    &["css", "gif", "html", "ico", "jpeg", "jpg", "js", "map", "png", "svg", "webp", "woff2"];
static SETTINGS: WordList = WordList::new(WORDS, "stand_ins: settings");
static MARKS_OF_REFERENCES: WordList = WordList::new(WORDS, "marks of references");
const MIN_NAME: usize = 3;

/// Returns whether the token at `token` is the last part of the name of a file: `box.ico-7a38….png`.
pub(crate) fn is_end_of_file_name(text: &str, token: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_part = matches!(bytes[..token.start], [.., b'.' | b'_' | b'-' | b'/']);
    let extension = bytes[token.end..].strip_prefix(b".").unwrap_or_default();
    is_part
        && ASSETS.iter().any(|asset| {
            extension.starts_with(asset.as_bytes())
                && !extension.get(asset.len()).is_some_and(u8::is_ascii_alphanumeric)
        })
}

/// Returns whether the value is a path that ends with the name of a file: `material/form-password.svg`.
pub(crate) fn is_path_of_file(value: &str) -> bool {
    value.contains('/') && has_extension(value) && !is_random(value)
}

/// Returns whether the value is the name of a file in lower case: `service-account.json`.
pub(crate) fn is_file_name(value: &str) -> bool {
    has_extension(value) && !value.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Returns whether the value consists of characters that are usual in paths and ends with a known extension.
fn has_extension(value: &str) -> bool {
    let Some((path, extension)) = value.rsplit_once('.') else { return false };
    let name = path.rsplit('/').next().unwrap_or_default();
    name.len() >= MIN_NAME
        && (ASSETS.contains(&extension) || SETTINGS.contains(&extension))
        && consists_of(path, u8::is_ascii_alphanumeric, "/._-")
}

/// The minimum number of zeros that mask a token after its prefix.
const MIN_ZEROS: usize = 16;
const MAX_PREFIX: usize = 24;
static INSTRUCTIONS: WordList = WordList::new(WORDS, "instructions");
static INSTRUCTION_STARTS: WordList = WordList::new(WORDS, "instruction starts");

/// Recognises masked values such as `****`, `xxxxxxxx`, `••••`, `......` and `0x0000`.
pub(crate) fn is_masked(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or(value);
    let mut characters = digits.chars().filter(|character| !matches!(character, '-' | '_' | ' '));
    let Some(first) = characters.next() else { return true };
    let is_uniform = characters.all(|character| character == first);
    is_uniform && (value.len() >= 6 || !first.is_ascii_alphanumeric())
        || contains_any(value, &["****", "xxxx", "XXXX", "ignore-me", "...", "…"])
        || is_zero_after_prefix(value)
}

/// Recognises zeros after a prefix of letters: `napi_00000000000000000000`.
fn is_zero_after_prefix(value: &str) -> bool {
    let prefix = value.trim_end_matches(['0', '-', '_']);
    value.len() - prefix.len() >= MIN_ZEROS
        && prefix.len() <= MAX_PREFIX
        && consists_of(prefix, u8::is_ascii_alphabetic, "-_")
}

/// Recognises placeholders in manuals, such as `PASSWORD` or `NEW_PW`.
pub(crate) fn is_constant(value: &str) -> bool {
    consists_of(value, u8::is_ascii_uppercase, "_")
}

/// Recognises a placeholder that tells the reader to choose a value: `changeme`, `replace-with-a-long-random-string`.
pub(crate) fn is_instruction(value: &str) -> bool {
    let letters =
        || value.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
    let starts_with = |start: &&str| letters().take(start.len()).eq(start.bytes());
    !has_digit(value)
        && (INSTRUCTIONS.iter().any(|words| letters().eq(words.bytes()))
            || value.contains(['-', '_', ' ']) && INSTRUCTION_STARTS.iter().any(starts_with))
}

/// Returns whether the value is a variable, a template, a path, a version, a validation rule, a date or a digest.
pub(crate) fn is_reference(value: &str) -> bool {
    let mut bytes = value.bytes();
    let (first, second) = (bytes.next(), bytes.next());
    let is_name =
        |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let starts_like_reference = match first {
        Some(b'$') => {
            is_name(second) && !value[1..].contains(['!', '#', '@', '%', '^', '*'])
                || matches!(second, Some(b'{' | b'(' | b'$' | b'[' | b' '))
        }
        Some(b'%') => {
            value.ends_with('%') || value.len() <= 3 || matches!(second, Some(b'(' | b'{' | b'%'))
        }
        Some(b'<' | b'{' | b'[' | b'(' | b'/') => true,
        // `"Password: ") != OK`: the quote before the value closes a string.
        Some(b')') => matches!(second, None | Some(b' ' | b';' | b',' | b')')),
        Some(b',') => second == Some(b' '),
        Some(b'@' | b'&' | b'*' | b'.' | b':') => {
            second == first
                || is_filtered_name(value)
                || value[1..]
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.' | b'/'))
        }
        _ => false,
    };
    starts_like_reference
        || is_version_range(value)
        || is_validation_rule(value)
        || is_timestamp(value.as_bytes())
        || contains_any(value, &MARKS_OF_REFERENCES)
}

/// Recognises a name that a build replaces with its value: `@db.password@`.
fn is_filtered_name(value: &str) -> bool {
    let name = value.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
    name.is_some_and(|name| !name.is_empty() && consists_of(name, u8::is_ascii_alphanumeric, "._-"))
}

/// Recognises version ranges such as `^2.0.0`. They follow package names, which may contain a word for a password.
fn is_version_range(value: &str) -> bool {
    value.strip_prefix(['^', '~']).is_some_and(|version| {
        version.contains('.') && consists_of(version, u8::is_ascii_digit, ".")
    })
}

/// Returns whether the value starts with a date, as in `2026-01-27T12…`.
pub(crate) fn is_timestamp(value: &[u8]) -> bool {
    value.len() >= 10
        && value[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// Recognises validation rules for a form field, such as `required|min:8|confirmed`.
fn is_validation_rule(value: &str) -> bool {
    value.contains('|')
        && value
            .split('|')
            .all(|rule| rule.len() > 2 && consists_of(rule, u8::is_ascii_alphanumeric, "_:,"))
        && value.split('|').any(|rule| {
            matches!(rule, "required" | "confirmed" | "nullable" | "string" | "sometimes")
        })
}

#[cfg(test)]
mod tests;
