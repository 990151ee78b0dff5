//! A repository on disk as immutable snapshots: text, symbols, graph, git history.
//!
//! Reads through [`View`] never block and never fail; one writer replaces a snapshot as a whole. Ranking is not here.

mod assemble;
mod codec;
mod container;
mod dictionary;
mod edge;
mod facts;
mod history;
mod layout;
mod place;
mod role;
pub mod text;
mod walk;

pub use edge::EdgeKind;
pub use facts::FileLimits;
pub use history::{HistoryOptions, HistoryState};
pub use role::Role;
pub use walk::{WalkBounds, WalkEnd, visit_files};
