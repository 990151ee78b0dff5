//! Benchmarks that measure quality on data sets, and speed in comparison with other programs.

mod arguments;
pub(crate) mod edges;
pub(crate) mod fleet;
pub(crate) mod gate;
pub(crate) mod guard;
pub(crate) mod hook;
pub(crate) mod lines;
pub(crate) mod localise;
pub(crate) mod mcp;
pub(crate) mod peers;
pub(crate) mod scale;
pub(crate) mod sessions;
pub(crate) mod speed;
pub(crate) mod toolcall;
