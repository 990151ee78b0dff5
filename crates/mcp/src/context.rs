//! What one call of a tool carries with it: whom to tell how it goes, what ends it early, what it found out.

use std::sync::{Arc, OnceLock};

use process::StopSwitch;

use crate::options::ServerOptions;
use crate::problem::Problem;
use crate::progress::ProgressSender;
use crate::slots::RunSlots;

pub struct CallContext {
    pub(crate) host: Arc<ServerOptions>,
    pub(crate) slots: Arc<RunSlots>,
    /// Set when the client cancels the call, or goes away.
    pub(crate) switch: StopSwitch,
    pub(crate) progress: ProgressSender,
    /// Why it failed: the lifecycle knows fewer words for it.
    pub(crate) problem: OnceLock<Problem>,
    /// What a model reads, where that is not the result as it is.
    pub(crate) text: OnceLock<String>,
}

impl CallContext {
    /// Tells the client how it goes, if it asked.
    pub fn tell(&self, line: &str) {
        self.progress.tell(line);
    }
}
