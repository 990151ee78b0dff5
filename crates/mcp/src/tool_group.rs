//! Groups of tools that a server can offer.

use crate::catalogue::{Definition, Effect, Kind};

/// A group of tools. Groups can be left out, because a client sends the schemas of all offered tools to the model
/// with every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolGroup {
    /// The eight `ci_*` tools.
    Code,
    Brief,
    /// The `codex.*` tools that only read.
    CodexReads,
    /// The `codex.*` tools that start, change or delete runs.
    CodexRuns,
}

impl ToolGroup {
    pub const ALL: &[Self] = &[Self::Code, Self::Brief, Self::CodexReads, Self::CodexRuns];
    /// The groups that the plugin offers. All of their tools are read-only.
    pub const SLIM: &[Self] = &[Self::Code, Self::Brief];

    pub(crate) fn of(definition: &Definition) -> Self {
        match (&definition.kind, definition.effect) {
            (Kind::More(tool), _) => tool.group,
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
