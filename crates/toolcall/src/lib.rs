//! Runs the lifecycle of a tool call: parse → normalise → clamp → before hooks → run → after hooks → redact → record.
//!
//! Other crates can create an [`Implementation`], but only the lifecycle can run it. Other crates cannot run hooks, and
//! callers cannot skip the hooks of a call.

mod arguments;
mod batch;
mod call;
mod clean;
mod client;
mod command;
mod ended;
mod execute;
mod hooks;
mod ledger;
mod lifecycle;
mod preview;
mod start;
mod toolbox;
mod withheld;
mod workers;

pub use arguments::{normalise, parse_arguments};
pub use batch::{BatchBounds, call, call_all};
pub use call::{CallIdentity, Caller, ToolCall};
pub use client::{after_client_call, before_client_call};
pub use ended::{CallStatus, Record, recorded};
pub use hooks::{
    Found, HookAction, HookDialect, HookFile, HookFolders, HookInput, HookKind, HookProblem,
    HookRun, Hooks, Matcher, Rule, Run, Scope, find_hook_files,
};
pub use ledger::Ledger;
pub use lifecycle::{CallOutcome, CompletedCall, ToolContext};
pub use preview::{Fires, HookPreview, preview};
pub use toolbox::{BuiltinCall, Implementation, ToolFailure, ToolOutput, ToolProgram, Toolbox};
