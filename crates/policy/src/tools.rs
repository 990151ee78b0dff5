//! The table of built-in tools. A briefing calls only these tools and the tools that a trusted configuration defines.
//!
//! Every built-in tool is read-only. The built-in tools are defined only in this table.

/// Identifies a built-in tool. [`ToolId::tool`] returns the tool's row in [`TOOLS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolId {
    IndexStatus,
    Search,
    GraphRag,
    CallChain,
    BugLocate,
    Impact,
    Complexity,
    Hotspot,
}

/// One row of the table of built-in tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    pub id: ToolId,
    pub name: &'static str,
    /// The title in the list of MCP tools.
    pub title: &'static str,
    /// The description in the list of MCP tools.
    pub description: &'static str,
    /// The reason that a plan gives for calling the tool.
    pub reason: &'static str,
    pub tier: u8,
    pub timeout_ms: u64,
    pub arguments: &'static [Argument],
}

/// An argument that a built-in tool accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number from 1 to `max`. Larger numbers are clamped.
    Number { key: &'static str, default: u64, max: u64 },
    /// A string. If `choices` is not empty, the MCP server accepts only these strings; the first is the default.
    Text { key: &'static str, choices: &'static [&'static str] },
}

impl Argument {
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            Self::Number { key, .. } | Self::Text { key, .. } => key,
        }
    }
}

impl Tool {
    /// Returns whether the tool needs a query or a prompt. Without one, `ci_complexity` measures the whole repository.
    #[must_use]
    pub fn needs_query(&self) -> bool {
        self.arguments.contains(&QUERY) && self.id != ToolId::Complexity
    }
}

impl ToolId {
    #[must_use]
    pub fn tool(self) -> &'static Tool {
        &TOOLS[self as usize]
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.tool().name
    }
}

const QUERY: Argument = Argument::Text { key: "query", choices: &[] };

/// All built-in tools, in the order of [`ToolId`].
#[rustfmt::skip]
pub const TOOLS: [Tool; 8] = [
    Tool {
        id: ToolId::IndexStatus, name: "ci_index_status", title: "Index status", tier: 0, timeout_ms: 500,
        description: "The state of this repository's index: its size, its age, and the changes since it was built.",
        reason: "the state of the index",
        arguments: &[],
    },
    Tool {
        id: ToolId::Search, name: "ci_search", title: "Search code", tier: 1, timeout_ms: 2000,
        description: "Files and functions that answer a question or contain a name, best match first, with the relevant lines. The results are ranked; use it before grep.",
        reason: "where the words of the prompt are in the code",
        arguments: &[
            QUERY,
            Argument::Text { key: "mode", choices: &["hybrid", "keyword", "symbol"] },
            Argument::Number { key: "limit", default: 10, max: 10 },
        ],
    },
    Tool {
        id: ToolId::GraphRag, name: "ci_graph_rag", title: "Code around", tier: 1, timeout_ms: 3500,
        description: "The code around the best matches: what they call, use, test and import, with snippets.",
        reason: "what the matching code calls, uses and tests",
        arguments: &[
            QUERY,
            Argument::Number { key: "depth", default: 2, max: 2 },
            Argument::Number { key: "budget", default: 8000, max: 8000 },
            Argument::Number { key: "top_k", default: 10, max: 10 },
        ],
    },
    Tool {
        id: ToolId::CallChain, name: "ci_call_chain", title: "Callers and callees", tier: 2, timeout_ms: 3500,
        description: "Who calls a function, directly and further up, and what it calls.",
        reason: "the prompt asks who calls what",
        arguments: &[QUERY, Argument::Number { key: "depth", default: 3, max: 3 }],
    },
    Tool {
        id: ToolId::BugLocate, name: "ci_bug_locate", title: "Locate a failure", tier: 2, timeout_ms: 3500,
        description: "Where a failure comes from: give an error message, a stack trace or a symptom.",
        reason: "the prompt describes a failure",
        arguments: &[QUERY],
    },
    Tool {
        id: ToolId::Impact, name: "ci_impact", title: "Impact of a change", tier: 2, timeout_ms: 3500,
        description: "What a change to a function or file would affect, and which tests cover it.",
        reason: "the prompt asks what a change affects",
        arguments: &[QUERY],
    },
    Tool {
        id: ToolId::Complexity, name: "ci_complexity", title: "Complexity", tier: 2, timeout_ms: 1000,
        description: "The most complex functions, in the part of the code that the query names.",
        reason: "the prompt asks how complex the code is",
        arguments: &[QUERY],
    },
    Tool {
        id: ToolId::Hotspot, name: "ci_hotspot", title: "Hotspots", tier: 2, timeout_ms: 3500,
        description: "Files that change often and are complex, where faults are likely.",
        reason: "the prompt asks where the code changes most",
        arguments: &[
            Argument::Number { key: "days", default: 30, max: 30 },
            Argument::Number { key: "top", default: 20, max: 20 },
        ],
    },
];

/// Returns the built-in tool with this name.
#[must_use]
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::TOOLS;

    #[test]
    fn every_tool_is_in_its_own_row() {
        assert!(TOOLS.iter().all(|tool| tool.id.tool() == tool));
    }
}
