//! The `ci_*` questions, answered within a budget. Plain data out; what it means for a prompt is the kernel's business.

mod bug_locate;
mod call_chain;
mod complexity;
mod graph_rag;
mod hotspot;
mod impact;
mod known_terms;
mod live;
mod location;
mod naming;
mod query;
mod rank;
mod report;
mod search;
mod snippet;
mod source;

pub use bug_locate::{
    BugOptions, BugReport, Suspect, Suspicion, TraceFrame, bug_locate, trace_frames,
};
pub use call_chain::{CallChain, ChainOptions, ChainStep, Direction, call_chain, call_path};
pub use complexity::{
    ComplexityOptions, ComplexityReport, FileComplexity, FunctionComplexity, complexity,
};
pub use graph_rag::{GraphAnswer, GraphItem, GraphOptions, Relation, Why, graph_rag};
pub use hotspot::{Hotspot, HotspotOptions, HotspotReport, hotspots};
pub use impact::{Affected, Impact, ImpactOptions, impact};
pub use index::WalkEnd;
pub use known_terms::{KnownTerms, known_terms};
pub use live::{Hit, LiveAnswer, LiveOptions, Term, live_search, terms};
pub use location::Location;
pub use naming::{files_like, find_nodes, find_symbols};
pub use query::{Frame, Identifier, Mention, Query, QueryTerm, Weights, Zone};
pub use rank::{
    Measured, measure, measure_symbols, signal_names, signal_weights, symbol_signal_names,
    symbol_signal_weights,
};
pub use report::{IndexReport, index_report};
pub use search::{FileHit, Mode, SearchOptions, SymbolHit, search};
pub use snippet::{Snippet, snippet};
pub use source::{Source, ToQuote};

/// What is known of each node a walk over the graph has met.
pub(crate) type Hops<T> = std::collections::HashMap<index::Node, T>;
