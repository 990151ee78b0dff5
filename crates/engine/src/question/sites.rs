//! The sites that answer a question, before they are listed.

use index::{Node, View};

use super::QuestionKind;
use super::answer::Verb;
use super::occurrences::place;
use crate::location::Location;

/// A line that answers a question, before it is listed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) symbol: Option<String>,
    pub(super) verb: Verb,
    pub(super) text: Option<String>,
    pub(super) other_lines: Vec<u32>,
    pub(super) is_certain: bool,
    pub(super) is_test: bool,
    /// The rank of the file's role. See [`place`].
    pub(super) place: u8,
}

/// The sites for one relation.
pub(super) struct Sites {
    pub(super) kind: QuestionKind,
    pub(super) sites: Vec<Site>,
    pub(super) is_complete: bool,
    /// Whether it is certain that there are no sites.
    pub(super) is_absent: bool,
}

impl Site {
    /// Creates the site for a line of `node`. Line 0 means the first line of the node.
    pub(super) fn at(view: &View, node: Node, line: u32, verb: Verb, is_certain: bool) -> Self {
        let Location { path, lines, symbol, is_test, .. } = Location::of(view, node);
        let line = if line > 0 { line } else { *lines.start() };
        let place = view.file_by_path(&path).map_or(0, |file| place(view.role(file)));
        Self {
            path,
            line,
            symbol,
            verb,
            text: None,
            other_lines: Vec::new(),
            is_certain,
            is_test,
            place,
        }
    }
}

/// Adds a site. A second site in the same definition becomes another line of the first one. A call replaces an import,
/// because both concern the same name.
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
    if site.line == new.line {
        site.text = site.text.take().or(new.text);
    } else if new.verb != Verb::Imports && !site.other_lines.contains(&new.line) {
        site.other_lines.push(new.line);
    }
}

/// Removes the imports of files that also have another site.
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
