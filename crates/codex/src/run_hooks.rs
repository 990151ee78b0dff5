//! The user's hooks around a run. A run is the tool call `codex.exec`.

use std::path::Path;

use serde::Serialize;

use crate::meta::Meta;
use crate::spec::{EffectiveWords, OrderWords};

/// The name of the tool call that a run is.
pub const TOOL: &str = "codex.exec";

/// The arguments of the tool call.
///
/// The texts are redacted with the guard's rules only. A caller's own pattern could hide from a hook what the hook has to
/// check.
#[derive(Clone, Debug, Serialize)]
pub struct RunCall<'a> {
    pub session: &'a str,
    pub prompt: String,
    pub title: String,
    pub cwd: &'a Path,
    pub tag: &'a str,
    pub requested: OrderWords,
    pub effective: EffectiveWords,
    pub model: Option<String>,
}

pub trait RunHooks {
    /// Runs the before hooks. An error is the reason why the run must not start.
    fn before(&self, call: &RunCall<'_>) -> Result<(), String>;

    /// Runs the after hooks of a run that started.
    fn after(&self, call: &RunCall<'_>, meta: &Meta);
}

/// For a run whose caller runs the hooks, and for tests.
pub struct NoHooks;

impl RunHooks for NoHooks {
    fn before(&self, _call: &RunCall<'_>) -> Result<(), String> {
        Ok(())
    }

    fn after(&self, _call: &RunCall<'_>, _meta: &Meta) {}
}
