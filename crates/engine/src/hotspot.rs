//! `ci_hotspot`: finds files that are complex and change often.

use std::time::Instant;

use contract::counted;
use index::{FileId, HistoryState, Role, View};
use serde_json::json;

use crate::ask::{Answer, Asking, Completeness, Item, UnknownName};
use crate::complexity::{FileComplexity, file_complexity};

struct Hotspot {
    id: FileId,
    totals: FileComplexity,
    /// The number of commits to the file in the period.
    commits: u32,
    /// The score, in the end relative to the first hotspot, from 0 to 1.
    score: f32,
}

/// Answers `ci_hotspot`.
pub fn ask_hotspots(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let (view, days) = (asking.view, asking.small("days", 30));
    let newest = newest_day(view);
    let period = Period::new(newest, asking.today, days);
    let since = newest.unwrap_or(0).saturating_sub(period.days_before_newest());
    let (hotspots, is_complete) = hotspots(asking, since);
    let days = counted(days as usize, "day");
    let in_period = match period {
        Period::UntilToday { .. } => format!("in the last {days}"),
        Period::UntilNewest { .. } | Period::NoHistory => {
            format!("in the {days} before the newest commit")
        }
    };
    let mut answer = Answer {
        items: hotspots.iter().map(|hotspot| item(view, hotspot, &in_period)).collect(),
        completeness: Completeness::of(is_complete),
        summary: format!("{} changed {in_period}", counted(hotspots.len(), "file")),
        nothing: format!("no source file changed {in_period}, according to git"),
        ..Answer::default()
    };
    match (period, view.meta().history) {
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

fn item(view: &View, hotspot: &Hotspot, in_period: &str) -> Item {
    let Hotspot { id, totals, commits, score } = hotspot;
    let FileComplexity { path, cyclomatic, cognitive, lines, .. } = totals;
    let item = Item {
        path: path.clone(),
        line: Some(1),
        title: Some("hotspot".to_owned()),
        role: format!(
            "{} {in_period}, cyclomatic {cyclomatic}, {}",
            counted(*commits as usize, "commit"),
            counted(*lines as usize, "line")
        ),
        is_certain: true,
        certainty: 1.0,
        relevance: Some(*score),
        source: "git history × complexity".to_owned(),
        ..Item::default()
    };
    item.with_fields(json!({
        "authors": view.authors(*id), "cognitive": cognitive, "commits": commits, "cyclomatic": cyclomatic,
        "last_commit": view.file(*id).history.last_commit, "lines": lines, "path": path, "score": f64::from(*score),
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

/// Returns the source files that changed since the day `since`, highest score first, and whether all files were read
/// before the deadline. The score combines the number of commits and the complexity.
fn hotspots(asking: &Asking<'_>, since: u32) -> (Vec<Hotspot>, bool) {
    let (view, mut hotspots, mut is_complete) = (asking.view, Vec::new(), true);
    for id in view.files() {
        if Instant::now() >= asking.deadline {
            is_complete = false;
            break;
        }
        let commits = view.touch_days(id).take_while(|day| *day >= since).count() as u32;
        if commits == 0 || view.role(id) != Role::Source {
            continue;
        }
        let Some(totals) = file_complexity(view, id, &mut Vec::new()) else { continue };
        let complexity = (totals.cyclomatic + totals.cognitive) as f32;
        let score = (commits as f32).ln_1p() * complexity.ln_1p();
        hotspots.push(Hotspot { id, totals, commits, score });
    }
    hotspots.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| a.totals.path.cmp(&b.totals.path))
    });
    hotspots.truncate(asking.number("top", 20));
    let highest = hotspots.first().map_or(1.0, |hotspot| hotspot.score).max(f32::MIN_POSITIVE);
    for hotspot in &mut hotspots {
        hotspot.score /= highest;
    }
    (hotspots, is_complete)
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
