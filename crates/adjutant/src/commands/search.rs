//! `adjutant search`: prints the files that the ranking of a briefing finds.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use engine::{FileHit, Mode, Query, SearchOptions};
use serde_json::{Value, json};

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Show at most N files
    #[arg(long, default_value_t = 10, value_name = "N")]
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
    let options = SearchOptions { limit: arguments.limit, mode, deadline: deadline() };
    let query = Query::read(&prompt);
    let hits = arguments.at.ask(|view| Ok(engine::search(view, &query, &options)))?;
    if arguments.at.json {
        let hits: Vec<Value> = hits.iter().map(|hit| json(hit, arguments.files)).collect();
        output::data(&Value::from(hits).to_string());
    } else if arguments.files {
        output::data(&hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>().join("\n"));
    } else {
        output::data(&table(&hits));
    }
    Ok(ExitCode::SUCCESS)
}

fn json(hit: &FileHit, files_only: bool) -> Value {
    let symbols: Vec<Value> = hit
        .symbols
        .iter()
        .map(|symbol| json!({ "name": symbol.name, "line": symbol.line, "score": symbol.score }))
        .collect();
    let mut json = json!({ "path": hit.path, "score": hit.score, "symbols": symbols });
    if !files_only {
        json["confidence"] = hit.confidence.into();
        json["why"] = hit.why.clone().into();
        json["lines"] = hit.lines.as_ref().map(|lines| vec![*lines.start(), *lines.end()]).into();
    }
    json
}

fn table(hits: &[FileHit]) -> String {
    let mut table = Table::new(["confidence", "place", "symbol", "why"]);
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
    table.text("nothing found")
}
