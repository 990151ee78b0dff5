//! `adjutant hotspots`: files by their number of changes and their complexity.

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
    /// Count the changes of the last N days
    #[arg(long, default_value_t = 30, value_name = "N")]
    days: u32,
    /// Show at most N files
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let options =
        HotspotOptions { days: arguments.days, top_k: arguments.limit, deadline: deadline() };
    let report = arguments.at.ask(|view| Ok(engine::hotspots(view, &options)))?;
    let mut table = Table::new(["score", "path", "commits", "cyclomatic", "lines", "authors"]);
    let mut items = Vec::new();
    for hotspot in &report.hotspots {
        items.push(json!({
            "path": hotspot.path, "score": hotspot.score, "commits": hotspot.commits, "cyclomatic": hotspot.cyclomatic,
            "cognitive": hotspot.cognitive, "lines": hotspot.lines, "authors": hotspot.authors, "last_commit": hotspot.last_commit,
        }));
        table.row([
            format!("{:.2}", hotspot.score),
            hotspot.path.clone(),
            hotspot.commits.to_string(),
            hotspot.cyclomatic.to_string(),
            hotspot.lines.to_string(),
            hotspot.authors.join(", "),
        ]);
    }
    let nothing =
        format!("no source file changed in the last {} days, according to git", arguments.days);
    output::data(&if arguments.at.json {
        Value::from(items).to_string()
    } else {
        table.text(&nothing)
    });
    Ok(ExitCode::SUCCESS)
}
