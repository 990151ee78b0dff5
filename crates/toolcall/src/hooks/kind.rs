//! The nine types of hook files there are. The two around a tool call run here; the others are read and listed.

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
    /// Those that fire around a tool call.
    pub const OF_TOOLS: [Self; 2] = [Self::BeforeToolCall, Self::AfterToolCall];

    /// The name of the file, without `.json`.
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

    #[must_use]
    pub fn runs_here(self) -> bool {
        Self::OF_TOOLS.contains(&self)
    }
}
