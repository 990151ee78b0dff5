//! Runs codex unattended. This crate checks the requested sandbox, approval policy and network access, builds the
//! command line for the installed version, supervises the process, classifies how it ended and writes the session
//! record. It also reads, stops, resumes and deletes sessions, and forwards a user's prompt to codex.
//!
//! Only this crate depends on codex's command line and event stream. The crate prints nothing and does not read the
//! environment: the caller passes a [`RunHost`].

mod access;
mod agents;
mod bounds;
mod checks;
mod classify;
mod completion;
mod directory;
mod files;
#[doc(hidden)]
pub mod fuzzing;
mod instructions;
mod jobs;
mod journal;
mod log;
mod patch;
mod progress;
mod redaction;
mod request;
mod run_host;
mod sandbox_probe;
mod session;
mod settings;
mod spec;
mod start;
mod state;
mod stream;
mod supervisor;
mod turn;
mod usage;
mod usage_limit;

pub use access::AccessError;
pub use agents::claude::abilities::CLAUDE_VARIABLE;
pub use agents::codex::abilities::{Abilities, CODEX_VARIABLE, CodexMissing, Dialect, find_codex};
pub use agents::codex::arguments::{CodexOptions, model_and_effort};
pub use agents::codex::raw_orders::RawArgumentError;
pub use agents::codex::rollout::codex_home;
pub use agents::{AgentKind, Unsupported};
pub use bounds::{MAX_MODEL_TIMEOUT_SECONDS, OutOfBounds, TimeLimit};
pub use checks::{CheckedRun, RunError, check, check_for, decide_orders};
pub use classify::Classification;
pub use completion::{BadCondition, Committed, GeneratedFiles, commit_all};
pub use directory::DirectoryError;
pub use instructions::{InstructionError, Instructions, MAX_CHARACTERS, Piece};
pub use jobs::{
    Activity, CleanRules, Cleaned, Filter, JobError, LogPage, LogQuery, Metrics, Sessions,
    StopAction, Stopped, Window, watch,
};
pub use patch::{BadPatchTarget, PatchArtifact};
pub use redaction::{BadPattern, RedactionRules};
pub use request::{BriefingChoice, Preset, RunPlace, RunRequest, RunWish};
pub use run_host::{Brief, RunCall, RunHooks, RunHost, TOOL};
pub use sandbox_probe::{SandboxProbe, Tried, probe_sandbox};
pub use session::{InvalidId, Session, SessionId, sanitised_tag};
pub use settings::{BadHome, BadSettings, SETTINGS_FILE, UnattendedSettings};
pub use spec::{
    Aggregate, CONTINUE_PROMPT, Conditions, Continues, Echo, EffectiveOrders, LogPlace, LogSpec,
    Origin, PatchSpec, Repeat, Spec, TimeLimitsSpec,
};
pub use start::{Preview, Started, exec, exec_checked, start, start_followed, supervise};
pub use state::{Meta, SessionState, SessionStatus};
pub use supervisor::{RunOutcome, kill_processes};
pub use turn::{
    Continuation, Interruption, TurnOutput, TurnRequest, TurnResult, can_resume_last, run_turn,
    turn_arguments, widens_sandbox,
};
pub use usage::{BadCost, Caps, Cost, Price, SessionBudget, TotalUse, Usage};
pub use usage_limit::OnUsageLimit;
