//! Runs a parser over a source within its limits and hands the tree to the walk.

use std::ops::ControlFlow;
use std::time::Instant;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::grammar::Table;
use crate::language::Language;
use crate::outline::{Outline, Problem, ProblemKind};
use crate::walk;

/// What one file may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub max_bytes: usize,
    pub deadline: Option<Instant>,
}

/// Outlines many files with one parser. Make one per thread.
pub struct Outliner {
    parser: Parser,
    scratch: walk::Scratch,
}

impl Default for Outliner {
    fn default() -> Self {
        Self::new()
    }
}

impl Outliner {
    pub fn new() -> Self {
        Self { parser: Parser::new(), scratch: walk::Scratch::default() }
    }

    /// What is in a file. Never fails: whatever went wrong is in [`Outline::problems`].
    pub fn outline(&mut self, language: Language, source: &[u8], limits: Limits) -> Outline {
        let mut outline = Outline::empty(language);
        if source.len() > limits.max_bytes.min(u32::MAX as usize) {
            outline.problems.push(Problem { kind: ProblemKind::TooLarge, line: 1 });
            return outline;
        }
        let Some(table) = Table::of(language) else { return outline };
        match self.parse(table, source, limits.deadline) {
            Ok(tree) => {
                walk::collect(table, &tree, source, limits.deadline, outline, &mut self.scratch)
            }
            Err(kind) => {
                outline.problems.push(Problem { kind, line: 1 });
                outline
            }
        }
    }

    fn parse(
        &mut self,
        table: &Table,
        source: &[u8],
        deadline: Option<Instant>,
    ) -> Result<Tree, ProblemKind> {
        self.parser.set_language(&table.language).map_err(|_| ProblemKind::Grammar)?;
        let mut in_time = |_: &ParseState| match deadline {
            Some(deadline) if Instant::now() >= deadline => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let options = ParseOptions::new().progress_callback(&mut in_time);
        let mut read = |start: usize, _| source.get(start..).unwrap_or_default();
        let tree = self.parser.parse_with_options(&mut read, None, Some(options));
        // A parse that was broken off would otherwise be continued with the next file's bytes.
        self.parser.reset();
        tree.ok_or(ProblemKind::OutOfTime)
    }
}

/// What is in one file. For many files use an [`Outliner`].
pub fn outline(language: Language, source: &[u8], limits: Limits) -> Outline {
    Outliner::new().outline(language, source, limits)
}
