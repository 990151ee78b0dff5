//! Builds, stores and reads a repository's index: text, symbols, graph and git history, in immutable snapshots.
//!
//! Reading a [`View`] takes no locks and returns no errors; [`View::damaged`] reports damaged data. Only one process
//! at a time can write a snapshot, and it always replaces the whole file. Ranking is in the crate `engine`.

mod assemble;
mod build;
mod cache_paths;
mod codec;
mod container;
mod dictionary;
mod exchange;
mod fact_store;
mod facts;
mod freshness;
#[doc(hidden)]
pub mod fuzzing;
mod history;
mod interner;
mod layout;
mod parser;
mod patch;
mod posting_list;
mod role;
mod snapshot;
mod spill;
mod store;
pub mod text;
mod threads;
mod tree_scan;
mod view;
mod walk;

pub use build::{BuildError, BuildOptions, BuildProgress, OnProgress, TreeAccess, build_in_memory};
pub use cache_paths::shared_git_directory;
pub use container::OpenError;
pub use exchange::{
    Exported, FactKeyBytes, ImportError, RedactText, StoredFacts, TreeContent, facts_format,
};
pub use freshness::LookOptions;
pub use history::{HistoryOptions, HistoryState};
pub use parser::{GrammarOutliner, Parser, ParserFailure, serve as serve_parser};
pub use role::{Role, agent_tool};
pub use snapshot::{EdgeKind, FileProfile, Snapshot, SnapshotMeta, Totals};
pub use store::{RefreshError, Refreshed, Store};
pub use syntax::{Complexity, Kind, Language};
pub use view::{
    Edge, File, FileHistory, FileId, Freshness, Node, Passage, PassageId, PassagePosting, Posting,
    Symbol, SymbolId, SymbolPosting, View,
};
pub use walk::{WalkBounds, WalkEnd, visit_files};
