//! Reads prompts from a terminal or from a script.

use std::io::{BufRead, IsTerminal};

use super::arguments::Settings;
use super::editor::LineEditor;

pub(super) enum Line {
    Text(String),
    /// The user pressed Ctrl-C: the line is discarded, and the loop continues.
    Interrupted,
    End,
}

pub(super) enum Reader {
    Terminal(Box<LineEditor>),
    /// Reads one prompt per line, without line editing.
    Plain,
}

pub(super) fn is_terminal() -> bool {
    std::io::stdin().is_terminal()
}

impl Reader {
    pub(super) fn new(settings: &Settings) -> Self {
        if !is_terminal() {
            return Self::Plain;
        }
        // If line editing is not available, lines are read without it.
        LineEditor::new(settings).map_or(Self::Plain, |editor| Self::Terminal(Box::new(editor)))
    }

    pub(super) fn is_interactive(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    pub(super) fn next(&mut self, is_briefing: bool) -> Line {
        match self {
            Self::Terminal(editor) => editor.next(is_briefing),
            Self::Plain => {
                let mut line = Vec::new();
                match std::io::stdin().lock().read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => Line::End,
                    Ok(_) => Line::Text(String::from_utf8_lossy(&line).into_owned()),
                }
            }
        }
    }
}
