//! The commands that answer questions about a repository, such as `adjutant search` and `adjutant callers`. Each command
//! comes from the row of its question in `policy::TOOLS`.

mod arguments;
mod print;
mod roots;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use contract::Arguments;
use engine::{Answer, UnknownName};
use index::View;
use kernel::IndexLocation;
use strsim::levenshtein;

pub(crate) use arguments::Question;

use super::repository::{self, deadline, location};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(question: &Question) -> Result<ExitCode, Failure> {
    let (arguments, folders) = question.arguments()?;
    let answer = match folders {
        None => ask(question, &question.at.place()?, &arguments)?,
        Some(folders) => ask_all(question, &folders, &arguments)?,
    };
    print::print(question, &answer)?;
    let is_found = !answer.items.is_empty() || question.limit() == Some(0);
    Ok(output::found(is_found || !question.command.fails_if_empty))
}

fn ask(
    question: &Question,
    place: &IndexLocation,
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    repository::ask(place, |view| {
        let asked = place.ask_question(view, question.tool.id, arguments, deadline());
        let asked = asked.map_err(Failure::configuration)?;
        asked.map_err(|UnknownName(name)| unknown(view, &name))
    })
}

/// Asks the question in each repository separately and orders the items by confidence. Scores are not compared, because
/// they depend on the other files of a repository. Items with the same confidence are ordered by their rank, then by the
/// order of the repositories on the command line.
fn ask_all(
    question: &Question,
    folders: &[PathBuf],
    arguments: &Arguments,
) -> Result<Answer, Failure> {
    let mut all = Answer::default();
    let mut ranked = Vec::new();
    for (number, found) in roots::find(folders)?.into_iter().enumerate() {
        let answer = ask(question, &location(found.root), arguments)?;
        for (rank, mut item) in answer.items.into_iter().enumerate() {
            item.fields.insert("repository".to_owned(), found.label.clone().into());
            item.path = format!("{}:{}", found.label, item.path);
            ranked.push((rank, number, item));
        }
        all.nothing = answer.nothing;
    }
    ranked.sort_by(|(rank, number, a), (other_rank, other_number, b)| {
        let by_confidence = b.confidence().total_cmp(&a.confidence());
        by_confidence.then((rank, number).cmp(&(other_rank, other_number)))
    });
    ranked.truncate(question.limit().unwrap_or(usize::MAX));
    all.items = ranked.into_iter().map(|(_, _, item)| item).collect();
    Ok(all)
}

/// Returns the error for a name that no definition or file has. It suggests similar names or a search.
fn unknown(view: &View, name: &str) -> Failure {
    let hint = match nearest_names(view, name).as_slice() {
        [] => format!("`adjutant search --mode symbol {name}` lists similar names"),
        near => format!("did you mean {}?", near.join(", ")),
    };
    Failure::not_found(format!("no definition or file is named `{name}`")).hint(hint)
}

/// Returns the names of definitions that differ from `name` by a few letters, nearest first.
fn nearest_names(view: &View, name: &str) -> Vec<String> {
    const MAX_NAMES: usize = 3;
    let wanted = name.rsplit(['.', ':']).next().unwrap_or(name).to_lowercase();
    let max_distance = (wanted.chars().count() / 4).max(1);
    let mut near = BTreeSet::new();
    for symbol in view.files().flat_map(|file| view.symbols_in(file)) {
        if symbol.name.len().abs_diff(wanted.len()) <= max_distance {
            let apart = levenshtein(&wanted, &symbol.name.to_lowercase());
            if apart <= max_distance {
                near.insert((apart, symbol.name.to_owned()));
            }
        }
    }
    near.into_iter().take(MAX_NAMES).map(|(_, name)| format!("`{name}`")).collect()
}
