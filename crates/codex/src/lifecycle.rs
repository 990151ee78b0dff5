//! The one seam to the life of a tool call: a codex run is a call like any other, and whoever may veto a call may
//! veto this one.

use serde_json::Value;

pub trait Lifecycle {
    /// Before codex is started. The reason, if it must not be.
    fn before(&self, call: &Value) -> Result<(), String>;

    /// After it ended, with what is published about it.
    fn after(&self, call: &Value, result: &Value);
}

/// Nobody to ask.
pub struct NoHooks;

impl Lifecycle for NoHooks {
    fn before(&self, _call: &Value) -> Result<(), String> {
        Ok(())
    }

    fn after(&self, _call: &Value, _result: &Value) {}
}
