//! `adjutant hotspots`: lists files by their number of changes and their complexity.

use std::process::ExitCode;
use std::time::SystemTime;

use clap::Args;
use contract::counted;
use engine::{Hotspot, HotspotOptions};
use index::View;
use serde::Serialize;

use super::repository::{At, deadline};
use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output, style};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

const EXAMPLES: &str = "\
Examples:
  adjutant hotspots
  adjutant hotspots --days 365 -n 5";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
    /// Count the changes of the last N days; if there are none, of the N days before the newest commit
    #[arg(long, default_value_t = 30, value_name = "N")]
    days: u32,
    /// Show at most N files
    #[arg(short = 'n', long, default_value_t = 20, value_name = "N")]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let today = edge::clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let today = u32::try_from(today.as_secs() / SECONDS_PER_DAY).unwrap_or(u32::MAX);
    let (period, report) = arguments.at.ask(|view| {
        let period = Period::new(newest_day(view), today, arguments.days);
        let (top_k, deadline) = (arguments.limit, deadline());
        let options = HotspotOptions { days: period.days_before_newest(), top_k, deadline };
        Ok((period, engine::hotspots(view, &options)))
    })?;
    if arguments.at.json {
        return output::json(&report.hotspots.iter().map(Row::new).collect::<Vec<_>>());
    }
    let mut table = Table::new(["score", "path", "commits", "cyclomatic", "lines", "authors"])
        .optional(["authors", "lines"]);
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
    let days = counted(arguments.days as usize, "day");
    match period {
        Period::NoHistory => output::talk("the repository has no git history to count changes in"),
        Period::UntilToday { .. } => {
            table.print(&format!("no source file changed in the last {days}, according to git"));
        }
        Period::UntilNewest { age, .. } => {
            let age = counted(age as usize, "day");
            let note = format!(
                "the newest commit is {age} old: the changes of the {days} before it are counted"
            );
            output::talk(&format!("{} {note}", style::paint(style::WARNING, "note:")));
            table.print("no source file changed in that time, according to git");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The period in which changes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Period {
    /// The period ends today. `days` is the number of days from the start of the period to the newest commit.
    UntilToday {
        days: u32,
    },
    /// The newest commit is older than the period, so a period of `days` days that ends at this commit is used instead.
    /// `age` is the age of the commit in days.
    UntilNewest {
        days: u32,
        age: u32,
    },
    NoHistory,
}

impl Period {
    fn new(newest: Option<u32>, today: u32, days: u32) -> Self {
        let Some(newest) = newest else { return Self::NoHistory };
        let age = today.saturating_sub(newest);
        match days.checked_sub(age) {
            Some(days) => Self::UntilToday { days },
            None => Self::UntilNewest { days, age },
        }
    }

    fn days_before_newest(self) -> u32 {
        match self {
            Self::UntilToday { days } | Self::UntilNewest { days, .. } => days,
            Self::NoHistory => 0,
        }
    }
}

/// Returns the day of the newest commit, in days since 1970, or `None` if the index contains no git history.
fn newest_day(view: &View) -> Option<u32> {
    view.files().filter_map(|id| view.touch_days(id).next()).max()
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

#[cfg(test)]
mod tests {
    use super::Period;

    #[test]
    fn the_period_ends_today_unless_the_newest_commit_is_older() {
        assert_eq!(Period::new(Some(990), 1000, 30), Period::UntilToday { days: 20 });
        assert_eq!(Period::new(Some(1000), 1000, 30), Period::UntilToday { days: 30 });
        assert_eq!(Period::new(Some(900), 1000, 30), Period::UntilNewest { days: 30, age: 100 });
        assert_eq!(Period::new(None, 1000, 30), Period::NoHistory);
    }
}
