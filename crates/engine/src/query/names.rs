//! Names that read like code, and names that say where they belong.

/// A name found in a line.
pub(super) enum Name<'a> {
    /// Compound (`snake_case`, `camelCase`), called (`run(`) or a member (`.run`).
    Code(&'a str),
    /// Two or more names joined; always with `.`.
    Qualified(&'a str),
}

/// What joins the parts of a qualified name, longest first.
const JOINTS: &[&str] = &["::", "->", ".", "#", "\\"];
const MIN_NAME_BYTES: usize = 3;
const MAX_NAME_BYTES: usize = 128;

/// Calls `emit` with each name of `line` that reads like code.
pub(super) fn for_each_name(line: &str, mut emit: impl FnMut(Name<'_>)) {
    let mut at = 0;
    let mut qualified = String::new();
    while let Some(start) = next_start(line, at) {
        let mut end = name_end(line, start);
        qualified.clear();
        qualified.push_str(&line[start..end]);
        let member = line[..start].ends_with('.');
        code(&line[start..end], member || line[end..].starts_with('('), &mut emit);
        let mut joined = 1;
        while let Some(next) = joint(line, end) {
            end = name_end(line, next);
            let name = &line[next..end];
            code(name, true, &mut emit);
            qualified.push('.');
            qualified.push_str(name);
            joined += 1;
        }
        if joined > 1 && qualified.len() <= MAX_NAME_BYTES {
            emit(Name::Qualified(&qualified));
        }
        at = end;
    }
}

/// Calls `emit` with each name of `text`, whatever it looks like.
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

fn code(name: &str, used_as_code: bool, emit: &mut impl FnMut(Name<'_>)) {
    let fits = (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&name.len());
    if fits && (used_as_code || is_compound(name)) {
        emit(Name::Code(name));
    }
}

fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let marked = name.len() > inner.len() && inner.len() > 2;
    let camel = inner
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let numbered = inner.len() > 3 && inner.bytes().any(|byte| byte.is_ascii_digit());
    marked || camel || numbered || inner.contains('_')
}

fn next_start(line: &str, from: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if is_name_start(bytes[at]) {
            return Some(at);
        }
        // A word that starts with a digit is no name: all of it is passed over.
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

/// Where the next part of a qualified name starts, if what follows `end` joins one.
fn joint(line: &str, end: usize) -> Option<usize> {
    let rest = &line[end..];
    let joint = JOINTS.iter().find(|joint| rest.starts_with(**joint))?;
    let next = end + joint.len();
    line.as_bytes().get(next).is_some_and(|byte| is_name_start(*byte)).then_some(next)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}
