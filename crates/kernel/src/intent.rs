//! Defines the intent of a prompt: whether it is about code, and which tools it needs.

use std::collections::BTreeSet;

use policy::ToolId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Finding the connections between parts of the code.
    Structure,
    /// The prompt asks the question of this tool.
    Question(ToolId),
    /// A dependency or vulnerability scan. It is never started automatically.
    Scan,
}

impl Need {
    /// Returns the tool whose question the prompt asks, if there is one.
    #[must_use]
    pub fn tool(self) -> Option<ToolId> {
        match self {
            Self::Question(tool) => Some(tool),
            Self::Structure | Self::Scan => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Structure => "understand",
            Self::Question(tool) => tool.tool().intent,
            Self::Scan => "scan",
        }
    }

    /// Returns how specific a need is. The cause of a failure is the least specific question.
    fn rank(self) -> u8 {
        match self {
            Self::Structure => 0,
            Self::Question(ToolId::BugLocate) => 1,
            Self::Question(tool) => 2 + tool as u8,
            Self::Scan => u8::MAX,
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
        self.needs.iter().max_by_key(|need| need.rank()).map_or("search", |need| need.word())
    }
}
