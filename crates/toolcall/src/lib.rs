//! The one life of a tool call: allow-list → clamp → run → clean → record.
//!
//! Nothing outside this crate can run a tool: an [`Implementation`] can be made anywhere, but only the
//! [`Toolbox`] can call it, and every call it makes goes through the same steps.

mod batch;
mod clean;
mod command;
mod lifecycle;
mod recorded;
mod toolbox;

pub use batch::{BatchBounds, call_all};
pub use lifecycle::{Context, Outcome, ToolCall};
pub use recorded::recorded;
pub use toolbox::{Answer, BuiltinCall, Failure, Implementation, Toolbox};
