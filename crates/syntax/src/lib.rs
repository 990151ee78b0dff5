//! One file's bytes become an outline: what it defines, calls, imports and says.
//!
//! Owns tree-sitter and the grammars. Pure: no files, no environment, and no clock but the deadline
//! passed in. Never fails: broken code gives what was understood plus a list of problems.
//! Resolving a name to another file is the business of `index`.

mod characters;
mod complexity;
mod definition;
mod grammar;
mod language;
mod languages;
mod names;
mod outline;
mod outliner;
mod scan;
mod signature;
mod span;
mod walk;

pub use complexity::Complexity;
pub use definition::{Definition, DefinitionId, Kind};
pub use language::Language;
pub use outline::{
    Import, Imported, Outline, Problem, ProblemKind, Reference, ReferenceKind, Text,
};
pub use outliner::{By, Limits, Outliner, outline};
pub use span::{Lines, Span};
