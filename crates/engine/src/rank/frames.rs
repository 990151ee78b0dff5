//! Files in the stack trace of the prompt; the innermost one of this repository is where it went wrong.

use index::{FileId, Symbol, View};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use super::mentions::resolve;
use crate::query::{Frame, Query};

/// Each step outward is this much less likely.
const OUTWARD: f32 = 0.7;
/// Of one file; a recursion repeats itself.
const MAX_STOPS: usize = 12;

/// Files of the trace.
#[derive(Default)]
pub(super) struct Places {
    /// By nearness to the innermost frame.
    nearness: FxHashMap<FileId, f32>,
    innermost: Option<FileId>,
    stops: FxHashMap<FileId, Vec<Stop>>,
}

/// A line of the trace.
struct Stop {
    line: u32,
    function: Option<String>,
    nearness: f32,
}

impl Places {
    pub(super) fn find(view: &View, query: &Query) -> Self {
        let mut places = Self::default();
        let mut near = 1.0;
        for frame in innermost_first(&query.frames) {
            let Some(file) = file_of(view, frame) else { continue };
            places.innermost.get_or_insert(file);
            let known = places.nearness.entry(file).or_default();
            *known = known.max(near);
            let stops = places.stops.entry(file).or_default();
            if stops.len() < MAX_STOPS {
                let function = frame.function.clone();
                stops.push(Stop { line: frame.line, function, nearness: near });
            }
            near *= OUTWARD;
        }
        places
    }

    /// The lines of the trace in a file.
    pub(super) fn lines_in(&self, file: FileId) -> impl Iterator<Item = u32> {
        self.stops.get(&file).into_iter().flatten().map(|stop| stop.line)
    }

    /// How near a definition is to where it went wrong: its name is in the trace, or one of its lines.
    pub(super) fn of_symbol(&self, symbol: &Symbol<'_>) -> f32 {
        let is_here = |stop: &&Stop| {
            symbol.lines.contains(&stop.line) || stop.function.as_deref() == Some(symbol.name)
        };
        let stops = self.stops.get(&symbol.file).into_iter().flatten();
        stops.filter(is_here).map(|stop| stop.nearness).fold(0.0, f32::max)
    }

    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.nearness.keys().copied()
    }
}

pub(super) fn any(context: &RankContext<'_>) -> Vec<f32> {
    let nearness = |file: FileId| context.places.nearness.get(&file).copied().unwrap_or(0.0);
    context.candidates.iter().map(|candidate| nearness(candidate.file)).collect()
}

pub(super) fn innermost(context: &RankContext<'_>) -> Vec<f32> {
    let is_innermost = |file: FileId| context.places.innermost == Some(file);
    context
        .candidates
        .iter()
        .map(|candidate| f32::from(u8::from(is_innermost(candidate.file))))
        .collect()
}

/// Python writes the innermost call last, the others first.
fn innermost_first(frames: &[Frame]) -> Box<dyn Iterator<Item = &Frame> + '_> {
    let python = frames.iter().any(|frame| frame.path.ends_with(".py"));
    if python { Box::new(frames.iter().rev()) } else { Box::new(frames.iter()) }
}

/// The file a frame stands for. A path with folders must share one with the file, else it is of another project.
fn file_of(view: &View, frame: &Frame) -> Option<FileId> {
    let path = frame.path.trim_start_matches('/');
    let found = resolve(view, path);
    let shares_folder = |file: FileId| {
        let ends = path.rsplit('/').zip(view.path(file).rsplit('/'));
        let shared = ends.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        shared > 1 || !path.contains('/') || !view.path(file).contains('/')
    };
    let mut fitting = found.into_iter().map(|(file, _)| file).filter(|file| shares_folder(*file));
    let first = fitting.next()?;
    // Several files fit: the one that defines the function of the frame.
    let defines = |file: FileId| {
        frame
            .function
            .as_deref()
            .is_some_and(|name| view.symbols_named(name).iter().any(|id| view.file_of(*id) == file))
    };
    if defines(first) { Some(first) } else { fitting.find(|file| defines(*file)).or(Some(first)) }
}
