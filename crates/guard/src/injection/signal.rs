//! Kinds of evidence that a text tries to instruct the model. One signal alone is weak; the scorer adds them up.

use std::fmt;

/// A kind of evidence, and the reason given for a removed segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Tells the reader to drop earlier instructions.
    Override,
    /// Claims to speak for the system, a developer or an administrator.
    Authority,
    /// Addresses an assistant rather than a person.
    Address,
    /// Imitates the markup of roles, of tools or of the end of a document.
    Markup,
    /// Asks for an action or an answer.
    Request,
    /// Gives the reader a new task or persona.
    Redirect,
    /// Asks for a piece of writing.
    Generate,
    /// Asks to hide something from the user.
    Conceal,
    /// Asks for instructions, secrets or conversations, or to send them somewhere.
    Exfiltrate,
    /// Puts pressure on the reader: urgency, importance, absence of restrictions.
    Coerce,
    /// Tells a reviewer what to conclude.
    Steer,
    /// Hides its words: invisible characters, look-alike letters, encodings.
    Disguise,
}

impl Signal {
    pub(crate) const COUNT: usize = Self::Disguise as usize + 1;
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
            Self::Exfiltrate => "asks for secrets or sends them away",
            Self::Coerce => "presses the reader",
            Self::Steer => "steers a judgement",
            Self::Disguise => "hides its words",
        })
    }
}
