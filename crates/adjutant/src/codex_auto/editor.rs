//! A line that can be edited, recalled, completed and continued: what the terminal is to `codex-auto`.

use rustyline::completion::Completer;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Behavior, Cmd, CompletionType, Config, Context, Editor, Helper, KeyCode, KeyEvent, Modifiers,
};

use super::arguments::Settings;
use super::command;
use super::history::{History, MAX_LINES};
use super::reader::Line;

const FENCE: &str = "```";

pub(super) struct LineEditor {
    editor: Editor<Manners, MemHistory>,
    history: History,
}

impl LineEditor {
    /// None where the terminal refuses.
    pub(super) fn new(settings: &Settings) -> Option<Self> {
        // The terminal itself and not stdout, which may be a pipe and is for data.
        let config = Config::builder()
            .behavior(Behavior::PreferTerm)
            .completion_type(CompletionType::List)
            .auto_add_history(false)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        editor.set_max_history_size(MAX_LINES).ok()?;
        editor.set_helper(Some(Manners));
        editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), Cmd::Newline);
        let history = History::of(&settings.environment, settings.keeps_history);
        for entry in history.load() {
            drop(editor.add_history_entry(entry));
        }
        Some(Self { editor, history })
    }

    pub(super) fn next(&mut self, is_briefing: bool) -> Line {
        let raw = if is_briefing { "codex-auto> " } else { "codex-auto (off)> " };
        let styled =
            prompt_style().map_or_else(|| raw.to_owned(), |style| format!("{style}{raw}{style:#}"));
        match self.editor.readline(&(raw, styled.as_str())) {
            Ok(line) => {
                self.keep(&line);
                Line::Text(joined(&line))
            }
            Err(ReadlineError::Interrupted) => Line::Interrupted,
            Err(ReadlineError::Signal(_)) => Line::Interrupted,
            Err(_) => Line::End,
        }
    }

    /// What is recalled is what is kept: a secret is not shown a second time either.
    fn keep(&mut self, line: &str) {
        let Some(entry) = History::entry(line) else { return };
        if self.editor.add_history_entry(entry.as_str()).unwrap_or(false) {
            self.history.add(&entry);
        }
    }
}

fn prompt_style() -> Option<anstyle::Style> {
    let has_colour =
        anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    has_colour.then(|| anstyle::Style::new().bold().fg_color(Some(anstyle::AnsiColor::Cyan.into())))
}

/// A backslash at the end of a line was typed to go on, not to be sent.
fn joined(line: &str) -> String {
    line.replace("\\\n", "\n")
}

/// When a line is finished, and what it may become.
struct Manners;

impl Validator for Manners {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_unfinished(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

/// A backslash at its end, or a block of code that is still open.
fn is_unfinished(input: &str) -> bool {
    let is_fence = |line: &&str| line.trim_start().starts_with(FENCE);
    input.ends_with('\\') || input.lines().filter(is_fence).count() % 2 == 1
}

impl Completer for Manners {
    type Candidate = &'static str;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Self::Candidate>)> {
        let typed = &line[..position];
        let is_command = typed.starts_with('/') && !typed.contains(char::is_whitespace);
        Ok((0, if is_command { command::completions(typed) } else { Vec::new() }))
    }
}

impl Highlighter for Manners {}

impl Hinter for Manners {
    type Hint = String;
}

impl Helper for Manners {}

#[cfg(test)]
mod tests;
