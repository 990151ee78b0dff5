//! Claude Code: its flags, its command line and its events.

pub(crate) mod abilities;
pub(crate) mod arguments;
pub(crate) mod events;
