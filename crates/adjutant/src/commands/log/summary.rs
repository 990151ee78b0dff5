//! `adjutant log --summary`: counts what briefings added, and what the agent used of it.

use std::process::ExitCode as Exit;

use contract::counted;
use runs::TimeLimit;
use serde::Serialize;

use crate::benefit::{Benefit, TranscriptCounts};
use crate::failure::Failure;
use crate::run_log::LoggedRun;
use crate::{age, benefit, edge, output};

/// The summary as JSON.
#[derive(Serialize)]
struct Summary {
    /// The age of the oldest counted run, in seconds. `None` if all runs are counted.
    since_seconds: Option<u64>,
    #[serde(flatten)]
    benefit: Benefit,
}

pub(super) fn run(runs: Vec<LoggedRun>, since: TimeLimit, is_json: bool) -> Result<Exit, Failure> {
    let since_seconds = since.milliseconds().map(|milliseconds| milliseconds / 1_000);
    let benefit = measure(runs, since_seconds);
    if is_json {
        return output::pretty_json(&Summary { since_seconds, benefit });
    }
    output::data(&as_text(&benefit, since_seconds));
    Ok(Exit::SUCCESS)
}

/// Counts the benefit of the runs that are not older than `since_seconds`.
pub(crate) fn measure(mut runs: Vec<LoggedRun>, since_seconds: Option<u64>) -> Benefit {
    let now = edge::clock().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    let start = since_seconds.map_or(0, |since| now.saturating_sub(since));
    runs.retain(|run| run.seconds().is_some_and(|at| at >= start));
    let environment = edge::environment();
    Benefit::of(&runs, |client, session, root| {
        benefit::read_transcript(&environment, client, session, root)
    })
}

fn as_text(benefit: &Benefit, since_seconds: Option<u64>) -> String {
    let Benefit { sessions, prompts, briefings, characters, transcripts, .. } = benefit;
    let time = since_seconds.map_or_else(
        || "all logged runs".to_owned(),
        |since| format!("since {}", age::seconds_ago(i64::try_from(since).unwrap_or(i64::MAX))),
    );
    let mut lines = vec![format!(
        "{time}: {}, {}, {}, {} added",
        counted(*sessions, "session"),
        counted(*prompts, "prompt"),
        counted(*briefings, "briefing"),
        counted(*characters, "character")
    )];
    let TranscriptCounts { read, missing, unsupported } = transcripts;
    if *read > 0 {
        let Benefit { used_places, places, other_reads, reads, .. } = benefit;
        lines.push(format!(
            "cited places that the agent then read or edited: {used_places} of {places}"
        ));
        lines.push(format!("reads of files that no briefing had cited: {other_reads} of {reads}"));
    }
    if *sessions > 0 {
        let mut transcripts =
            vec![format!("transcripts: {read} of {} read", counted(*sessions, "session"))];
        transcripts.extend((*missing > 0).then(|| format!("{missing} no longer there")));
        let unread = format!("{unsupported} of clients whose transcripts cannot be read");
        transcripts.extend((*unsupported > 0).then_some(unread));
        lines.push(transcripts.join(", "));
    }
    lines.join("\n")
}
