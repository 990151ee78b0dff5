//! Recognises sentences that describe or define an attack.

use super::words::{
    ATTACK, ATTACK_KINDS, DEFINING, MACHINE_WORDS, ORDER_VERBS, PERSONS, READERS, REPORTED_MEANS,
    REPORTING, SECOND_PERSON, STORY_WORDS, TARGETS,
};
use super::{MAX_SENTENCE_BYTES, is_harmless};

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
            REPORTING
                .iter()
                .filter_map(verb_end)
                .any(|verb| READERS.iter().any(|reader| within(verb).contains(reader)))
        })
    };
    (ATTACK.iter().any(reports) || is_definition(&sentence) || is_report(&sentence))
        && !SECOND_PERSON.iter().chain(TARGETS).any(|word| sentence.contains(word))
}

/// Returns whether a lower-case sentence defines, compares or cites kinds of attacks, and no clause of it starts with
/// an order.
fn is_definition(sentence: &str) -> bool {
    ATTACK_KINDS.iter().any(|kind| sentence.contains(kind))
        && DEFINING.iter().any(|word| sentence.contains(word))
        && !has_order(sentence)
}

/// Returns whether a lower-case sentence reports what somebody achieved with an order to a model or an agent:
/// `a student obtained the name by asking it to …`, `有学生让机器人…`.
fn is_report(sentence: &str) -> bool {
    let is_past = sentence.contains('了') && PERSONS.iter().any(|person| sentence.contains(person));
    let orders_reader = |verb: &&str| {
        sentence.split_once(*verb).is_some_and(|(_, after)| {
            let after = &after[..after.floor_char_boundary(REPORT_REACH)];
            READERS.iter().any(|reader| after.contains(reader))
        })
    };
    (REPORTED_MEANS.iter().any(|means| sentence.contains(means))
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
pub(super) fn has_order(sentence: &str) -> bool {
    let starts_with_order = |clause: &str| {
        let clause = clause.trim_start();
        let clause = ["and ", "then ", "so ", "now "]
            .iter()
            .find_map(|word| clause.strip_prefix(word))
            .unwrap_or(clause);
        ORDER_VERBS.iter().any(|verb| clause.starts_with(verb))
    };
    sentence.split([',', '，', ')', '）', '—', ':', '：']).any(starts_with_order)
}
