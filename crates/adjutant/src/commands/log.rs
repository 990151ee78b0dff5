//! `adjutant log`: lists recent briefings.

use std::path::{Path, PathBuf};
use std::process::ExitCode as Exit;

use clap::{Args, Subcommand};
use contract::counted;
use runs::TimeLimit;
use serde::Serialize;

use super::repository::find_root;
use super::table::{Column, Table};
use crate::benefit::{Benefit, TranscriptCounts};
use crate::failure::Failure;
use crate::run_log::{LoggedFinding, LoggedRun, LoggedTool};
use crate::{benefit, edge, output, run_log, style};

const EXAMPLES: &str = "\
Examples:
  adjutant log -n 5
  adjutant log --all
  adjutant log show
  adjutant log show 20261116-093650
  adjutant log --summary --since 30d --all";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "one field per flag")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<LogCommand>,
    /// Show at most N runs, newest first
    #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Show the runs of all repositories instead of this one
    #[arg(short, long, conflicts_with = "directory")]
    all: bool,
    /// Use the repository of another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Count the briefings, and the cited places that the agent then read or edited according to the clients' transcripts
    #[arg(long, conflicts_with = "limit")]
    summary: bool,
    /// With --summary: count the runs of this time: 12h, 7d, off for all
    #[arg(long, value_name = "TIME", default_value = "7d", requires = "summary")]
    since: TimeLimit,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum LogCommand {
    /// Show one run: the prompt, the tools with their times, the findings, the `[Limits]` messages, and the injected text
    Show {
        /// The id of the run as `adjutant log` lists it, or the start of the id [default: the newest run]
        run_id: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut runs = run_log::read(&file()?);
    if let Some(LogCommand::Show { run_id: Some(id), json }) = &arguments.command {
        let found = runs.iter().find(|run| run.run_id.starts_with(id) && !id.is_empty());
        let found = found.ok_or_else(|| {
            Failure::not_found(format!("unknown run `{id}`"))
                .hint("`adjutant log --all` lists the runs")
        })?;
        return show(found, *json);
    }
    let total = runs.len();
    let root = if arguments.all { None } else { Some(find_root(arguments.directory.as_deref())?) };
    if let Some(root) = &root {
        // A setting can narrow the root of a run to a folder in the repository.
        runs.retain(|run| Path::new(&run.repo_root).starts_with(root));
    }
    if arguments.summary {
        return summarise(runs, arguments.since, arguments.json);
    }
    let shows_newest = arguments.command.is_some();
    if let (Some(LogCommand::Show { json, .. }), Some(newest)) = (&arguments.command, runs.first())
    {
        return show(newest, *json);
    }
    let is_empty = runs.is_empty();
    runs.truncate(arguments.limit);
    if arguments.json && !shows_newest {
        // The list does not contain the texts, because they are long.
        runs.iter_mut().for_each(|run| run.context.clear());
        return output::json(&runs);
    }
    if !is_empty {
        print(&runs, root.is_none());
        return Ok(Exit::SUCCESS);
    }
    output::talk(&match &root {
        Some(root) if total > 0 => format!("no prompt has been briefed in {}", root.display()),
        _ => "no prompt has been briefed yet".to_owned(),
    });
    if total > 0 {
        let others = counted(total, "run");
        output::hint(&format!("`adjutant log --all` lists {others} of other repositories"));
    }
    Ok(output::found(!shows_newest))
}

fn file() -> Result<PathBuf, Failure> {
    run_log::file(&edge::environment()).ok_or_else(|| {
        Failure::configuration("no log was found")
            .hint("ADJUTANT_LOG=off switches it off; it is in ~/.local/state/adjutant or in ADJUTANT_STATE_DIR")
    })
}

fn print(runs: &[LoggedRun], shows_repository: bool) {
    let now = edge::now();
    let columns: &[Column<'_, LoggedRun>] = &[
        ("time", true, &|run| style::ago(&run.created_at, &now)),
        ("run", true, &|run| run.run_id.clone()),
        ("client", true, &|run| run.client.clone()),
        ("evidence", true, &|run| run.amount().to_owned()),
        ("findings", true, &|run| run.findings.len().to_string()),
        ("characters", true, &|run| run.characters.to_string()),
        ("ms", true, &|run| run.tools.iter().map(|tool| tool.ms).max().unwrap_or(0).to_string()),
        ("repository", shows_repository, &|run| {
            let folder = Path::new(&run.repo_root).file_name().unwrap_or_default();
            folder.to_string_lossy().into_owned()
        }),
        ("prompt", true, &|run| run.prompt.clone()),
    ];
    let table = Table::of(runs, columns).optional(&["client", "characters", "ms", "findings"]);
    // With `-n 0`, the table is empty although there are runs.
    table.print_rows();
}

fn show(run: &LoggedRun, as_json: bool) -> Result<Exit, Failure> {
    if as_json {
        return output::json(run);
    }
    output::data(&details(run));
    Ok(Exit::SUCCESS)
}

fn details(run: &LoggedRun) -> String {
    let time = style::ago(&run.created_at, &edge::now());
    let head = format!("{} · {time} · {} · {}", run.run_id, run.client, run.repo_root);
    let mut lines = vec![style::paint(style::DIM, head), format!("prompt: {}", run.prompt)];
    if let Some(decision) = &run.decision {
        let amount = run.amount();
        let reasons = decision.reasons().join(", ");
        // The reasons explain the decision, not why nothing was found.
        let has_reasons = !reasons.is_empty() && amount != run_log::NOTHING;
        let because = if has_reasons { format!(", because {reasons}") } else { String::new() };
        lines
            .push(format!("evidence: {amount}{because} (probability {:.2})", decision.probability));
    }
    lines.push(String::new());
    for LoggedTool { tool, status, ms, summary } in &run.tools {
        lines.push(format!("{tool}: {status}, {ms} ms; {summary}"));
    }
    let findings = counted(run.findings.len(), "finding");
    lines.push(format!("\n{findings}, {} injected", counted(run.characters, "character")));
    lines.extend(run.best_findings().into_iter().map(finding_line));
    lines.extend(
        [&run.limits, &run.context]
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| format!("\n{text}")),
    );
    lines.join("\n")
}

fn finding_line(finding: &LoggedFinding) -> String {
    let place = finding.place();
    let score = finding.confidence.map(|score| format!("{score:.2} ")).unwrap_or_default();
    let symbol = finding.symbol.as_ref().map(|symbol| format!(" {symbol}")).unwrap_or_default();
    format!("- {score}{}{symbol} ({})", style::paint(style::PLACE, place), finding.tool)
}

/// The summary as JSON.
#[derive(Serialize)]
struct Summary {
    /// The age of the oldest counted run, in seconds. `None` if all runs are counted.
    since_seconds: Option<u64>,
    #[serde(flatten)]
    benefit: Benefit,
}

fn summarise(runs: Vec<LoggedRun>, since: TimeLimit, is_json: bool) -> Result<Exit, Failure> {
    let since_seconds = since.milliseconds().map(|milliseconds| milliseconds / 1_000);
    let benefit = measure(runs, since_seconds);
    if is_json {
        return output::pretty_json(&Summary { since_seconds, benefit });
    }
    output::data(&summary_text(&benefit, since_seconds));
    Ok(Exit::SUCCESS)
}

/// Counts the benefit of the runs that are not older than `since_seconds`.
pub(crate) fn measure(mut runs: Vec<LoggedRun>, since_seconds: Option<u64>) -> Benefit {
    run_log::retain_since(&mut runs, since_seconds);
    let environment = edge::environment();
    Benefit::of(&runs, |client, session, root| {
        benefit::read_transcript(&environment, client, session, root)
    })
}

fn summary_text(benefit: &Benefit, since_seconds: Option<u64>) -> String {
    let Benefit { sessions, prompts, briefings, characters, transcripts, .. } = benefit;
    let time = since_seconds.map_or_else(
        || "all logged runs".to_owned(),
        |since| format!("since {}", style::seconds_ago(i64::try_from(since).unwrap_or(i64::MAX))),
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
