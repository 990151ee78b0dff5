//! `ci_bug_locate`: finds the code that may have caused an error, given an error message or a stack trace.
//!
//! Frames are matched to files by the last components of their paths, because a trace may come from another machine.
//! Files with recent commits score higher. The lines that contain the message and the search results that the caller
//! passes are also suspects; they have a lower weight if a frame refers to this repository.

use std::time::Instant;

use contract::counted;
use index::{FileId, Node, Role, SymbolId, View};
use serde_json::json;

use crate::NodeMap;
use crate::ask::{Answer, Asking, Completeness, Item, UnknownName};
use crate::location::Location;
use crate::naming::{files_like, find_symbols};
use crate::query::{TraceFrame, plain_function, trace_frames};
use crate::question::message_lines;

/// A location in the code that may have caused the error.
struct Suspect {
    location: Location,
    /// The line in the trace, the line of the message, or the first matching line of a file without definitions. `None`
    /// if there is no such line, or if the code has moved.
    line: Option<u32>,
    /// The score, in the end relative to the first suspect, from 0 to 1.
    score: f32,
    why: Suspicion,
    recent_commits: u32,
}

enum Suspicion {
    /// The location is in a stack frame. The frame that raised the error has index 0.
    Frame(u32),
    /// The line contains the error message or the longest part of it.
    Message,
    /// The location defines the error type.
    DefinesError,
    /// The location is a search result.
    Search,
}

/// Answers `ci_bug_locate`.
pub fn ask_failure(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let (view, text) = (asking.view, &asking.prompt.text);
    let frames = trace_frames(text);
    let (mut n_mapped, mut is_complete) = (0, true);
    let mut suspects: NodeMap<Suspect> = NodeMap::default();
    for (number, frame) in frames.iter().enumerate() {
        if Instant::now() >= asking.deadline {
            is_complete = false;
            break;
        }
        let Some((node, line)) = map_frame(view, frame) else { continue };
        // Outer frames are less likely to have caused the error.
        let weight = 1.0 / (1.0 + 0.5 * n_mapped as f32);
        n_mapped += 1;
        add_suspect(view, &mut suspects, node, line, weight, Suspicion::Frame(number as u32));
    }
    // Without a frame in this repository, the other suspects count more.
    let weight = if n_mapped > 0 { 0.3 } else { 1.0 };
    for (file, line) in message_lines(view, asking.source, text, asking.deadline) {
        let node = view.symbol_at(file, line).map_or(Node::File(file), Node::Symbol);
        add_suspect(view, &mut suspects, node, Some(line), weight, Suspicion::Message);
    }
    for symbol in error_names(view, text) {
        add_suspect(view, &mut suspects, Node::Symbol(symbol), None, 0.25, Suspicion::DefinesError);
    }
    for hit in (asking.search)() {
        let Some(node) = hit.node(view) else { continue };
        let line = hit.lines.as_ref().map(|lines| *lines.start());
        let line = line.filter(|_| matches!(node, Node::File(_)));
        let weight = hit.confidence * weight;
        add_suspect(view, &mut suspects, node, line, weight, Suspicion::Search);
    }
    let suspects = best(suspects, asking.number("limit", 10));
    Ok(Answer {
        items: suspects.iter().map(item).collect(),
        completeness: Completeness::of(is_complete),
        summary: format!(
            "{} suspects, {n_mapped} of {} frames are in this repository",
            suspects.len(),
            frames.len()
        ),
        nothing: "no suspect found".to_owned(),
        ..Answer::default()
    })
}

fn item(suspect: &Suspect) -> Item {
    let why = match suspect.why {
        Suspicion::Frame(number) => format!("frame {}", number + 1),
        Suspicion::Message => "contains the message".to_owned(),
        Suspicion::DefinesError => "defines the error".to_owned(),
        Suspicion::Search => "matches the text".to_owned(),
    };
    let of_trace = if matches!(suspect.why, Suspicion::Frame(_)) { " of the trace" } else { "" };
    let recent = match suspect.recent_commits {
        0 => String::new(),
        n => format!(", changed {} lately", counted(n as usize, "time")),
    };
    let item = Item {
        role: format!("{why}{of_trace}{recent}"),
        relevance: Some(suspect.score * 0.9),
        source: "failure".to_owned(),
        ..Item::at(&suspect.location, suspect.line.unwrap_or(0))
    };
    let fields = json!({
        "line": item.line, "path": item.path, "recent_commits": suspect.recent_commits,
        "score": f64::from(suspect.score), "symbol": item.symbol.as_deref().unwrap_or_default(), "why": why,
    });
    item.with_fields(fields)
}

/// Returns at most `limit` suspects, highest score first.
fn best(suspects: NodeMap<Suspect>, limit: usize) -> Vec<Suspect> {
    let mut suspects: Vec<Suspect> = suspects.into_values().collect();
    suspects.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.location.citation().cmp(&b.location.citation()))
    });
    suspects.truncate(limit);
    let highest = suspects.first().map_or(1.0, |suspect| suspect.score).max(f32::MIN_POSITIVE);
    for suspect in &mut suspects {
        suspect.score /= highest;
    }
    suspects
}

fn add_suspect(
    view: &View,
    suspects: &mut NodeMap<Suspect>,
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
        | Role::Lock
        | Role::Agent
        | Role::Output => 0.3,
    };
    let recent = 1.0 + 0.1 * (file.history.recent_commits as f32).ln_1p();
    let score = weight * role * recent;
    let suspect = suspects.entry(node).or_insert_with(|| Suspect {
        location: Location::of(view, node),
        line,
        score: 0.0,
        why,
        recent_commits: file.history.recent_commits,
    });
    suspect.line = suspect.line.or(line);
    suspect.score += score;
}

/// Returns the definition or file that a frame refers to, and the frame's line. The line is `None` if it is unknown or
/// if the function has moved. Returns `None` if no file matches the frame's path. A frame without a path must have a
/// qualified name that identifies a single definition; otherwise, the result is `None` too.
fn map_frame(view: &View, frame: &TraceFrame) -> Option<(Node, Option<u32>)> {
    let function = frame.function.as_deref().map(plain_function);
    let files = frame.path.as_deref().map(|path| files_like(view, path)).unwrap_or_default();
    if files.is_empty() {
        // Without a path, only a qualified name is unambiguous.
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
    // After an edit, the line may be wrong even though the function name is still correct.
    match (at_line.filter(is_same), named, at_line) {
        (Some(symbol), _, _) => Some((Node::Symbol(symbol), frame.line)),
        (None, Some(symbol), _) => Some((Node::Symbol(symbol), None)),
        (None, None, Some(symbol)) => Some((Node::Symbol(symbol), frame.line)),
        (None, None, None) => Some((Node::File(file), frame.line)),
    }
}

/// Returns the definitions of the error types whose names occur in `text`. A name with more than three definitions is
/// ignored.
fn error_names(view: &View, text: &str) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
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
