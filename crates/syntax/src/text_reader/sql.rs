//! Reads SQL. Finds the tables, views, types, functions, procedures and triggers that it creates, and the tables that
//! it uses.

use super::{Reader, after, after_string};
use crate::chain::skip_space;
use crate::definition::{DefinitionId, Kind};
use crate::span::Span;

/// Words that may precede the kind or the name of the created object in a `CREATE` statement.
#[rustfmt::skip]
const MODIFIERS: &[&[u8]] = &[
    b"or", b"replace", b"temp", b"temporary", b"unlogged", b"materialized", b"global", b"local", b"unique", b"recursive",
    b"external", b"constraint", b"if", b"not", b"exists", b"alter",
];
/// Words that precede a table name.
const BEFORE_TABLE: &[&[u8]] = &[b"from", b"join", b"into", b"update", b"references", b"table"];

/// A `CREATE` statement whose terminating semicolon has not been reached.
struct Created {
    definition: DefinitionId,
    /// The parenthesis depth at which the statement started.
    depth: usize,
    /// Whether the current position is in a function body between `$$` delimiters.
    is_in_body: bool,
}

pub(super) fn read(reader: &mut Reader<'_>) {
    let source = reader.source;
    let mut created: Option<Created> = None;
    let mut last_word = Span { start: 0, end: 0 };
    let mut depth = 0_usize;
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            b'-' if source.get(at + 1) == Some(&b'-') => at = comment(reader, at, b"\n"),
            b'/' if source.get(at + 1) == Some(&b'*') => at = comment(reader, at, b"*/"),
            b'\'' => at = after_string(source, at),
            b'$' => {
                let end = after_dollar_quote(source, at);
                if let Some(created) = created.as_mut().filter(|_| end > at + 1) {
                    created.is_in_body ^= true;
                }
                at = end;
            }
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b';' => {
                at += 1;
                if let Some(Created { definition, .. }) =
                    created.take_if(|it| it.depth >= depth && !it.is_in_body)
                {
                    reader.end_definition(definition, at);
                }
            }
            byte if is_name_start(byte) => {
                let (word, next) = name_at(source, at);
                at = next;
                let text = last_word.of(source);
                if word.of(source).eq_ignore_ascii_case(b"create") && created.is_none() {
                    if let Some((definition, next)) = create(reader, word, next) {
                        created = Some(Created { definition, depth, is_in_body: false });
                        at = next;
                    }
                } else if is_one_of(text, BEFORE_TABLE) && !is_one_of(word.of(source), MODIFIERS) {
                    reader.refer(last_part(source, word), created.as_ref().map(|it| it.definition));
                }
                last_word = word;
            }
            _ => at += 1,
        }
    }
    if let Some(Created { definition, .. }) = created {
        reader.end_definition(definition, source.len());
    }
}

/// Records the object that a `CREATE` statement creates. Returns the definition and the position after the name, or
/// `None` if objects of this kind are not recorded.
fn create(reader: &mut Reader<'_>, word: Span, from: usize) -> Option<(DefinitionId, usize)> {
    let source = reader.source;
    let (mut kind, mut next) = next_name(source, from)?;
    while is_one_of(kind.of(source), MODIFIERS) {
        (kind, next) = next_name(source, next)?;
    }
    let kind = match kind.of(source).to_ascii_lowercase().as_slice() {
        b"table" | b"type" | b"domain" => Kind::Struct,
        b"view" => Kind::TypeAlias,
        b"function" | b"procedure" | b"proc" | b"trigger" => Kind::Function,
        b"schema" => Kind::Module,
        _ => return None,
    };
    let (mut name, mut next) = next_name(source, next)?;
    while is_one_of(name.of(source), MODIFIERS) {
        (name, next) = next_name(source, next)?;
    }
    let start = word.start as usize;
    let name = last_part(source, name);
    Some((reader.define(kind, name, (start, next, next), None), next))
}

fn comment(reader: &mut Reader<'_>, start: usize, closing: &[u8]) -> usize {
    let end = after(reader.source, start + 2, closing);
    reader.comment(start, end);
    end
}

/// Returns the position after the delimiter `$name$` that opens or closes a body, or the position after the `$` if
/// there is no such delimiter. The body itself is read as SQL.
fn after_dollar_quote(source: &[u8], at: usize) -> usize {
    let length = source[at + 1..].iter().take_while(|byte| is_part(**byte)).count();
    let end = at + 1 + length;
    if source.get(end) == Some(&b'$') { end + 1 } else { at + 1 }
}

fn next_name(source: &[u8], from: usize) -> Option<(Span, usize)> {
    let start = skip_space(source, from);
    source.get(start).filter(|byte| is_name_start(**byte)).map(|_| name_at(source, start))
}

/// Returns the name at `at` with its qualifiers, such as `public."Order Items"`, and the position after it.
fn name_at(source: &[u8], at: usize) -> (Span, usize) {
    let mut end = at;
    while end < source.len() {
        end = match source[end] {
            b'"' | b'`' => after_string(source, end),
            b'[' => after(source, end, b"]"),
            byte if is_part(byte) || byte == b'.' => end + 1,
            _ => break,
        };
    }
    (Span::new(at..end.min(source.len())), end.max(at + 1))
}

/// Returns the last part of a qualified name, without quotes.
fn last_part(source: &[u8], name: Span) -> Span {
    const QUOTES: &[u8] = b"\"`[]";
    let bytes = name.of(source);
    let dot = bytes.iter().rposition(|byte| *byte == b'.').map_or(0, |at| at + 1);
    let part = &bytes[dot..];
    let open = part.iter().take_while(|byte| QUOTES.contains(byte)).count();
    let close = part[open..].iter().rev().take_while(|byte| QUOTES.contains(byte)).count();
    let start = name.start as usize + dot + open;
    Span::new(start..start + part.len() - open - close)
}

fn is_one_of(word: &[u8], known: &[&[u8]]) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'"' | b'`' | b'[') || byte >= 0x80
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
