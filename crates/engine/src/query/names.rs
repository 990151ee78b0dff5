//! Finds qualified names and names that look like code in a prompt.

pub(super) enum Name<'a> {
    /// A compound name (`snake_case`, `camelCase`), a called name (`run(`) or a member (`.run`).
    Code(&'a str),
    /// Two or more names that are joined by `.`.
    Qualified(&'a str),
}

/// Separators in qualified names, longest first.
const SEPARATORS: &[&str] = &["::", "->", ".", "#", "\\"];
const MIN_NAME_BYTES: usize = 3;
const MAX_NAME_BYTES: usize = 128;

/// Calls `emit` for each name in `line` that looks like code, and for each qualified name.
pub(super) fn for_each_name(line: &str, mut emit: impl FnMut(Name<'_>)) {
    let mut at = 0;
    let mut qualified = String::new();
    while let Some(start) = next_start(line, at) {
        let mut end = name_end(line, start);
        qualified.clear();
        qualified.push_str(&line[start..end]);
        let is_member = line[..start].ends_with('.');
        emit_code(&line[start..end], is_member || line[end..].starts_with('('), &mut emit);
        let mut n_parts = 1;
        while let Some(next) = next_part(line, end) {
            end = name_end(line, next);
            let name = &line[next..end];
            emit_code(name, true, &mut emit);
            qualified.push('.');
            qualified.push_str(name);
            n_parts += 1;
        }
        if n_parts > 1 && qualified.len() <= MAX_NAME_BYTES {
            emit(Name::Qualified(&qualified));
        }
        at = end;
    }
}

/// Calls `emit` for each name in `text`.
pub(super) fn for_each_word(text: &str, mut emit: impl FnMut(&str)) {
    let mut at = 0;
    while let Some(start) = next_start(text, at) {
        at = name_end(text, start);
        let word = &text[start..at];
        if (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&word.len()) {
            emit(word);
        }
    }
}

fn emit_code(name: &str, is_used_as_code: bool, emit: &mut impl FnMut(Name<'_>)) {
    let fits = (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&name.len());
    if fits && (is_used_as_code || is_compound(name)) {
        emit(Name::Code(name));
    }
}

fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let has_outer_underscore = name.len() > inner.len() && inner.len() > 2;
    let has_digit = inner.len() > 3 && inner.bytes().any(|byte| byte.is_ascii_digit());
    has_outer_underscore || is_camel_case(inner) || has_digit || inner.contains('_')
}

/// Returns whether `name` contains a lower-case letter that is followed by an upper-case letter.
pub(crate) fn is_camel_case(name: &str) -> bool {
    let mut pairs = name.as_bytes().windows(2);
    pairs.any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

fn next_start(line: &str, from: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if is_name_start(bytes[at]) {
            return Some(at);
        }
        // A word that starts with a digit is not a name, so the whole word is skipped.
        let in_number = bytes[at].is_ascii_digit();
        at += 1;
        while in_number && at < bytes.len() && is_name_byte(bytes[at]) {
            at += 1;
        }
    }
    None
}

fn name_end(line: &str, start: usize) -> usize {
    line.as_bytes()[start..]
        .iter()
        .position(|byte| !is_name_byte(*byte))
        .map_or(line.len(), |length| start + length)
}

/// Returns the start of the next part of a qualified name if a separator and a name follow at `end`.
fn next_part(line: &str, end: usize) -> Option<usize> {
    let rest = &line[end..];
    let separator = SEPARATORS.iter().find(|separator| rest.starts_with(**separator))?;
    let next = end + separator.len();
    line.as_bytes().get(next).is_some_and(|byte| is_name_start(*byte)).then_some(next)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}
