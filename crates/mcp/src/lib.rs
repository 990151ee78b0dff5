//! The MCP server. It offers the eight `ci_*` tools, the briefing and unattended codex runs as MCP tools, over stdio or
//! over HTTP on the loopback interface.
//!
//! Only this crate uses rmcp. Each call runs through the lifecycle of `toolcall`, which runs hooks, enforces limits and
//! redacts the result. This crate does not read the environment and prints nothing. The caller passes a
//! [`ServerOptions`] value instead.

mod call;
mod catalogue;
mod code_tools;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod problem;
mod progress;
mod reply;
mod run_tools;
mod server;
mod slots;
mod stdio;

pub use call::CallContext;
pub use catalogue::{
    Effect, ToolDefinition, ToolGroup, ToolImplementation, input_schema, output_schema,
};
pub use http::{BadToken, Token, serve_http};
pub use problem::Problem;
pub use server::ServerOptions;
pub use stdio::serve_stdio;
