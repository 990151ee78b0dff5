//! The MCP server as a process: JSON-RPC requests and responses (C4, C5).

mod client;
mod directories;
mod http;
mod leaks;
mod privilege;
mod protocol;
mod questions;
mod queue;
mod run_limit;
mod runs;
mod shutdown;
mod surfaces;
mod unknown_codex;
