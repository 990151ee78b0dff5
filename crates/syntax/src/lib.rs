//! Converts the source text of one file into an outline, which lists its definitions, references, imports, comments
//! and strings.
//!
//! This crate contains tree-sitter and the grammars. It does no I/O and reads the clock only to check a deadline.
//! Outlining never fails: broken code produces a partial outline with a list of problems. The crate `index` resolves
//! names across files.

mod binding;
mod builder;
mod chain;
mod complexity;
mod conventions;
mod definition;
mod grammar;
mod known_names;
mod languages;
mod outline;
mod outliner;
mod span;
mod text_reader;
mod token_reader;
mod walk;

pub use binding::{Binding, BindingKind};
pub use chain::{Chain, read_chain};
pub use complexity::Complexity;
pub use definition::{Definition, DefinitionId, Kind};
pub use languages::{Language, ModuleSystem};
pub use outline::{
    Import, Imported, Outline, OutlineProblem, ProblemKind, Reference, ReferenceKind, Text,
};
pub use outliner::{OutlineLimits, Outliner, TokenOutliner};
pub use span::{Lines, Span};
