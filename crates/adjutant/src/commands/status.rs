//! `adjutant status`: reports on the index without building it.

use std::process::ExitCode;
use std::time::SystemTime;

use contract::counted;
use engine::IndexReport;
use index::OpenError;
use kernel::IndexLocation;
use serde_json::json;

use super::repository::{At, deadline};
use crate::failure::Failure;
use crate::{edge, output, style};

const MAX_PROBLEMS: usize = 10;

/// The state of a repository's index.
enum State {
    Indexed(Box<IndexReport>),
    Missing {
        is_being_built: bool,
    },
    Damaged,
    /// The folder of the index is not used, for example because it belongs to another user. Contains the reason.
    Refused(String),
}

pub(crate) fn run(at: &At) -> Result<ExitCode, Failure> {
    let place = at.place()?;
    let state = read(&place);
    let root = place.root.display().to_string();
    if at.json {
        output::data(&as_json(&root, &state));
        return Ok(ExitCode::SUCCESS);
    }
    output::data(&style::paint(style::PLACE, &root));
    let problem = match &state {
        State::Indexed(report) => {
            output::data(&as_text(report));
            return Ok(ExitCode::SUCCESS);
        }
        State::Missing { is_being_built: true } => "the index is being built; until then,",
        State::Missing { is_being_built: false } => "there is no index;",
        State::Damaged => "the index is damaged and is ignored;",
        State::Refused(reason) => &format!("{reason};"),
    };
    output::data(&format!("{problem} Adjutant searches the files directly"));
    if matches!(state, State::Missing { is_being_built: false } | State::Damaged) {
        output::hint("`adjutant index` builds the index");
    }
    Ok(ExitCode::SUCCESS)
}

fn read(place: &IndexLocation) -> State {
    let Some(store) = place.store() else { return State::Missing { is_being_built: false } };
    let is_being_built = store.is_being_written();
    match store.view(&place.look(deadline())) {
        // The report reads only a part of the index. `verify` checks the rest for damage.
        Ok(view) if view.verify() => {
            let now = edge::clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
            State::Indexed(Box::new(engine::index_report(&view, now)))
        }
        Err(error) if error.is_absent() || is_being_built => State::Missing { is_being_built },
        Err(OpenError::Refused(reason)) => State::Refused(reason),
        Ok(_) | Err(_) => State::Damaged,
    }
}

fn as_json(root: &str, state: &State) -> String {
    let value = match state {
        State::Indexed(report) => json!({
            "root": root, "indexed": true, "files": report.files, "symbols": report.symbols,
            "edges": report.edges, "terms": report.terms, "commits": report.commits,
            "history": history(report), "head": report.head, "age_seconds": report.age,
            "bytes": report.bytes, "changed": report.changed, "added": report.added,
            "deleted": report.deleted, "left_out": report.stale, "complete": report.checked,
            "damaged": report.damaged, "problems": report.problems,
        }),
        State::Missing { is_being_built } => {
            json!({ "root": root, "indexed": false, "building": is_being_built })
        }
        State::Damaged => json!({ "root": root, "indexed": false, "damaged": true }),
        State::Refused(reason) => json!({ "root": root, "indexed": false, "problems": [reason] }),
    };
    value.to_string()
}

fn history(report: &IndexReport) -> String {
    format!("{:?}", report.history).to_lowercase()
}

fn as_text(report: &IndexReport) -> String {
    let n = |n: u32, noun: &str| counted(n as usize, noun);
    let mut lines = vec![
        format!(
            "{}, {}, {}, {}, {:.1} MB",
            n(report.files, "file"),
            n(report.symbols, "symbol"),
            n(report.edges, "edge"),
            n(report.terms, "term"),
            report.bytes as f64 / 1e6
        ),
        format!(
            "git history {}, {}, HEAD {}",
            history(report),
            n(report.commits, "commit"),
            report.head.as_deref().unwrap_or("–")
        ),
        format!(
            "built {}; since then {} changed, {} new, {} deleted, {} not read yet",
            style::seconds_ago(i64::try_from(report.age).unwrap_or(i64::MAX)),
            report.changed.len(),
            report.added.len(),
            report.deleted.len(),
            report.stale
        ),
    ];
    let problems = report.problems.iter().take(MAX_PROBLEMS);
    lines.extend(problems.map(|problem| format!("problem: {problem}")));
    lines.join("\n")
}
