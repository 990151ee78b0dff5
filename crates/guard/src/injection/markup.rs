//! Finds markup that imitates the turns of a conversation (`Assistant: …`, `User: …`), and tags that clients or model
//! templates interpret.

mod calls;
mod decorated_roles;
mod raw_spans;

use crate::injection::WORDS;
use crate::table::WordList;
use std::ops::Range;

use super::pattern::PhraseMatch;
use super::phrases::Role;
use super::signal::Signal;
use super::words::{Start, Words};
use crate::neutralise::starts_with;
use decorated_roles::decorated_role;

pub(crate) use calls::calls;
pub(crate) use raw_spans::raw_spans;

const ROLES: &[&str] = &["assistant", "user", "system", "human", "developer"];
/// Words with which an assistant's report about its own work often starts.
const REPORTS: &[&str] =
    &["added", "changed", "created", "fixed", "moved", "removed", "renamed", "replaced", "updated"];
const ONE_ROLE_WEIGHT: u32 = 3;
const SYSTEM_ROLE_WEIGHT: u32 = 5;
const TWO_ROLES_WEIGHT: u32 = 7;
const TAG_WEIGHT: u32 = 6;

/// The weight of a role such as `###(system_message)`. It suffices for a removal, because it has no other use.
const DECORATED_ROLE_WEIGHT: u32 = 8;

/// Tags and tokens of clients and model templates, in lower case.
static TAGS: WordList = WordList::new(WORDS, "tags");

/// Strings that may start a turn of a conversation. The text around them is scored.
static ROLE_TRIGGERS: WordList = WordList::new(WORDS, "role triggers");

/// Names by which a text addresses a model or an agent.
static READER_NAMES: WordList = WordList::new(WORDS, "reader names");
/// Roles that both people and models can have. They address a model only after one of [`MODEL_QUALIFIERS`].
static SHARED_ROLES: WordList = WordList::new(WORDS, "shared roles");
const MODEL_QUALIFIERS: &[&str] =
    &["ai", "llm", "llms", "automated", "automatic", "machine", "model", "gpt", "bot"];
const VOCATIVE_WEIGHT: u32 = 4;
/// The weight of `[system]`. It is lower than [`TAG_WEIGHT`], because configuration files use `[system]` as a section
/// name.
const SECTION_WEIGHT: u32 = 4;

/// Finds the words that start a turn of a conversation. If they belong to different roles, they are scored as an
/// imitated dialogue, unless the last turn is an assistant's report.
pub(crate) fn roles(words: &Words) -> Vec<PhraseMatch> {
    let turns: Vec<(usize, &str)> = (0..words.len())
        .filter(|&index| words.list[index].has_colon && words.list[index].start != Start::Nothing)
        .map(|index| (index, words.text(index)))
        .filter(|&(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            ROLES.contains(&role) && (is_line || role == "system")
        })
        .collect();
    // If the last turn is the assistant's report, the text is a transcript that contains no instruction after the
    // report.
    let is_transcript = turns.last().is_some_and(|&(index, role)| {
        role == "assistant" && index + 1 < words.len() && REPORTS.contains(&words.text(index + 1))
    });
    let is_dialogue = !is_transcript && turns.iter().any(|(_, role)| *role != turns[0].1);
    turns
        .into_iter()
        .map(|(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            let alone =
                if role == "system" && is_line { SYSTEM_ROLE_WEIGHT } else { ONE_ROLE_WEIGHT };
            let weight = if is_dialogue { TWO_ROLES_WEIGHT } else { alone };
            PhraseMatch::of_word(index, Signal::Markup, weight, Role::Trigger)
        })
        .collect()
}

/// Finds names of a model or an agent that are followed by a colon, such as `AI agents: …` or `LLM: …`, at the start
/// of a line, a sentence or a comment.
pub(crate) fn vocatives(text: &str, words: &Words) -> Vec<PhraseMatch> {
    let follows = |at: usize| {
        let gap = words.list[at - 1].source.end..words.list[at].source.start;
        matches!(text.get(gap), Some(" " | "-" | "/"))
    };
    // At most two words may come before the name: `coding agents:`, `dear coding agents:`, `review-bot:`.
    let starts = |index: usize| {
        let first = (index.saturating_sub(2)..=index)
            .rev()
            .find(|&at| words.list[at].start != Start::Nothing);
        first.is_some_and(|first| (first + 1..=index).all(follows))
    };
    (0..words.len())
        .filter(|&index| words.list[index].has_colon && is_reader_name(words, index))
        .filter(|&index| starts(index) && precedes_colon(text, words, index))
        .map(|index| PhraseMatch::of_word(index, Signal::Address, VOCATIVE_WEIGHT, Role::Trigger))
        .collect()
}

/// Returns whether the word is an English name of a model or an agent.
fn is_reader_name(words: &Words, index: usize) -> bool {
    READER_NAMES.contains(&words.text(index))
        || SHARED_ROLES.contains(&words.text(index))
            && index > 0
            && MODEL_QUALIFIERS.contains(&words.text(index - 1))
}

/// Returns whether the colon directly follows the name. In the commit subject `fix(agent): …`, the colon follows a
/// parenthesis instead.
fn precedes_colon(text: &str, words: &Words, index: usize) -> bool {
    let rest = text.get(words.list[index].source.end..).unwrap_or_default();
    rest.chars()
        .take_while(|character| !matches!(character, ':' | '：'))
        .all(|character| character != ')')
}

/// Finds tags that a client or a model template would interpret, and roles that are decorated with marks and brackets.
pub(crate) fn tags(text: &str, region: &Range<usize>, words: &Words) -> Vec<PhraseMatch> {
    if words.len() == 0 {
        return Vec::new();
    }
    let bytes = &text.as_bytes()[region.clone()];
    memchr::memchr3_iter(b'<', b'[', b'#', bytes)
        .chain(memchr::memchr2_iter(b'{', b'(', bytes))
        .filter_map(|at| Some((at, tag_weight(bytes, at)?)))
        .map(|(at, weight)| {
            let after = words.list.partition_point(|word| word.source.end <= region.start + at);
            let index = after.min(words.len() - 1);
            PhraseMatch::of_word(index, Signal::Markup, weight, Role::Trigger)
        })
        .collect()
}

/// Returns the weight of the tag or the decorated role at `at`, or `None` if there is neither.
fn tag_weight(bytes: &[u8], at: usize) -> Option<u32> {
    if decorated_role(bytes, at).is_some() {
        return Some(DECORATED_ROLE_WEIGHT);
    }
    let is_tag = TAGS.iter().any(|tag| starts_with(&bytes[at..], tag));
    let is_section = || starts_with(&bytes[at..], "[system]");
    is_tag.then(|| if is_section() { SECTION_WEIGHT } else { TAG_WEIGHT })
}
