//! The parts of a session's history that the ranking uses.

/// The earlier turns of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionContext {
    /// Files that the session read or edited, oldest first. Paths are relative to the repository root. A file that was
    /// both read and edited has two entries.
    pub files: Vec<SessionFile>,
    /// The most recent prompts before the current one, oldest first.
    pub prompts: Vec<String>,
    /// Strings that may name files, such as the output of a failed command.
    pub outputs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    pub path: String,
    pub is_edit: bool,
    /// The number of prompts between the access and the current prompt. 0 means that the file was accessed in the
    /// previous turn.
    pub prompts_ago: u32,
}

impl SessionContext {
    /// Returns whether nothing happened in the session before the current prompt.
    #[must_use]
    pub fn is_first_turn(&self) -> bool {
        self.files.is_empty() && self.prompts.is_empty()
    }
}
