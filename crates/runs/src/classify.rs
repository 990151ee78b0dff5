//! Classifies how a codex process ended. The result is a [`Classification`] and a sentence with the reason.
//!
//! Reliable facts are used first: time limits and stop requests, signals, events, and the exit code. After that,
//! codex's failure message and plain output are searched for known phrases. The prompt and the arguments are never
//! searched.

use process::{End, StopCause};
use regex::RegexSet;
use std::sync::LazyLock;

use crate::stream::Account;

/// How a run ended, as written to its metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classification {
    Normal,
    Done,
    Continue,
    PatchOnly,
    InputError,
    ConfigError,
    ContextOverflow,
    ApprovalRequired,
    SandboxDenied,
    NetworkError,
    AuthError,
    RateLimited,
    /// The account has reached a usage limit; the run can continue after the limit is reset.
    Waiting,
    /// A cap on tokens, turns or cost ended the run.
    Budget,
    ToolError,
    Timeout,
    UserCancelled,
    BlockedByHook,
    Error,
}

impl Classification {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Done => "done",
            Self::Continue => "continue",
            Self::PatchOnly => "patch_only",
            Self::InputError => "input_error",
            Self::ConfigError => "config_error",
            Self::ContextOverflow => "context_overflow",
            Self::ApprovalRequired => "approval_required",
            Self::SandboxDenied => "sandbox_denied",
            Self::NetworkError => "network_error",
            Self::AuthError => "auth_error",
            Self::RateLimited => "rate_limited",
            Self::Waiting => "waiting",
            Self::Budget => "budget",
            Self::ToolError => "tool_error",
            Self::Timeout => "timeout",
            Self::UserCancelled => "user_cancelled",
            Self::BlockedByHook => "blocked_by_hook",
            Self::Error => "error",
        }
    }

    /// Returns true if the agent completed its turn.
    pub(crate) fn is_success(self) -> bool {
        matches!(self, Self::Normal | Self::Done | Self::Continue | Self::PatchOnly)
    }
}

/// The value of a line `CONTROL: DONE` or `CONTROL: CONTINUE` in the last message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ControlFlag {
    Done,
    Continue,
}

/// The data from which [`classify`] determines how an agent's process ended.
pub(crate) struct Ending<'a> {
    /// The agent's name, capitalised for the start of a sentence.
    pub(crate) agent: &'static str,
    pub(crate) end: End,
    pub(crate) stopped: Option<StopCause>,
    pub(crate) account: &'a Account,
    /// Whether the agent was started with a flag that makes it print events, such as `--json`.
    pub(crate) has_events: bool,
    pub(crate) last_message: Option<&'a str>,
    /// The last part of the plain-text output.
    pub(crate) text: &'a str,
    /// The prompt. Output lines that repeat it are ignored.
    pub(crate) prompt: &'a str,
    pub(crate) has_patch: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) classification: Classification,
    pub(crate) reason: String,
    pub(crate) control: Option<ControlFlag>,
    /// The message about the usage limit, if the account has reached one.
    pub(crate) limit_message: Option<String>,
}

pub(crate) fn classify(ending: &Ending<'_>) -> Verdict {
    let control = ending.last_message.and_then(control_flag);
    let agent = ending.agent;
    let (classification, reason) = match (ending.stopped, ending.end) {
        (Some(StopCause::Requested), _) => {
            (Classification::UserCancelled, "Stopped on request".to_owned())
        }
        (Some(StopCause::Wall), _) => {
            (Classification::Timeout, "The run reached its wall limit".to_owned())
        }
        (Some(StopCause::Idle), _) => (
            Classification::Timeout,
            format!("{agent} printed nothing until the idle limit was reached"),
        ),
        (None, End::Exited(0)) if ending.account.failure.is_none() => succeeded(ending, control),
        (None, End::Signalled(signal)) => (
            Classification::Error,
            format!("{agent} was killed by signal {signal} from another process"),
        ),
        (None, End::Exited(code))
            if code > 128 && ending.account.n_events == 0 && own_text(ending).trim().is_empty() =>
        {
            let signal = code - 128;
            let reason = format!("{agent} exited with {code}, the code for signal {signal}");
            (Classification::Error, reason)
        }
        (None, End::Exited(_) | End::TimedOut) => failed(ending),
    };
    let is_limit = classification == Classification::RateLimited;
    let message = || failure(ending).map_or_else(|| own_text(ending), str::to_owned);
    Verdict { classification, reason, control, limit_message: is_limit.then(message) }
}

fn succeeded(ending: &Ending<'_>, control: Option<ControlFlag>) -> (Classification, String) {
    let (classification, reason) = match control {
        _ if ending.has_patch => (Classification::PatchOnly, "Patch written, nothing was changed"),
        Some(ControlFlag::Done) => (Classification::Done, "Task signaled DONE"),
        Some(ControlFlag::Continue) => (Classification::Continue, "Task signaled CONTINUE"),
        None if !ending.has_events || ending.last_message.is_some() => {
            (Classification::Normal, "Run completed normally")
        }
        None if ending.account.n_turns > 0 && ending.account.n_items == 0 => (
            Classification::BlockedByHook,
            "Codex ended the turn without calling the model: one of codex's own hooks blocked the prompt",
        ),
        None if ending.account.n_events == 0 => (
            Classification::Error,
            "The program exited with 0 and printed no event: it may not be codex",
        ),
        None => (Classification::Error, "Codex exited with 0 without an answer"),
    };
    (classification, reason.replacen("Codex", ending.agent, 1))
}

/// Returns the failure message in the events, or `None` if there is none.
fn failure<'a>(ending: &Ending<'a>) -> Option<&'a str> {
    ending.account.failure.as_deref().or(ending.account.last_error.as_deref())
}

fn failed(ending: &Ending<'_>) -> (Classification, String) {
    let certain = failure(ending);
    let text = own_text(ending);
    let is_usage = ending.end == End::Exited(2) && ending.account.n_events == 0;
    let (classification, sentence) = if is_usage && certain.is_none() {
        (Classification::InputError, "Invalid CLI arguments or usage")
    } else if let Some(found) = certain.and_then(recognise).or_else(|| recognise(&text)) {
        found
    } else if ending.account.n_failed_commands > 0 && certain.is_none() {
        (Classification::ToolError, "Tool/command execution failed")
    } else {
        (Classification::Error, "Unknown error")
    };
    (classification, with_detail(sentence, certain.unwrap_or(&text)))
}

/// Appends the last non-empty line of `detail` to a sentence. That line usually names the failure.
fn with_detail(sentence: &str, detail: &str) -> String {
    const MAX_CHARACTERS: usize = 300;
    let line = detail.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    if line.is_empty() {
        return sentence.to_owned();
    }
    let short: String = line.chars().take(MAX_CHARACTERS).collect();
    format!("{sentence}: {short}")
}

/// Returns the plain output without backtraces, lines that repeat the prompt, and messages about MCP servers that did
/// not start. Codex continues without these servers, and the messages resemble network errors.
fn own_text(ending: &Ending<'_>) -> String {
    let lines = ending.text.lines().take_while(|line| !line.starts_with("Stack backtrace:"));
    let own = lines.filter(|line| {
        let line = line.trim();
        let is_of_prompt = line.len() > 3 && ending.prompt.contains(line);
        let is_about_server = line.contains("MCP client") || line.contains("MCP server");
        !line.is_empty() && !is_of_prompt && !is_about_server
    });
    own.collect::<Vec<_>>().join("\n")
}

pub(crate) fn control_flag(message: &str) -> Option<ControlFlag> {
    message.lines().rev().find_map(|line| {
        let word = line.trim().trim_matches(['*', '`']).strip_prefix("CONTROL:")?.trim();
        match word {
            "DONE" => Some(ControlFlag::Done),
            "CONTINUE" => Some(ControlFlag::Continue),
            _ => None,
        }
    })
}

/// Patterns for failure messages, most reliable first.
const PATTERNS: [(Classification, &str, &str); 9] = [
    (
        Classification::InputError,
        "Invalid CLI arguments or usage",
        r"input_too_large|no prompt provided|unexpected argument|unrecognized (option|subcommand)|invalid value .* for|cannot be used (with|multiple times)|^usage: codex",
    ),
    (
        Classification::ContextOverflow,
        "Context or token limit exceeded",
        r"context[ _](window|length)|maximum context|too many tokens|input is too long|ran out of room in the model",
    ),
    (
        Classification::RateLimited,
        "Rate limit encountered",
        r"\b429\b|too many requests|rate[ _]limit|usage limit|quota|model is at capacity|hit your [\w-]* ?limit|\blimit reached\b",
    ),
    (
        Classification::AuthError,
        "Authentication/authorization error",
        r"\b401\b|\b403\b|unauthorized|forbidden|(invalid|incorrect) api key|missing environment variable|not logged in|authentication|with your chatgpt plan",
    ),
    (
        Classification::ConfigError,
        "Unsupported or invalid configuration or model",
        r"error loading config|(unsupported|unknown) model|model[^\n]{0,60}(not found|does not exist|not supported)|not inside a trusted directory|unknown (feature|configuration)|no rollout found|no thread with id|failed to load config",
    ),
    (
        Classification::NetworkError,
        "Network error or timeout",
        r"connection (refused|reset|closed|timed out)|stream disconnected|error sending request|enotfound|econn[a-z]+|etimedout|eai_again|getaddrinfo|dns error|network (is )?(unreachable|error)|request timed out|tls handshake|waiting for network|fetch failed|connection failed|experiencing high demand|server error|\b50[0-4]\b",
    ),
    (
        Classification::ApprovalRequired,
        "Approval policy blocked a command",
        r"requires approval|approval (required|denied)|denied by approval|approval policy is",
    ),
    (
        Classification::SandboxDenied,
        "Sandbox policy denied operation",
        r"sandbox (denied|error|blocked)|denied by (the )?sandbox|operation not permitted|read-only file system|landlock|seccomp|permission denied",
    ),
    (
        Classification::ToolError,
        "Tool/command execution failed",
        r"command failed|non-zero exit|failed to execute",
    ),
];

fn recognise(text: &str) -> Option<(Classification, &'static str)> {
    static SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| {
        let patterns = PATTERNS.iter().map(|(_, _, pattern)| pattern);
        regex::RegexSetBuilder::new(patterns).case_insensitive(true).multi_line(true).build().ok()
    });
    let first = SET.as_ref()?.matches(text).iter().next()?;
    let (classification, sentence, _) = PATTERNS[first];
    Some((classification, sentence))
}

#[cfg(test)]
mod tests;
