//! `adjutant impact`: shows the code and the tests that a change would affect.

use std::process::ExitCode;

use clap::Args;
use engine::{Affected, ImpactOptions, impact};
use serde::Serialize;

use super::callers::named;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  adjutant impact charge
  adjutant impact src/billing/retry.rs -n 20";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The item to change, as `name`, `Type::name`, `path` or `path:line`
    name: String,
    #[command(flatten)]
    at: At,
    /// Follow at most N relations
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: u32,
    /// Show at most N locations
    #[arg(short = 'n', long, default_value_t = 50, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options = ImpactOptions {
        depth: arguments.depth,
        limit: arguments.limit,
        min_confidence: 0.0,
        deadline: deadline(),
    };
    let found =
        arguments.at.ask(|view| Ok(impact(view, &named(view, &arguments.name)?, options)))?;
    if arguments.at.json {
        let companions = found.companions.iter();
        return output::json(&Report {
            affected: found.affected.iter().map(Row::new).collect(),
            changes_together: companions
                .map(|(path, commits)| Companion { commits: *commits, path })
                .collect(),
            complete: found.complete,
            tests: found.tests.iter().map(Row::new).collect(),
        });
    }
    let mut table =
        Table::new(["away", "place", "symbol", "kind", "confidence"]).optional(["confidence"]);
    for (kind, places) in [("affected", &found.affected), ("test", &found.tests)] {
        for place in places {
            table.row([
                place.depth.to_string(),
                format!("{}:{}", place.location.path, place.location.lines.start()),
                place.location.symbol.clone().unwrap_or_default(),
                kind.to_owned(),
                format!("{:.2}", place.confidence),
            ]);
        }
    }
    table.print(&format!("nothing in the repository depends on `{}`", arguments.name));
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Report<'a> {
    affected: Vec<Row<'a>>,
    changes_together: Vec<Companion<'a>>,
    complete: bool,
    tests: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Companion<'a> {
    commits: u32,
    path: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    confidence: f64,
    depth: u32,
    line: u32,
    path: &'a str,
    symbol: Option<&'a str>,
    via: &'a str,
}

impl<'a> Row<'a> {
    fn new(affected: &'a Affected) -> Self {
        let Affected { location, via, .. } = affected;
        Self {
            confidence: affected.confidence.into(),
            depth: affected.depth,
            line: *location.lines.start(),
            path: &location.path,
            symbol: location.symbol.as_deref(),
            via: via.symbol.as_deref().unwrap_or(&via.path),
        }
    }
}
