//! Shows the progress of a build or a transfer: a bar on a terminal, lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// The minimum width of a terminal for showing the speed and the remaining time in the progress bar.
const WIDE_TERMINAL: usize = 80;

pub(super) enum ProgressOutput {
    Silent,
    Bar(ProgressBar),
    /// One line for each tenth of the work.
    Lines {
        action: &'static str,
        unit: &'static str,
        last_tenth: Mutex<u64>,
        started: Instant,
    },
}

impl ProgressOutput {
    /// Creates the progress output. `action` and `unit` are words in its lines: in `indexing: 3 of 10 files`, they are
    /// `indexing` and `files`.
    pub(super) fn new(shows_progress: bool, action: &'static str, unit: &'static str) -> Self {
        if !shows_progress {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            let (last_tenth, started) = (Mutex::new(0), Instant::now());
            return Self::Lines { action, unit, last_tenth, started };
        }
        // A line that is wider than the terminal would be printed again at every update.
        let columns = output::terminal_width(std::io::stderr());
        let is_wide = columns.is_none_or(|columns| columns >= WIDE_TERMINAL);
        let style = ProgressStyle::with_template(&if is_wide {
            format!("{action} {{bar:30}} {{pos}}/{{len}} {unit} {{msg}} {{eta}} left")
        } else {
            format!("{action} {{wide_bar}} {{pos}}/{{len}}")
        });
        let bar = ProgressBar::new(0);
        Self::Bar(style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style)))
    }

    pub(super) fn update(&self, done: usize, total: usize, done_bytes: u64) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
                let seconds = bar.elapsed().as_secs_f64().max(0.001);
                bar.set_message(format!("{:.1} MB/s", done_bytes as f64 / 1e6 / seconds));
            }
            Self::Lines { action, unit, last_tenth, started } => {
                let tenth = (done * 10 / total.max(1)) as u64;
                let Ok(mut last) = last_tenth.lock() else { return };
                // No lines are printed during the first second.
                if tenth > *last && started.elapsed() > Duration::from_secs(1) {
                    *last = tenth;
                    output::talk(&format!("{action}: {done} of {total} {unit}"));
                }
            }
        }
    }

    pub(super) fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
