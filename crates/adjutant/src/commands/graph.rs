//! `adjutant graph`: shows code that is related to the matches of a prompt.

use std::process::ExitCode;

use clap::Args;
use engine::{GraphOptions, Origin, Query, SearchOptions, graph_rag};
use serde::Serialize;

use super::prompt::prompt;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  adjutant graph \"how is a charge retried?\"
  adjutant graph retry_budget --depth 1";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The prompt; `-` or no argument reads it from stdin
    prompt: Vec<String>,
    #[command(flatten)]
    at: At,
    /// Follow at most N relations from a match
    #[arg(long, default_value_t = 2, value_name = "N")]
    depth: u32,
    /// Show at most N locations
    #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Print at most N tokens
    #[arg(long, default_value_t = 8000, value_name = "N")]
    budget: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let prompt = prompt(&arguments.prompt)?;
    let search =
        SearchOptions { limit: 5, mode: engine::Mode::Hybrid, session: None, deadline: deadline() };
    let options = GraphOptions {
        depth: arguments.depth,
        top_k: arguments.limit,
        budget_tokens: arguments.budget,
        min_confidence: 0.0,
        deadline: deadline(),
    };
    let answer = arguments.at.ask(|view| {
        let seeds: Vec<_> = engine::search(view, &Query::read(&prompt), &search)
            .iter()
            .filter_map(|hit| Some((hit.node(view)?, hit.confidence.max(0.05))))
            .collect();
        Ok(graph_rag(view, &seeds, options))
    })?;
    let mut table = Table::new(["score", "place", "symbol", "why"]).optional(["why"]);
    let mut items = Vec::new();
    for item in &answer.items {
        let why = match &item.origin {
            Origin::Seed => "match".to_owned(),
            Origin::Related { relation, to, .. } => {
                format!(
                    "{} {}",
                    kernel::relation_words(*relation),
                    to.symbol.as_deref().unwrap_or(&to.path)
                )
            }
        };
        let symbol = item.location.symbol.clone().unwrap_or_default();
        let (path, line) = (&item.location.path, *item.location.lines.start());
        let score = format!("{:.2}", item.score);
        table.row([score, format!("{path}:{line}"), symbol.clone(), why.clone()]);
        let (score, signature) = (item.score.into(), &item.signature);
        items.push(Row { line, path, score, signature, symbol, why });
    }
    if arguments.at.json {
        output::json(&items)?;
    } else {
        table.print("nothing found");
    }
    Ok(output::found(!items.is_empty() || arguments.limit == 0))
}

#[derive(Serialize)]
struct Row<'a> {
    line: u32,
    path: &'a str,
    score: f64,
    signature: &'a str,
    symbol: String,
    why: String,
}
