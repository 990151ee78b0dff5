//! The error that a command reports to the user: a message, a hint and an exit code.

use std::process::ExitCode;

use crate::{output, style};

pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) exit: u8,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, exit: contract::ExitCode) -> Self {
        Self { message: message.into(), hint: None, exit: exit.number() }
    }

    /// Creates the failure for something that does not exist. Its exit code is 1, like that of a search without results.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, exit: 1 }
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
