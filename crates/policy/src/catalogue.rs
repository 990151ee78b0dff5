//! The table of all settings: names, accepted values, defaults, and what a repository's configuration file may set.
//!
//! `docs/guide/settings.md` is generated from this table, and this crate takes its defaults and maxima from it.

use std::sync::LazyLock;

use crate::settings::Range;
use crate::tools::{Argument, TOOLS, Tool};

pub(crate) const SWITCH: &str = "CI_AUTO_TOOLS";
pub(crate) const MODE: &str = "CI_AUTO_TOOLS_MODE";
pub(crate) const DRY_RUN: &str = "CI_AUTO_TOOLS_DRY_RUN";
pub(crate) const TIER_MAX: &str = "CI_AUTO_TOOLS_TIER_MAX";
pub(crate) const REPO_ROOT: &str = "CI_AUTO_TOOLS_REPO_ROOT";
pub(crate) const SESSION_MODE: &str = "CI_CODEX_SESSION_MODE";
pub(crate) const LEGACY: &str = "CI_AUTO_TOOLS_LEGACY";

/// The variable that contains the path of a custom kernel: a program that reads a request and prints JSON 1.0.
pub const OTHER_KERNEL: &str = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";

/// Returns the name of the variable that contains the program to run instead of a tool, such as
/// `CI_AUTO_TOOLS_RUNNER_CI_SEARCH`.
#[must_use]
pub fn runner_variable(tool: &str) -> String {
    format!("CI_AUTO_TOOLS_RUNNER_{}", upper(tool))
}

/// Returns the name of the variable that sets an argument of a tool, such as `CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH`. The
/// value is clamped like the arguments of a tool call.
pub(crate) fn argument_variable(tool: &str, key: &str) -> String {
    format!("CI_AUTO_TOOLS_{}_{}", upper(tool), upper(key))
}

fn upper(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect()
}

/// Which values of a setting a repository's configuration file may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FromFile {
    /// The file has no key for this setting.
    No,
    Any,
    /// Values up to the default, or up to `trusted` if the file is trusted.
    Smaller {
        trusted: u64,
    },
    /// Any value, if the file is trusted.
    Trusted,
    /// The values described by this string.
    Some(&'static str),
}

/// A setting: one row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the environment variable. `<TOOL>` and `<ARGUMENT>` are placeholders for upper-case names.
    pub variable: Option<&'static str>,
    /// The key in `config/auto-tools.yaml`.
    pub key: Option<&'static str>,
    pub values: &'static str,
    pub default: &'static str,
    pub from_file: FromFile,
}

/// A numeric setting.
#[derive(Clone, Copy)]
pub(crate) struct Number {
    pub(crate) variable: &'static str,
    pub(crate) key: &'static str,
    pub(crate) range: Range,
    shown: &'static str,
    values: &'static str,
}

impl Number {
    const fn row(self) -> Setting {
        Setting {
            variable: Some(self.variable),
            key: Some(self.key),
            values: self.values,
            default: self.shown,
            from_file: FromFile::Smaller { trusted: self.range.max },
        }
    }
}

pub(crate) const WALL_MS: Number = Number {
    variable: "CI_AUTO_TOOLS_BUDGET_WALL_MS",
    key: "budget.wall_ms",
    range: Range { default: DEFAULT_WALL_MS, max: MAX_WALL_MS },
    shown: "`5000`, with tier 2 `10000`",
    values: "milliseconds for all tools together",
};
/// The milliseconds that are added to the default of [`WALL_MS`] if tier 2 is enabled, because the tools of tier 2 take
/// longer.
pub(crate) const TIER_2_EXTRA_MS: u64 = 5000;
/// The default time budget in milliseconds.
pub const DEFAULT_WALL_MS: u64 = 5000;
/// The maximum time budget in milliseconds that a trusted configuration can set. The kernel adds 1.5 s for reading the
/// settings. The sum is not more than the 14 s for which the hook waits.
const MAX_WALL_MS: u64 = 12_500;
/// The maximum time in milliseconds that a trusted configuration can set for one tool.
pub(crate) const MAX_MS: u64 = 20_000;

pub(crate) const CONCURRENCY: Number = Number {
    variable: "CI_AUTO_TOOLS_MAX_CONCURRENCY",
    key: "budget.max_concurrency",
    range: Range { default: 3, max: 8 },
    shown: "`3`",
    values: "tools at once",
};

pub(crate) const INJECTED_CHARS: Number = Number {
    variable: "CI_AUTO_TOOLS_MAX_INJECTED_CHARS",
    key: "budget.max_injected_chars",
    range: Range { default: 12_000, max: 48_000 },
    shown: "`12000`",
    values: "characters of the briefing; clients accept 9500",
};

const fn row(variable: &'static str, values: &'static str, default: &'static str) -> Setting {
    Setting { variable: Some(variable), key: None, values, default, from_file: FromFile::No }
}

const fn key(key: &'static str, values: &'static str, default: &'static str) -> Setting {
    Setting { variable: None, key: Some(key), values, default, from_file: FromFile::Trusted }
}

/// Reads a list of settings. Each line contains the variable, the values and the default of a setting.
fn rows(list: &'static str) -> Vec<Setting> {
    let read = |line: &'static str| {
        let mut columns = line.split(" | ");
        let mut column = || columns.next().unwrap_or_default();
        row(column(), column(), column())
    };
    list.lines().map(read).collect()
}

impl Setting {
    const fn with_key(self, key: &'static str, from_file: FromFile) -> Self {
        Self { key: Some(key), from_file, ..self }
    }
}

/// The settings that control briefings.
pub const BRIEFING_SETTINGS: &[Setting] = &[
    row(
        SWITCH,
        "`auto` (prompts that need code, decided by a model), `on` (every prompt), `off`",
        "`auto`",
    )
    .with_key("auto_tools", FromFile::Some("`auto`, `off`; `on` if trusted")),
    row(MODE, "`run`, `plan` (decide and explain, call nothing)", "`run`")
        .with_key("mode", FromFile::Any),
    row(DRY_RUN, "`1` is `plan`", "`0`"),
    row(TIER_MAX, "`0`, `1`, `2`: the highest tier of tools that may be called", "`1`")
        .with_key("tier_max", FromFile::Some("`0`, `1`; never `2`")),
    WALL_MS.row(),
    CONCURRENCY.row(),
    INJECTED_CHARS.row(),
    row(REPO_ROOT, "a directory", "the top of the git work tree, else the working directory")
        .with_key("repo_root", FromFile::Some("a part of the repository")),
    row(
        "CI_AUTO_TOOLS_<TOOL>_<ARGUMENT>",
        "a number, clamped to the tool's limit",
        "the table below",
    )
    .with_key("tools.<tool>.args.<argument>", FromFile::Any),
    Setting {
        from_file: FromFile::Any,
        ..key("tools.<tool>.enabled", "`false` switches a tool off", "`true`")
    },
    Setting {
        from_file: FromFile::Smaller { trusted: MAX_MS },
        ..key("tools.<tool>.timeout_ms", "milliseconds for one tool", "the table below")
    },
    row(
        "CI_AUTO_TOOLS_RUNNER_<TOOL>",
        "another program for one tool; it prints JSON or text",
        "the built-in tool",
    )
    .with_key("tools.<tool>.command", FromFile::Trusted),
    key(
        "tools.<name>.tier",
        "the tier of a tool that the repository defines: `0`, `1`, `2`",
        "`1`",
    ),
    key("tools.<name>.reason", "the purpose of such a tool, shown in the plan", "–"),
    row(LEGACY, "`1`: the old fixed pair of tools, one after the other", "`0`"),
    row(SESSION_MODE, "how `codex-auto` continues: `resume_last`, `exec`", "`resume_last`"),
    row(
        "CI_AUTO_TOOLS_ORCHESTRATOR_PATH",
        "another kernel: a request on stdin, JSON 1.0 on stdout",
        "`adjutant-hook`, in a process of its own",
    ),
    row(
        "WORKING_DIRECTORY",
        "the directory to brief in",
        "the payload's `cwd`, else the working directory",
    ),
    row(
        "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE",
        "for tests: a JSON array of tool results that replaces the calls",
        "–",
    ),
];

/// The settings that control folders and stored data. A folder must be given as an absolute path.
pub static PLACE_SETTINGS: LazyLock<Vec<Setting>> =
    LazyLock::new(|| rows(include_str!("catalogue/places.txt")));

/// The settings of `adjutant run` and `adjutant job`. Command-line flags override them.
pub static UNATTENDED_SETTINGS: LazyLock<Vec<Setting>> =
    LazyLock::new(|| rows(include_str!("catalogue/unattended.txt")));

/// Variables that adjutant sets for the programs it starts, each with its meaning. Users do not set these variables.
pub const GIVEN_VARIABLES: &[(&str, &str)] = &[
    ("CI_TOOL_NAME", "a tool's program: its name"),
    ("CI_TOOL_PROMPT", "a tool's program: the prompt"),
    ("CI_TOOL_ARGS_JSON", "a tool's program: its arguments"),
    ("CI_TOOL_REPO_ROOT", "a tool's program: the repository"),
    ("ADJUTANT_HOOK_TYPE", "a hook: `beforeToolCall` or `afterToolCall`"),
    ("ADJUTANT_TOOL_NAME", "a hook: the tool"),
    ("ADJUTANT_TOOL_ARGS_JSON", "a hook: its arguments, up to 100 KB"),
    ("ADJUTANT_ROOT", "a hook: the repository"),
    ("ADJUTANT_SCRIPT", "a trusted script of a repository, which runs from a copy: its own path"),
    ("ADJUTANT_HOOK_DEPTH", "a hook that calls a tool: the nesting depth, which is limited"),
    ("ADJUTANT_HOOK_RUN", "a hook: the run that started it, so that its children can be stopped"),
    ("ADJUTANT_SESSION", "an unattended codex and its children: the session they belong to"),
    ("ADJUTANT_QUEUE_WORKER", "the processes of a task of the queue: the worker that started them"),
    ("ADJUTANT_TURN", "a codex of `codex-auto` and its children: the turn that started them"),
    ("ADJUTANT_BRIEFED", "a codex whose prompt is already briefed: its hook adds nothing"),
];

/// Returns whether `name` looks like a variable of Adjutant but is unknown, for example `ADJUTANT_LOGS`. Variables that
/// only tests and builds use count as known.
#[must_use]
pub fn is_misspelt(name: &str) -> bool {
    let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    begins(&["CI_AUTO_TOOLS", "ADJUTANT"])
        && !begins(&["ADJUTANT_TEST_", "ADJUTANT_FUZZ_", "ADJUTANT_BUILD_"])
        && !is_known(name)
}

fn is_known(name: &str) -> bool {
    let mut rows = [BRIEFING_SETTINGS, &PLACE_SETTINGS, &UNATTENDED_SETTINGS].into_iter().flatten();
    let mut given = GIVEN_VARIABLES.iter();
    rows.any(|row| row.variable == Some(name))
        || given.any(|(given, _)| *given == name)
        || TOOLS.iter().any(|tool| is_of_tool(tool, name))
}

fn is_of_tool(tool: &Tool, name: &str) -> bool {
    let mut keys = tool.arguments.iter().map(Argument::key);
    runner_variable(tool.name) == name || keys.any(|key| argument_variable(tool.name, key) == name)
}

#[cfg(test)]
mod tests;
