//! Creates the briefing for a prompt in four steps: signals → plan → calls → fusion.
//!
//! Signals, plan and fusion are pure functions. The modules that read the repository and call tools get the clock, the
//! environment and random bytes from the caller in a [`Host`].

mod activity;
mod ask_question;
mod brief;
mod builtin;
mod calls;
mod deadline;
mod evidence;
mod evidence_gate;
mod fusion;
pub mod gate;
mod inputs;
mod intent;
mod knowledge;
mod memory;
mod model_text;
mod plan;
mod quotes;
mod repo_context;
mod repo_tools;
mod run_id;
mod session;
mod signals;
mod user_text;
mod vocabulary;

pub use brief::{Briefed, Host, brief};
pub use deadline::{MARGIN, NoBriefing, brief_within_budget};
pub use engine::states_relevance;
pub use intent::{Intent, Need};
pub use knowledge::{Asked, IndexLocation, IndexProblem, Knowledge};
pub use memory::Memory;
pub use repo_context::RepoProblem;
pub use repo_tools::RepoTools;
pub use signals::{Reading, read_signals};
pub use user_text::{UserLine, UserText};
