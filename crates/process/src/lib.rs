//! Starts child processes and enforces their deadlines.
//!
//! Each child leads its own process group. When the child ends or reaches its deadline, the whole group is killed, so that
//! no process of the group keeps running or keeps a pipe open. Children started with `start_detached` and `start_tethered`
//! are not killed.

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("Adjutant supports Linux and macOS; on Windows, use WSL (docs/design/platforms.md)");

mod detached;
mod environment;
mod git;
mod identity;
mod program;
mod responder;
mod run;
mod supervised;
mod this_process;

pub use detached::{Tether, start_detached, start_detached_with_output, start_tethered};
pub use environment::{Environment, is_executable};
pub use git::{Git, Repository, RepositoryProblem, WorkTreeProblem};
pub use identity::{ProcessIdentity, Urgency, processes_with};
pub use program::Program;
pub use responder::{Responder, TimedReader};
pub use run::{Bounds, End, Finished, Output, StartError, run, run_until, without_starts};
pub use supervised::{OutputEvent, StopCause, StopSwitch, Supervised, TimeLimits, supervise};
pub use this_process::{lower_priority, replace_process};
