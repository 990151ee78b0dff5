//! The error that a command reports to the user: a message, a hint and an exit code.

use std::error::Error;
use std::process::ExitCode;

use crate::{output, style};

pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: u8,
}

impl Failure {
    fn new(message: impl Into<String>, exit: u8) -> Self {
        Self { message: message.into(), hint: None, exit }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(message, contract::ExitCode::Usage.number())
    }

    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::new(message, contract::ExitCode::Configuration.number())
    }

    pub(crate) fn tool_failed(message: impl Into<String>) -> Self {
        Self::new(message, contract::ExitCode::ToolFailed.number())
    }

    /// Creates the failure for something that does not exist. Its exit code is 1, like that of a search without results.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(message, 1)
    }

    /// Returns the message of an error and, if there is one, that of its source.
    pub(crate) fn message_of(error: &dyn Error) -> String {
        let source = error.source().map(|source| format!(": {source}"));
        format!("{error}{}", source.unwrap_or_default())
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn report(&self) -> ExitCode {
        output::talk(&format!("{} {}", style::paint(style::BAD, "error:"), self.message));
        if let Some(hint) = &self.hint {
            output::talk(&format!("\n{} {hint}", style::paint(style::HINT, "hint:")));
        }
        ExitCode::from(self.exit)
    }
}
