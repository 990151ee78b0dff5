//! What the tests of every crate stand on: temporary repositories, a loopback model, and the real
//! Claude Code and Codex CLI in a home of their own, and a scripted codex for what the real one does not do.
//!
//! A test that cannot be set up panics with a sentence; nothing here is for the product itself.

mod client;
mod conversation;
mod fake_codex;
mod installed;
mod launch;
mod model;
mod patience;
mod repository;
mod script;
mod suites;
mod terminal;

pub use client::{Client, ClientKind};
pub use conversation::Conversation;
pub use fake_codex::{FAKE_THREAD, FakeCodex};
pub use installed::{InstalledClients, clients};
pub use launch::{Finished, Launch, is_running, write_executable};
pub use model::{Answer, LoopbackModel, Passage, RecordedRequest, Role};
pub use patience::{PATIENCE, eventually};
pub use repository::{Repository, RepositoryBuilder};
pub use script::ShellScript;
pub use suites::{McpSuites, mcp_suites};
pub use terminal::Terminal;
