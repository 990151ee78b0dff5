//! Hooks: the user's programs that run before and after tool calls.

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

pub use action::{HookAction, Run};
pub use dialect::HookDialect;
pub use event::HookInput;
pub use file::{HookFile, Rule, Scope};
pub use fire::HookRun;
pub use folders::HookFolders;
pub use matcher::Matcher;
pub use set::{Found, HookProblem, Hooks, find_hook_files};

pub(crate) use event::{HookError, HookEvent};
pub(crate) use fire::{Fired, any_matches, fire};
pub(crate) use run::depth;

use contract::ToolMoment;

/// The type of the hooks in a hook file.
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
    /// The hook types that run before or after a tool call.
    pub const OF_TOOLS: [Self; 2] = [Self::BeforeToolCall, Self::AfterToolCall];

    /// Returns the type of the hooks that run before or after a tool call.
    pub(crate) fn of(moment: ToolMoment) -> Self {
        match moment {
            ToolMoment::Before => Self::BeforeToolCall,
            ToolMoment::After | ToolMoment::Failed => Self::AfterToolCall,
        }
    }

    /// Returns the hook file's name without `.json`.
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

    /// Returns true if Adjutant runs hooks of this type. Adjutant only reads and lists hooks of other types.
    #[must_use]
    pub fn runs_here(self) -> bool {
        Self::OF_TOOLS.contains(&self)
    }
}
