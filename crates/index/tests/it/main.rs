//! Tests the index through its public interface.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests may panic and read the environment"
)]

mod callers;
mod clones;
mod damage;
mod declared_callers;
mod freshness;
mod git_limits;
mod graph;
mod memory;
mod newest;
mod odd_trees;
mod parser;
mod patch;
mod refused;
mod search;
mod store;
mod tree;
mod writers;
