//! The questions about a repository, answered from an index within a budget.
//!
//! A prompt becomes a [`Query`]; the ranking reads it against a view of the index. Nothing here touches the disk.

mod query;

pub use query::{Frame, Identifier, Mention, Query, QueryTerm, Weights, Zone};
