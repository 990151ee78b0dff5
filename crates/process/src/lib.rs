//! A child process that cannot outlive its deadline.
//!
//! Each child leads a process group of its own. When it ends, or when its time is up, the whole group is
//! killed: whatever it started and left behind holds no pipe of ours open and does not stay running.

mod attached;
mod environment;
mod output;
mod program;
mod run;

pub use attached::run_attached;
pub use environment::Environment;
pub use output::Output;
pub use program::{Program, Stdin};
pub use run::{Bounds, End, Finished, StartError, run};
