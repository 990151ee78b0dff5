//! `adjutant log`: what was briefed lately.

use std::path::PathBuf;
use std::process::ExitCode as Exit;

use clap::{Args, Subcommand};
use contract::ExitCode;
use serde_json::Value;

use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output, run_log};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<LogCommand>,
    /// At most so many runs, the newest first
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum LogCommand {
    /// One run: the prompt, the tools with their times, the findings, the limits
    Show {
        /// As `adjutant log` lists it, or its beginning
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
            let runs: Vec<Value> = runs.into_iter().take(arguments.limit).collect();
            output::data(&Value::from(runs).to_string());
        }
        None => output::data(&table(&runs[..runs.len().min(arguments.limit)])),
        Some(LogCommand::Show { run_id, json }) => {
            let found = runs.iter().find(|run| text(run, "run_id").starts_with(run_id.as_str()));
            let found = found.ok_or_else(|| {
                Failure::new(format!("there is no run `{run_id}`"), ExitCode::ToolFailed)
                    .hint("`adjutant log` lists the runs that are kept")
            })?;
            output::data(&if *json { found.to_string() } else { whole(found) });
        }
    }
    Ok(Exit::SUCCESS)
}

fn file() -> Result<PathBuf, Failure> {
    run_log::file(&edge::environment()).ok_or_else(|| {
        Failure::new("no log is kept", ExitCode::Configuration)
            .hint("ADJUTANT_LOG=off switches it off; it is in ~/.local/state/adjutant, or below ADJUTANT_STATE_DIR")
    })
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn table(runs: &[Value]) -> String {
    let mut table = Table::new(["run", "client", "findings", "characters", "ms", "prompt"]);
    for run in runs {
        let slowest = tools(run).iter().filter_map(|tool| tool["ms"].as_u64()).max();
        let prompt: String = text(run, "prompt").chars().take(60).collect();
        table.row([
            text(run, "run_id").to_owned(),
            text(run, "client").to_owned(),
            run["findings"].as_array().map_or(0, Vec::len).to_string(),
            run["characters"].to_string(),
            slowest.unwrap_or(0).to_string(),
            prompt.replace('\n', " "),
        ]);
    }
    table.text("nothing was briefed yet")
}

fn tools(run: &Value) -> &[Value] {
    run["tools"].as_array().map_or(&[], Vec::as_slice)
}

fn whole(run: &Value) -> String {
    let mut lines = vec![
        format!("{} · {} · {}", text(run, "run_id"), text(run, "client"), text(run, "repo_root")),
        format!("prompt: {}", text(run, "prompt")),
        String::new(),
    ];
    for tool in tools(run) {
        let [name, status, summary] = ["tool", "status", "summary"].map(|key| text(tool, key));
        lines.push(format!("{name}: {status}, {} ms; {summary}", tool["ms"]));
    }
    lines.push(format!("\n{} characters injected", run["characters"]));
    for finding in run["findings"].as_array().into_iter().flatten() {
        let place = match finding["line"].as_u64() {
            Some(line) => format!("{}:{line}", text(finding, "path")),
            None => text(finding, "path").to_owned(),
        };
        lines.push(format!("- {place} {} ({})", text(finding, "symbol"), text(finding, "tool")));
    }
    if !text(run, "limits").is_empty() {
        lines.push(format!("\n{}", text(run, "limits")));
    }
    lines.join("\n")
}
