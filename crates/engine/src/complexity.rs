//! `ci_complexity`: finds the most complex functions and files.

use std::time::Instant;

use index::{Complexity, FileId, Node, Role, View};

use crate::location::Location;

#[derive(Clone, Debug)]
pub struct ComplexityOptions {
    /// The file or folder to examine, or an empty string for the whole repository.
    pub path: String,
    /// The maximum number of functions and the maximum number of files in the report.
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
    /// The total cyclomatic complexity of all functions in the file.
    pub cyclomatic: u32,
    /// The total cognitive complexity of all functions in the file.
    pub cognitive: u32,
    /// The maximum nesting depth in any function of the file.
    pub nesting: u16,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComplexityReport {
    /// The most complex functions, sorted by cognitive complexity, highest first.
    pub functions: Vec<FunctionComplexity>,
    pub files: Vec<FileComplexity>,
    /// False if the deadline passed before all files were read.
    pub complete: bool,
}

/// Returns the most complex functions and files under `options.path`, most complex first.
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
        let is_below = path
            .strip_prefix(prefix)
            .is_some_and(|rest| prefix.is_empty() || rest.is_empty() || rest.starts_with('/'));
        // Without a path, only source, test and example files are included.
        let is_included = !prefix.is_empty()
            || matches!(view.role(id), Role::Source | Role::Test | Role::Example);
        if is_below && is_included {
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

/// Appends the complexity of each function in the file to `functions`. Returns the file's totals (for nesting, the
/// maximum), or `None` if the file has no functions.
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
