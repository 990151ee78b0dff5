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
