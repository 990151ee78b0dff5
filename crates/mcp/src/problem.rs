//! The error type of tool calls: a published code, a message and a hint.

use runs::{JobError, RunError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// Creates a problem with the code `INVALID_ARGUMENT`.
    #[must_use]
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new("INVALID_ARGUMENT", message)
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<JobError> for Problem {
    fn from(error: JobError) -> Self {
        let (code, hint) = match &error {
            JobError::Id(_) | JobError::Pattern { .. } => ("INVALID_ARGUMENT", None),
            JobError::NotFound { .. } => ("NOT_FOUND", Some("`codex.list` lists the sessions")),
            JobError::StillRunning(_) => (
                "STILL_RUNNING",
                Some("poll `codex.status` until it has ended, or stop it with `codex.stop`"),
            ),
            JobError::NoThread(_) => (
                "NO_THREAD",
                Some("start a new job with `codex.start` and describe what is left to do"),
            ),
            JobError::NoLog(_) => {
                ("LOG_NOT_FOUND", Some("`codex.status` shows the state of the session"))
            }
            JobError::Folder(_) | JobError::Unreadable { .. } => ("CLI_RUNTIME_ERROR", None),
        };
        Self { code, message: error.to_string(), hint: hint.map(str::to_owned) }
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        let code = match error.exit_code() {
            2 => "INVALID_ARGUMENTS",
            126 => "CODEX_VERSION_INCOMPATIBLE",
            127 => "CODEX_NOT_FOUND",
            _ => "CLI_RUNTIME_ERROR",
        };
        Self { code, message: error.to_string(), hint: error.hint() }
    }
}
