//! Imitated markup: turns of a conversation (`Assistant: …`, `User: …`) and tags that clients give a meaning.

use std::ops::Range;

use super::pattern::Found;
use super::phrases::Role;
use super::signal::Signal;
use super::words::Word;

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
    "### instruction",
    "### system",
    "<end of",
    "<assistant>",
    "<system_prompt",
    "<user_instructions",
    "<developer>",
];

/// What makes the scorer look for turns of a conversation.
pub(crate) const ROLE_TRIGGERS: &[&str] = &["assistant:", "system:", "human:", "developer:"];

/// Lines that open a turn of a conversation; two different ones are the imitation of a dialogue.
pub(crate) fn roles(words: &[Word]) -> Vec<Found> {
    let turns: Vec<(usize, &str)> = words
        .iter()
        .enumerate()
        .filter(|(_, word)| {
            word.has_colon && word.starts_line && ROLES.contains(&word.text.as_str())
        })
        .map(|(index, word)| (index, word.text.as_str()))
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
pub(crate) fn tags(text: &str, region: &Range<usize>, words: &[Word]) -> Vec<Found> {
    let lower = text[region.clone()].to_ascii_lowercase();
    TAGS.iter()
        .filter_map(|tag| {
            let source = region.start + lower.find(tag)?;
            let after = words.partition_point(|word| word.source.end <= source);
            let index = after.min(words.len().checked_sub(1)?);
            Some(Found {
                signal: Signal::Markup,
                weight: TAG,
                role: Role::Trigger,
                first: index,
                last: index,
            })
        })
        .collect()
}
