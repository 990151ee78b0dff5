//! The table of all settings: names, accepted values, defaults, and what a repository's configuration file may set.
//!
//! `docs/guide/settings.md` is generated from this table, and this crate takes its defaults and maxima from it.

use crate::settings::Range;
use crate::tools::{Argument, TOOLS, Tool};
use crate::variables;

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
    variable: variables::WALL_MS,
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
    variable: variables::MAX_CONCURRENCY,
    key: "budget.max_concurrency",
    range: Range { default: 3, max: 8 },
    shown: "`3`",
    values: "tools at once",
};

pub(crate) const INJECTED_CHARS: Number = Number {
    variable: variables::MAX_INJECTED_CHARS,
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

impl Setting {
    const fn with_key(self, key: &'static str, from_file: FromFile) -> Self {
        Self { key: Some(key), from_file, ..self }
    }
}

/// The settings that control briefings.
pub const BRIEFING_SETTINGS: &[Setting] = &[
    row(
        variables::SWITCH,
        "`auto` (prompts that need code, decided by a model), `on` (every prompt), `off`",
        "`auto`",
    )
    .with_key("auto_tools", FromFile::Some("`auto`, `off`; `on` if trusted")),
    row(variables::MODE, "`run`, `plan` (decide and explain, call nothing)", "`run`")
        .with_key("mode", FromFile::Any),
    row(variables::DRY_RUN, "`1` is `plan`", "`0`"),
    row(variables::TIER_MAX, "`0`, `1`, `2`: the highest tier of tools that may be called", "`1`")
        .with_key("tier_max", FromFile::Some("`0`, `1`; never `2`")),
    WALL_MS.row(),
    CONCURRENCY.row(),
    INJECTED_CHARS.row(),
    row(
        variables::REPO_ROOT,
        "a directory",
        "the top of the git work tree, else the working directory",
    )
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
    row(variables::LEGACY, "`1`: the old fixed pair of tools, one after the other", "`0`"),
    row(
        variables::SESSION_MODE,
        "how `codex-auto` continues: `resume_last`, `exec`",
        "`resume_last`",
    ),
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
pub const PLACE_SETTINGS: &[Setting] = &[
    row(
        "ADJUTANT_CACHE_DIR",
        "the indexes",
        "`$XDG_CACHE_HOME/adjutant`, else `~/.cache/adjutant`",
    ),
    row(
        "ADJUTANT_CONFIG_DIR",
        "your hooks, the trust store and the team keys",
        "`$XDG_CONFIG_HOME/adjutant`, else `~/.config/adjutant`",
    ),
    row(
        "ADJUTANT_STATE_DIR",
        "the log, the memory of sessions, the installed files, unattended sessions, and which client has seen a call",
        "`~/.local/state/adjutant`",
    ),
    row("ADJUTANT_LOG", "`off` writes no log of briefings (`adjutant log`)", "on"),
    row(
        "ADJUTANT_MEMORY",
        "`off` keeps no memory of a session: findings may be repeated, and follow-up prompts lose their subject",
        "on",
    ),
    row("ADJUTANT_HISTORY", "`off` writes no history of the prompts typed into `codex-auto`", "on"),
    row(
        "ADJUTANT_INDEX_STORE",
        "the store from which `adjutant index` and the build in the background pull facts (`file:`, `s3:` or `https:`)",
        "–",
    ),
    row(
        "ADJUTANT_SIGNING_KEY",
        "the private key of the team, with which `adjutant index --push` signs, for a CI job",
        "`team-keys/signing.key` in the configuration folder",
    ),
    row(
        "ADJUTANT_BIN_DIR",
        "the first folder in which the launchers of `hooks/` and of the plugin look for the programs",
        "–",
    ),
    row(
        "ADJUTANT_MCP_TOKEN",
        "the token of `adjutant mcp --http`, 16 characters or more",
        "a new one",
    ),
    row(
        "CLAUDE_CONFIG_DIR",
        "Claude Code's folder, the same variable as in Claude Code",
        "`~/.claude`",
    ),
    row("CODEX_HOME", "Codex's folder, the same variable as in Codex", "`~/.codex`"),
];

/// The settings of `adjutant run` and `adjutant job`. Command-line flags override them.
pub const UNATTENDED_SETTINGS: &[Setting] = &[
    row("ADJUTANT_CODEX", "the codex to run", "the first on `PATH`"),
    row(
        "CODEX_API_KEY",
        "the key of codex, the same variable as in Codex; not passed to the accounts in `next_codex_homes`",
        "–",
    ),
    row(
        "ADJUTANT_CLAUDE",
        "the Claude Code to run with `--agent claude`",
        "the first `claude` on `PATH`",
    ),
    row(
        "ALLOW_DFA_WITH_NEVER",
        "`1`: full access without approvals becomes the bypass flag",
        "`0`",
    ),
    row(
        "ALLOW_MCP_BYPASS",
        "`1`: a model may start codex without a sandbox through `adjutant mcp`",
        "`0`",
    ),
    row(
        "DFA_DEGRADE_ON_NEVER",
        "`1`: full access without approvals is lowered; else refused",
        "`1`",
    ),
    row("DFA_DEGRADE_TARGET", "the sandbox it is lowered to", "`workspace-write`"),
    row(
        "DEFAULT_APPROVAL_FOR_DFA",
        "the approval policy of full access without `--ask-for-approval`",
        "`on-request`",
    ),
    row(
        "ADJUTANT_QUEUE_STORE",
        "the store of `adjutant queue`: a file, or a URL such as `postgres://user@host/database`",
        "`queue/queue.db` in the state folder",
    ),
    row(
        "ADJUTANT_RECORD_DRY_RUN",
        "`1` records a dry run as a session; `start.sh` and `job.sh` set it",
        "a dry run leaves no session",
    ),
    row("MAX_CONCURRENT_JOBS", "the number of concurrent runs of the MCP server", "`4`"),
    row("CODEX_SESSIONS_ROOT", "the folder of sessions", "`sessions` in the state folder"),
    row("CODEX_LOG_DIR", "older name of `CODEX_SESSIONS_ROOT`", "–"),
    row("CODEX_SESSION_DIR", "the folder of one session", "a new folder for each session"),
    row("CODEX_LOG_FILE", "the log file itself", "–"),
    row("CODEX_LOG_SUBDIRS", "`0`: all sessions in one folder, without subfolders", "`1`"),
    row("CODEX_LOG_TAG", "a word in the names of the files", "–"),
    row("CODEX_ECHO_INSTRUCTIONS", "`0` keeps the task out of the log", "`1`"),
    row("CODEX_ECHO_INSTRUCTIONS_LIMIT", "the number of lines of the task in the log", "`120`"),
    row("CODEX_LOG_AGGREGATE", "`0`: no list of all runs", "`1`"),
    row("CODEX_LOG_AGGREGATE_FILE", "the list of runs as text", "in the session's folder"),
    row(
        "CODEX_LOG_AGGREGATE_JSONL_FILE",
        "the list of runs as JSON lines",
        "in the session's folder",
    ),
];

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
    let mut rows = [BRIEFING_SETTINGS, PLACE_SETTINGS, UNATTENDED_SETTINGS].into_iter().flatten();
    let mut given = GIVEN_VARIABLES.iter();
    rows.any(|row| row.variable == Some(name))
        || given.any(|(given, _)| *given == name)
        || TOOLS.iter().any(|tool| is_of_tool(tool, name))
}

fn is_of_tool(tool: &Tool, name: &str) -> bool {
    let mut keys = tool.arguments.iter().map(|argument| match *argument {
        Argument::Number { key, .. } | Argument::Text { key, .. } => key,
    });
    variables::runner_variable(tool.name) == name
        || keys.any(|key| variables::argument_variable(tool.name, key) == name)
}

#[cfg(test)]
mod tests;
