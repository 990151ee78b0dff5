//! Unattended codex: orders become arguments for the installed version, a supervised run, a classification and a
//! record; sessions and jobs are looked at, stopped, gone on with and cleaned up. And a person's prompt to codex.
//!
//! The one crate that knows codex's command line and its event stream. Prints nothing and reads no environment: the
//! edge hands in a [`RunHost`].

mod abilities;
mod arguments;
mod bounds;
mod classify;
mod completion;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod instructions;
mod jobs;
mod journal;
mod lifecycle;
mod log;
mod meta;
mod orders_in;
mod patch;
mod progress;
mod reach;
mod ready;
mod redaction;
mod rollout;
mod run_host;
mod sandbox_probe;
mod session;
mod spec;
mod start;
mod state;
mod stream;
mod supervisor;
mod talk;
mod watchdog;

pub use abilities::{Abilities, CODEX_VARIABLE, CodexMissing, Dialect, find_codex};
pub use arguments::{CodexOptions, Unsupported, model_and_effort};
pub use bounds::{MAX_MODEL_TIMEOUT_SECONDS, OutOfBounds};
pub use classify::Classification;
pub use completion::BadGate;
pub use instructions::{
    Base, InstructionError, Instructions, MAX_CHARACTERS, Piece, Section, Sources, SourcesRead,
    Surroundings, read_sources,
};
pub use jobs::{
    CleanRules, Cleaned, Filter, JobError, LogPage, LogQuery, LogView, Metrics, Sessions,
    StopAction, Stopped, Window,
};
pub use journal::Event;
pub use lifecycle::{Lifecycle, NoHooks, TOOL};
pub use meta::Meta;
pub use orders_in::RawArgumentError;
pub use patch::BadPatchTarget;
pub use reach::ReachError;
pub use ready::{Ready, RunError, check, check_for};
pub use redaction::{BadPattern, CleanStream, Redaction, RedactionRules};
pub use run_host::RunHost;
pub use sandbox_probe::{SandboxProbe, Tried, probe_sandbox};
pub use session::{InvalidId, Session, SessionId, sanitised_tag};
pub use spec::{
    Aggregate, Continues, Echo, EffectiveWords, Gates, LogPlace, LogSpec, OrderWords, Origin,
    PatchSpec, Repeat, Spec, TimeLimitsSpec,
};
pub use start::{Started, exec, start, supervise};
pub use state::{SessionState, Status};
pub use stream::Usage;
pub use supervisor::Outcome;
pub use talk::{
    Ask, CutShort, GoesOn, Talked, Told, can_resume_last, talk, talk_arguments, widens_sandbox,
};
pub use watchdog::watch;
