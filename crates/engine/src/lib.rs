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
mod read_prompt;
#[cfg(feature = "record_readings")]
pub mod readings;
mod report;
mod search;
mod session;
mod source;

pub use ask::{Answer, Asking, Completeness, Item, Remainder, UnknownName, states_relevance};
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
    Subject, Verb, answer_from_files, answer_from_index, callers, is_searched_everywhere,
};
pub use quote::quote;
pub use rank::{
    measure, measure_symbols, session_signal_weights, signal_names, signal_weights,
    symbol_signal_names, symbol_signal_weights,
};
pub use read_prompt::ReadPrompt;
pub use report::{IndexReport, index_report};
pub use search::{FileHit, Mode, SearchOptions, SymbolHit, ask_search, search, search_each};
pub use session::{SessionContext, SessionFile};
pub use source::{Snippet, Source, ToQuote, read_lines};

pub(crate) type NodeMap<T> = std::collections::HashMap<index::Node, T>;
