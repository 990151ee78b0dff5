//! The index through its public face: trees in, answers out.

mod damage;
mod freshness;
mod graph;
mod odd_trees;
mod search;
mod store;
mod tree;
