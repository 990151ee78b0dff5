//! The `ci_*` questions, answered within a budget. Plain data out; what it means for a prompt is the kernel's business.

mod live;
mod source;
mod status;

pub use index::WalkEnd;
pub use live::{Hit, LiveAnswer, LiveOptions, Snippet, Term, live_search, terms};
pub use source::Source;
pub use status::{IndexState, IndexStatus, index_status};
