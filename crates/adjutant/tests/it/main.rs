//! Tests that run the programs: arguments and stdin in, exit code and output out.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod bad_input;
mod blocked_git;
mod brief;
mod codex_auto;
mod control_plane;
mod doctor;
mod failure;
mod fixture;
mod fusion;
mod hidden_files;
mod hooks;
mod index;
mod install;
mod launchers;
mod log;
mod manual;
mod mcp;
mod odd_files;
mod parser;
mod plan;
mod plugin;
mod questions;
mod queue;
mod root;
mod schema;
mod search_repositories;
mod session;
mod team_index;
mod terminal;
mod tool_events;
mod trust;
mod trust_evasion;
mod unattended;
mod upgrade;
mod version;
