//! The `ci_*` questions, answered within a budget. Plain data out; what it means for a prompt is the kernel's business.

mod live;
mod query;
mod rank;
mod search;
mod source;
mod status;

pub use index::WalkEnd;
pub use live::{Hit, LiveAnswer, LiveOptions, Snippet, Term, live_search, terms};
pub use query::{Frame, Identifier, Mention, Query, QueryTerm, Weights, Zone};
pub use rank::{Measured, measure, signal_names, signal_weights};
pub use search::{FileHit, Mode, SearchOptions, SymbolHit, search};
pub use source::Source;
pub use status::{IndexState, IndexStatus, index_status};
