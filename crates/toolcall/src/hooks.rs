//! The user's hooks: where they are, whom they match, how they run and what their answer means.

mod action;
mod decision;
mod dialect;
mod event;
mod file;
mod fire;
mod folders;
mod kind;
mod matcher;
mod run;
mod scripts;
mod set;

pub use action::{Action, Run};
pub use dialect::Dialect;
pub use file::{HookFile, Rule, Scope};
pub use fire::{HookRun, Verdict};
pub use folders::HookFolders;
pub use kind::HookKind;
pub use matcher::Matcher;
pub use set::{Found, Hooks, Problem, find_hook_files};

pub(crate) use dialect::Moment;
pub(crate) use event::HookEvent;
pub(crate) use file::parse_rules;
pub(crate) use fire::{Fired, any_matches, fire};
pub(crate) use run::depth;
