//! Groups of tools that a server can offer.

use crate::catalogue::{Definition, Effect, Kind};

/// A group of tools. Groups can be left out, because a client sends the schemas of all offered tools to the model
/// with every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// The `ci_*` tools that answer a question about the code.
    Code,
    /// The `ci_*` tools that describe the repository: the state of its index, its complexity and its hotspots.
    Overview,
    Brief,
    /// The `codex.*` tools that only read.
    CodexReads,
    /// The `codex.*` tools that start, change or delete runs.
    CodexRuns,
}

impl ToolGroup {
    pub const ALL: &[Self] =
        &[Self::Code, Self::Overview, Self::Brief, Self::CodexReads, Self::CodexRuns];
    /// The default groups: the tools that an agent needs in addition to its own search. All of them are read-only.
    pub const SLIM: &[Self] = &[Self::Code, Self::Brief];

    pub(crate) fn of(definition: &Definition) -> Self {
        match (&definition.kind, definition.effect) {
            (Kind::Code(tool), _) if tool.is_overview => Self::Overview,
            (Kind::Code(_), _) => Self::Code,
            (Kind::Brief, _) => Self::Brief,
            (Kind::WholeRun(_) | Kind::Run(_), Effect::ReadsOnly) => Self::CodexReads,
            (
                Kind::WholeRun(_) | Kind::Run(_),
                Effect::Adds | Effect::Destroys | Effect::RunsCodex,
            ) => Self::CodexRuns,
        }
    }
}
