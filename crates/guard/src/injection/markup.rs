//! Imitated markup: turns of a conversation (`Assistant: …`, `User: …`) and tags that clients give a meaning.

use std::ops::Range;

use super::pattern::Found;
use super::phrases::Role;
use super::signal::Signal;
use super::words::{Start, Words};

const ROLES: &[&str] = &["assistant", "user", "system", "human", "developer"];
const ONE_ROLE: u32 = 3;
const SYSTEM_ROLE: u32 = 5;
const TWO_ROLES: u32 = 7;
const TAG: u32 = 6;

/// Tags and tokens of the clients and of model templates, in lower case.
pub(crate) const TAGS: &[&str] = &[
    "<system-reminder",
    "<system>",
    "</system>",
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
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
pub(crate) const ROLE_TRIGGERS: &[&str] = &["assistant:", "system:", "human:", "developer:"];

/// Lines that open a turn of a conversation; two different ones are the imitation of a dialogue.
pub(crate) fn roles(words: &Words) -> Vec<Found> {
    let turns: Vec<(usize, &str)> = (0..words.len())
        .filter(|&index| words.list[index].has_colon && words.list[index].start == Start::Line)
        .map(|index| (index, words.text(index)))
        .filter(|(_, role)| ROLES.contains(role))
        .collect();
    let is_dialogue = turns.iter().any(|(_, role)| turns.iter().any(|(_, other)| other != role));
    turns
        .into_iter()
        .map(|(index, role)| {
            let alone = if role == "system" { SYSTEM_ROLE } else { ONE_ROLE };
            let weight = if is_dialogue { TWO_ROLES } else { alone };
            Found { signal: Signal::Markup, weight, role: Role::Trigger, first: index, last: index }
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
        .filter(|&at| TAGS.iter().any(|tag| starts_with(&bytes[at..], tag)))
        .map(|at| {
            let after = words.list.partition_point(|word| word.source.end <= region.start + at);
            let index = after.min(words.len() - 1);
            Found {
                signal: Signal::Markup,
                weight: TAG,
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
