//! The positions at which a secret can be. An anchor is a string that the scanner searches for: a prefix of a token, a name, a
//! command, a call, or another text that indicates a position. A function here reads the text near the anchor.

use super::{
    Secret, accounts, assignment, calls, columns, commands, encoded, keys, manifest, phrases,
    private_key, requests,
};
use crate::prefix_search::{PrefixSearch, StartRule};
use crate::secrets::calls::CALLS;
use crate::secrets::candidate::Name;
use crate::secrets::commands::COMMANDS;
use crate::secrets::scan::Scan;
use crate::secrets::tokens::{self, INFIX_RULES, RULES, as_known_token, token_around, token_at};
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
            add(rule.prefix, token, row, None);
        }
    }
    for (row, rule) in INFIX_RULES.iter().enumerate() {
        let find: Find = |scan, anchor, at| {
            token_around(scan.text, anchor.row, at, scan.covered, &mut scan.runs)
        };
        add(rule.anchor, find, row, None);
    }
    for (name, section) in Name::SECTIONS {
        for word in table::section(NAMES, section) {
            add(&table::unescaped(word), named_value, 0, Some(name));
        }
    }
    for (row, listed) in COMMANDS.iter().enumerate() {
        add(&listed.anchor, command, row, None);
    }
    for (row, listed) in CALLS.iter().enumerate() {
        add(&listed.callee, call, row, None);
    }
    let functions: HashMap<&str, Find> = POSITIONS.iter().copied().collect();
    for [position, text, _] in table::rows(include_str!("tables/positions.txt")) {
        if let Some(find) = functions.get(position) {
            add(&table::unescaped(text), *find, 0, None);
        }
    }
    for letters in encoded::anchors() {
        add(&letters, encoded_token, 0, None);
    }
    anchors
}

/// The function of each position with the kind of its secrets, by the name in `tables/positions.txt`.
#[rustfmt::skip]
const POSITIONS: &[(&str, Find)] = &[
    ("private key", |scan, _, at| covering("private-key", private_key::secret_at(scan.text, at.start))),
    ("end of a private key", |scan, _, at| covering("private-key", private_key::secret_before(scan.text, scan.covered, at.start))),
    ("putty key", |scan, _, at| covering("private-key", private_key::putty_lines(scan.text, at.end))),
    ("url", |scan, _, at| covering("url-password", requests::password_at(scan.text, at.end))),
    ("kubernetes manifest", |scan, _, at| kubernetes_manifest(scan, at.start, at.end)),
    ("kubernetes manifest in JSON", |scan, _, at| scan.list("kubernetes-secret", manifest::json_secrets_around(scan.text, at.start))),
    ("authorization scheme", |scan, _, at| authorized(scan, &at)),
    ("basic authorization", |scan, _, at| covering("basic-auth", requests::basic_secret(scan.text, at.end))),
    ("cookies", |scan, _, at| scan.list("session-cookie", requests::session_values(scan.text, at.end))),
    ("table of cookies", |scan, _, at| scan.list("session-cookie", requests::values_of_table(scan.text, at.end))),
    ("cookies in the next field", |scan, _, at| scan.list("session-cookie", requests::values_of_next_field(scan.text, at.end))),
    ("address of a database", |scan, _, at| scan.list("url-password", accounts::password_before(scan.text, at.start))),
    ("opening a database", |scan, _, at| covering("url-password", accounts::password_on_line(scan.text, at.end))),
    ("oracle address", |scan, _, at| covering("url-password", accounts::oracle_password_at(scan.text, at.end))),
    ("line of a password file", |scan, _, at| scan.list("password", accounts::password_of_line(scan.text, at.start))),
    ("field of JSON", |scan, _, at| scan.list("secret-assignment", keys::value_beside(scan.text, at.start, at.end))),
    ("list of private keys", |scan, _, at| scan.list("private-key", keys::keys_after(scan.text, at.end))),
    ("key as a list of bytes", |scan, _, at| covering("private-key", keys::key_of_bytes(scan.text, at.end))),
    ("map of keys", |scan, _, at| scan.list("secret-assignment", keys::values_after(scan.text, at.start, at.end))),
    ("recovery phrase", |scan, _, at| covering("recovery-phrase", phrases::recovery_phrase_after(scan.text, at.end))),
    ("number of words of a recovery phrase", |scan, _, at| covering("recovery-phrase", phrases::phrase_after_announcement(scan.text, at.end))),
    ("recovery codes", |scan, _, at| scan.list("recovery-code", phrases::codes_after(scan.text, at.end))),
    ("secret key", |scan, _, at| covering("secret-assignment", keys::key_after(scan.text, at.end))),
    ("printed value", |scan, _, at| scan.list("printed-secret", commands::value_below(scan.text, at.start, at.end))),
    ("user and password", |scan, _, at| covering("password", accounts::password_at(scan.text, &at))),
    ("piped password", |scan, _, at| scan.list("command-password", accounts::piped_password(scan.text, at.start))),
];

/// Returns a secret of the given kind that covers the anchors in it.
fn covering(kind: &'static str, span: Option<Range<usize>>) -> Option<Secret> {
    span.map(|span| Secret { kind, span })
}

/// Finds a token with a known prefix, and the secret that is issued together with it.
fn token(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    let token = token_at(scan.text, anchor.row, at, &mut scan.runs)?;
    let prefix = RULES[anchor.row].prefix;
    scan.list("secret-assignment", tokens::secret_of_pair(scan.text, prefix, token.span.end));
    Some(token)
}

fn encoded_token(scan: &mut Scan<'_>, _: Anchor, at: Range<usize>) -> Option<Secret> {
    covering(
        "encoded-token",
        encoded::secret_around(scan.text, scan.covered, at.start, &mut scan.runs),
    )
}

fn command(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    scan.list("command-password", commands::passwords_at(scan.text, anchor.row, at.start, at.end))
}

fn call(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    scan.list("call-argument", calls::credentials_at(scan.text, anchor.row, at.end))
}

/// Finds the value that is assigned to a name, the values in the column below the name, or a literal that is compared with
/// the name.
fn named_value(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    let name = anchor.name?;
    let text = scan.text;
    if let Some(secret) = assignment::assigned_secret(text, name, at.start, at.end) {
        return Some(as_known_token(text, secret, &mut scan.runs));
    }
    if name.implies_secret() && at.start >= scan.table_end {
        let (values, read_to) = columns::values(text, name, &at);
        let kind = if name == Name::Password { "password" } else { "secret-assignment" };
        scan.list(kind, values);
        scan.table_end = read_to;
    }
    scan.list("secret-comparison", assignment::compared_literal(text, name, at))
}

fn authorized(scan: &mut Scan<'_>, at: &Range<usize>) -> Option<Secret> {
    let secret = covering("bearer-token", requests::bearer_secret(scan.text, at.start, at.end))?;
    Some(as_known_token(scan.text, secret, &mut scan.runs))
}

fn kubernetes_manifest(scan: &mut Scan<'_>, start: usize, end: usize) -> Option<Secret> {
    if start < scan.manifest_end {
        return None;
    }
    let floor = scan.covered.max(scan.manifest_end);
    let (values, read_to) = manifest::secrets_at(scan.text, floor, end);
    scan.manifest_end = read_to;
    scan.list("kubernetes-secret", values)
}

#[cfg(test)]
mod tests;
