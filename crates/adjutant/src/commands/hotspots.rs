//! `adjutant hotspots`: lists files by their number of changes and their complexity.

use std::process::ExitCode;

use clap::Args;
use engine::{Hotspot, HotspotOptions};
use serde::Serialize;

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
    if arguments.at.json {
        return output::json(&report.hotspots.iter().map(Row::new).collect::<Vec<_>>());
    }
    let mut table = Table::new(["score", "path", "commits", "cyclomatic", "lines", "authors"]);
    for hotspot in &report.hotspots {
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
    output::data(&table.text(&nothing));
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Row<'a> {
    authors: &'a [String],
    cognitive: u32,
    commits: u32,
    cyclomatic: u32,
    last_commit: i64,
    lines: u32,
    path: &'a str,
    score: f64,
}

impl<'a> Row<'a> {
    fn new(hotspot: &'a Hotspot) -> Self {
        let &Hotspot { commits, cyclomatic, cognitive, lines, last_commit, .. } = hotspot;
        let (authors, path, score) = (&hotspot.authors, &hotspot.path, hotspot.score.into());
        Self { authors, cognitive, commits, cyclomatic, last_commit, lines, path, score }
    }
}
