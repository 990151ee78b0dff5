//! Types for the lines from which the answer to a question is built.

use index::{Node, Role, View};

use super::QuestionKind;
use super::answer::Verb;
use super::answer_literal::PARTIAL;
use super::occurrences::{Corpus, Occurrence, place};
use crate::location::{Location, file_of};

/// A line that answers a question, or may become part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    pub path: String,
    pub line: u32,
    /// The definition that contains the line.
    pub symbol: Option<String>,
    pub verb: Verb,
    /// The source text of the line, which is read when the answer is composed. Empty if the file may not be quoted.
    pub text: String,
    /// Other lines of the same definition that have the same relation to the subject.
    pub other_lines: Vec<u32>,
    /// False if the line may refer to something else that has the same name.
    pub is_certain: bool,
    pub(super) is_test: bool,
    /// The sort key for the role of the file. The answer lists sites with a low key first. See [`place`].
    pub(super) place: u8,
}

/// The lines that have one relation to the subject.
pub(super) struct Sites {
    pub(super) kind: QuestionKind,
    pub(super) sites: Vec<Site>,
    pub(super) is_complete: bool,
    /// Whether it is certain that there are no such lines.
    pub(super) is_absent: bool,
}

impl Site {
    /// Creates the site for a line of `node`. Line 0 means the first line of the node.
    pub(super) fn at(view: &View, node: Node, line: u32, verb: Verb, is_certain: bool) -> Self {
        let Location { path, lines, symbol, is_test, .. } = Location::of(view, node);
        let line = if line > 0 { line } else { *lines.start() };
        let place = place(view.role(file_of(view, node)));
        Self {
            path,
            line,
            symbol,
            verb,
            text: String::new(),
            other_lines: Vec::new(),
            is_certain,
            is_test,
            place,
        }
    }

    /// Creates the site for a line that was found by its text.
    pub(super) fn of_occurrence(corpus: &Corpus<'_>, found: &Occurrence, verb: Verb) -> Self {
        let symbol = match (corpus.view, found.file) {
            (Some(view), Some(file)) => {
                let id = view.symbol_at(file, found.line);
                id.map(|id| view.symbol(id).qualified.to_owned())
            }
            (Some(_), None) => None,
            (None, _) => found.within.clone(),
        };
        Self {
            path: found.path.clone(),
            line: found.line,
            symbol,
            verb,
            text: String::new(),
            other_lines: Vec::new(),
            is_certain: found.quality >= PARTIAL,
            is_test: found.role == Role::Test,
            place: place(found.role),
        }
    }
}

/// Adds a site. If there is already a site in the same definition, adds the line to that site. An import is replaced
/// by another kind of use, because both concern the same name.
pub(super) fn merge(sites: &mut Vec<Site>, new: Site) {
    let same = sites.iter_mut().find(|site| {
        site.path == new.path
            && site.symbol == new.symbol
            && !matches!(new.verb, Verb::IsCaller { .. })
    });
    let Some(site) = same else { return sites.push(new) };
    if site.verb == Verb::Imports && new.verb != Verb::Imports {
        *site = new;
        return;
    }
    site.is_certain |= new.is_certain;
    let is_known = site.line == new.line || site.other_lines.contains(&new.line);
    if new.verb != Verb::Imports && !is_known {
        site.other_lines.push(new.line);
    }
}

/// Removes the import sites in files that also contain another site.
pub(super) fn remove_plain_imports(sites: &mut Vec<Site>) {
    let users: Vec<String> = sites
        .iter()
        .filter(|site| site.verb != Verb::Imports)
        .map(|site| site.path.clone())
        .collect();
    sites.retain(|site| site.verb != Verb::Imports || !users.contains(&site.path));
}

/// Returns the qualified names of the definitions that contain a line.
pub(super) fn enclosing_names(view: &View, file: index::FileId, line: u32) -> Vec<String> {
    let around = view.symbols_in(file).filter(|symbol| symbol.lines.contains(&line));
    around.map(|symbol| symbol.qualified.to_owned()).collect()
}
