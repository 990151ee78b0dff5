//! Runs the real clients against a model on the loopback interface, in a private home, and checks that the briefing
//! arrives. `adjutant verify` and the tests use it.
//!
//! A client gets only the variables that it needs, so it reads and changes no file of the user's home.

mod checks;
mod home;
mod model;

pub use checks::{BRIEFING_HEADING, Check, Outcome, run};
pub use home::Subject;
pub use model::{Answer, LoopbackModel, Passage, RecordedRequest, Role};
