//! What a prompt asks for, as far as the choice of tools goes.

use std::collections::BTreeSet;

use policy::ToolId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// How parts hang together.
    Structure,
    /// Where a failure comes from.
    Locate,
    CallChain,
    Impact,
    Complexity,
    Hotspot,
    /// A scan that is never started automatically.
    Scan,
}

impl Need {
    /// The tier-2 tool that answers it.
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
    /// One word for the structured output.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if !self.is_code {
            return "non-code";
        }
        // The most particular need names the intent; `Structure` comes first in the order and says the least.
        self.needs.iter().next_back().map_or("search", |need| need.word())
    }
}
