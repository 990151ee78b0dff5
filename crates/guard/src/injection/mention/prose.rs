//! Recognises quotations that a sentence only reports. The sentence states what somebody wrote or what a text says, and
//! contains no order outside the quotation: `When I type "forget everything above", the history is not cleared.`

use crate::injection::WORDS;
use crate::table::WordList;
use std::ops::Range;

use super::description::has_order;
use super::words::READER_NAMES;
use super::{context_of, is_literal, names_no_target, next_quotation};
use crate::injection::words::is_ideograph;

/// The minimum number of words outside the quotation in a sentence that only reports the quotation.
const MIN_WORDS: usize = 3;
/// The minimum number of ideographs outside the quotation in a sentence that only reports the quotation.
const MIN_IDEOGRAPHS: usize = 4;

/// Words which indicate that the sentence around a quotation is an order to its reader.
static ORDERING: WordList = WordList::new(WORDS, "ordering");

/// Returns whether the sentence around a quotation only reports the quoted text, and does not tell the reader to follow
/// it.
pub(super) fn is_mentioned(text: &str, content: &Range<usize>) -> bool {
    let (before, after) = context_of(text, content);
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    // Several words of code in backticks are often a command; a single word is a name.
    let is_code = before.ends_with('`') && !before.ends_with("``");
    let is_command = is_code && text[content.clone()].contains(' ');
    if is_command || is_literal(before, after) && !is_prose(before) {
        return false;
    }
    let before = without_quotations(last_sentence(before));
    let sentence = format!("{before}, {}", without_quotations(first_sentence(after)));
    // `请求` is a noun, but `请` alone asks for something.
    let sentence = sentence.to_lowercase().replace("请求", "  ");
    has_words(&sentence)
        && !ORDERING.iter().any(|word| sentence.contains(word))
        && !has_order(&sentence)
        && !addresses_reader(&sentence)
        && names_no_target(&sentence)
}

/// Returns whether the text before a quotation is the start of a sentence and not code or data.
fn is_prose(before: &str) -> bool {
    let before = before.trim_end_matches(['"', '\'', '`']);
    // In data, the opening mark directly follows a separator.
    before.ends_with(' ')
        && has_words(before)
        && !before.contains(['=', '(', '[', '{', '<', ':', ';', '"', '\t'])
}

/// Returns the part of a line after the end of its last complete sentence.
fn last_sentence(line: &str) -> &str {
    let line = line.trim_end_matches(['"', '\'', '`', '“', '‘', '「', '『']);
    let start = |end: &str| line.rfind(end).map(|at| at + end.len());
    [". ", "! ", "? ", "。", "！", "？"]
        .iter()
        .filter_map(|end| start(end))
        .max()
        .map_or(line, |start| &line[start..])
}

/// Returns the part of a line before the end of its first sentence.
fn first_sentence(line: &str) -> &str {
    let line = line.trim_start_matches(['"', '\'', '`', '”', '’', '」', '』']);
    let end = [". ", "! ", "? ", "。", "！", "？"].iter().filter_map(|end| line.find(end)).min();
    &line[..end.unwrap_or(line.len())]
}

/// Returns `part` without the content of its quotations, which is examined separately.
fn without_quotations(part: &str) -> String {
    let mut plain = String::with_capacity(part.len());
    let mut written = 0;
    while let Some((_, content)) = next_quotation(part, written, part.len()) {
        plain.push_str(&part[written..content.start]);
        // The closing mark must not be taken for the opening mark of another quotation.
        let closing = part[content.end..].chars().next().map_or(0, char::len_utf8);
        written = content.end + closing;
    }
    plain.push_str(&part[written..]);
    plain
}

fn has_words(sentence: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|character: char| character.is_ascii_punctuation());
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'\'' | b'-'))
    };
    sentence.split_whitespace().filter(is_word).count() >= MIN_WORDS
        || sentence.chars().filter(|character| is_ideograph(*character)).count() >= MIN_IDEOGRAPHS
}

/// Returns whether the sentence starts with the name of a model, an agent or a role, followed by a colon or a comma:
/// `Assistant: …`.
fn addresses_reader(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(|character: char| !character.is_alphanumeric());
    let first = sentence.find([':', '：', ',', '，']).map_or("", |end| &sentence[..end]);
    READER_NAMES.iter().any(|name| first.trim_end().ends_with(name))
        && first.split_whitespace().count() <= MIN_WORDS
}
