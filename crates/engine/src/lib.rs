//! Answers questions about a repository. Each question has its own file and a function that starts with `ask_`; all of
//! them return an [`Answer`] before the deadline.

mod ask;
mod bug_locate;
mod call_chain;
mod comments;
mod complexity;
mod direct_search;
mod explore;
mod headline;
mod hotspot;
mod impact;
mod known_terms;
mod location;
mod naming;
mod query;
mod question;
mod quote;
mod rank;
#[cfg(feature = "record_readings")]
pub mod readings;
mod search;
mod source;

pub use ask::{
    Answer, Asking, Completeness, Item, ReadPrompt, Remainder, UnknownName, states_relevance,
};
pub use bug_locate::ask_failure;
pub use call_chain::ask_calls;
pub use complexity::ask_complexity;
pub use direct_search::{DirectAnswer, DirectHit, direct_search};
pub use explore::{MATCHED_CODE, RELATED_CODE, ask_explore, ask_working_set};
pub use headline::headline;
pub use hotspot::ask_hotspots;
pub use impact::ask_impact;
pub use index::WalkEnd;
pub use known_terms::{KnownTerms, known_terms, names_unknown};
pub use location::Location;
pub use naming::{files_like, find_nodes, find_symbols};
pub use query::{
    CodeWord, CodeWordKind, Form, Frame, Identifier, Mention, Query, QueryTerm, Section,
    SectionCounts, TraceFrame, trace_frames,
};
pub use question::{
    CallSite, Callers, DIRECT_ANSWER, DirectQuestion, QuestionAnswer, QuestionKind, Rest, Site,
    Subject, Verb, answer_direct_question, callers, is_searched_everywhere,
};
pub use quote::quote;
pub use rank::{Column, measure, measure_symbols, signal_weights, symbol_signal_weights};
pub use search::{
    FileHit, SearchMode, SearchOptions, SessionContext, SessionFile, SymbolHit, ask_search, search,
    search_each,
};
pub use source::{Snippet, Source, ToQuote, read_lines};

pub(crate) type NodeMap<T> = std::collections::HashMap<index::Node, T>;
