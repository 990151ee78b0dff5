//! `ci_hotspot`: finds files that are complex and change often.

use std::time::Instant;

use index::{HistoryState, Role, View};

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

/// Returns the source files that changed in the period, highest score first. The score combines the number of commits
/// and the complexity.
#[must_use]
pub fn hotspots(view: &View, options: &HotspotOptions) -> HotspotReport {
    let mut report =
        HotspotReport { hotspots: Vec::new(), history: view.meta().history, complete: true };
    let newest = view.files().filter_map(|id| view.touch_days(id).next()).max().unwrap_or(0);
    let since = newest.saturating_sub(options.days);
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
