//! Hooks: programs of the user that run before and after tool calls.

mod action;
mod decision;
mod dialect;
mod event;
mod file;
mod fire;
mod folders;
mod matcher;
mod run;
mod set;

pub use action::{Action, Run};
pub use dialect::Dialect;
pub use event::HookInput;
pub use file::{HookFile, Rule, Scope, parse_rules};
pub use fire::HookRun;
pub use folders::HookFolders;
pub use matcher::Matcher;
pub use set::{Found, Hooks, Problem, find_hook_files};

pub(crate) use dialect::Moment;
pub(crate) use event::{HookError, HookEvent};
pub(crate) use fire::{Fired, any_matches, fire};
pub(crate) use run::depth;

/// The type of a hook file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookKind {
    BeforeToolCall,
    AfterToolCall,
    ToolConfirmation,
    OnUserMessage,
    OnSessionStart,
    OnStop,
    OnSubAgentComplete,
    BeforeSubAgentStart,
    BeforeCompress,
}

impl HookKind {
    pub const ALL: [Self; 9] = [
        Self::BeforeToolCall,
        Self::AfterToolCall,
        Self::ToolConfirmation,
        Self::OnUserMessage,
        Self::OnSessionStart,
        Self::OnStop,
        Self::OnSubAgentComplete,
        Self::BeforeSubAgentStart,
        Self::BeforeCompress,
    ];
    /// The types that run before and after a tool call.
    pub const OF_TOOLS: [Self; 2] = [Self::BeforeToolCall, Self::AfterToolCall];

    /// The name of the hook file without `.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::BeforeToolCall => "beforeToolCall",
            Self::AfterToolCall => "afterToolCall",
            Self::ToolConfirmation => "toolConfirmation",
            Self::OnUserMessage => "onUserMessage",
            Self::OnSessionStart => "onSessionStart",
            Self::OnStop => "onStop",
            Self::OnSubAgentComplete => "onSubAgentComplete",
            Self::BeforeSubAgentStart => "beforeSubAgentStart",
            Self::BeforeCompress => "beforeCompress",
        }
    }

    /// Whether Adjutant runs hooks of this type. It only reads and lists the other types.
    #[must_use]
    pub fn runs_here(self) -> bool {
        Self::OF_TOOLS.contains(&self)
    }
}
