//! Runs the user's hooks before and after a run. Hooks receive a run as a call of the tool `codex.exec`.

use std::path::Path;

use policy::Requested;
use serde::Serialize;

use crate::meta::Meta;
use crate::spec::EffectiveOrders;

/// The tool name of a run in hook events.
pub const TOOL: &str = "codex.exec";

/// The arguments of the tool call, as hooks receive them.
///
/// All strings are redacted with the guard's rules only. The caller's patterns are not applied, because they could hide
/// text that a hook has to check.
#[derive(Clone, Debug, Serialize)]
pub struct RunCall<'a> {
    pub session: &'a str,
    pub prompt: String,
    pub title: String,
    pub cwd: &'a Path,
    pub tag: &'a str,
    pub requested: Requested,
    pub effective: EffectiveOrders,
    pub model: Option<String>,
}

pub trait RunHooks {
    /// Runs the before hooks. An error blocks the run and contains the reason.
    fn before(&self, call: &RunCall<'_>) -> Result<(), String>;

    /// Runs the after hooks of a run that was not blocked.
    fn after(&self, call: &RunCall<'_>, meta: &Meta);
}
