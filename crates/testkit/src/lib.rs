//! Shared test support: temporary repositories, a loopback model, the real Claude Code and Codex CLI in their own
//! home folders, and a scripted codex for behaviour that the real one does not show.
//!
//! A failed setup panics with a message. Only tests depend on this crate.

mod client;
mod fake_codex;
mod installed;
mod launch;
mod piped_program;
mod postgres;
mod repository;
mod script;
mod terminal;
mod wait;

pub use client::{Client, ClientKind};
pub use fake_codex::{FAKE_THREAD, FakeCodex};
pub use installed::{
    Browser, InstalledClients, McpSuites, browser, client_program, clients, mcp_suites,
};
pub use launch::{Finished, Launch, is_running, write_executable};
pub use piped_program::PipedProgram;
pub use postgres::PostgresServer;
pub use repository::{Repository, RepositoryBuilder};
pub use script::ShellScript;
pub use terminal::Terminal;
pub use verify::{ConversationText, LoopbackModel, PassageRole, RecordedRequest, ScriptedAnswer};
pub use wait::{TEST_TIMEOUT, eventually};
