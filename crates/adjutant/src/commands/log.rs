//! `adjutant log`: lists recent briefings.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::{Args, Subcommand};
use contract::ExitCode;
use serde::Serialize;

use super::table::Table;
use crate::failure::Failure;
use crate::run_log::{LoggedDecision, LoggedRun, LoggedTool};
use crate::{edge, output, run_log};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<LogCommand>,
    /// Limit the number of runs, newest first
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum LogCommand {
    /// Show one run: the prompt, the tools with their times, the findings, the `[Limits]` messages
    Show {
        /// The run as `adjutant log` lists it, or the start of its id
        run_id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let runs = run_log::read(&file()?);
    match &arguments.command {
        None if arguments.json => {
            output::data(&json(&runs[..runs.len().min(arguments.limit)]));
        }
        None => output::data(&table(&runs[..runs.len().min(arguments.limit)])),
        Some(LogCommand::Show { run_id, json: as_json }) => {
            let found = runs.iter().find(|run| run.run_id.starts_with(run_id.as_str()));
            let found = found.ok_or_else(|| {
                Failure::new(format!("there is no run `{run_id}`"), ExitCode::ToolFailed)
                    .hint("`adjutant log` lists the runs")
            })?;
            output::data(&if *as_json { json(found) } else { details(found) });
        }
    }
    Ok(Exit::SUCCESS)
}

fn file() -> Result<PathBuf, Failure> {
    run_log::file(&edge::environment()).ok_or_else(|| {
        Failure::new("there is no log", ExitCode::Configuration)
            .hint("ADJUTANT_LOG=off switches it off; it is in ~/.local/state/adjutant or in ADJUTANT_STATE_DIR")
    })
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn table(runs: &[LoggedRun]) -> String {
    let mut table =
        Table::new(["run", "client", "evidence", "findings", "characters", "ms", "prompt"]);
    for run in runs {
        let slowest = run.tools.iter().map(|tool| tool.ms).max();
        let prompt: String = run.prompt.chars().take(60).collect();
        table.row([
            run.run_id.clone(),
            run.client.clone(),
            amount(run).to_owned(),
            run.findings.len().to_string(),
            run.characters.to_string(),
            slowest.unwrap_or(0).to_string(),
            prompt.replace('\n', " "),
        ]);
    }
    table.text("nothing was briefed yet")
}

/// Returns the amount of evidence in one word, or `on` if the gate did not decide.
fn amount(run: &LoggedRun) -> &str {
    let decision = run.decision.as_ref();
    decision.map_or("on", |decision| decision.amount.split(' ').next().unwrap_or_default())
}

fn details(run: &LoggedRun) -> String {
    let mut lines = vec![
        format!("{} · {} · {}", run.run_id, run.client, run.repo_root),
        format!("prompt: {}", run.prompt),
    ];
    if let Some(LoggedDecision { amount, probability }) = &run.decision {
        lines.push(format!("evidence: {amount}, probability of the gate {probability:.2}"));
    }
    lines.push(String::new());
    for LoggedTool { tool, status, ms, summary } in &run.tools {
        lines.push(format!("{tool}: {status}, {ms} ms; {summary}"));
    }
    lines.push(format!("\n{} characters injected", run.characters));
    for finding in &run.findings {
        let path = finding.path.as_deref().unwrap_or_default();
        let location = match finding.line {
            Some(line) => format!("{path}:{line}"),
            None => path.to_owned(),
        };
        let symbol = finding.symbol.as_deref().unwrap_or_default();
        lines.push(format!("- {location} {symbol} ({})", finding.tool));
    }
    if !run.limits.is_empty() {
        lines.push(format!("\n{}", run.limits));
    }
    lines.join("\n")
}
