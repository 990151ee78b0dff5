//! The events that `claude --print --output-format stream-json` prints.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use crate::agents::AgentEvent;
use crate::redaction::shortened;
use crate::stream::Account;
use crate::usage::{Cost, Usage};

/// The maximum length of a tool's input or output in the log, in characters.
const MAX_LOGGED: usize = 2_000;

/// An event that Claude Code prints, with only the fields that this program uses.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ClaudeEvent {
    System {
        subtype: Option<String>,
        session_id: Option<String>,
    },
    Assistant {
        message: Message,
        /// Present only in a sub-agent's messages.
        parent_tool_use_id: Option<String>,
        /// Whether Claude Code wrote the message itself to report an API error.
        #[serde(default)]
        is_api_error_message: bool,
    },
    User {
        message: Message,
    },
    RateLimitEvent {
        rate_limit_info: RateLimit,
    },
    Result(RunResult),
    /// An event of unknown type, or with unexpected fields.
    #[serde(untagged)]
    Unknown {
        #[serde(rename = "type")]
        kind: String,
    },
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Message {
    id: Option<String>,
    usage: Option<TokenCounts>,
    #[serde(default)]
    content: Content,
}

/// The content of a message: either blocks or a string.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    Blocks(Vec<Block>),
    Other(Value),
}

impl Default for Content {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    Text {
        text: String,
    },
    ToolUse {
        name: String,
        #[serde(default)]
        input: Value,
    },
    ToolResult {
        #[serde(default)]
        content: Value,
        is_error: Option<bool>,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct TokenCounts {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

impl TokenCounts {
    fn usage(self) -> Usage {
        let cached_input = self.cache_read_input_tokens;
        Usage {
            input: self
                .input_tokens
                .saturating_add(self.cache_creation_input_tokens)
                .saturating_add(cached_input),
            cached_input,
            output: self.output_tokens,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct RateLimit {
    status: Option<String>,
    /// The reset time, in seconds since the epoch.
    #[serde(rename = "resetsAt")]
    resets_at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct RunResult {
    #[serde(default)]
    is_error: bool,
    subtype: Option<String>,
    result: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
    usage: Option<TokenCounts>,
    /// The usage of this process per model, including sub-agents. `total_cost_usd` is not read, because it includes the
    /// cost of earlier processes of the conversation.
    #[serde(default)]
    model_usage_since_last_result: BTreeMap<String, ModelUse>,
    terminal_reason: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ModelUse {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
    #[serde(rename = "costUSD")]
    cost_usd: f64,
}

impl RunResult {
    fn usage(&self) -> Option<Usage> {
        let models = self.model_usage_since_last_result.values();
        let models = models.map(|model| TokenCounts {
            input_tokens: model.input_tokens,
            cache_creation_input_tokens: model.cache_creation_input_tokens,
            cache_read_input_tokens: model.cache_read_input_tokens,
            output_tokens: model.output_tokens,
        });
        let models = models.map(TokenCounts::usage).reduce(Usage::plus);
        models.or_else(|| self.usage.map(TokenCounts::usage)).filter(|it| *it != Usage::default())
    }

    /// Returns a message that names the cap that ended the process, or `None` if no cap ended it.
    fn cap(&self) -> Option<&'static str> {
        match self.subtype.as_deref()? {
            "error_max_turns" => Some("all turns are used (--max-turns)"),
            "error_max_budget_usd" => Some("the cost has reached the cap (--max-cost)"),
            _ => None,
        }
    }

    fn cost(&self) -> Option<Cost> {
        let models = self.model_usage_since_last_result.values();
        let costs = models.map(|model| Cost::try_from(model.cost_usd).unwrap_or_default());
        costs.reduce(Cost::plus)
    }

    /// Returns the error message if the process failed.
    fn failure(&self) -> Option<String> {
        if !self.is_error {
            return None;
        }
        let reason = self.terminal_reason.as_ref().or(self.subtype.as_ref());
        let errors = (!self.errors.is_empty()).then(|| self.errors.join("; "));
        let text = self.result.clone().filter(|text| !text.trim().is_empty());
        let message = text.or(errors).or_else(|| reason.cloned());
        Some(message.unwrap_or_else(|| "the run failed".to_owned()))
    }
}

impl AgentEvent for ClaudeEvent {
    const HAS_INNER_TURNS: bool = true;

    fn add_to(&self, account: &mut Account) {
        match self {
            Self::System { session_id: Some(id), .. } => account.thread_id = Some(id.clone()),
            Self::Assistant { message, parent_tool_use_id, is_api_error_message: false } => {
                let is_main = parent_tool_use_id.is_none();
                // Claude Code prints each block of a message as a separate event. These events have the same id and the
                // same counts, so only the first one is counted.
                if message.id.is_some() && account.last_message_id != message.id {
                    account.last_message_id.clone_from(&message.id);
                    account.n_turns += u64::from(is_main);
                    let usage = message.usage.unwrap_or_default().usage();
                    account.usage = Some(account.usage.unwrap_or_default().plus(usage));
                }
                if is_main && let Some(text) = message.text() {
                    account.n_items += 1;
                    account.last_message = Some(text);
                }
            }
            Self::RateLimitEvent { rate_limit_info } => {
                if rate_limit_info.status.as_deref() == Some("rejected") {
                    let seconds = rate_limit_info.resets_at;
                    account.limit_resets_at =
                        seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
                }
            }
            Self::Result(result) => {
                // Message events contain the counts at the start of the message. The result event contains the final
                // counts.
                account.usage = result.usage().or(account.usage);
                account.cost = result.cost();
                account.cap = result.cap();
                account.failure = result.failure();
                if !result.is_error {
                    account.last_message.clone_from(&result.result);
                }
            }
            Self::System { .. }
            | Self::Assistant { .. }
            | Self::User { .. }
            | Self::Unknown { .. } => {}
        }
    }

    fn thread_id(&self) -> Option<&str> {
        let Self::System { subtype, session_id } = self else { return None };
        session_id.as_deref().filter(|_| subtype.as_deref() == Some("init"))
    }

    fn log_line(&self) -> Option<String> {
        Some(match self {
            Self::System { .. } => format!("[thread] {}", self.thread_id()?),
            Self::Assistant { message, .. } | Self::User { message } => message.log_line()?,
            Self::RateLimitEvent { rate_limit_info } => {
                format!("[limit] {}", rate_limit_info.status.as_deref().unwrap_or_default())
            }
            Self::Result(result) => match result.failure() {
                Some(failure) => format!("[turn] failed: {failure}"),
                None => {
                    let usage = result.usage().unwrap_or_default();
                    format!("[turn] completed, {} tokens in, {} out", usage.input, usage.output)
                }
            },
            Self::Unknown { kind } => format!("[{kind}]"),
        })
    }
}

impl Message {
    fn blocks(&self) -> &[Block] {
        match &self.content {
            Content::Blocks(blocks) => blocks,
            Content::Other(_) => &[],
        }
    }

    /// Returns the text of the message, or `None` if it has none.
    fn text(&self) -> Option<String> {
        let texts = self.blocks().iter().filter_map(|block| match block {
            Block::Text { text } => Some(text.as_str()),
            Block::ToolUse { .. } | Block::ToolResult { .. } | Block::Unknown => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        (!text.is_empty()).then_some(text)
    }

    fn log_line(&self) -> Option<String> {
        let lines = self.blocks().iter().filter_map(|block| match block {
            Block::Text { text } => Some(format!("[message] {text}")),
            Block::ToolUse { name, input } => Some(format!(
                "[tool] {name} {} [started]",
                shortened(&input.to_string(), MAX_LOGGED)
            )),
            Block::ToolResult { content, is_error } => {
                let output = content.as_str().map_or_else(|| content.to_string(), str::to_owned);
                let end = if *is_error == Some(true) { "failed" } else { "completed" };
                Some(format!("{}\n[tool] ended {end}", shortened(&output, MAX_LOGGED)))
            }
            Block::Unknown => None,
        });
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

#[cfg(test)]
mod tests;
