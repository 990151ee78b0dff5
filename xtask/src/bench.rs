//! Benches that judge by data or beside a rival rather than by tests.

pub(crate) mod guard;
pub(crate) mod hook;
pub(crate) mod localise;
pub(crate) mod scale;
pub(crate) mod speed;
pub(crate) mod toolcall;
