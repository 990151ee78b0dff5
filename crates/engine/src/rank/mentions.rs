//! Scores files whose paths occur in the prompt, completely or in part, and the files and definitions in its stack trace.

use index::{FileId, Symbol, View};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use super::flag;
use crate::query::{Frame, Query};

/// File names, without extension, that occur in many folders. Such a name alone does not identify a file.
const COMMON_STEMS: &[&str] = &["__init__", "index", "lib", "main", "mod", "test", "utils"];
const COMMON_STEM_SCORE: f32 = 0.15;
/// The score factor for a file whose complete path occurs in the prompt.
const WHOLE_PATH: f32 = 1.2;
const MAX_FILES_PER_MENTION: usize = 20;
/// The factor by which the score decreases with each step from the innermost frame outwards.
const OUTER_FRAME: f32 = 0.7;
/// The maximum number of trace lines per file. Recursive calls repeat the same frames.
const MAX_LINES_PER_FILE: usize = 12;

/// Returns the mentioned files with their scores.
pub(super) fn find(view: &View, query: &Query) -> FxHashMap<FileId, f32> {
    let mut scores: FxHashMap<FileId, f32> = FxHashMap::default();
    for (file, score) in query.paths.iter().flat_map(|mention| resolve(view, &mention.text)) {
        let known = scores.entry(file).or_default();
        *known = known.max(score);
    }
    scores
}

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| context.mentioned.get(&file).copied().unwrap_or(0.0))
}

/// Returns the files that `path` may refer to, each with a score. The first folders of `path` are removed one by one
/// until the paths of at least one and at most [`MAX_FILES_PER_MENTION`] files end with the rest.
pub(super) fn resolve(view: &View, path: &str) -> Vec<(FileId, f32)> {
    let mut suffix = path;
    let mut n_parts = path.split('/').count();
    loop {
        let found = view.files_with_suffix(suffix);
        if !found.is_empty() && found.len() <= MAX_FILES_PER_MENTION {
            let stem = suffix.split('.').next().unwrap_or_default();
            let is_common = n_parts == 1 && COMMON_STEMS.contains(&stem);
            let score =
                if is_common { COMMON_STEM_SCORE } else { 1.0 / (found.len() as f32).sqrt() };
            let factor = |file: FileId| {
                let is_whole = view.path(file).len() == suffix.len() && n_parts > 1;
                if is_whole { WHOLE_PATH } else { 1.0 }
            };
            return found.into_iter().map(|file| (file, score * factor(file))).collect();
        }
        match suffix.split_once('/') {
            Some((_, shorter)) if !shorter.is_empty() => {
                suffix = shorter;
                n_parts -= 1;
            }
            _ => return Vec::new(),
        }
    }
}

#[derive(Default)]
pub(super) struct TraceFiles {
    scores: FxHashMap<FileId, f32>,
    innermost: Option<FileId>,
    lines: FxHashMap<FileId, Vec<TraceLine>>,
}

struct TraceLine {
    line: u32,
    function: Option<String>,
    score: f32,
}

impl TraceFiles {
    pub(super) fn find(view: &View, query: &Query) -> Self {
        let mut trace = Self::default();
        let mut score = 1.0;
        for frame in innermost_first(&query.frames) {
            let Some(file) = file_of_frame(view, frame) else { continue };
            trace.innermost.get_or_insert(file);
            let known = trace.scores.entry(file).or_default();
            *known = known.max(score);
            let lines = trace.lines.entry(file).or_default();
            if lines.len() < MAX_LINES_PER_FILE {
                let function = frame.function.clone();
                lines.push(TraceLine { line: frame.line, function, score });
            }
            score *= OUTER_FRAME;
        }
        trace
    }

    pub(super) fn lines_in(&self, file: FileId) -> impl Iterator<Item = u32> {
        self.lines.get(&file).into_iter().flatten().map(|line| line.line)
    }

    /// Returns the score of a definition whose name or lines occur in the trace, and 0 for any other definition.
    pub(super) fn symbol_score(&self, symbol: &Symbol<'_>) -> f32 {
        let is_inside = |line: &&TraceLine| {
            symbol.lines.contains(&line.line) || line.function.as_deref() == Some(symbol.name)
        };
        let lines = self.lines.get(&symbol.file).into_iter().flatten();
        lines.filter(is_inside).map(|line| line.score).fold(0.0, f32::max)
    }

    pub(super) fn contains(&self, file: FileId) -> bool {
        self.scores.contains_key(&file)
    }

    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.scores.keys().copied()
    }
}

pub(super) fn any_frame(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| context.trace.scores.get(&file).copied().unwrap_or(0.0))
}

pub(super) fn innermost_frame(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| flag(context.trace.innermost == Some(file)))
}

/// Returns the frames, innermost first. Python prints the innermost frame last; other languages print it first.
fn innermost_first(frames: &[Frame]) -> Box<dyn Iterator<Item = &Frame> + '_> {
    let is_python = frames.iter().any(|frame| frame.path.ends_with(".py"));
    if is_python { Box::new(frames.iter().rev()) } else { Box::new(frames.iter()) }
}

/// Returns the file that a frame refers to, or `None` if there is none. If the paths of the frame and a file both
/// contain folders but the innermost folders differ, the frame is assumed to belong to another project.
fn file_of_frame(view: &View, frame: &Frame) -> Option<FileId> {
    let path = frame.path.trim_start_matches('/');
    let found = resolve(view, path);
    let shares_folder = |file: FileId| {
        let ends = path.rsplit('/').zip(view.path(file).rsplit('/'));
        let n_shared = ends.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        n_shared > 1 || !path.contains('/') || !view.path(file).contains('/')
    };
    let mut matching = found.into_iter().map(|(file, _)| file).filter(|file| shares_folder(*file));
    let first = matching.next()?;
    // If several files match, a file that defines the frame's function is preferred.
    let defines = |file: FileId| {
        frame
            .function
            .as_deref()
            .is_some_and(|name| view.symbols_in(file).any(|symbol| symbol.name == name))
    };
    if defines(first) { Some(first) } else { matching.find(|file| defines(*file)).or(Some(first)) }
}
