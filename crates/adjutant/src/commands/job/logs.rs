//! `job logs`: prints the log of a job.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use runs::{LogPage, LogQuery, SessionId, SessionStatus, Sessions, Window};

use super::{SessionArguments, id};
use crate::failure::Failure;
use crate::output;

const POLL_INTERVAL: Duration = Duration::from_millis(200);
const FOLLOWED_LINES: usize = 50;
const CHUNK: u64 = 1024 * 1024;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The id of the job
    id: String,
    /// Print only the last N lines
    #[arg(long, value_name = "N")]
    tail: Option<usize>,
    /// Print new lines until the job ends
    #[arg(long, short = 'f')]
    follow: bool,
    /// Print only lines that match this regular expression
    #[arg(long, value_name = "REGEX")]
    grep: Option<String>,
    /// Print only the output of codex
    #[arg(long)]
    result_only: bool,
    #[command(flatten)]
    at: SessionArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let sessions = arguments.at.sessions()?;
    let id = id(&arguments.id)?;
    let window = match (arguments.tail, arguments.follow) {
        (Some(lines), _) => Window::Tail(lines),
        (None, true) => Window::Tail(FOLLOWED_LINES),
        (None, false) => Window::All,
    };
    // The size is read before the log, so that `--follow` misses no line.
    let mut from = size(&sessions, &id)?;
    let query =
        LogQuery { window, grep: arguments.grep.clone(), is_result_only: arguments.result_only };
    let page = sessions.logs(&id, &query)?;
    if arguments.at.json {
        output::data(&serde_json::to_string(&page).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    let mut n_seen = 0;
    if let LogPage::Lines { lines, total_lines } = page {
        output::data(&lines.join("\n"));
        n_seen = total_lines;
    }
    if !arguments.follow {
        return Ok(ExitCode::SUCCESS);
    }
    let is_filtered = arguments.grep.is_some() || arguments.result_only;
    loop {
        let has_ended =
            sessions.status(&id).is_ok_and(|state| state.state != SessionStatus::Running);
        if is_filtered {
            n_seen = print_lines(&sessions, &id, &query, n_seen)?;
        } else {
            from = print_from(&sessions, &id, from)?;
        }
        if has_ended {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn size(sessions: &Sessions, id: &SessionId) -> Result<u64, Failure> {
    match page(sessions, id, u64::MAX)? {
        LogPage::Bytes { size, .. } => Ok(size),
        LogPage::Lines { .. } => Ok(0),
    }
}

/// Prints the log lines that match `query`, except for the first `n_seen`. Returns the number of all matching lines.
fn print_lines(
    sessions: &Sessions,
    id: &SessionId,
    query: &LogQuery,
    n_seen: usize,
) -> Result<usize, Failure> {
    let window = Window::Lines { offset: n_seen, limit: usize::MAX };
    let query = LogQuery { window, ..query.clone() };
    match sessions.logs(id, &query)? {
        // The log was rotated, so it is read from its start.
        LogPage::Lines { total_lines, .. } if total_lines < n_seen => Ok(0),
        LogPage::Lines { lines, total_lines } => {
            output::data(&lines.join("\n"));
            Ok(total_lines)
        }
        LogPage::Bytes { .. } => Ok(n_seen),
    }
}

fn print_from(sessions: &Sessions, id: &SessionId, from: u64) -> Result<u64, Failure> {
    let mut from = from;
    loop {
        let LogPage::Bytes { chunk, next_offset, eof, size, .. } = page(sessions, id, from)? else {
            return Ok(from);
        };
        if size < from {
            // The log was rotated, so it is read from its start.
            from = 0;
            continue;
        }
        output::data(&chunk);
        from = next_offset;
        if eof {
            return Ok(from);
        }
    }
}

fn page(sessions: &Sessions, id: &SessionId, offset: u64) -> Result<LogPage, Failure> {
    let window = Window::Bytes { offset, limit: CHUNK };
    let query = LogQuery { window, grep: None, is_result_only: false };
    Ok(sessions.logs(id, &query)?)
}
