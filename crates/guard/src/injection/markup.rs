//! Imitated markup: turns of a conversation (`Assistant: …`, `User: …`) and tags that clients give a meaning.

mod places;

use std::ops::Range;

use super::pattern::Found;
use super::phrases::Role;
use super::signal::Signal;
use super::words::{Start, Words};

pub(crate) use places::places;

const ROLES: &[&str] = &["assistant", "user", "system", "human", "developer"];
const ONE_ROLE: u32 = 3;
const SYSTEM_ROLE: u32 = 5;
const TWO_ROLES: u32 = 7;
const TAG: u32 = 6;

/// Tags and tokens of the clients and of model templates, in lower case.
const TAGS: &[&str] = &[
    "<system-reminder",
    "<system>",
    "</system>",
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "[system]",
    "{{#system",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<tool_call",
    "<function_calls",
    "<function_call",
    "<invoke ",
    "<tool_result",
    "<user-prompt-submit-hook",
    "<persisted-output",
    "<task-notification",
    "<|endoftext|>",
    "### instruction:",
    "### system:",
    "<end of",
    "<assistant>",
    "<system_prompt",
    "<user_instructions",
    "<developer>",
];

/// What makes the scorer look for turns of a conversation.
const ROLE_TRIGGERS: &[&str] = &[
    "assistant:",
    "system:",
    "human:",
    "developer:",
    "ai:",
    "llm:",
    "agents:",
    "assistants:",
    "copilot:",
    "reviewers:",
];

/// Names by which a reader that is a program is spoken to.
const READERS: &[&str] = &["ai", "llm", "llms", "agents", "assistants", "copilot", "reviewers"];
const VOCATIVE: u32 = 4;
/// `[system]` is a section of a configuration as well.
const SECTION: u32 = 4;

/// Lines that open a turn of a conversation; two different ones are the imitation of a dialogue.
pub(crate) fn roles(words: &Words) -> Vec<Found> {
    let turns: Vec<(usize, &str)> = (0..words.len())
        .filter(|&index| words.list[index].has_colon && words.list[index].start != Start::Nothing)
        .map(|index| (index, words.text(index)))
        .filter(|&(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            ROLES.contains(&role) && (is_line || role == "system")
        })
        .collect();
    let is_dialogue = turns.iter().any(|(_, role)| *role != turns[0].1);
    turns
        .into_iter()
        .map(|(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            let alone = if role == "system" && is_line { SYSTEM_ROLE } else { ONE_ROLE };
            let weight = if is_dialogue { TWO_ROLES } else { alone };
            Found { signal: Signal::Markup, weight, role: Role::Trigger, first: index, last: index }
        })
        .collect()
}

/// `AI agents: …`, `LLM: …` at the start of a line, a sentence or a comment.
pub(crate) fn vocatives(text: &str, words: &Words) -> Vec<Found> {
    let follows = |at: usize| {
        let gap = words.list[at - 1].source.end..words.list[at].source.start;
        text.get(gap) == Some(" ")
    };
    // At most two words before it: `coding agents:`, `dear coding agents:`.
    let starts = |index: usize| {
        let first = (index.saturating_sub(2)..=index)
            .rev()
            .find(|&at| words.list[at].start != Start::Nothing);
        first.is_some_and(|first| (first + 1..=index).all(follows))
    };
    (0..words.len())
        .filter(|&index| words.list[index].has_colon && READERS.contains(&words.text(index)))
        .filter(|&index| starts(index))
        .map(|index| Found {
            signal: Signal::Address,
            weight: VOCATIVE,
            role: Role::Trigger,
            first: index,
            last: index,
        })
        .collect()
}

/// Tags that a client or a model template would read.
pub(crate) fn tags(text: &str, region: &Range<usize>, words: &Words) -> Vec<Found> {
    if words.len() == 0 {
        return Vec::new();
    }
    let bytes = &text.as_bytes()[region.clone()];
    memchr::memchr3_iter(b'<', b'[', b'#', bytes)
        .chain(memchr::memchr_iter(b'{', bytes))
        .filter(|&at| TAGS.iter().any(|tag| starts_with(&bytes[at..], tag)))
        .map(|at| {
            let after = words.list.partition_point(|word| word.source.end <= region.start + at);
            let index = after.min(words.len() - 1);
            Found {
                signal: Signal::Markup,
                weight: if starts_with(&bytes[at..], "[system]") { SECTION } else { TAG },
                role: Role::Trigger,
                first: index,
                last: index,
            }
        })
        .collect()
}

fn starts_with(bytes: &[u8], tag: &str) -> bool {
    bytes.len() >= tag.len() && bytes[..tag.len()].eq_ignore_ascii_case(tag.as_bytes())
}
