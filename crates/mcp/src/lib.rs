//! The MCP server: the eight `ci_*` questions, the briefing and unattended codex as tools, over stdio or HTTP on
//! loopback.
//!
//! The one crate that knows rmcp and tokio. Every call goes through the lifecycle of `toolcall`, so hooks, limits and
//! redaction are the same as everywhere. Reads no environment and prints nothing: the edge hands in a [`ServerOptions`].

mod argument;
mod call;
mod catalogue;
mod context;
#[doc(hidden)]
pub mod fuzzing;
mod http;
mod options;
mod problem;
mod progress;
mod questions;
mod reply;
mod runs;
mod server;
mod signals;
mod slots;
mod stdio;
mod text;
mod token;

pub use context::CallContext;
pub use http::{HttpError, HttpOptions, serve_http};
pub use options::{MoreTool, ServerOptions};
pub use problem::Problem;
pub use runs::{ConfigValue, RunFields, RunRequest};
pub use stdio::serve_stdio;
pub use token::{BadToken, Token};
