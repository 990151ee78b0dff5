//! The MCP server. It offers the eight `ci_*` tools, the briefing and unattended codex runs as MCP tools, over stdio or
//! over HTTP on the loopback interface.
//!
//! Only this crate uses rmcp. Each call runs through the lifecycle of `toolcall`, which runs hooks, enforces limits and
//! redacts the result. This crate does not read the environment and prints nothing. The caller passes a
//! [`ServerOptions`] value instead.

mod argument;
mod call;
mod catalogue;
mod code_tools;
mod context;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod options;
mod problem;
mod progress;
mod reply;
mod run_tools;
mod server;
mod slots;
mod stdio;
mod token;
mod tool_group;

pub use catalogue::{Definition, Effect, Kind, input_schema, output_schema};
pub use context::CallContext;
pub use http::{HttpError, HttpOptions, serve_http};
pub use options::ServerOptions;
pub use problem::Problem;
pub use stdio::serve_stdio;
pub use token::{BadToken, Token};
pub use tool_group::ToolGroup;
