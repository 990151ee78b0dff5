//! `adjutant status`: reports on the index without building it.

use std::process::ExitCode;

use contract::counted;
use index::{OpenError, View};
use kernel::IndexLocation;
use serde_json::json;

use super::repository::{At, deadline};
use crate::failure::Failure;
use crate::{output, style};

const MAX_PROBLEMS: usize = 10;

/// The state of a repository's index.
enum State {
    Indexed(Box<View>),
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
        output::data(&as_json(&place, &root, &state));
        return Ok(ExitCode::SUCCESS);
    }
    output::data(&style::paint(style::PLACE, &root));
    let problem = match &state {
        State::Indexed(view) => {
            output::data(&as_text(&place, view));
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
        Ok(view) if view.verify() => State::Indexed(Box::new(view)),
        Err(error) if error.is_absent() || is_being_built => State::Missing { is_being_built },
        Err(OpenError::Refused(reason)) => State::Refused(reason),
        Ok(_) | Err(_) => State::Damaged,
    }
}

fn as_json(place: &IndexLocation, root: &str, state: &State) -> String {
    let value = match state {
        State::Indexed(view) => {
            let (meta, freshness) = (view.meta(), view.freshness());
            json!({
                "root": root, "indexed": true, "files": meta.files, "symbols": meta.symbols,
                "edges": meta.edges, "terms": meta.terms, "commits": meta.commits,
                "history": history(view), "head": meta.head, "bytes": view.size(),
                "age_seconds": place.age(view).as_secs(), "changed": freshness.changed,
                "added": freshness.added, "deleted": freshness.deleted,
                "left_out": freshness.left_out, "complete": freshness.complete,
                "damaged": view.damaged(), "problems": meta.problems,
            })
        }
        State::Missing { is_being_built } => {
            json!({ "root": root, "indexed": false, "building": is_being_built })
        }
        State::Damaged => json!({ "root": root, "indexed": false, "damaged": true }),
        State::Refused(reason) => json!({ "root": root, "indexed": false, "problems": [reason] }),
    };
    value.to_string()
}

fn history(view: &View) -> String {
    format!("{:?}", view.meta().history).to_lowercase()
}

fn as_text(place: &IndexLocation, view: &View) -> String {
    let (meta, freshness) = (view.meta(), view.freshness());
    let n = |n: u32, noun: &str| counted(n as usize, noun);
    let mut lines = vec![
        format!(
            "{}, {}, {}, {}, {:.1} MB",
            n(meta.files, "file"),
            n(meta.symbols, "symbol"),
            n(meta.edges, "edge"),
            n(meta.terms, "term"),
            view.size() as f64 / 1e6
        ),
        format!(
            "git history {}, {}, HEAD {}",
            history(view),
            n(meta.commits, "commit"),
            meta.head.as_deref().unwrap_or("–")
        ),
        format!(
            "built {}; since then {} changed, {} new, {} deleted, {} not read yet",
            style::seconds_ago(i64::try_from(place.age(view).as_secs()).unwrap_or(i64::MAX)),
            freshness.changed.len(),
            freshness.added.len(),
            freshness.deleted.len(),
            freshness.left_out
        ),
    ];
    let problems = meta.problems.iter().take(MAX_PROBLEMS);
    lines.extend(problems.map(|problem| format!("problem: {problem}")));
    lines.join("\n")
}
