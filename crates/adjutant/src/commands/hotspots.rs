//! `adjutant hotspots`: churn × complexity.

use std::process::ExitCode;

use clap::Args;
use engine::HotspotOptions;
use serde_json::{Value, json};

use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
    /// Changes of the last so many days
    #[arg(long, default_value_t = 30, value_name = "N")]
    days: u32,
    /// At most so many files
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options =
        HotspotOptions { days: arguments.days, top_k: arguments.limit, deadline: deadline() };
    let report = arguments.at.ask(|view| Ok(engine::hotspots(view, &options)))?;
    let mut table = Table::new(["score", "path", "commits", "cyclomatic", "lines", "authors"]);
    let mut items = Vec::new();
    for spot in &report.hotspots {
        items.push(json!({
            "path": spot.path, "score": spot.score, "commits": spot.commits, "cyclomatic": spot.cyclomatic,
            "cognitive": spot.cognitive, "lines": spot.lines, "authors": spot.authors, "last_commit": spot.last_commit,
        }));
        table.row([
            format!("{:.2}", spot.score),
            spot.path.clone(),
            spot.commits.to_string(),
            spot.cyclomatic.to_string(),
            spot.lines.to_string(),
            spot.authors.join(", "),
        ]);
    }
    let nothing = format!(
        "no file with code changed in the last {} days, as far as git tells",
        arguments.days
    );
    output::data(&if arguments.at.json {
        Value::from(items).to_string()
    } else {
        table.text(&nothing)
    });
    Ok(ExitCode::SUCCESS)
}
