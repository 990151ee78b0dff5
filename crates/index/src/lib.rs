//! A repository on disk as immutable snapshots: text, symbols, graph, git history.
//!
//! Reads through [`View`] never block and never fail; one writer replaces a snapshot as a whole. Ranking is not here.

mod codec;
mod container;
mod dictionary;
mod facts;
mod history;
mod place;
mod role;
pub mod text;
