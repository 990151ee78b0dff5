//! A repository on disk: which files it has.

mod walk;

pub use walk::{WalkBounds, WalkEnd, visit_files};
