//! Assigns each line of a prompt to a section.

use super::{Section, frames};

/// The number of lines after a stack frame that still belong to the trace. They contain the frame's source line or,
/// after the last frame, the error.
const LINES_AFTER_FRAME: u32 = 2;
/// Parts of headings in bug reports. The text under such a heading describes the machine or belongs to a form; it does
/// not describe the problem.
#[rustfmt::skip]
const ENVIRONMENT_HEADINGS: &[&str] = &[
    "environment", "version", "system info", "platform", "operating system", "installed", "your setup", "checklist", "check list", "browser",
    "screenshot", "have you", "prerequisite", "agree", "环境", "版本",
];

/// Calls `emit` for each line of the prompt that is not empty and not part of an HTML comment.
pub(super) fn for_each_line(prompt: &str, mut emit: impl FnMut(Section, &str)) {
    let mut state = State::default();
    let mut rest = prompt;
    while !rest.is_empty() {
        let (line, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(start) = line.find("<!--") {
            // A comment may span several lines. The text before the comment is kept.
            let after = &rest[start..];
            rest = after.split_once("-->").map_or("", |(_, after)| after);
            state.line(&line[..start], &mut emit);
            continue;
        }
        rest = tail;
        state.line(line, &mut emit);
    }
}

/// Calls `emit` for each string between backticks in `line`.
pub(super) fn for_each_inline(line: &str, mut emit: impl FnMut(&str)) {
    let mut parts = line.split('`');
    parts.next();
    while let (Some(code), Some(_)) = (parts.next(), parts.next()) {
        emit(code);
    }
}

#[derive(Default)]
struct State {
    has_title: bool,
    is_fenced: bool,
    /// `Environment` if the last heading contains one of [`ENVIRONMENT_HEADINGS`], otherwise `None`.
    announced: Option<Section>,
    /// The number of following lines that belong to the current trace.
    trace_left: u32,
}

impl State {
    fn line(&mut self, line: &str, emit: &mut impl FnMut(Section, &str)) {
        let text = line.trim();
        if text.is_empty() {
            self.trace_left = 0;
            return;
        }
        if text.starts_with("```") || text.starts_with("~~~") {
            self.is_fenced = !self.is_fenced;
            self.trace_left = 0;
            return;
        }
        let section = self.section(line, text);
        self.has_title = true;
        emit(section, line);
    }

    fn section(&mut self, line: &str, text: &str) -> Section {
        let is_frame = frames::is_frame(text);
        if is_frame || text.starts_with("Traceback (most recent") {
            self.trace_left = LINES_AFTER_FRAME + 1;
        }
        let is_heading = !self.is_fenced && is_heading_line(text);
        if is_heading {
            let lower = text.to_lowercase();
            let is_environment = ENVIRONMENT_HEADINGS.iter().any(|word| lower.contains(word));
            self.announced = is_environment.then_some(Section::Environment);
        }
        let in_trace = self.trace_left > 0;
        self.trace_left = self.trace_left.saturating_sub(1);
        if !self.has_title {
            Section::Title
        } else if !is_frame && is_error_line(text) {
            Section::Error
        } else if in_trace {
            Section::Trace
        } else if is_heading {
            Section::Heading
        } else if self.announced.is_some() {
            Section::Environment
        } else if self.is_fenced || is_code_line(line, text) {
            Section::Code
        } else {
            Section::Prose
        }
    }
}

fn is_heading_line(text: &str) -> bool {
    let is_marked = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
    let is_bold =
        text.len() > 4 && text.starts_with("**") && text.trim_end_matches(':').ends_with("**");
    is_marked || is_bold
}

fn is_code_line(line: &str, text: &str) -> bool {
    line.starts_with("    ") || text.starts_with(">>>") || text.starts_with("$ ")
}

fn is_error_line(text: &str) -> bool {
    error_message(text).is_some()
}

/// Returns the message in an error line such as `ValueError: …`, `java.lang.IllegalStateException: …`,
/// `error[E0308]: …`, `panic: …`, `fatal: …` or `fatal error: …`.
pub(crate) fn error_message(text: &str) -> Option<&str> {
    let text = text.strip_prefix("E ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("Caused by: ").unwrap_or(text);
    let (kind, message) = text.split_once(':')?;
    let kind = kind.split('[').next().unwrap_or_default();
    let is_keyword = ["error", "fatal", "panic", "fatal error"]
        .iter()
        .any(|word| kind.eq_ignore_ascii_case(word));
    let is_type = !kind.contains(' ')
        && ["Error", "Exception", "Warning"].iter().any(|ending| kind.ends_with(ending));
    ((is_keyword || is_type) && message.starts_with(' ')).then_some(message)
}
