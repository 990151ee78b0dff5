//! Lists the anchors: the strings that the scanner searches for, and the function that reads the text near each of them.

use crate::prefix_search::{PrefixSearch, StartRule};
use crate::secrets::calls::CALLS;
use crate::secrets::candidate::Name;
use crate::secrets::commands::COMMANDS;
use crate::secrets::positions::{self, POSITIONS};
use crate::secrets::scan::Scan;
use crate::secrets::tokens::{INFIX_RULES, RULES};
use crate::secrets::{Secret, encoded};
use crate::table;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The names of secrets. Each section is a kind of name.
pub(crate) const NAMES: &str = include_str!("tables/names.txt");

/// Reads the text near an anchor at the given range. Returns a secret that covers the text up to its end, so that anchors
/// within it are skipped. Other secrets are added to the scan with [`Scan::list`].
pub(crate) type Find = fn(&mut Scan<'_>, Anchor, Range<usize>) -> Option<Secret>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub(crate) find: Find,
    /// The index of the row in the table of tokens, commands or calls.
    pub(crate) row: usize,
    /// The kind of name, if the anchor is the name of a secret.
    pub(crate) name: Option<Name>,
}

pub(crate) struct Anchors {
    search: PrefixSearch,
    anchors: Vec<Anchor>,
}

impl Anchors {
    /// Returns every anchor in `text` with its range, ordered by start position.
    pub(crate) fn find_iter<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Anchor, Range<usize>)> + 'a {
        self.search.hits(text.as_bytes()).map(|hit| (self.anchors[hit.pattern], hit.start..hit.end))
    }
}

pub(crate) static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| {
    let (patterns, anchors) = anchors().into_iter().unzip();
    Anchors { search: PrefixSearch::new(patterns, StartRule::Anywhere), anchors }
});

/// Returns all strings that the scanner searches for, each with its anchor.
pub(crate) fn anchors() -> Vec<(String, Anchor)> {
    let mut anchors: Vec<(String, Anchor)> = Vec::new();
    let mut add = |text: &str, find: Find, row: usize, name: Option<Name>| {
        anchors.push((text.to_owned(), Anchor { find, row, name }));
    };
    for (row, rule) in RULES.iter().enumerate() {
        if row == 0 || RULES[row - 1].prefix != rule.prefix {
            add(rule.prefix, positions::token, row, None);
        }
    }
    for (row, rule) in INFIX_RULES.iter().enumerate() {
        add(rule.anchor, positions::infix_token, row, None);
    }
    for (name, section) in Name::SECTIONS {
        for word in table::section(NAMES, section) {
            add(&table::unescaped(word), positions::named_value, 0, Some(name));
        }
    }
    for (row, command) in COMMANDS.iter().enumerate() {
        add(&command.anchor, positions::command, row, None);
    }
    for (row, call) in CALLS.iter().enumerate() {
        add(&call.callee, positions::call, row, None);
    }
    let functions: HashMap<&str, Find> = POSITIONS.iter().copied().collect();
    for [position, text, _] in table::rows(include_str!("tables/positions.txt")) {
        if let Some(find) = functions.get(position) {
            add(&table::unescaped(text), *find, 0, None);
        }
    }
    for letters in encoded::anchors() {
        add(&letters, positions::encoded_token, 0, None);
    }
    anchors
}

#[cfg(test)]
mod tests;
