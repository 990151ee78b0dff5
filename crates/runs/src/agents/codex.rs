//! Codex: its flags and features, its command line, its events and its record of a thread.

pub(crate) mod abilities;
pub(crate) mod arguments;
pub(crate) mod events;
pub(crate) mod raw_orders;
pub(crate) mod rollout;
