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
