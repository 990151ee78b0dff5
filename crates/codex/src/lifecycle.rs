//! The one seam to the life of a tool call: a codex run is a call like any other, and whoever may veto a call may
//! veto this one.

use serde_json::Value;

/// The name under which a run is a tool call.
pub const TOOL: &str = "codex.exec";

pub trait Lifecycle {
    /// Carries out `run` as one call of [`TOOL`] with these arguments: before hooks, run, after hooks. The reason, if
    /// it must not be run; then `run` was not touched. What `run` returns is what is published about it.
    fn call(&self, arguments: &Value, run: &mut dyn FnMut() -> Value) -> Result<(), String>;
}

/// For a run that already is inside a call, and for tests.
pub struct NoHooks;

impl Lifecycle for NoHooks {
    fn call(&self, _arguments: &Value, run: &mut dyn FnMut() -> Value) -> Result<(), String> {
        run();
        Ok(())
    }
}
