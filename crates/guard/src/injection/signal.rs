//! The kinds of signals. A signal is a feature of a text that indicates an injected instruction. A single signal is
//! usually weak, so the scorer adds up the weights of all signals.

use std::fmt;

/// A kind of signal. The strongest signal is also the reason that is reported for a removed segment.
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

    /// Returns the signal with this name in the table of phrases.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "override" => Self::Override,
            "authority" => Self::Authority,
            "address" => Self::Address,
            "markup" => Self::Markup,
            "request" => Self::Request,
            "redirect" => Self::Redirect,
            "generate" => Self::Generate,
            "conceal" => Self::Conceal,
            "exfiltrate" => Self::Exfiltrate,
            "coerce" => Self::Coerce,
            "steer" => Self::Steer,
            _ => return None,
        })
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Override => "overrides earlier instructions",
            Self::Authority => "claims authority",
            Self::Address => "addresses an assistant",
            Self::Markup => "imitates role or tool markup",
            Self::Request => "asks for an action",
            Self::Redirect => "gives a new task",
            Self::Generate => "orders a text",
            Self::Conceal => "asks to hide something",
            Self::Exfiltrate => "asks to reveal or send secrets",
            Self::Coerce => "presses the reader",
            Self::Steer => "steers a judgement",
            Self::Disguise => "hides its words",
        })
    }
}
