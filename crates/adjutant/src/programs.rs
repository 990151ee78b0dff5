//! Provides the clap commands of `adjutant`, `adjutant-hook` and `codex-auto`, from which completions and manual pages
//! are generated.

use clap::{Command, ValueEnum};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgramArgument {
    Adjutant,
    AdjutantHook,
    CodexAuto,
}

impl ProgramArgument {
    pub(crate) fn command(self) -> Command {
        match self {
            Self::Adjutant => crate::commands::command(),
            Self::AdjutantHook => crate::hook::command(),
            Self::CodexAuto => crate::codex_auto::command(),
        }
    }
}

#[cfg(test)]
mod tests;
