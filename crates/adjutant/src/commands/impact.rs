//! `adjutant impact`: the code and the tests that a change would affect.

use std::process::ExitCode;

use clap::Args;
use engine::{Affected, ImpactOptions, impact};
use serde_json::{Value, json};

use super::callers::named;
use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    /// The item to change, as `name`, `Type::name`, `path` or `path:line`
    name: String,
    #[command(flatten)]
    at: At,
    /// Follow at most N relations
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: u32,
    /// Show at most N locations
    #[arg(long, default_value_t = 50, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options =
        ImpactOptions { depth: arguments.depth, limit: arguments.limit, deadline: deadline() };
    let found =
        arguments.at.ask(|view| Ok(impact(view, &named(view, &arguments.name)?, options)))?;
    if arguments.at.json {
        let list = |places: &[Affected]| places.iter().map(as_json).collect::<Vec<_>>();
        let companions: Vec<Value> = found
            .companions
            .iter()
            .map(|(path, commits)| json!({ "path": path, "commits": commits }))
            .collect();
        let json = json!({
            "affected": list(&found.affected), "tests": list(&found.tests), "changes_together": companions,
            "complete": found.complete,
        });
        output::data(&json.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new(["away", "place", "symbol", "kind", "confidence"]);
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
    output::data(&table.text("no dependent code found"));
    Ok(ExitCode::SUCCESS)
}

fn as_json(affected: &Affected) -> Value {
    json!({
        "path": affected.location.path, "line": affected.location.lines.start(), "symbol": affected.location.symbol,
        "depth": affected.depth, "confidence": affected.confidence,
        "via": affected.via.symbol.as_deref().unwrap_or(&affected.via.path),
    })
}
