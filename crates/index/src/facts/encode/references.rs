//! Encodes the references of a file.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use syntax::{Outline, Reference};

use super::Names;
use crate::codec::{put_varint, zigzag};
use crate::facts::{LITERAL, REFERENCE_KINDS, UNNAMED};

/// The maximum number of lines that are stored for one repeated reference.
const MAX_REPETITIONS: usize = 20;

/// Writes the references. References from one definition that have the same kind, name and receiver are written once,
/// with a list of at most [`MAX_REPETITIONS`] lines.
pub(super) fn put_references<'t>(
    out: &mut Vec<u8>,
    text: &'t str,
    outline: &'t Outline,
    names: &mut Names<'t>,
) {
    let source = text.as_bytes();
    let mut positions = FxHashMap::default();
    let mut grouped: Vec<(ReferenceKey, Repetitions)> = Vec::new();
    // One linked list of lines for each reference. An entry contains a line, and a link to the next entry: its index
    // plus one, or zero at the end of the list.
    let mut lines: Vec<(u32, u32)> = Vec::new();
    for Reference { kind, name, receiver, line, enclosing } in &outline.references {
        let code = REFERENCE_KINDS.iter().position(|known| known == kind).unwrap_or(0);
        let name = names.number(name.text(source));
        let receiver = match receiver {
            Some(receiver) => names.number(receiver_chain(receiver.text(source))),
            None => names.number(""),
        };
        let enclosing = enclosing.map_or(0, |id| u64::from(id.0) + 1);
        let key = ReferenceKey { code, name, receiver, enclosing };
        let next = lines.len() as u32;
        let at = *positions.entry(key).or_insert(grouped.len());
        match grouped.get_mut(at) {
            None => {
                grouped.push((key, Repetitions { first: next, last: next, count: 1 }));
                lines.push((*line, 0));
            }
            Some((_, known))
                if lines[known.last as usize].0 != *line && known.count < MAX_REPETITIONS =>
            {
                lines[known.last as usize].1 = next + 1;
                known.last = next;
                known.count += 1;
                lines.push((*line, 0));
            }
            Some(_) => {}
        }
    }
    let mut previous_line = 0_i64;
    for (key, known) in grouped {
        out.push(key.code as u8);
        put_varint(out, key.name);
        put_varint(out, key.receiver);
        put_varint(out, key.enclosing);
        put_varint(out, known.count as u64);
        let mut next = Some(known.first);
        while let Some(at) = next {
            let (line, after) = lines[at as usize];
            put_varint(out, zigzag(i64::from(line) - previous_line));
            previous_line = i64::from(line);
            next = after.checked_sub(1);
        }
    }
}

/// The linked list with the lines of one reference: the indices of its first and last entry, and its length.
struct Repetitions {
    first: u32,
    last: u32,
    count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ReferenceKey {
    code: usize,
    name: u64,
    receiver: u64,
    enclosing: u64,
}

/// Returns a receiver as a chain of names and calls, such as `app.client()`. Returns [`LITERAL`] for a literal, and
/// the result of [`plain_receiver`] for any other expression.
fn receiver_chain(receiver: &str) -> Cow<'_, str> {
    if receiver.starts_with(['"', '\'', '`', '[', '{'])
        || receiver.starts_with(|it: char| it.is_ascii_digit())
    {
        return LITERAL.into();
    }
    // Most receivers are a single name, which is already a chain.
    let is_name = receiver.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name && !receiver.is_empty() {
        return receiver.into();
    }
    let whole = syntax::read_chain(receiver.as_bytes(), 0)
        .filter(|chain| receiver[chain.end..].trim_matches(['?', '!', ' ']).is_empty());
    whole.map_or_else(|| plain_receiver(receiver).into(), |chain| chain.text.into())
}

/// Returns the last name in `receiver`, which is not a chain. The last name often identifies a type or a module.
/// Returns [`UNNAMED`] if the receiver does not end with a name.
fn plain_receiver(receiver: &str) -> &str {
    let receiver = receiver.trim_end_matches(['?', '!', '(', ')']);
    let last = receiver.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(receiver);
    let is_name = last.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '$' | '@'));
    if is_name && !last.is_empty() { last } else { UNNAMED }
}
