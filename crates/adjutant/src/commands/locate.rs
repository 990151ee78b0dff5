//! `adjutant locate`: finds the likely source of an error message or a stack trace.

use std::io;
use std::process::ExitCode;

use clap::Args;
use engine::{BugOptions, Query, SearchOptions, Source, Suspicion, ToQuote};
use serde::Serialize;

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  adjutant locate \"KeyError: retry_budget\"
  pytest 2>&1 | adjutant locate -";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The error message; `-` or no argument reads it from stdin
    text: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Show at most N locations
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let text = prompt(&arguments.text)?;
    let search = SearchOptions {
        limit: arguments.limit,
        mode: engine::Mode::Hybrid,
        session: None,
        deadline: deadline(),
    };
    let options = BugOptions { limit: arguments.limit, deadline: deadline() };
    let root = guard::Root::open(&arguments.at.place()?.root)
        .map_err(|error| Failure::new(error.to_string(), contract::ExitCode::Configuration))?;
    let source = Source {
        root: root.path(),
        admits: &|path| !guard::is_sensitive(path),
        open: &|path| root.open_file(path).map_err(io::Error::other),
        // Only the locations are printed.
        to_quote: &|_| ToQuote::Nothing,
    };
    let report = arguments.at.ask(|view| {
        let hits = engine::search(view, &Query::read(&text), &search);
        Ok(engine::bug_locate(view, &source, &text, &hits, options))
    })?;
    let mut table = Table::new(["score", "place", "symbol", "why", "recent commits"])
        .optional(["recent commits", "symbol"]);
    let mut items = Vec::new();
    for suspect in &report.suspects {
        let why = match suspect.why {
            Suspicion::Frame(number) => format!("frame {}", number + 1),
            Suspicion::Message => "contains the message".to_owned(),
            Suspicion::DefinesError => "defines the error".to_owned(),
            Suspicion::Search => "matches the text".to_owned(),
        };
        let line = suspect.line.unwrap_or(*suspect.location.lines.start());
        let symbol = suspect.location.symbol.clone().unwrap_or_default();
        let (path, recent_commits) = (&suspect.location.path, suspect.recent_commits);
        table.row([
            format!("{:.2}", suspect.score),
            format!("{path}:{line}"),
            symbol.clone(),
            why.clone(),
            recent_commits.to_string(),
        ]);
        items.push(Row { line, path, recent_commits, score: suspect.score.into(), symbol, why });
    }
    if arguments.at.json {
        output::json(&items)?;
    } else {
        table.print("no suspect found");
    }
    Ok(output::found(!items.is_empty() || arguments.limit == 0))
}

#[derive(Serialize)]
struct Row<'a> {
    line: u32,
    path: &'a str,
    recent_commits: u32,
    score: f64,
    symbol: String,
    why: String,
}
