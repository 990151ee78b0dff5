//! Defines the phrases that indicate an injected instruction. Each phrase has a role, a signal, a weight and a
//! pattern.
//!
//! A pattern is a list of elements that must appear in this order. `a|b` are alternatives, `~3` allows up to three
//! words before the next element, `_` joins the words of one alternative, and `@name` is a set from `tables/sets.txt`. Each
//! Chinese character is a word. For a [`Role::Trigger`] phrase, the scorer reads the text around each occurrence of
//! the element marked `!`, or of the first element if none is marked. A [`Role::Support`] phrase only adds weight. A
//! [`Role::Exemption`] phrase cancels the matches inside it. A [`Role::Clue`] phrase lowers the score that the
//! classifier must reach, and a [`Role::Ordinary`] phrase raises it. A [`Role::Protective`] phrase prevents clues from
//! lowering it. A [`Role::Pretext`] phrase counts only near a harmful command.

use std::sync::LazyLock;

use super::signal::Signal;
use crate::table;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Trigger,
    Support,
    /// A phrase that mentions instructions without giving one. Matches of the same signal inside this phrase do not
    /// count.
    Exemption,
    /// A phrase that only lowers the score that the classifier must reach. The classifier was not trained with these
    /// phrases, so they are not among its features.
    Clue,
    /// A phrase that is common in harmless text about programs, reports and permissions. It raises the score that the
    /// classifier must reach, unless other phrases indicate an instruction.
    Ordinary,
    /// A phrase of a rule that protects people or data, such as `must ask the user before`. If a window contains one,
    /// its clues do not lower the score that the classifier must reach.
    Protective,
    /// A phrase that makes a command a condition of work on a file, or the duty of an agent. It counts only near a
    /// harmful command (see `pretext`).
    Pretext,
    /// A pretext that only names an agent near a command. A document about an agent contains it too, so it does not count
    /// for the commands that a document lists in a code block.
    AgentPretext,
}

impl Role {
    /// Returns whether phrases of this role are scored by themselves. The classifier was trained with these phrases only.
    pub(crate) fn is_scored(self) -> bool {
        matches!(self, Self::Trigger | Self::Support | Self::Exemption)
    }
}

pub(crate) struct Phrase {
    pub(crate) signal: Signal,
    pub(crate) weight: u32,
    pub(crate) role: Role,
    pub(crate) words: &'static str,
}

/// The phrases in all languages.
pub(crate) static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    table::rows(include_str!("tables/phrases.txt"))
        .filter_map(|[role, signal, weight, words]| {
            let role = match role {
                "trigger" => Role::Trigger,
                "support" => Role::Support,
                "exemption" => Role::Exemption,
                "clue" => Role::Clue,
                "ordinary" => Role::Ordinary,
                "protective" => Role::Protective,
                "pretext" => Role::Pretext,
                "agent-pretext" => Role::AgentPretext,
                _ => return None,
            };
            let signal = if signal.is_empty() { Signal::Request } else { Signal::of_name(signal)? };
            Some(Phrase { signal, weight: weight.parse().unwrap_or(0), role, words })
        })
        .collect()
});

/// The name and the alternatives of each set.
static SETS: LazyLock<Vec<[&str; 2]>> =
    LazyLock::new(|| table::rows(include_str!("tables/sets.txt")).collect());

/// Returns the alternatives of a set, such as `@reader`.
pub(crate) fn set(name: &str) -> Option<&'static str> {
    SETS.iter().find(|[set, _]| *set == name).map(|[_, alternatives]| *alternatives)
}
