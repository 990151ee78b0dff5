//! The positions at which a secret can be: one row of `tables/positions.txt` for each text that indicates the position, and
//! one function here that reads the text near it.

use super::{
    Secret, accounts, assignment, calls, columns, commands, encoded, keys, manifest, phrases,
    printed, private_key, requests,
};
use crate::secrets::anchors::{Anchor, Find};
use crate::secrets::scan::Scan;
use crate::secrets::tokens::{self, RULES, as_known_token, token_around, token_at};
use std::ops::Range;

/// The function of each position, by the name in `tables/positions.txt`.
#[rustfmt::skip]
pub(crate) const POSITIONS: &[(&str, Find)] = &[
    ("private key", |scan, _, at| private_key::secret_at(scan.text, at.start)),
    ("end of a private key", |scan, _, at| private_key::secret_before(scan.text, scan.covered, at.start)),
    ("putty key", |scan, _, at| private_key::putty_lines(scan.text, at.end)),
    ("url", |scan, _, at| requests::password_at(scan.text, at.end)),
    ("kubernetes manifest", |scan, _, at| kubernetes_manifest(scan, at.start, at.end)),
    ("kubernetes manifest in JSON", |scan, _, at| scan.list(manifest::json_secrets_around(scan.text, at.start))),
    ("authorization scheme", |scan, _, at| authorized(scan, &at)),
    ("basic authorization", |scan, _, at| requests::basic_secret(scan.text, at.end)),
    ("cookies", |scan, _, at| scan.list(requests::session_values(scan.text, at.end))),
    ("table of cookies", |scan, _, at| scan.list(requests::values_of_table(scan.text, at.end))),
    ("cookies in the next field", |scan, _, at| scan.list(requests::values_of_next_field(scan.text, at.end))),
    ("address of a database", |scan, _, at| scan.list(accounts::password_before(scan.text, at.start))),
    ("opening a database", |scan, _, at| accounts::password_on_line(scan.text, at.end)),
    ("oracle address", |scan, _, at| accounts::oracle_password_at(scan.text, at.end)),
    ("line of a password file", |scan, _, at| scan.list(accounts::password_of_line(scan.text, at.start))),
    ("field of JSON", |scan, _, at| scan.list(keys::value_beside(scan.text, at.start, at.end))),
    ("list of private keys", |scan, _, at| scan.list(keys::keys_after(scan.text, at.end))),
    ("key as a list of bytes", |scan, _, at| keys::bytes_after(scan.text, at.end)),
    ("map of keys", |scan, _, at| scan.list(keys::values_after(scan.text, at.start, at.end))),
    ("recovery phrase", |scan, _, at| phrases::recovery_phrase_after(scan.text, at.end)),
    ("number of words of a recovery phrase", |scan, _, at| phrases::phrase_after_announcement(scan.text, at.end)),
    ("recovery codes", |scan, _, at| scan.list(phrases::codes_after(scan.text, at.end))),
    ("secret key", |scan, _, at| keys::key_after(scan.text, at.end)),
    ("printed value", |scan, _, at| scan.list(printed::value_below(scan.text, at.start, at.end))),
    ("user and password", |scan, _, at| accounts::password_at(scan.text, &at)),
    ("piped password", |scan, _, at| scan.list(accounts::piped_password(scan.text, at.start))),
];

/// Finds a token with a known prefix, and the secret that is issued together with it.
pub(crate) fn token(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    let token = token_at(scan.text, anchor.row, at, &mut scan.runs)?;
    let prefix = RULES[anchor.row].prefix;
    scan.list(tokens::secret_of_pair(scan.text, prefix, token.span.end));
    Some(token)
}

pub(crate) fn infix_token(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    token_around(scan.text, anchor.row, at, scan.covered, &mut scan.runs)
}

pub(crate) fn encoded_token(scan: &mut Scan<'_>, _: Anchor, at: Range<usize>) -> Option<Secret> {
    encoded::secret_around(scan.text, scan.covered, at.start, &mut scan.runs)
}

pub(crate) fn command(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    scan.list(commands::passwords_at(scan.text, anchor.row, at.start, at.end))
}

pub(crate) fn call(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    scan.list(calls::credentials_at(scan.text, anchor.row, at.end))
}

/// Finds the value that is assigned to a name, the values in the column below the name, or a literal that is compared with
/// the name.
pub(crate) fn named_value(scan: &mut Scan<'_>, anchor: Anchor, at: Range<usize>) -> Option<Secret> {
    let name = anchor.name?;
    let text = scan.text;
    if let Some(secret) = assignment::assigned_secret(text, name, at.start, at.end) {
        return Some(as_known_token(text, secret, &mut scan.runs));
    }
    if name.implies_secret() && at.start >= scan.table_end {
        let (values, read_to) = columns::values(text, name, &at);
        scan.list(values);
        scan.table_end = read_to;
    }
    scan.list(assignment::compared_literal(text, name, at))
}

fn authorized(scan: &mut Scan<'_>, at: &Range<usize>) -> Option<Secret> {
    let secret = requests::bearer_secret(scan.text, at.start, at.end)?;
    Some(as_known_token(scan.text, secret, &mut scan.runs))
}

fn kubernetes_manifest(scan: &mut Scan<'_>, start: usize, end: usize) -> Option<Secret> {
    if start < scan.manifest_end {
        return None;
    }
    let floor = scan.covered.max(scan.manifest_end);
    let (values, read_to) = manifest::secrets_at(scan.text, floor, end);
    scan.manifest_end = read_to;
    scan.list(values)
}
