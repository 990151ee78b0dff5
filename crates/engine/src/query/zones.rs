//! Lines of a prompt and what kind of line each is: title, prose, code, trace, noise of an issue form.

use super::{Zone, frames};

/// A frame is followed by its source line and, after the last one, by the error.
const LINES_AFTER_FRAME: u32 = 2;
/// Words of a heading whose section describes the machine or the form, not the problem.
const ENVIRONMENT_HEADINGS: &[&str] = &[
    "environment",
    "version",
    "system info",
    "platform",
    "operating system",
    "installed",
    "your setup",
    "checklist",
    "check list",
    "browser",
    "screenshot",
    "have you",
    "prerequisite",
    "agree",
    "环境",
    "版本",
];

/// Calls `emit` with each line that says something.
pub(super) fn for_each_line(prompt: &str, mut emit: impl FnMut(Zone, &str)) {
    let mut state = State::default();
    let mut rest = prompt;
    while !rest.is_empty() {
        let (line, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(start) = line.find("<!--") {
            // A comment of the form may span lines; what stands before it on the line is kept.
            let after = &rest[start..];
            rest = after.split_once("-->").map_or("", |(_, after)| after);
            state.line(&line[..start], &mut emit);
            continue;
        }
        rest = tail;
        state.line(line, &mut emit);
    }
}

/// Calls `emit` with what stands between single backticks.
pub(super) fn for_each_inline(line: &str, mut emit: impl FnMut(&str)) {
    let mut parts = line.split('`');
    parts.next();
    while let (Some(code), Some(_)) = (parts.next(), parts.next()) {
        emit(code);
    }
}

/// What the last heading announced.
#[derive(Default, PartialEq, Eq)]
enum Section {
    #[default]
    Problem,
    Environment,
}

#[derive(Default)]
struct State {
    started: bool,
    fenced: bool,
    section: Section,
    trace_left: u32,
}

impl State {
    fn line(&mut self, line: &str, emit: &mut impl FnMut(Zone, &str)) {
        let text = line.trim();
        if text.is_empty() {
            self.trace_left = 0;
            return;
        }
        if text.starts_with("```") || text.starts_with("~~~") {
            self.fenced = !self.fenced;
            self.trace_left = 0;
            return;
        }
        let zone = self.zone(line, text);
        self.started = true;
        emit(zone, line);
    }

    fn zone(&mut self, line: &str, text: &str) -> Zone {
        let framed = frames::is_frame(text);
        if framed || text.starts_with("Traceback (most recent") {
            self.trace_left = LINES_AFTER_FRAME + 1;
        }
        let heading = !self.fenced && is_heading(text);
        if heading {
            let lower = text.to_lowercase();
            let machine = ENVIRONMENT_HEADINGS.iter().any(|word| lower.contains(word));
            self.section = if machine { Section::Environment } else { Section::Problem };
        }
        let in_trace = self.trace_left > 0;
        self.trace_left = self.trace_left.saturating_sub(1);
        if !self.started {
            Zone::Title
        } else if !framed && is_error(text) {
            Zone::Error
        } else if in_trace {
            Zone::Trace
        } else if heading {
            Zone::Heading
        } else if self.section == Section::Environment {
            Zone::Environment
        } else if self.fenced || is_code(line, text) {
            Zone::Code
        } else {
            Zone::Prose
        }
    }
}

fn is_heading(text: &str) -> bool {
    let marked = text.starts_with('#') && text.trim_start_matches('#').starts_with(' ');
    let bold =
        text.len() > 4 && text.starts_with("**") && text.trim_end_matches(':').ends_with("**");
    marked || bold
}

fn is_code(line: &str, text: &str) -> bool {
    line.starts_with("    ") || text.starts_with(">>>") || text.starts_with("$ ")
}

/// `ValueError: …`, `java.lang.IllegalStateException: …`, `error[E0308]: …`, `panic: …`, `fatal: …`.
fn is_error(text: &str) -> bool {
    let text = text.strip_prefix("E ").unwrap_or(text).trim_start();
    let text = text.strip_prefix("Caused by: ").unwrap_or(text);
    let Some((kind, message)) = text.split_once(':') else { return false };
    let kind = kind.split('[').next().unwrap_or_default();
    let known = ["error", "fatal", "panic", "fatal error"]
        .iter()
        .any(|word| kind.eq_ignore_ascii_case(word));
    let class = kind.ends_with("Error") || kind.ends_with("Exception") || kind.ends_with("Warning");
    (known || class) && !kind.contains(' ') && message.starts_with(' ')
}
