//! The error that a command reports to the user: a message, a hint and an exit code.

use std::error::Error;
use std::fmt::Display;
use std::process::ExitCode;

use crate::output;

pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: u8,
}

impl Failure {
    fn new(message: impl Display, exit: u8) -> Self {
        Self { message: message.to_string(), hint: None, exit }
    }

    pub(crate) fn usage(message: impl Display) -> Self {
        Self::new(message, contract::ExitCode::Usage.number())
    }

    pub(crate) fn configuration(message: impl Display) -> Self {
        Self::new(message, contract::ExitCode::Configuration.number())
    }

    pub(crate) fn tool_failed(message: impl Display) -> Self {
        Self::new(message, contract::ExitCode::ToolFailed.number())
    }

    /// Creates the failure for something that does not exist. Its exit code is 1, like that of a search without results.
    pub(crate) fn not_found(message: impl Display) -> Self {
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
        output::error(&self.message);
        if let Some(hint) = &self.hint {
            output::hint(hint);
        }
        ExitCode::from(self.exit)
    }
}
