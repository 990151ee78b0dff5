//! The published words: JSON 1.0, error codes, exit codes and the sentences of `[Limits]`.
//!
//! Everything another program may parse is declared here and nowhere else. Inside 1.x a field may be
//! added if it is optional; nothing is renamed or removed.

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
mod tool_event;

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
pub use tool_event::{ToolDecision, ToolEvent, ToolMoment, ToolVerdict};
