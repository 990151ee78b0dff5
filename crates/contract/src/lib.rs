//! The published types and texts: JSON 1.0, error codes, exit codes and the sentences of `[Limits]`.
//!
//! Other programs may parse everything in this crate. Within 1.x, an optional field may be added; no field is renamed or
//! removed.

mod arguments;
mod briefing;
mod code;
mod empty;
mod evidence;
mod limits;
mod model_text;
mod plan;
mod request;
mod result;
mod schema;
mod tool_data;
mod tool_event;

pub use arguments::Arguments;
pub use briefing::{
    Briefing, Client, ClientName, Degraded, DegradedTo, Enforcement, EnforcementSource, ForModel,
    ForUser, FusedContext, Inputs, RepoRootSource, SCHEMA_VERSION, Safety, Signal, SignalKind,
};
pub use code::{ErrorCode, ExitCode};
pub use evidence::{Conflict, Evidence, Structured};
pub use limits::{Limit, Limits};
pub use model_text::{FittedText, ModelText};
pub use plan::{Budget, PlannedTool, ToolPlan};
pub use request::Request;
pub use result::{Redaction, Status, ToolError, ToolResult};
pub use schema::json_schema;
pub use tool_data::{Claim, Finding, ToolData};
pub use tool_event::{ToolDecision, ToolEvent, ToolMoment, ToolVerdict};
