//! `ci_complexity`: how hard functions and files are to follow.

use std::time::Instant;

use index::{Complexity, FileId, Role, View};

use crate::location::Location;
use index::Node;

#[derive(Clone, Debug)]
pub struct ComplexityOptions {
    /// Only files whose path is this or lies beneath it; empty for all.
    pub path: String,
    /// How many functions and how many files come back, at most.
    pub top_k: usize,
    pub deadline: Instant,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FunctionComplexity {
    pub location: Location,
    pub figures: Complexity,
    pub lines: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileComplexity {
    pub path: String,
    pub functions: u32,
    pub lines: u32,
    /// Sums over its functions.
    pub cyclomatic: u32,
    pub cognitive: u32,
    /// The deepest nesting in it.
    pub nesting: u16,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComplexityReport {
    /// Hardest first, by cognitive complexity.
    pub functions: Vec<FunctionComplexity>,
    pub files: Vec<FileComplexity>,
    /// Whether every file was looked at.
    pub complete: bool,
}

/// The hardest functions and files.
#[must_use]
pub fn complexity(view: &View, options: &ComplexityOptions) -> ComplexityReport {
    let mut report = ComplexityReport { complete: true, ..ComplexityReport::default() };
    let prefix = options.path.trim_matches('/');
    for id in view.files() {
        if Instant::now() >= options.deadline {
            report.complete = false;
            break;
        }
        let path = view.path(id);
        let is_beneath = path
            .strip_prefix(prefix)
            .is_some_and(|rest| prefix.is_empty() || rest.is_empty() || rest.starts_with('/'));
        // Code nobody reads is not hard to read, unless it is asked for.
        let is_meant = !prefix.is_empty()
            || matches!(view.role(id), Role::Source | Role::Test | Role::Example);
        if is_beneath && is_meant {
            report.files.extend(file_complexity(view, id, &mut report.functions));
        }
    }
    report.functions.sort_by(|a, b| {
        rank(&b.figures, b.lines)
            .cmp(&rank(&a.figures, a.lines))
            .then_with(|| a.location.path.cmp(&b.location.path))
    });
    report.functions.truncate(options.top_k);
    report.files.sort_by(|a, b| {
        (b.cognitive, b.cyclomatic, b.lines)
            .cmp(&(a.cognitive, a.cyclomatic, a.lines))
            .then_with(|| a.path.cmp(&b.path))
    });
    report.files.truncate(options.top_k);
    report
}

fn rank(figures: &Complexity, lines: u32) -> (u16, u16, u32) {
    (figures.cognitive, figures.cyclomatic, lines)
}

/// Adds the functions of a file and sums them up; none when it has no functions.
pub(crate) fn file_complexity(
    view: &View,
    id: FileId,
    functions: &mut Vec<FunctionComplexity>,
) -> Option<FileComplexity> {
    let file = view.file(id);
    let mut sum = FileComplexity {
        path: file.path.to_owned(),
        functions: 0,
        lines: file.lines,
        cyclomatic: 0,
        cognitive: 0,
        nesting: 0,
    };
    for symbol in view.symbols_in(id) {
        let Some(figures) = symbol.complexity else { continue };
        sum.functions += 1;
        sum.cyclomatic += u32::from(figures.cyclomatic);
        sum.cognitive += u32::from(figures.cognitive);
        sum.nesting = sum.nesting.max(figures.nesting);
        let lines = symbol.lines.end().saturating_sub(*symbol.lines.start()) + 1;
        functions.push(FunctionComplexity {
            location: Location::of(view, Node::Symbol(symbol.id)),
            figures,
            lines,
        });
    }
    (sum.functions > 0).then_some(sum)
}
