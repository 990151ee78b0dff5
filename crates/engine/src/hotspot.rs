//! `ci_hotspot`: finds files that are complex and change often.

use std::time::Instant;

use contract::counted;
use index::{HistoryState, Role, View};
use serde_json::json;

use crate::ask::{Answer, Asking, Completeness, Item, UnknownName};
use crate::complexity::file_complexity;

#[derive(Clone, Copy, Debug)]
pub struct HotspotOptions {
    /// The length of the period in days. The period ends at the newest commit.
    pub days: u32,
    /// The maximum number of hotspots.
    pub top_k: usize,
    pub deadline: Instant,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hotspot {
    pub path: String,
    /// The number of commits to the file in the period.
    pub commits: u32,
    pub cyclomatic: u32,
    pub cognitive: u32,
    pub lines: u32,
    /// The score relative to the first hotspot, from 0 to 1.
    pub score: f32,
    /// The authors with the most commits to the file.
    pub authors: Vec<String>,
    /// The time of the last commit, in seconds since 1970.
    pub last_commit: i64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct HotspotReport {
    pub hotspots: Vec<Hotspot>,
    pub history: HistoryState,
    /// False if the deadline passed before all files were read.
    pub complete: bool,
}

/// Answers `ci_hotspot`.
pub fn ask_hotspots(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let days = asking.small("days", 30);
    let period = Period::new(newest_day(asking.view), asking.today, days);
    let (top_k, deadline) = (asking.number("top", 20), asking.deadline);
    let options = HotspotOptions { days: period.days_before_newest(), top_k, deadline };
    let report = hotspots(asking.view, &options);
    let days = counted(days as usize, "day");
    let in_period = match period {
        Period::UntilToday { .. } => format!("in the last {days}"),
        Period::UntilNewest { .. } | Period::NoHistory => {
            format!("in the {days} before the newest commit")
        }
    };
    let items = report.hotspots.iter().map(|hotspot| item(hotspot, &in_period));
    let mut answer = Answer {
        items: items.collect(),
        completeness: Completeness::of(report.complete),
        summary: format!("{} changed {in_period}", counted(report.hotspots.len(), "file")),
        nothing: format!("no source file changed {in_period}, according to git"),
        ..Answer::default()
    };
    match (period, report.history) {
        (Period::UntilNewest { age, .. }, _) => {
            let age = counted(age as usize, "day");
            answer.note = Some(format!(
                "the newest commit is {age} old: the changes of the {days} before it are counted"
            ));
        }
        (Period::NoHistory, HistoryState::Pending) => {
            "the git history is still being read".clone_into(&mut answer.nothing);
        }
        (Period::NoHistory, _) => {
            "the repository has no git history to count changes in".clone_into(&mut answer.nothing);
        }
        (Period::UntilToday { .. }, _) => {}
    }
    Ok(answer)
}

fn item(hotspot: &Hotspot, in_period: &str) -> Item {
    let &Hotspot { commits, cyclomatic, cognitive, lines, last_commit, .. } = hotspot;
    let item = Item {
        path: hotspot.path.clone(),
        line: Some(1),
        title: Some("hotspot".to_owned()),
        role: format!(
            "{} {in_period}, cyclomatic {cyclomatic}, {}",
            counted(commits as usize, "commit"),
            counted(lines as usize, "line")
        ),
        is_certain: true,
        certainty: 1.0,
        relevance: Some(hotspot.score),
        source: "git history × complexity".to_owned(),
        ..Item::default()
    };
    item.with_fields(json!({
        "authors": hotspot.authors, "cognitive": cognitive, "commits": commits, "cyclomatic": cyclomatic,
        "last_commit": last_commit, "lines": lines, "path": hotspot.path, "score": f64::from(hotspot.score),
    }))
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

/// Returns the source files that changed in the period, highest score first. The score combines the number of commits
/// and the complexity.
#[must_use]
pub fn hotspots(view: &View, options: &HotspotOptions) -> HotspotReport {
    let mut report =
        HotspotReport { hotspots: Vec::new(), history: view.meta().history, complete: true };
    let since = newest_day(view).unwrap_or(0).saturating_sub(options.days);
    for id in view.files() {
        if Instant::now() >= options.deadline {
            report.complete = false;
            break;
        }
        let commits = view.touch_days(id).take_while(|day| *day >= since).count() as u32;
        if commits == 0 || view.role(id) != Role::Source {
            continue;
        }
        let Some(sum) = file_complexity(view, id, &mut Vec::new()) else { continue };
        report.hotspots.push(Hotspot {
            path: sum.path,
            commits,
            cyclomatic: sum.cyclomatic,
            cognitive: sum.cognitive,
            lines: sum.lines,
            score: (commits as f32).ln_1p() * ((sum.cyclomatic + sum.cognitive) as f32).ln_1p(),
            authors: view.authors(id).into_iter().map(str::to_owned).collect(),
            last_commit: view.file(id).history.last_commit,
        });
    }
    report.hotspots.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
    report.hotspots.truncate(options.top_k);
    let hottest =
        report.hotspots.first().map_or(1.0, |hotspot| hotspot.score).max(f32::MIN_POSITIVE);
    for hotspot in &mut report.hotspots {
        hotspot.score /= hottest;
    }
    report
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
