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

use std::fmt;
use std::sync::LazyLock;

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

/// A kind of signal: a feature of a text that indicates an injected instruction. A single signal is usually weak, so the scorer
/// adds up the weights of all signals. The strongest signal is also the reason that is reported for a removed segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Asks the reader to ignore earlier instructions.
    Override,
    /// Claims to speak for the system, a developer or an administrator.
    Authority,
    /// Addresses an assistant rather than a person.
    Address,
    /// Imitates role or tool markup, or the end of a document.
    Markup,
    /// Asks for an action or an answer.
    Request,
    /// Gives the reader a new task or persona.
    Redirect,
    /// Asks the reader to write something.
    Generate,
    /// Asks the reader to hide something from the user.
    Conceal,
    /// Asks the reader to reveal instructions, secrets or conversations, or to send them somewhere.
    Exfiltrate,
    /// Puts pressure on the reader by claiming urgency, importance or the absence of restrictions.
    Coerce,
    /// Dictates the conclusion of a review.
    Steer,
    /// Hides words with invisible characters, look-alike letters or encodings.
    Disguise,
}

impl Signal {
    pub(crate) const COUNT: usize = Self::Disguise as usize + 1;

    /// Each signal with its name in the table of phrases and the reason to report, in the order of the enumeration.
    const TABLE: [(Self, &str, &str); Self::COUNT] = [
        (Self::Override, "override", "overrides earlier instructions"),
        (Self::Authority, "authority", "claims authority"),
        (Self::Address, "address", "addresses an assistant"),
        (Self::Markup, "markup", "imitates role or tool markup"),
        (Self::Request, "request", "asks for an action"),
        (Self::Redirect, "redirect", "gives a new task"),
        (Self::Generate, "generate", "orders a text"),
        (Self::Conceal, "conceal", "asks to hide something"),
        (Self::Exfiltrate, "exfiltrate", "asks to reveal or send secrets"),
        (Self::Coerce, "coerce", "presses the reader"),
        (Self::Steer, "steer", "steers a judgement"),
        (Self::Disguise, "disguise", "hides its words"),
    ];

    /// Returns the signal with this name in the table of phrases.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|(_, known, _)| *known == name).map(|(signal, ..)| *signal)
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, reason) = Self::TABLE[*self as usize];
        formatter.write_str(reason)
    }
}
