//! The table of questions. One row describes a question for every surface: the tool that briefings and the MCP server
//! call, and the command of the command line.
//!
//! Every built-in tool is read-only. The built-in tools are defined only in this table. The crate `engine` has one file for
//! each question, which computes its answer.

mod command;

use contract::{Arguments, Limit};

pub use command::{Column, Command, CommandSubject, Flag, FlagValue, SubjectKind};

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
    /// Whether the tool describes the repository as a whole. The MCP server offers such tools only on request.
    pub is_overview: bool,
    pub arguments: &'static [Argument],
    pub searches: Searches,
    /// The intent of a prompt that asks this question, in one word. Empty if no prompt asks for it explicitly.
    pub intent: &'static str,
    /// The phrases by which a prompt asks this question. An English phrase also matches inflected forms.
    pub phrases: &'static [&'static str],
    /// The command that asks the same question.
    pub command: Option<Command>,
}

/// The number of search results from which a question starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searches {
    Nothing,
    Files(usize),
    /// As many files as the argument `limit` says.
    Limit {
        default: usize,
    },
}

impl Searches {
    /// Returns the number of files for a call with this argument `limit`, or `None` if the question needs no search.
    #[must_use]
    pub fn limit(self, argument: Option<u64>) -> Option<usize> {
        match self {
            Self::Nothing => None,
            Self::Files(n) => Some(n),
            Self::Limit { default } => {
                Some(argument.map_or(default, |n| usize::try_from(n).unwrap_or(usize::MAX)))
            }
        }
    }
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
        id: ToolId::IndexStatus, name: "ci_index_status", title: "Index status", tier: 0, timeout_ms: 500, is_overview: true,
        description: "The state of this repository's index: its size, its age, and the changes since it was built.",
        reason: "the state of the index",
        arguments: &[],
        searches: Searches::Nothing,
        intent: "",
        phrases: &[],
        command: None,
    },
    Tool {
        id: ToolId::Search, name: "ci_search", title: "Search code", tier: 1, timeout_ms: 2000, is_overview: false,
        description: "Files and functions that answer a question or contain a name, best match first, with the relevant lines. The results are ranked; use it before grep.",
        reason: "where the words of the prompt are in the code",
        arguments: &[
            QUERY,
            Argument::Text { key: "mode", choices: &["hybrid", "keyword", "symbol"] },
            Argument::Number { key: "limit", default: 10, max: 10 },
        ],
        searches: Searches::Limit { default: 10 },
        intent: "",
        phrases: &[],
        command: Some(Command {
            name: "search", about: "Search for the files that answer a prompt, best first",
            examples: "\
Examples:
  adjutant search \"where are retries limited?\"
  adjutant search --mode symbol retry_budget
  git log -1 --format=%B | adjutant search -
  adjutant search --repos ../api ../web -- \"where are retries limited?\"
  adjutant search --workspace adjutant.workspace.toml \"where are retries limited?\"

In several repositories, each is ranked separately, and the results are ordered by their confidence.",
            subject: Some(CommandSubject { name: "PROMPT", key: "query", kind: SubjectKind::Words, help: "The prompt; `-` or no argument reads it from stdin" }),
            flags: &[
                Flag::limit("limit", "10", "Show at most N files"),
                Flag::new("mode", FlagValue::Choice { name: "MODE", choices: &["keyword", "symbol", "hybrid"], default: "hybrid" }, "Match words, symbol names, or both"),
                Flag::new("files", FlagValue::Switch, "Print only the paths, without symbols and reasons"),
                Flag::new("why", FlagValue::Switch, "Also print why each file was found"),
                Flag { conflicts: &["directory", "workspace"], ..Flag::new("repos", FlagValue::Folders, "Search these repositories; the last argument is the prompt if it is not a folder") },
                Flag { conflicts: &["directory"], ..Flag::new("workspace", FlagValue::File, "Search the repositories listed in a file: roots = [\"../a\", \"../b\"]") },
            ],
            columns: &[
                Column::new("confidence", "confidence"), Column::new("place", "place"), Column::new("symbol", "symbol"),
                Column { with: Some("why"), ..Column::new("why", "why") },
            ],
            optional: &["why"],
            fails_if_empty: true,
        }),
    },
    Tool {
        id: ToolId::GraphRag, name: "ci_graph_rag", title: "Explore code", tier: 1, timeout_ms: 3500, is_overview: false,
        description: "The code that answers a question, or that is around a name or path:line: whole functions, what they call, call sites, tests. Replaces several searches and reads.",
        reason: "what the matching code calls, uses and tests",
        arguments: &[
            QUERY,
            Argument::Number { key: "depth", default: 2, max: 2 },
            Argument::Number { key: "budget", default: 8000, max: 8000 },
            Argument::Number { key: "top_k", default: 10, max: 10 },
        ],
        searches: Searches::Files(8),
        intent: "",
        phrases: &[],
        command: Some(Command {
            name: "explore", about: "Show the code that a question, a name or PATH:LINE is about",
            examples: "\
Examples:
  adjutant explore \"how is a charge retried?\"
  adjutant explore RetryPolicy.next
  adjutant explore src/retry.rs:120",
            subject: Some(CommandSubject { name: "QUESTION", key: "query", kind: SubjectKind::Words, help: "A question, a name, a path or PATH:LINE; `-` or no argument reads it from stdin" }),
            flags: &[
                Flag::new("depth", FlagValue::Small("2"), "With 1, leave out what the matching code calls and uses"),
                Flag::limit("top_k", "10", "Show at most N matching definitions"),
                Flag::new("budget", FlagValue::Number("3000"), "Print at most about N tokens"),
            ],
            columns: &[],
            optional: &[],
            fails_if_empty: true,
        }),
    },
    Tool {
        id: ToolId::CallChain, name: "ci_call_chain", title: "Callers and callees", tier: 2, timeout_ms: 3500, is_overview: false,
        description: "Who calls a function, directly and further up, and what it calls.",
        reason: "the prompt asks who calls what",
        arguments: &[QUERY, Argument::Number { key: "depth", default: 3, max: 3 }],
        searches: Searches::Files(3),
        intent: "call-chain",
        phrases: &["call chain", "call graph", "who calls", "callers", "called by", "调用链", "谁调用", "被谁调用", "调用关系", "哪里调用"],
        command: Some(Command {
            name: "callers", about: "Show the callers or the callees of a function",
            examples: "\
Examples:
  adjutant callers charge
  adjutant callers Account::charge --callees
  adjutant callers src/api.rs:40 --to charge",
            subject: Some(CommandSubject { name: "NAME", key: "name", kind: SubjectKind::Name, help: "The function, as `name`, `Type::name` or `path:line`" }),
            flags: &[
                Flag { conflicts: &["to"], ..Flag::new("callees", FlagValue::Switch, "Show the functions that the function calls instead of its callers") },
                Flag::new("to", FlagValue::Text("NAME"), "Show the calls that lead from the function to another function"),
                Flag::new("depth", FlagValue::Small("3"), "Follow at most N calls"),
                Flag::limit("limit", "50", "Show at most N calls"),
            ],
            columns: &[Column::new("away", "depth"), Column::new("place", "place"), Column::new("symbol", "symbol"), Column::new("certainty", "confidence")],
            optional: &["certainty"],
            fails_if_empty: false,
        }),
    },
    Tool {
        id: ToolId::BugLocate, name: "ci_bug_locate", title: "Locate a failure", tier: 2, timeout_ms: 3500, is_overview: false,
        description: "Where a failure comes from: give an error message, a stack trace or a symptom.",
        reason: "the prompt describes a failure",
        arguments: &[QUERY],
        searches: Searches::Limit { default: 10 },
        intent: "debug",
        phrases: &["bug", "stack trace", "traceback", "crash", "exception", "报错", "崩溃", "异常", "堆栈", "缺陷"],
        command: Some(Command {
            name: "locate", about: "Find the source of a failure from an error message or a stack trace",
            examples: "\
Examples:
  adjutant locate \"KeyError: retry_budget\"
  pytest 2>&1 | adjutant locate -",
            subject: Some(CommandSubject { name: "TEXT", key: "query", kind: SubjectKind::Words, help: "The error message; `-` or no argument reads it from stdin" }),
            flags: &[Flag::limit("limit", "10", "Show at most N locations")],
            columns: &[
                Column::new("score", "score"), Column::new("place", "place"), Column::new("symbol", "symbol"), Column::new("why", "why"),
                Column::new("recent commits", "recent_commits"),
            ],
            optional: &["recent commits", "symbol"],
            fails_if_empty: true,
        }),
    },
    Tool {
        id: ToolId::Impact, name: "ci_impact", title: "Impact of a change", tier: 2, timeout_ms: 3500, is_overview: false,
        description: "What a change to a function or file would affect, and which tests cover it.",
        reason: "the prompt asks what a change affects",
        arguments: &[QUERY],
        searches: Searches::Files(3),
        intent: "impact",
        phrases: &["impact", "what breaks", "affected by", "blast radius", "side effect", "影响", "波及", "改动范围"],
        command: Some(Command {
            name: "impact", about: "Show the code and the tests that a change would affect",
            examples: "\
Examples:
  adjutant impact charge
  adjutant impact src/billing/retry.rs -n 20",
            subject: Some(CommandSubject { name: "NAME", key: "name", kind: SubjectKind::Name, help: "The item to change, as `name`, `Type::name`, `path` or `path:line`" }),
            flags: &[
                Flag::new("depth", FlagValue::Small("3"), "Follow at most N relations"),
                Flag::limit("limit", "50", "Show at most N locations"),
            ],
            columns: &[
                Column::new("away", "depth"), Column::new("place", "place"), Column::new("symbol", "symbol"), Column::new("kind", "kind"),
                Column::new("certainty", "confidence"),
            ],
            optional: &["certainty"],
            fails_if_empty: false,
        }),
    },
    Tool {
        id: ToolId::Complexity, name: "ci_complexity", title: "Complexity", tier: 2, timeout_ms: 1000, is_overview: true,
        description: "The most complex functions, in the part of the code that the query names.",
        reason: "the prompt asks how complex the code is",
        arguments: &[QUERY],
        searches: Searches::Files(1),
        intent: "complexity",
        phrases: &["complexity", "cyclomatic", "too complex", "most complex", "how complex", "hardest to follow", "最复杂", "复杂度", "太复杂"],
        command: Some(Command {
            name: "complexity", about: "List the most complex functions",
            examples: "\
Examples:
  adjutant complexity
  adjutant complexity src/billing -n 5",
            subject: Some(CommandSubject { name: "PATH", key: "path", kind: SubjectKind::Path, help: "The file or folder to analyse [default: the whole repository]" }),
            flags: &[Flag::limit("limit", "20", "Show at most N functions")],
            columns: &[
                Column::new("cognitive", "cognitive"), Column::new("cyclomatic", "cyclomatic"), Column::new("nesting", "nesting"),
                Column::new("lines", "lines"), Column::new("place", "place"), Column::new("symbol", "symbol"),
            ],
            optional: &["nesting", "lines"],
            fails_if_empty: false,
        }),
    },
    Tool {
        id: ToolId::Hotspot, name: "ci_hotspot", title: "Hotspots", tier: 2, timeout_ms: 3500, is_overview: true,
        description: "Files that change often and are complex, where faults are likely.",
        reason: "the prompt asks where the code changes most",
        arguments: &[
            Argument::Number { key: "days", default: 30, max: 30 },
            Argument::Number { key: "top", default: 20, max: 20 },
        ],
        searches: Searches::Nothing,
        intent: "hotspot",
        phrases: &["hotspot", "hot spot", "changed most", "churn", "热点", "改动最多"],
        command: Some(Command {
            name: "hotspots", about: "List files that change often and are complex",
            examples: "\
Examples:
  adjutant hotspots
  adjutant hotspots --days 365 -n 5",
            subject: None,
            flags: &[
                Flag::new("days", FlagValue::Small("30"), "Count the changes of the last N days; if there are none, of the N days before the newest commit"),
                Flag::limit("top", "20", "Show at most N files"),
            ],
            columns: &[
                Column::new("score", "score"), Column::new("path", "path"), Column::new("commits", "commits"),
                Column::new("cyclomatic", "cyclomatic"), Column::new("lines", "lines"), Column::new("authors", "authors"),
            ],
            optional: &["authors", "lines"],
            fails_if_empty: false,
        }),
    },
];

/// Returns the built-in tool with this name.
#[must_use]
pub fn tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// Returns the clamped arguments, and one [`Limit`] for each argument that was reduced. Fails with a message if an
/// argument is unknown or has the wrong type.
pub fn clamp(tool: &Tool, arguments: &Arguments) -> Result<(Arguments, Vec<Limit>), String> {
    let mut clamped = Arguments::default();
    let mut limits = Vec::new();
    for (key, value) in arguments.as_map() {
        let argument = tool.arguments.iter().find(|argument| argument.key() == key);
        let argument =
            argument.ok_or_else(|| format!("`{key}` is not an argument of this tool"))?;
        let number = value.as_u64().filter(|number| *number > 0);
        let within = match (*argument, number) {
            (Argument::Text { .. }, _) if value.is_string() => value.clone(),
            (Argument::Text { .. }, _) => {
                return Err(format!("`{key}` must be text, not `{value}`"));
            }
            (Argument::Number { max, .. }, None) => {
                return Err(format!("`{key}` must be a number from 1 to {max}, not `{value}`"));
            }
            (Argument::Number { max, .. }, Some(number)) => {
                if number > max {
                    let (tool, key) = (tool.name.to_owned(), key.clone());
                    limits.push(Limit::Clamped { tool, key, max });
                }
                number.min(max).into()
            }
        };
        clamped.insert(key, within);
    }
    Ok((clamped, limits))
}

#[cfg(test)]
mod tests;
