//! Defines the published types and messages: JSON 1.0, error codes, exit codes and `[Limits]` messages.
//!
//! Other programs may parse everything that this crate defines. Within 1.x, optional fields may be added, but no field is
//! renamed or removed.

mod arguments;
mod briefing;
mod code;
mod context_limit;
mod count;
mod escaped;
mod evidence;
mod limits;
mod model_text;
mod request;
mod result;
mod session_activity;
mod shortened;
mod tolerant;
mod tool_data;

pub use arguments::Arguments;
pub use briefing::{
    Briefing, Budget, Client, ClientName, Degraded, DegradedTo, Enforcement, EnforcementSource,
    ForModel, ForUser, FusedContext, Inputs, PlannedTool, RepoRootSource, SCHEMA_VERSION, Safety,
    Signal, SignalKind, ToolPlan, json_schema,
};
pub use code::{ErrorCode, ExitCode};
pub use context_limit::ContextLimit;
pub use count::counted;
pub use escaped::{escaped, unescaped};
pub use evidence::{Conflict, Evidence, Structured};
pub use limits::{Limit, Limits, NOT_QUOTED, is_about_settings};
pub use model_text::{FittedText, ModelText};
pub use request::{
    BRIEFED, COMPOSED_TASK, Request, ToolDecision, ToolEvent, ToolMoment, ToolVerdict,
};
pub use result::{Redaction, Status, ToolError, ToolResult};
pub use session_activity::{FileAction, SessionActivity, TouchedFile};
pub use shortened::shortened;
pub use tool_data::{Claim, Finding, ToolData};
