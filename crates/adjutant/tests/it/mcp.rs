//! The MCP server as a client meets it: JSON-RPC in, JSON-RPC out (C4, C5).

mod client;
mod http;
mod leaks;
mod life;
mod privilege;
mod protocol;
mod questions;
mod runs;
