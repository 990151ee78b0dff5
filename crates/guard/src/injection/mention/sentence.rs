//! Recognises sentences that describe or define an attack, and quotations that a sentence only reports. Such a sentence states
//! what somebody wrote or what a text says, and contains no order outside the quotation: `When I type "forget everything above",
//! the history is not cleared.`

use crate::bytes::{contains_any, ends_with_any, starts_with_any};
use crate::injection::WORDS;
use crate::injection::words::is_ideograph;
use crate::table::WordList;
use std::ops::Range;

use super::{
    ATTACK, MAX_SENTENCE_BYTES, TARGETS, context_of, is_harmless, is_literal, names_no_target,
    next_quotation,
};

static ATTACK_KINDS: WordList = WordList::new(WORDS, "attack kinds");
static DEFINING: WordList = WordList::new(WORDS, "defining");
static ORDER_VERBS: WordList = WordList::new(WORDS, "words: order verbs");
static REPORTING: WordList = WordList::new(WORDS, "reporting");
static REPORTED_MEANS: WordList = WordList::new(WORDS, "reported means");
static PERSONS: WordList = WordList::new(WORDS, "persons");
static STORY_WORDS: WordList = WordList::new(WORDS, "story words");
static MACHINE_WORDS: WordList = WordList::new(WORDS, "machine words");
static READERS: WordList = WordList::new(WORDS, "readers");
static SECOND_PERSON: WordList = WordList::new(WORDS, "second person");
static READER_NAMES: WordList = WordList::new(WORDS, "words: reader names");
static ORDERING: WordList = WordList::new(WORDS, "ordering");
/// The minimum number of words outside the quotation in a sentence that only reports the quotation.
const MIN_WORDS: usize = 3;
/// The minimum number of ideographs outside the quotation in a sentence that only reports the quotation.
const MIN_IDEOGRAPHS: usize = 4;
/// The maximum number of bytes between the name of an attack and the reporting verb, and between the verb and the word
/// for a model or an agent.
const REPORT_REACH: usize = 48;

/// Returns whether a sentence describes an attack and contains no order to its own reader. Such a sentence defines an
/// attack, or mentions an attack, a reporting verb, and a model or an agent in this order:
/// `a payload asks the assistant to …`.
pub(super) fn is_description(sentence: &str) -> bool {
    if sentence.len() > MAX_SENTENCE_BYTES {
        return false;
    }
    // `请求` is a noun, but `请` alone asks for something.
    let sentence = sentence.to_lowercase().replace("请求", "  ");
    let within = |start: usize| {
        let end = sentence.floor_char_boundary(start + REPORT_REACH);
        &sentence[start..end]
    };
    let reports = |attack: &&str| {
        sentence.find(*attack).is_some_and(|at| {
            let after = at + attack.len();
            let verb_end = |verb: &&str| {
                within(after)
                    .find(*verb)
                    .map(|at| after + at + verb.len() - usize::from(verb.ends_with(' ')))
            };
            REPORTING.iter().filter_map(verb_end).any(|verb| contains_any(within(verb), &READERS))
        })
    };
    (ATTACK.iter().any(reports) || is_definition(&sentence) || is_report(&sentence))
        && !contains_any(&sentence, &SECOND_PERSON)
        && !contains_any(&sentence, TARGETS)
}

/// Returns whether a lower-case sentence defines, compares or cites kinds of attacks, and no clause of it starts with
/// an order.
fn is_definition(sentence: &str) -> bool {
    contains_any(sentence, &ATTACK_KINDS)
        && contains_any(sentence, &DEFINING)
        && !has_order(sentence)
}

/// Returns whether a lower-case sentence reports what somebody achieved with an order to a model or an agent:
/// `a student obtained the name by asking it to …`, `有学生让机器人…`.
fn is_report(sentence: &str) -> bool {
    let is_past = sentence.contains('了') && contains_any(sentence, &PERSONS);
    let orders_reader = |verb: &&str| {
        sentence.split_once(*verb).is_some_and(|(_, after)| {
            contains_any(&after[..after.floor_char_boundary(REPORT_REACH)], &READERS)
        })
    };
    (contains_any(sentence, &REPORTED_MEANS)
        || is_past && ["让", "要求", "叫", "命令"].iter().any(orders_reader))
        && !has_order(sentence)
}

/// Returns whether a sentence is probably spoken in a story: it contains a word such as `captain` or `castle`, and no
/// word for something that a program works with.
pub(super) fn is_fiction(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    let words = || sentence.split(|character: char| !character.is_alphanumeric());
    let names = |list: &[&str]| {
        list.iter().any(|name| {
            if name.is_ascii() {
                words().any(|word| word == *name)
            } else {
                sentence.contains(name)
            }
        })
    };
    sentence.len() <= MAX_SENTENCE_BYTES
        && names(&STORY_WORDS)
        && !names(&MACHINE_WORDS)
        && is_harmless(&sentence)
}

/// Returns whether a clause of a lower-case sentence starts with an order.
fn has_order(sentence: &str) -> bool {
    let starts_with_order = |clause: &str| {
        let clause = clause.trim_start();
        let clause = ["and ", "then ", "so ", "now "]
            .iter()
            .find_map(|word| clause.strip_prefix(word))
            .unwrap_or(clause);
        starts_with_any(clause, &ORDER_VERBS)
    };
    sentence.split([',', '，', ')', '）', '—', ':', '：']).any(starts_with_order)
}

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
        && !contains_any(&sentence, &ORDERING)
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
    ends_with_any(first.trim_end(), &READER_NAMES) && first.split_whitespace().count() <= MIN_WORDS
}
