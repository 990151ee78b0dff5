//! Benches that judge a crate by data rather than by tests.

pub(crate) mod guard;
