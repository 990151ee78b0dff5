//! The events that `codex exec --json` prints.

use serde::Deserialize;

use crate::agents::AgentEvent;
use crate::stream::Account;
use crate::usage::Usage;

/// An event that codex prints, with only the fields that this program uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type")]
pub(crate) enum CodexEvent {
    #[serde(rename = "thread.started")]
    ThreadStarted { thread_id: Option<String> },
    #[serde(rename = "turn.started")]
    TurnStarted,
    #[serde(rename = "turn.completed")]
    TurnCompleted { usage: Option<TokenCounts> },
    #[serde(rename = "turn.failed")]
    TurnFailed { error: Option<ErrorMessage> },
    #[serde(rename = "error")]
    Error(ErrorMessage),
    #[serde(rename = "item.started")]
    ItemStarted { item: Option<Item> },
    #[serde(rename = "item.updated")]
    ItemUpdated,
    #[serde(rename = "item.completed")]
    ItemCompleted { item: Option<Item> },
    /// An event of unknown type, or with unexpected fields.
    #[serde(untagged)]
    Unknown {
        #[serde(rename = "type")]
        kind: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Item {
    AgentMessage {
        text: Option<String>,
    },
    CommandExecution {
        command: Option<String>,
        aggregated_output: Option<String>,
        exit_code: Option<i64>,
        status: Option<String>,
    },
    McpToolCall {
        server: Option<String>,
        tool: Option<String>,
        status: Option<String>,
    },
    CollabToolCall {
        tool: Option<String>,
        prompt: Option<String>,
    },
    FileChange {
        status: Option<String>,
        #[serde(default)]
        changes: Vec<ChangedFile>,
    },
    WebSearch {
        query: Option<String>,
        text: Option<String>,
    },
    /// A warning. Codex continues after it.
    Error(ErrorMessage),
    #[serde(untagged)]
    Unknown {
        #[serde(rename = "type")]
        kind: String,
        text: Option<String>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct TokenCounts {
    input_tokens: Option<u64>,
    cached_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ErrorMessage {
    pub(crate) message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct ChangedFile {
    path: Option<String>,
}

/// Returns the paths of the changed files, separated by commas.
pub(crate) fn paths(changes: &[ChangedFile]) -> String {
    let paths = changes.iter().filter_map(|change| change.path.as_deref());
    paths.collect::<Vec<_>>().join(", ")
}

#[expect(clippy::ref_option, reason = "the fields of an event are matched by reference")]
pub(crate) fn or_empty(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

impl AgentEvent for CodexEvent {
    const HAS_INNER_TURNS: bool = false;

    fn thread_id(&self) -> Option<&str> {
        let Self::ThreadStarted { thread_id } = self else { return None };
        thread_id.as_deref()
    }

    fn log_line(&self) -> Option<String> {
        Some(match self {
            Self::ThreadStarted { thread_id } => format!("[thread] {}", or_empty(thread_id)),
            Self::TurnCompleted { usage } => {
                let count = |count: Option<u64>| count.map_or("?".to_owned(), |n| n.to_string());
                let input = usage.and_then(|usage| usage.input_tokens);
                let output = usage.and_then(|usage| usage.output_tokens);
                format!("[turn] completed, {} tokens in, {} out", count(input), count(output))
            }
            Self::TurnFailed { error } => {
                let message = error.as_ref().map(|error| or_empty(&error.message));
                format!("[turn] failed: {}", message.unwrap_or_default())
            }
            Self::Error(error) => format!("[error] {}", or_empty(&error.message)),
            Self::ItemStarted { item: Some(Item::CommandExecution { command, .. }) } => {
                // Redaction delays a line that ends in a quotation mark, so `[started]` is added at the end.
                format!("[command] {} [started]", or_empty(command))
            }
            Self::ItemCompleted { item: Some(item) } => item_line(item),
            Self::Unknown { kind } => format!("[{kind}]"),
            Self::TurnStarted
            | Self::ItemStarted { .. }
            | Self::ItemUpdated
            | Self::ItemCompleted { item: None } => return None,
        })
    }

    fn add_to(&self, account: &mut Account) {
        match self {
            Self::ThreadStarted { thread_id } => account.thread_id.clone_from(thread_id),
            Self::TurnCompleted { usage } => {
                account.n_turns += 1;
                if let Some(counts) = usage
                    && let Some(input) = counts.input_tokens
                {
                    let turn = Usage {
                        input,
                        cached_input: counts.cached_input_tokens.unwrap_or(0),
                        output: counts.output_tokens.unwrap_or(0),
                    };
                    account.usage = Some(account.usage.unwrap_or_default().plus(turn));
                }
            }
            Self::TurnFailed { error } => {
                let message = error.as_ref().and_then(|error| error.message.clone());
                account.failure = Some(message.unwrap_or_else(|| "the turn failed".to_owned()));
            }
            Self::Error(error) => account.last_error.clone_from(&error.message),
            Self::ItemCompleted { item } => {
                account.n_items += 1;
                match item {
                    Some(Item::AgentMessage { text }) => account.last_message.clone_from(text),
                    Some(Item::CommandExecution { status, .. })
                        if status.as_deref() == Some("failed") =>
                    {
                        account.n_failed_commands += 1;
                    }
                    _ => {}
                }
            }
            Self::TurnStarted
            | Self::ItemStarted { .. }
            | Self::ItemUpdated
            | Self::Unknown { .. } => {}
        }
    }
}

fn item_line(item: &Item) -> String {
    match item {
        Item::AgentMessage { text } => format!("[message] {}", or_empty(text)),
        Item::Error(error) => format!("[warning] {}", or_empty(&error.message)),
        Item::CommandExecution { aggregated_output, exit_code, status, .. } => {
            let code = exit_code.map(|code| code.to_string()).unwrap_or_default();
            let output = or_empty(aggregated_output);
            let newline = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
            format!("{output}{newline}[command] ended {}, exit code {code}", or_empty(status))
        }
        Item::McpToolCall { server, tool, status } => {
            format!("[tool] {}.{} {}", or_empty(server), or_empty(tool), or_empty(status))
        }
        Item::FileChange { status, changes } => {
            format!("[files] {} {}", or_empty(status), paths(changes))
        }
        Item::CollabToolCall { .. } => "[collab_tool_call] ".to_owned(),
        Item::WebSearch { text, .. } => format!("[web_search] {}", or_empty(text)),
        Item::Unknown { kind, text } => format!("[{kind}] {}", or_empty(text)),
    }
}
