//! `queue report`: what happened in the last hours, and what to do next.

use std::process::ExitCode;

use clap::Args;
use queue::{Report, Task, TaskState};
use runs::{TimeLimit, TotalUse};

use super::StoreArguments;
use super::change::amount;
use super::list::{colour, time};
use crate::failure::Failure;
use crate::{output, style};

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    /// Report the tasks that ended in this time, and the tasks that have not ended: 90m, 12h, off for all
    #[arg(long, value_name = "TIME", default_value = "12h")]
    since: TimeLimit,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "\
Example:
  adjutant queue report --since 8h";

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let since = arguments.since.milliseconds().and_then(|since| i64::try_from(since).ok());
    let report = arguments.store.open()?.report(since.unwrap_or(i64::MAX));
    let report = report?;
    if arguments.json {
        return output::pretty_json(&report);
    }
    output::data(&as_text(&report));
    Ok(ExitCode::SUCCESS)
}

fn as_text(report: &Report) -> String {
    let mut lines = vec![heading(report)];
    for (state, count) in &report.counts {
        let name = style::paint(colour(*state), state.word().replace('-', " "));
        lines.push(format!("\n{name} ({count})"));
        let tasks = report.tasks.iter().filter(|task| task.state == *state);
        tasks.for_each(|task| lines.extend(about(task, report.now)));
    }
    lines.join("\n")
}

fn heading(report: &Report) -> String {
    let counts = report.counts.iter();
    let counts = counts.map(|(state, count)| format!("{count} {}", state.word().replace('-', " ")));
    let mut parts = vec![counts.collect::<Vec<_>>().join(", ")];
    if report.tasks.is_empty() {
        parts = vec!["no tasks".to_owned()];
    }
    if report.since > 0 {
        parts.push(format!("since {}", time(report.since)));
    }
    parts.extend(used(report.usage));
    parts.join(" · ")
}

fn used(usage: TotalUse) -> impl Iterator<Item = String> {
    let tokens = Some(usage.tokens.total())
        .filter(|total| *total > 0)
        .map(|total| format!("{total} tokens"));
    let cost = usage.cost.map(|cost| format!("cost {}", amount(cost)));
    [tokens, cost].into_iter().flatten()
}

/// Describes a task in two or three lines: its title, its figures, and what needs the user or how to take the result.
fn about(task: &Task, now: i64) -> Vec<String> {
    let mut figures: Vec<String> = task.duration_ms(now).map(duration).into_iter().collect();
    figures.extend(used(task.usage));
    figures.extend(task.product.changes.map(|changes| changes.to_string()));
    if task.generation > 1 {
        figures.push(format!("{} attempts", task.generation));
    }
    let mut lines = vec![format!("  {}  {}", task.id, task.title)];
    let needs_attention = matches!(
        task.state,
        TaskState::Failed | TaskState::Budget | TaskState::NeedsApproval | TaskState::Waiting
    );
    let class = task.class.as_ref().map(|class| format!("{class}: "));
    let reason = task.reason.as_ref().filter(|_| needs_attention);
    lines.extend(reason.map(|it| format!("      {}{it}", class.as_deref().unwrap_or_default())));
    if !figures.is_empty() {
        lines.push(format!("      {}", figures.join(" · ")));
    }
    lines.extend(next_command(task).map(|command| format!("      {command}")));
    lines
}

/// Returns the command that takes the result, or that continues a task that did not finish.
fn next_command(task: &Task) -> Option<String> {
    match task.state {
        TaskState::Finished => {
            let branch = task.product.branch.as_deref()?;
            let repository = task.repository.to_str()?;
            let words = ["git", "-C", repository, "merge", branch];
            shlex::try_join(words).ok()
        }
        TaskState::NeedsApproval => Some(format!("adjutant queue retry --resume {}", task.id)),
        TaskState::Failed | TaskState::Budget => Some(format!("adjutant queue show {}", task.id)),
        TaskState::Waiting => {
            task.waiting_until.map(|until| format!("continues at {}", time(until)))
        }
        TaskState::Running | TaskState::Queued | TaskState::Cancelled => None,
    }
}

/// Formats a duration with its two largest units, such as `4m 12s`.
fn duration(milliseconds: i64) -> String {
    let seconds = milliseconds / 1_000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, _) => format!("{minutes}m {}s", seconds % 60),
        (0, _, _) => format!("{hours}h {minutes}m"),
        _ => format!("{days}d {hours}h"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn a_duration_has_its_two_largest_units() {
        let shown = [0, 59_999, 252_000, 3_600_000, 90_000_000].map(duration);
        assert_eq!(shown, ["0s", "59s", "4m 12s", "1h 0m", "1d 1h"]);
    }
}
