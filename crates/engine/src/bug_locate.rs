//! `ci_bug_locate`: from an error text or a stack trace to the code behind it.
//!
//! Frames are mapped to files even when the paths are another machine's; what changed recently weighs more. Where the text
//! has no frames, the caller's search is all there is.

mod frames;
#[cfg(test)]
mod tests;

use std::time::Instant;

use index::{FileId, Node, Role, SymbolId, View};

use crate::Hops;
use crate::location::Location;
use crate::naming::{files_like, find_symbols};
pub use frames::{TraceFrame, trace_frames};

#[derive(Clone, Copy, Debug)]
pub struct BugOptions {
    /// How many come back, at most.
    pub limit: usize,
    pub deadline: Instant,
}

/// A place the error may come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    pub location: Location,
    /// The line the trace names, if it names one in this file.
    pub line: Option<u32>,
    /// From nought to one; the likeliest has one.
    pub score: f32,
    pub why: Suspicion,
    pub recent_commits: u32,
    /// Seconds since 1970; zero when unknown.
    pub last_commit: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// Frame number, counted from where the error was raised.
    Frame(u32),
    /// The error's own name is defined here.
    DefinesError,
    /// The search found it.
    Search,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BugReport {
    pub suspects: Vec<Suspect>,
    /// Frames in the text, from where the error was raised.
    pub frames: Vec<TraceFrame>,
    /// How many of them are in this repository.
    pub mapped: usize,
    pub complete: bool,
}

/// Suspects for an error text; `found` is what a search for it found, best first, with scores of at most one.
#[must_use]
pub fn bug_locate(
    view: &View,
    text: &str,
    found: &[(FileId, f32)],
    options: BugOptions,
) -> BugReport {
    let frames = trace_frames(text);
    let mut report = BugReport { complete: true, ..BugReport::default() };
    let mut suspects: Hops<Suspect> = Hops::default();
    for (number, frame) in frames.iter().enumerate() {
        if Instant::now() >= options.deadline {
            report.complete = false;
            break;
        }
        let Some((node, line)) = map_frame(view, frame) else { continue };
        // The frame that raised it, then its callers; beyond a handful they are how we got there, not why.
        let weight = 1.0 / (1.0 + 0.5 * report.mapped as f32);
        report.mapped += 1;
        accuse(view, &mut suspects, node, line, weight, Suspicion::Frame(number as u32));
    }
    for symbol in error_names(view, text) {
        accuse(view, &mut suspects, Node::Symbol(symbol), None, 0.25, Suspicion::DefinesError);
    }
    let trust_in_search = if report.mapped > 0 { 0.3 } else { 1.0 };
    for (file, score) in found {
        accuse(
            view,
            &mut suspects,
            Node::File(*file),
            None,
            score * trust_in_search,
            Suspicion::Search,
        );
    }
    report.frames = frames;
    report.suspects = suspects.into_values().collect();
    report.suspects.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.location.citation().cmp(&b.location.citation()))
    });
    report.suspects.truncate(options.limit);
    let worst = report.suspects.first().map_or(1.0, |suspect| suspect.score).max(f32::MIN_POSITIVE);
    for suspect in &mut report.suspects {
        suspect.score /= worst;
    }
    report
}

fn accuse(
    view: &View,
    suspects: &mut Hops<Suspect>,
    node: Node,
    line: Option<u32>,
    weight: f32,
    why: Suspicion,
) {
    let file = view.file(crate::location::file_of(view, node));
    let role = match file.role {
        Role::Source => 1.0,
        Role::Test | Role::Example | Role::Generated => 0.5,
        Role::Docs
        | Role::Config
        | Role::Data
        | Role::Vendored
        | Role::Minified
        | Role::Binary
        | Role::Lock => 0.3,
    };
    let recent = 1.0 + 0.1 * (file.history.recent_commits as f32).ln_1p();
    let score = weight * role * recent;
    let suspect = suspects.entry(node).or_insert_with(|| Suspect {
        location: Location::of(view, node),
        line,
        score: 0.0,
        why,
        recent_commits: file.history.recent_commits,
        last_commit: file.history.last_commit,
    });
    suspect.line = suspect.line.or(line);
    suspect.score += score;
}

/// The definition, or else the file, a frame stands in, and the line if it can be trusted.
fn map_frame(view: &View, frame: &TraceFrame) -> Option<(Node, Option<u32>)> {
    let function = frame.function.as_deref().map(frames::plain_function);
    let files = frame.path.as_deref().map(|path| files_like(view, path)).unwrap_or_default();
    if files.is_empty() {
        // Without a file only a name that says where it belongs is good enough.
        let name = frame
            .function
            .as_deref()
            .filter(|name| frame.path.is_none() && name.contains(['.', ':']))?;
        let symbols: Vec<SymbolId> = find_symbols(view, name);
        return (symbols.len() == 1).then(|| (Node::Symbol(symbols[0]), None));
    }
    let with_function = |file: &FileId| {
        let name = function?;
        view.symbols_in(*file).filter(|symbol| symbol.name == name).map(|symbol| symbol.id).next()
    };
    let file = *files
        .iter()
        .find(|file| with_function(file).is_some())
        .or_else(|| files.iter().find(|file| view.role(**file) == Role::Source))
        .or(files.first())?;
    let at_line = frame.line.and_then(|line| view.symbol_at(file, line));
    let named = with_function(&file);
    let is_same = |id: &SymbolId| function.is_none_or(|name| view.symbol(*id).name == name);
    // The name survives edits that move the line.
    match (at_line.filter(is_same), named, at_line) {
        (Some(symbol), _, _) => Some((Node::Symbol(symbol), frame.line)),
        (None, Some(symbol), _) => Some((Node::Symbol(symbol), None)),
        (None, None, Some(symbol)) => Some((Node::Symbol(symbol), frame.line)),
        (None, None, None) => Some((Node::File(file), frame.line)),
    }
}

/// Definitions of error types that the text names.
fn error_names(view: &View, text: &str) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for word in text.split(|it: char| !it.is_alphanumeric() && it != '_') {
        let is_error = ["Error", "Exception", "Failure", "Panic"]
            .iter()
            .any(|end| word.ends_with(end) && word.len() > end.len());
        if is_error {
            let named = view.symbols_named(word);
            if named.len() <= 3 {
                found.extend(named);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
