//! Reads prompts: from a terminal with editing, history, completion and continuation lines, otherwise one per line.

use std::io::{BufRead, IsTerminal};

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

const FENCE: &str = "```";

pub(super) enum Line {
    Text(String),
    /// The user pressed Ctrl-C: the line is discarded, and the loop continues.
    Interrupted,
    End,
}

/// Reads the prompts. Without an editor, reads one prompt per line.
pub(super) struct Reader {
    editor: Option<LineEditor>,
}

pub(super) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

impl Reader {
    /// Creates a reader. If line editing is not available on the terminal, lines are read without it.
    pub(super) fn new(settings: &Settings) -> Self {
        Self { editor: is_terminal().then(|| LineEditor::new(settings)).flatten() }
    }

    pub(super) fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    pub(super) fn next(&mut self, is_briefing: bool) -> Line {
        if let Some(editor) = &mut self.editor {
            return editor.next(is_briefing);
        }
        let mut line = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Line::End,
            Ok(_) => Line::Text(String::from_utf8_lossy(&line).into_owned()),
        }
    }
}

struct LineEditor {
    editor: Editor<PromptHelper, MemHistory>,
    history: History,
}

impl LineEditor {
    /// Creates an editor. Returns `None` if the terminal cannot be used.
    fn new(settings: &Settings) -> Option<Self> {
        // The editor writes to the terminal directly, because standard output may be a pipe.
        let config = Config::builder()
            .behavior(Behavior::PreferTerm)
            .completion_type(CompletionType::List)
            .auto_add_history(false)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        editor.set_max_history_size(MAX_LINES).ok()?;
        editor.set_helper(Some(PromptHelper));
        editor.bind_sequence(KeyEvent(KeyCode::Enter, Modifiers::ALT), Cmd::Newline);
        let history = History::of(&settings.environment, settings.keeps_history);
        for entry in history.load() {
            drop(editor.add_history_entry(entry));
        }
        Some(Self { editor, history })
    }

    fn next(&mut self, is_briefing: bool) -> Line {
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

    /// Adds the redacted line to the history.
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

/// Removes the backslashes at the end of continued lines.
fn joined(line: &str) -> String {
    line.replace("\\\n", "\n")
}

/// Tells the line editor whether a prompt is complete, and completes command names.
struct PromptHelper;

impl Validator for PromptHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_incomplete(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

/// Returns true if the input ends with a backslash or contains an unclosed code block.
fn is_incomplete(input: &str) -> bool {
    let is_fence = |line: &&str| line.trim_start().starts_with(FENCE);
    input.ends_with('\\') || input.lines().filter(is_fence).count() % 2 == 1
}

impl Completer for PromptHelper {
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

impl Highlighter for PromptHelper {}

impl Hinter for PromptHelper {
    type Hint = String;
}

impl Helper for PromptHelper {}

#[cfg(test)]
mod tests;
