//! The part of a session's history that the ranking uses.

/// The earlier turns of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionContext {
    /// Files that the session read or edited, oldest first. Paths are relative to the root of the repository. A file that was
    /// read and edited has two entries.
    pub files: Vec<SessionFile>,
    /// The most recent prompts before this prompt, oldest first.
    pub prompts: Vec<String>,
    /// Strings that may name files, such as the output of a command that failed and the last answer of the assistant.
    pub outputs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    pub path: String,
    pub is_edit: bool,
    /// The number of prompts between the access and this prompt. 0 means that the previous turn touched the file.
    pub prompts_ago: u32,
}

impl SessionContext {
    /// Returns whether nothing happened in the session before the prompt.
    #[must_use]
    pub fn is_first_turn(&self) -> bool {
        self.files.is_empty() && self.prompts.is_empty()
    }
}
