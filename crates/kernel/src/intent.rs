//! Defines the intent of a prompt: whether it is about code, and which tools it needs.

use std::collections::BTreeSet;

use policy::ToolId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Finding the connections between parts of the code.
    Structure,
    /// Finding the cause of a failure.
    Locate,
    CallChain,
    Impact,
    Complexity,
    Hotspot,
    /// A dependency or vulnerability scan. It is never started automatically.
    Scan,
}

impl Need {
    /// Returns the tier 2 tool for this need, if there is one.
    #[must_use]
    pub fn tier_2_tool(self) -> Option<ToolId> {
        match self {
            Self::Locate => Some(ToolId::BugLocate),
            Self::CallChain => Some(ToolId::CallChain),
            Self::Impact => Some(ToolId::Impact),
            Self::Complexity => Some(ToolId::Complexity),
            Self::Hotspot => Some(ToolId::Hotspot),
            Self::Structure | Self::Scan => None,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Structure => "understand",
            Self::Locate => "debug",
            Self::CallChain => "call-chain",
            Self::Impact => "impact",
            Self::Complexity => "complexity",
            Self::Hotspot => "hotspot",
            Self::Scan => "scan",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    pub is_code: bool,
    pub needs: BTreeSet<Need>,
}

impl Intent {
    /// Returns the intent in one word, as published in the briefing.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if !self.is_code {
            return "non-code";
        }
        // The last need is the most specific one; `Structure` is the first.
        self.needs.iter().next_back().map_or("search", |need| need.word())
    }
}
