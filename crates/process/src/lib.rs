//! A child process that cannot outlive its deadline.
//!
//! Each child leads a process group of its own. When it ends, or when its time is up, the whole group is
//! killed: whatever it started and left behind holds no pipe of ours open and does not stay running.

mod detached;
mod environment;
mod git;
mod identity;
mod output;
mod program;
mod run;
mod supervised;
mod timed_read;

pub use detached::{Tether, start_detached, start_detached_with_input, start_tethered};
pub use environment::Environment;
pub use git::{Git, WorkTreeProblem};
pub use identity::{Identity, Urgency, processes_with};
pub use output::Output;
pub use program::{Program, Stdin};
pub use run::{Bounds, End, Finished, StartError, run};
pub use supervised::{OutputEvent, StopCause, StopSwitch, Supervised, TimeLimits, supervise};
pub use timed_read::TimedReader;
