//! A prompt becomes a briefing: signals → plan → calls → fusion.
//!
//! Signals, plan and fusion are pure. [`brief`] is the one function that reads the repository and calls tools;
//! the clock, the environment and chance are handed to it.

mod acquaintance;
mod brief;
mod builtin;
mod calls;
mod desk;
mod evidence;
mod fusion;
mod ground;
mod inputs;
mod intent;
mod knowledge;
mod memory;
mod model_text;
mod plan;
mod run_id;
mod session;
mod signals;
mod user_text;
mod verdict;
mod vocabulary;

pub use brief::{Briefed, World, brief};
pub use builtin::relation_words;
pub use desk::{ClientMoment, Desk, client_call};
pub use intent::{Intent, Need};
pub use knowledge::{Knowledge, Place};
pub use memory::Memory;
pub use signals::{Reading, read_signals};
