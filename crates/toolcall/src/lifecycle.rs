//! From a call to its outcome, in one function.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use contract::{ErrorCode, Limit, Status, ToolError, ToolResult};
use process::Environment;
use serde_json::{Map, Value};

use crate::clean::clean;
use crate::command;
use crate::toolbox::{Answer, BuiltinCall, Failure, Kind, Toolbox};

#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub timeout: Duration,
}

/// What all calls of one run share.
pub struct Context {
    pub prompt: String,
    pub root: guard::Root,
    pub environment: Environment,
    /// The time of day, as text; the edge owns the clock.
    pub now: Box<dyn Fn() -> String + Send + Sync>,
}

/// How a call ended, ready to be published: nothing unredacted is left in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub result: ToolResult,
    pub limits: Vec<Limit>,
}

/// The only place where a tool is run.
pub(crate) fn run(toolbox: &Toolbox, context: &Context, call: &ToolCall, wall: Instant) -> Outcome {
    let started_at = (context.now)();
    let started = Instant::now();
    let mut limits = Vec::new();
    let ended = admit(call, &mut limits).and_then(|arguments| {
        let deadline = wall.min(started + call.timeout);
        if started >= wall {
            limits.push(Limit::BudgetExceeded);
            return Err(Ended::skipped(ErrorCode::BudgetExceeded, "no time was left to start it"));
        }
        carry_out(toolbox, context, call, arguments, deadline)
    });
    let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (status, answer, error) = match ended {
        Ok(answer) => (Status::Ok, answer, None),
        Err(ended) => {
            limits.extend(ended.limit(&call.tool));
            (
                ended.status,
                Answer::default(),
                Some(ToolError { message: ended.message, code: Some(ended.code) }),
            )
        }
    };
    limits.extend(answer.limits);
    let result = ToolResult {
        tool: call.tool.clone(),
        status,
        started_at,
        duration_ms,
        summary: if answer.summary.is_empty() { status.word().to_owned() } else { answer.summary },
        data: answer.data,
        error,
        redactions: Vec::new(),
        truncated: answer.truncated,
    };
    let cleaned = clean(context, result);
    limits.extend(cleaned.limits);
    Outcome { result: cleaned.result, limits }
}

/// Only tools of the allow-list, only with arguments within their limits.
fn admit(call: &ToolCall, limits: &mut Vec<Limit>) -> Result<Map<String, Value>, Ended> {
    let Some(rule) = policy::tool(&call.tool) else {
        return Err(Ended::skipped(ErrorCode::InvalidArgs, "not a tool of the allow-list"));
    };
    let (arguments, clamped) = policy::clamp(rule, &call.arguments)
        .map_err(|error| Ended::skipped(ErrorCode::InvalidArgs, &error.to_string()))?;
    limits.extend(clamped);
    Ok(arguments)
}

fn carry_out(
    toolbox: &Toolbox,
    context: &Context,
    call: &ToolCall,
    arguments: Map<String, Value>,
    deadline: Instant,
) -> Result<Answer, Ended> {
    match toolbox.get(&call.tool) {
        Kind::Unavailable => {
            Err(Ended::skipped(ErrorCode::ToolUnavailable, "tool unavailable; skipped"))
        }
        Kind::Command(executable) => command::run(&executable, context, call, &arguments, deadline),
        Kind::Builtin(builtin) => {
            let call = BuiltinCall { arguments, prompt: context.prompt.clone(), deadline };
            // On a thread of its own: a tool that forgets its deadline, or panics, costs only itself.
            let (sender, receiver) = mpsc::channel();
            let builtin = Arc::clone(&builtin);
            thread::spawn(move || sender.send(builtin(&call)));
            match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(answer) => answer.map_err(Ended::from),
                Err(mpsc::RecvTimeoutError::Timeout) => Err(Ended::timed_out()),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    Err(Ended::failed(ErrorCode::Unknown, "the tool crashed"))
                }
            }
        }
    }
}

/// How a call ended when it did not answer.
pub(crate) struct Ended {
    status: Status,
    code: ErrorCode,
    message: String,
}

impl Ended {
    pub(crate) fn skipped(code: ErrorCode, message: &str) -> Self {
        Self { status: Status::Skipped, code, message: message.to_owned() }
    }

    pub(crate) fn failed(code: ErrorCode, message: &str) -> Self {
        Self { status: Status::Error, code, message: message.to_owned() }
    }

    pub(crate) fn timed_out() -> Self {
        Self {
            status: Status::Timeout,
            code: ErrorCode::Timeout,
            message: "no answer in time".to_owned(),
        }
    }

    fn limit(&self, tool: &str) -> Option<Limit> {
        let tool = tool.to_owned();
        match (self.status, self.code) {
            (Status::Timeout, _) => Some(Limit::ToolTimeout { tool }),
            (Status::Skipped, ErrorCode::ToolUnavailable) => Some(Limit::ToolUnavailable { tool }),
            (Status::Skipped, ErrorCode::InvalidArgs) => {
                Some(Limit::InvalidArgs { tool, reason: self.message.clone() })
            }
            (Status::Error, _) => Some(Limit::ToolFailed { tool, message: self.message.clone() }),
            (Status::Skipped | Status::Ok, _) => None,
        }
    }
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        if failure.code == ErrorCode::Timeout {
            Self::timed_out()
        } else if failure.code == ErrorCode::ToolUnavailable {
            Self::skipped(failure.code, &failure.message)
        } else {
            Self::failed(failure.code, &failure.message)
        }
    }
}
