//! Runs the real clients against a scripted model on the loopback interface, in a private home folder, and checks
//! that the model receives the briefing. Used by `adjutant verify` and by tests.
//!
//! A client gets only the environment variables that it needs, so that it neither reads nor changes files in the
//! user's home folder.

mod checks;
mod home;
mod model;

pub use checks::{BRIEFING_HEADING, ClientCheck, run};
pub use home::CheckedClient;
pub use model::{ConversationText, LoopbackModel, PassageRole, RecordedRequest, ScriptedAnswer};
