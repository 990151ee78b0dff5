//! `adjutant locate`: finds the likely source of an error text or a stack trace.

use std::process::ExitCode;

use clap::Args;
use engine::{BugOptions, Query, SearchOptions, Suspicion};
use serde_json::{Value, json};

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The error text; `-` or no argument reads it from stdin
    text: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Show at most N locations
    #[arg(long, default_value_t = 10, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = prompt(&arguments.text)?;
    let search =
        SearchOptions { limit: arguments.limit, mode: engine::Mode::Hybrid, deadline: deadline() };
    let options = BugOptions { limit: arguments.limit, deadline: deadline() };
    let report = arguments.at.ask(|view| {
        let hits = engine::search(view, &Query::read(&text), &search);
        let found: Vec<_> = hits
            .iter()
            .filter_map(|hit| Some((view.file_by_path(&hit.path)?, hit.confidence)))
            .collect();
        Ok(engine::bug_locate(view, &text, &found, options))
    })?;
    let mut table = Table::new(["score", "place", "symbol", "why", "recent commits"]);
    let mut items = Vec::new();
    for suspect in &report.suspects {
        let why = match suspect.why {
            Suspicion::Frame(number) => format!("frame {}", number + 1),
            Suspicion::DefinesError => "defines the error".to_owned(),
            Suspicion::Search => "matches the text".to_owned(),
        };
        let line = suspect.line.unwrap_or(*suspect.location.lines.start());
        let symbol = suspect.location.symbol.clone().unwrap_or_default();
        items.push(json!({
            "path": suspect.location.path, "line": line, "symbol": symbol, "score": suspect.score, "why": why,
            "recent_commits": suspect.recent_commits,
        }));
        table.row([
            format!("{:.2}", suspect.score),
            format!("{}:{line}", suspect.location.path),
            symbol,
            why,
            suspect.recent_commits.to_string(),
        ]);
    }
    output::data(&if arguments.at.json {
        Value::from(items).to_string()
    } else {
        table.text("no suspect found")
    });
    Ok(ExitCode::SUCCESS)
}
