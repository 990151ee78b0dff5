//! `adjutant search`: prints the files that the ranking of a briefing finds.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use engine::{FileHit, Mode, Query, SearchOptions};
use serde::Serialize;

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  adjutant search \"where are retries limited?\"
  adjutant search --mode symbol retry_budget
  git log -1 --format=%B | adjutant search -";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Show at most N files
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N")]
    limit: usize,
    /// Match words, symbol names, or both
    #[arg(long, value_enum, default_value_t = ModeArgument::Hybrid)]
    mode: ModeArgument,
    /// Print only the paths, without symbols and reasons
    #[arg(long)]
    files: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeArgument {
    Keyword,
    Symbol,
    Hybrid,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let prompt = prompt(&arguments.prompt)?;
    let mode = match arguments.mode {
        ModeArgument::Keyword => Mode::Keyword,
        ModeArgument::Symbol => Mode::Symbol,
        ModeArgument::Hybrid => Mode::Hybrid,
    };
    let options =
        SearchOptions { limit: arguments.limit, mode, session: None, deadline: deadline() };
    let query = Query::read(&prompt);
    let hits = arguments.at.ask(|view| Ok(engine::search(view, &query, &options)))?;
    if arguments.at.json {
        let rows: Vec<_> = hits.iter().map(|hit| Row::new(hit, arguments.files)).collect();
        output::json(&rows)?;
    } else if arguments.files {
        output::data(&hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>().join("\n"));
    } else {
        table(&hits).print("nothing found");
    }
    Ok(output::found(!hits.is_empty() || arguments.limit == 0))
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// The range of lines to show. The outer option is `None` if only paths are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Option<[u32; 2]>>,
    path: &'a str,
    score: f64,
    symbols: Vec<SymbolRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a [&'static str]>,
}

#[derive(Serialize)]
struct SymbolRow<'a> {
    line: u32,
    name: &'a str,
    score: f64,
}

impl<'a> Row<'a> {
    fn new(hit: &'a FileHit, files_only: bool) -> Self {
        let symbols = hit.symbols.iter().map(|symbol| SymbolRow {
            line: symbol.line,
            name: &symbol.name,
            score: symbol.score.into(),
        });
        let lines = || hit.lines.as_ref().map(|lines| [*lines.start(), *lines.end()]);
        Self {
            confidence: (!files_only).then(|| hit.confidence.into()),
            lines: (!files_only).then(lines),
            path: &hit.path,
            score: hit.score.into(),
            symbols: symbols.collect(),
            why: (!files_only).then_some(&hit.why),
        }
    }
}

fn table(hits: &[FileHit]) -> Table {
    let mut table = Table::new(["confidence", "place", "symbol", "why"]).optional(["why"]);
    for hit in hits {
        let symbol = hit.symbols.first();
        let line = symbol
            .map(|symbol| symbol.line)
            .or(hit.lines.as_ref().map(|lines| *lines.start()))
            .unwrap_or(1);
        table.row([
            format!("{:.2}", hit.confidence),
            format!("{}:{line}", hit.path),
            symbol.map(|symbol| symbol.name.clone()).unwrap_or_default(),
            hit.why.join(", "),
        ]);
    }
    table
}
