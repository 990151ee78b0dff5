//! The allow-list: every tool that may be called automatically, its tier, its time and its arguments.
//!
//! All of them only read. A tool that is not in this table is never called automatically.

/// One row of the allow-list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    pub name: &'static str,
    pub tier: u8,
    pub timeout_ms: u64,
    pub arguments: &'static [Argument],
}

/// An argument the kernel may pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number from 1 to `max`; more is clamped.
    Number {
        key: &'static str,
        default: u64,
        max: u64,
    },
    Text {
        key: &'static str,
    },
}

impl Argument {
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Number { key, .. } | Self::Text { key } => key,
        }
    }
}

const QUERY: Argument = Argument::Text { key: "query" };

pub const TOOLS: [Tool; 8] = [
    Tool { name: "ci_index_status", tier: 0, timeout_ms: 500, arguments: &[] },
    Tool {
        name: "ci_search",
        tier: 1,
        timeout_ms: 2000,
        arguments: &[
            QUERY,
            Argument::Text { key: "mode" },
            Argument::Number { key: "limit", default: 10, max: 10 },
        ],
    },
    Tool {
        name: "ci_graph_rag",
        tier: 1,
        timeout_ms: 3500,
        arguments: &[
            QUERY,
            Argument::Number { key: "depth", default: 2, max: 2 },
            Argument::Number { key: "budget", default: 8000, max: 8000 },
            Argument::Number { key: "top_k", default: 10, max: 10 },
        ],
    },
    Tool {
        name: "ci_call_chain",
        tier: 2,
        timeout_ms: 3500,
        arguments: &[QUERY, Argument::Number { key: "depth", default: 3, max: 3 }],
    },
    Tool { name: "ci_bug_locate", tier: 2, timeout_ms: 3500, arguments: &[QUERY] },
    Tool { name: "ci_impact", tier: 2, timeout_ms: 3500, arguments: &[QUERY] },
    Tool { name: "ci_complexity", tier: 2, timeout_ms: 1000, arguments: &[QUERY] },
    Tool {
        name: "ci_hotspot",
        tier: 2,
        timeout_ms: 3500,
        arguments: &[
            Argument::Number { key: "days", default: 30, max: 30 },
            Argument::Number { key: "top", default: 20, max: 20 },
        ],
    },
];

#[must_use]
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}
