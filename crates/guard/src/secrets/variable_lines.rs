//! Finds unquoted values of variables in environment files and shell scripts: `DB_PASSWORD=k;Q7$m>x2`. Such a value may
//! contain characters that end other unquoted values.

use std::ops::Range;

use super::bounds::MAX_VALUE;
use super::candidate::{Candidate, Name, Quoting};
use super::dummy_values::is_placeholder;

const MAX_NAME: usize = 128;
/// The maximum number of blanks and comment marks before a name.
const MAX_INDENT: usize = 32;
/// The minimum length of a value in a line whose name is in capital letters. Such a value needs no other property.
const MIN_LONG_VALUE: usize = 24;
const MIN_VALUE: usize = 8;
/// The maximum number of signs between `=` and the position at which the operator was read to its end.
const MAX_SIGNS: usize = 4;
/// The minimum number of different punctuation characters in a value that cannot be code.
const MIN_SIGNS: usize = 4;
const MIN_DENSE_VALUE: usize = 16;
/// The minimum number of consecutive lower-case letters that may be a name in code.
const MIN_WORD: usize = 4;
/// The minimum length of a word after a separator.
const MIN_LISTED_WORD: usize = 3;
/// Parts of templates, addresses and regular expressions.
const TEMPLATES: &[&str] = &[
    "://", "${", "$(", "{{", "}}", "#{", "<%", "%>", "%(", "%s", "%Y", "A-Z", "a-z", "0-9", "[^",
    "(?", "</", "/>", "&amp;", "&lt;", "&gt;",
];
/// Parts of expressions.
const OPERATORS: &[&str] =
    &["&&", "||", "->", "=>", "==", "!=", ">=", "<=", ">>", "<<", "::", "()", "[]", "{}"];

/// Returns the end of a long value in a line `NAME=value` of an environment file: `SECRET_KEY=k&zq7)w2m!x-…`. Such a
/// value extends to the end of the line, although it contains characters that end other bare values.
pub(crate) fn long_value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let name = bytes[..start].strip_suffix(b"=")?;
    let length = name
        .iter()
        .rev()
        .take(MAX_NAME)
        .take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_')
        .count();
    let before = &name[..name.len() - length];
    if length == 0
        || !(before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"export "))
    {
        return None;
    }
    let rest = &bytes[start..bytes.len().min(start + MAX_VALUE)];
    let length = unquoted_length(rest);
    let value = &rest[..length];
    let is_line_end = rest.get(length).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let has_ending_sign = value.iter().any(|byte| matches!(byte, b'&' | b')' | b',' | b';' | b'<'));
    let is_reference = memchr::memmem::find(value, b"://").is_some() || value.starts_with(b"$");
    (length >= MIN_LONG_VALUE && is_line_end && has_ending_sign && !is_reference)
        .then_some(start + length)
}

/// Returns the value that contains `start` if it is the value of a variable on a line of its own, and has the form of a
/// generated password with signs that end other unquoted values. A comment may follow the value.
pub(crate) fn value_with_signs(bytes: &[u8], start: usize, name: Name) -> Option<Range<usize>> {
    if !matches!(name, Name::Token | Name::Password) {
        return None;
    }
    // The signs at the start of the value may have been read as a part of the operator.
    let n_signs = bytes[..start]
        .iter()
        .rev()
        .take(MAX_SIGNS)
        .take_while(|byte| matches!(byte, b'!' | b'+' | b'-' | b'.' | b'?' | b',' | b':'))
        .count();
    let begin = start - n_signs;
    if !is_variable(bytes, begin) {
        return None;
    }
    let rest = &bytes[begin..bytes.len().min(begin + MAX_VALUE)];
    let length = unquoted_length(rest);
    let value = std::str::from_utf8(&rest[..length]).ok()?;
    let is_value = is_end(&rest[length..])
        && length < MAX_VALUE
        && has_signs(value)
        && !is_code(value)
        && !is_placeholder(value);
    is_value.then_some(begin..begin + length)
}

/// Returns the number of characters at the start of `rest` that an unquoted value can contain.
fn unquoted_length(rest: &[u8]) -> usize {
    let is_part =
        |byte: &&u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\');
    let length = rest.iter().take_while(is_part).count();
    crate::work::count(length);
    length
}

/// Returns whether the candidate was found by [`value_with_signs`].
pub(crate) fn is_value_with_signs(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    candidate.quoting == Quoting::Quoted
        && bytes[..candidate.value.start].ends_with(b"=")
        && value_with_signs(bytes, candidate.value.start, candidate.name)
            == Some(candidate.value.clone())
}

/// Returns whether the text before `begin` is `name=` at the start of a line, after `export` or in a comment.
fn is_variable(bytes: &[u8], begin: usize) -> bool {
    let Some(line) = bytes[..begin].strip_suffix(b"=") else { return false };
    let name = line
        .iter()
        .rev()
        .take(MAX_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let line = &line[..line.len() - name];
    let line = line.strip_suffix(b"export ").unwrap_or(line);
    let indent = line
        .iter()
        .rev()
        .take(MAX_INDENT)
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'#'))
        .count();
    let line = &line[..line.len() - indent];
    crate::work::count(name + indent);
    name > 0 && (line.is_empty() || line.ends_with(b"\n"))
}

/// Returns whether the line ends, or only a comment follows.
fn is_end(rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    match rest.get(blanks) {
        None => rest.is_empty() || blanks > 0,
        Some(b'\n' | b'\r') => true,
        Some(b'#') => blanks > 0,
        Some(_) => false,
    }
}

/// Returns whether the value contains upper-case letters, lower-case letters, digits, and a sign that ends or splits
/// other unquoted values.
fn has_signs(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    value.len() >= MIN_VALUE
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && value.contains(['&', '>', '<', ';', '|', '$', '[', ']', '(', ')', '{', '}'])
}

/// Returns whether the value is an expression, a template, or several values.
fn is_code(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '[', '(', '&', '|', '>'])
        || value.ends_with([';', ',', '(', '{'])
        || TEMPLATES.iter().any(|part| value.contains(part))
        || is_list(value)
        || !is_dense(value)
            && (value.ends_with(['|', '&'])
                || OPERATORS.iter().any(|operator| value.contains(operator))
                || has_call(value)
                || has_variable(value))
}

/// Returns whether the value contains many different punctuation characters and no word that may be a name in code.
fn is_dense(value: &str) -> bool {
    let mut signs: Vec<u8> = value.bytes().filter(u8::is_ascii_punctuation).collect();
    signs.sort_unstable();
    signs.dedup();
    let has_word =
        value.split(|letter: char| !letter.is_ascii_lowercase()).any(|word| word.len() >= MIN_WORD);
    value.len() >= MIN_DENSE_VALUE && signs.len() >= MIN_SIGNS && !has_word
}

/// Recognises several values in one line: `token=abc&user=bob`, `password=x;Server=y`, `password=x;exit`. After the
/// separator, there is a name with its value or a word.
fn is_list(value: &str) -> bool {
    value.split(['&', ';', ',', '|', '<', '>']).skip(1).any(|part| {
        let name = part
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
            .count();
        let is_named = name > 0 && matches!(part.as_bytes().get(name), Some(b'=' | b':'));
        is_named || is_words(part)
    })
}

/// Recognises words of at least three letters with up to two digits at the end: `debug`, `Basic2`, `HttpOnly`.
fn is_words(part: &str) -> bool {
    let letters = part.trim_end_matches(|last: char| last.is_ascii_digit());
    let bytes = letters.as_bytes();
    let is_start = |at: usize| {
        at == 0 || bytes[at].is_ascii_uppercase() || matches!(bytes[at - 1], b'_' | b'-')
    };
    let starts: Vec<usize> = (0..bytes.len()).filter(|&at| is_start(at)).collect();
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    part.len() - letters.len() <= 2
        && !starts.is_empty()
        && bytes.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'))
        && starts.iter().zip(ends).all(|(start, end)| end - start >= MIN_LISTED_WORD)
}

/// Recognises a call, an index and a type argument: `load(a1)`, `Keys[0]`, `List<String>`.
fn has_call(value: &str) -> bool {
    value.bytes().zip(value.bytes().skip(1)).enumerate().any(|(at, (before, open))| {
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'<' => b'>',
            b'{' => b'}',
            _ => return false,
        };
        (before.is_ascii_alphanumeric() || before == b'_')
            && value.as_bytes()[at + 2..].contains(&close)
    })
}

/// Recognises a shell variable in the value: `prefix$NAME`, `prefix$name`. The name is in one case.
fn has_variable(value: &str) -> bool {
    value.split('$').skip(1).any(|part| {
        let length =
            part.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let letters = part[..length].bytes().filter(u8::is_ascii_alphabetic);
        let n_letters = letters.clone().count();
        n_letters >= 3
            && part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && (letters.clone().all(|byte| byte.is_ascii_uppercase())
                || letters.clone().all(|byte| byte.is_ascii_lowercase()))
    })
}
