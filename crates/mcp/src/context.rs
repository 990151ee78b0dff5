//! The state of one MCP tool call.

use std::sync::{Arc, OnceLock};

use process::StopSwitch;

use crate::options::ServerOptions;
use crate::problem::Problem;
use crate::progress::ProgressSender;
use crate::slots::RunSlots;

pub struct CallContext {
    pub(crate) host: Arc<ServerOptions>,
    pub(crate) slots: Arc<RunSlots>,
    /// The stop switch of a codex run. It is set when the client cancels the call of `codex.exec`, or when the server stops.
    pub(crate) switch: StopSwitch,
    pub(crate) progress: ProgressSender,
    /// The error of a failed call. Its code is more specific than the error codes of the lifecycle.
    pub(crate) problem: OnceLock<Problem>,
    /// The text for the model, if it differs from the structured result.
    pub(crate) text: OnceLock<String>,
}

impl CallContext {
    /// Sends a progress message to the client, if the client requested progress.
    pub fn tell(&self, line: &str) {
        self.progress.tell(line);
    }
}
