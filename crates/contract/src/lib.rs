//! Defines the published types and messages: JSON 1.0, error codes, exit codes and `[Limits]` messages.
//!
//! Other programs may parse everything that this crate defines. Within 1.x, optional fields may be added, but no field is
//! renamed or removed.

mod arguments;
mod briefing;
mod code;
mod escaped;
mod limits;
mod model_text;
mod request;
mod result;
mod text;
mod tolerant;

pub use arguments::Arguments;
pub use briefing::{
    Briefing, Budget, ClientName, Conflict, Degraded, DegradedTo, Enforcement, EnforcementSource,
    Evidence, ForModel, ForUser, FusedContext, Inputs, PlannedTool, RepoRootSource,
    RequestingClient, SCHEMA_VERSION, Safety, Signal, SignalKind, Structured, ToolPlan,
    json_schema,
};
pub use code::{ErrorCode, ExitCode};
pub use escaped::{ContextLimit, escaped, unescaped};
pub use limits::{Limit, Limits, NOT_QUOTED, is_about_settings};
pub use model_text::{FittedText, ModelText};
pub use request::{
    BRIEFED, COMPOSED_TASK, FileAction, Request, SessionActivity, ToolDecision, ToolEvent,
    ToolMoment, ToolVerdict, TouchedFile,
};
pub use result::{Claim, Finding, Redaction, Status, ToolData, ToolError, ToolResult};
pub use text::{counted, shortened};
