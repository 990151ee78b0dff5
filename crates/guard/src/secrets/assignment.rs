//! `name = value`, `"name": "value"`, `<name>value`, `--name value`, `Bearer value`: a value that its surroundings call secret.

use super::cursor::Cursor;
use super::made_up::is_placeholder;
use super::published::is_published;
use super::value::{
    Name, Quoting, is_random, is_unmistakable, is_uuid, is_value_byte, looks_secret,
};
use std::ops::Range;

use super::{MARK, Secret};
use crate::base64;

const NAME_LIMIT: usize = 48;
/// How much of a value is looked at; a longer one is judged by its start and taken out whole.
const VALUE_LIMIT: usize = 512;
const SHORTEST_BASIC: usize = 8;
/// How far behind the operator a quoted value may stand on the same line: `token = env("X") or "value"`.
const LINE_LIMIT: usize = 160;
/// A name that ends like this holds something about the secret, not the secret.
const ABOUT: &[&str] = &[
    "name",
    "type",
    "url",
    "uri",
    "path",
    "file",
    "field",
    "length",
    "len",
    "size",
    "count",
    "limit",
    "expiry",
    "expires",
    "expiration",
    "ttl",
    "label",
    "hint",
    "pattern",
    "regex",
    "policy",
    "class",
    "izer",
    "endpoint",
    "version",
    "format",
    "hash",
    "digest",
    "index",
    "offset",
    "kind",
    "prefix",
];

/// The value given to the name whose secret word is `text[start..end]`.
pub(crate) fn assigned_secret(text: &str, name: Name, start: usize, end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, end);
    cursor.skip(NAME_LIMIT, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
    });
    let tail = text.get(end..cursor.at)?;
    let is_about = ABOUT.iter().any(|about| ends_with(tail, about));
    // A short word stands in the middle of many others, and of random strings.
    let is_short = end - start <= 3;
    if is_about || is_short && !(is_word_end(tail) && is_own_word(text, start)) {
        return None;
    }
    let closing =
        cursor.skip(3, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\' | b')' | b'}'));
    let gap = cursor.skip_blanks();
    let behind_name = cursor.at;
    // A quoted name has no type; what follows it is the next attribute: `class="token" href="…"`.
    if closing == 0 {
        declared_type(&mut cursor);
    }
    let secret = match operator(&mut cursor) {
        Some(Operator::Sign) if is_redacted(text, cursor.at) => None,
        Some(Operator::Sign) => {
            let assigned = value_at(text, cursor.at, name, Nearness::Assigned);
            assigned
                .or_else(|| if name.is_telling() { later_on_line(text, cursor.at) } else { None })
        }
        Some(Operator::Attribute) => value_at(text, cursor.at, name, Nearness::Attribute),
        None if gap > 0 && is_flag(text, start) => {
            value_at(text, behind_name, name, Nearness::Assigned)
        }
        None if gap > 0 && name != Name::Vague => {
            value_at(text, behind_name, name, Nearness::Beside)
        }
        None => None,
    }?;
    let names_identifier = ends_with(tail, "id") || name == Name::Public;
    let is_public = names_identifier && is_uuid(&text[secret.span.clone()]);
    (!is_public).then_some(secret)
}

/// Whether this value was taken out before: then nothing on its line is looked at again for its sake.
fn is_redacted(text: &str, at: usize) -> bool {
    text.get(at..)
        .is_some_and(|rest| rest.trim_start_matches(['"', '\'', '`', '\\']).starts_with(MARK))
}

fn ends_with(text: &str, ending: &str) -> bool {
    text.len() >= ending.len()
        && text.as_bytes()[text.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}

/// Whether nothing but digits or another word follows: `pwd2`, `pwd_admin`, but not `pwdx`.
fn is_word_end(tail: &str) -> bool {
    !tail.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Whether a word starts here, `_key` or `Key` in `apiKey` but not in `monkey`, and the word before is not `public`.
fn is_own_word(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let starts_word = before.is_none_or(|before| {
        !before.is_ascii_alphabetic()
            || before.is_ascii_lowercase() && bytes[start].is_ascii_uppercase()
    });
    let word_before = bytes[..start].trim_ascii_end();
    let word_before = word_before
        .strip_suffix(b"_")
        .or_else(|| word_before.strip_suffix(b"-"))
        .unwrap_or(word_before);
    starts_word
        && !(word_before.len() >= 6
            && word_before[word_before.len() - 6..].eq_ignore_ascii_case(b"public"))
}

/// Whether the name is an option of a command line: `--token`, `-Password`.
fn is_flag(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(NAME_LIMIT)..start];
    let word = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        .count();
    word > 0 && before[before.len() - word] == b'-'
}

/// Where the value stands in relation to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nearness {
    /// `name = value`
    Assigned,
    /// `key="name" value="value"`: nothing but configuration looks like this.
    Attribute,
    /// `name value`
    Beside,
}

enum Operator {
    Sign,
    Attribute,
}

/// Moves over `=`, `:=`, `=>`, `: str =`, `",`, `" value=` … and the space behind it.
fn operator(cursor: &mut Cursor<'_>) -> Option<Operator> {
    if cursor.eat("value=") || cursor.eat("Value=") {
        return Some(Operator::Attribute);
    }
    let is_written_in_words = ["is ", "：", "是", "为"].iter().any(|word| cursor.eat(word));
    if !is_written_in_words {
        let start = cursor.at;
        cursor.skip(5, |byte| {
            matches!(byte, b'=' | b':' | b'>' | b'?' | b',' | b'.' | b'|' | b'!' | b'+' | b'-')
        });
        let signs = &cursor.bytes[start..cursor.at];
        // A dash gives a value only in a list: `token - "value"`.
        let is_dash = signs == b"-"
            && matches!(cursor.bytes.get(cursor.at..cursor.at + 2), Some([b' ', b'"' | b'\'']));
        if !is_dash && !signs.iter().any(|sign| matches!(sign, b'=' | b':' | b'>' | b',' | b'|')) {
            return None;
        }
        cursor.skip_blanks();
        // Behind a comma it is the name of the next argument.
        if signs != b"," {
            declared_type(cursor);
        }
        if cursor.skip(2, |byte| byte == b'=') > 0 {
            cursor.skip_blanks();
        }
    }
    cursor.skip(4, |byte| matches!(byte, b'\r' | b'\n' | b'|' | b'>'));
    cursor.skip_blanks();
    Some(Operator::Sign)
}

/// `string = `, `&str = `, `[]byte(`: the type between a name and its value.
fn declared_type(cursor: &mut Cursor<'_>) {
    let start = cursor.at;
    cursor.skip(24, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'&' | b'\'' | b'[' | b']' | b'*' | b'?')
    });
    let length = cursor.at - start;
    cursor.skip_blanks();
    if length == 0 || !matches!(cursor.peek(), Some(b'=' | b':')) {
        cursor.at = start;
    }
}

/// The value after an authorization scheme.
pub(crate) fn bearer_secret(text: &str, start: usize, scheme_end: usize) -> Option<Secret> {
    if start > 0 && text.as_bytes()[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let secret = value_at(text, scheme_end, Name::Machine, Nearness::Assigned)?;
    Some(Secret { kind: "bearer-token", ..secret })
}

/// The encoded `user:password` after `Basic`.
pub(crate) fn basic_secret(text: &str, scheme_end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, scheme_end);
    cursor.skip_blanks();
    let (begin, end, _) = value_bounds(text, cursor.at)?;
    let value = text.get(begin..end)?;
    let decoded = base64::decode(value.as_bytes())?;
    let is_pair = memchr::memchr(b':', &decoded).is_some()
        && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (value.len() >= SHORTEST_BASIC && is_pair && !is_published(value))
        .then_some(Secret { kind: "basic-auth", span: begin..end })
}

fn value_at(text: &str, start: usize, name: Name, nearness: Nearness) -> Option<Secret> {
    let (begin, end, quoting) = value_bounds(text, start)?;
    let value = text.get(begin..end)?;
    let is_variable =
        name == Name::Human && quoting == Quoting::Bare && !is_written_out(text, begin, end);
    let is_secret = match nearness {
        Nearness::Assigned if is_variable => {
            is_random(value) && looks_secret(value, Name::Machine, quoting)
        }
        Nearness::Assigned => {
            looks_secret(value, name, quoting) || is_aws_secret(text, start, value)
        }
        Nearness::Attribute => {
            looks_secret(value, name, quoting) || is_attribute_password(name, value)
        }
        Nearness::Beside => looks_secret(value, Name::Provider, quoting),
    };
    let kind = if name == Name::Human { "password" } else { "secret-assignment" };
    is_secret.then(|| Secret { kind, span: begin..whole_end(text, begin, end) })
}

/// A value that reached the limit goes on to the end of its run.
fn whole_end(text: &str, begin: usize, end: usize) -> usize {
    let rest = &text.as_bytes()[end..];
    let goes_on = end - begin >= VALUE_LIMIT;
    end + if goes_on {
        rest.iter().take_while(|&&byte| is_value_byte(byte) && byte != b'\'').count()
    } else {
        0
    }
}

/// Whether a bare password is the text of a configuration or a command line rather than the name of a variable.
fn is_written_out(text: &str, begin: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    let before = bytes[..begin].trim_ascii_end().last();
    let is_tight = begin > 0 && bytes[begin - 1] == b'=';
    let is_introduced =
        is_tight || before.is_some_and(|&byte| byte == b':' || byte.is_ascii_alphabetic());
    is_introduced
        && bytes
            .get(end)
            .is_none_or(|&next| next.is_ascii_whitespace() || matches!(next, b';' | b'&' | b'\\'))
}

/// In a configuration file a password may be a plain word, as long as it is one word.
fn is_attribute_password(name: Name, value: &str) -> bool {
    name == Name::Human
        && value.len() >= 6
        && value.bytes().all(is_value_byte)
        && !is_placeholder(value)
}

/// An AWS secret key has forty characters; its name is unmistakable, so it need not look random.
fn is_aws_secret(text: &str, value_start: usize, value: &str) -> bool {
    let before = text.as_bytes()[value_start.saturating_sub(32)..value_start].to_ascii_lowercase();
    value.len() == 40
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+'))
        && memchr::memmem::find(&before, b"access").is_some()
        && memchr::memmem::find(&before, b"key").is_some()
        && !is_published(value)
}

fn value_bounds(text: &str, start: usize) -> Option<(usize, usize, Quoting)> {
    let mut cursor = Cursor::new(text, start);
    cursor.skip(2, |byte| byte == b'\\');
    // A prefix of the literal: `b"…"`, `r'…'`, `@"…"`.
    let prefixed =
        cursor.bytes.get(cursor.at + 1).is_some_and(|&next| matches!(next, b'"' | b'\''));
    if prefixed {
        cursor.skip(1, |byte| matches!(byte, b'b' | b'r' | b'f' | b'u' | b'@' | b'(' | b'['));
    }
    let quote = cursor.peek().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let Some(quote) = quote else {
        cursor.at = start;
        cursor.skip(VALUE_LIMIT, |byte| {
            byte.is_ascii_graphic()
                && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'\\' | b'<' | b')' | b'&')
        });
        return is_bare_end(&cursor).then_some((start, cursor.at, Quoting::Bare));
    };
    cursor.skip(3, |byte| byte == quote);
    cursor.skip(2, |byte| byte == b'\n');
    cursor.skip_blanks();
    let begin = cursor.at;
    cursor.skip(VALUE_LIMIT, |byte| byte != quote && byte != b'\n' && byte != b'\\');
    let end = begin + cursor.bytes[begin..cursor.at].trim_ascii_end().len();
    Some((begin, end, Quoting::Quoted))
}

/// A bare value that runs into a bracket or a quote is the start of an expression.
fn is_bare_end(cursor: &Cursor<'_>) -> bool {
    !matches!(cursor.peek(), Some(b'(' | b'[' | b'{' | b'`'))
}

/// A random literal or word further on the same line, as in `key = os.environ.get("KEY", "value")`.
fn later_on_line(text: &str, from: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + LINE_LIMIT)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let span = random_literal(line).or_else(|| random_word(line))?;
    // A word that runs out of the window goes on to its end.
    let rest = &bytes[from + line.len()..];
    let goes_on = span.end == line.len();
    let more = if goes_on { rest.iter().take_while(|byte| is_word_byte(byte)).count() } else { 0 };
    let span = from + span.start..from + span.end + more;
    Some(Secret { kind: "secret-assignment", span })
}

fn random_literal(line: &[u8]) -> Option<Range<usize>> {
    let mut quotes = memchr::memchr3_iter(b'"', b'\'', b'`', line);
    let mut open = quotes.next()?;
    for close in quotes {
        let literal = std::str::from_utf8(&line[open + 1..close]).unwrap_or_default();
        let is_value = literal.len() >= 16 && literal.bytes().all(is_value_byte);
        if line[close] == line[open] && is_value && is_random(literal) && !is_uuid(literal) {
            return Some(open + 1..close);
        }
        open = close;
    }
    None
}

fn random_word(line: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    for word in line.split(|byte| !is_word_byte(byte)) {
        let span = start..start + word.len();
        start = span.end + 1;
        if is_unmistakable(std::str::from_utf8(word).unwrap_or_default()) {
            return Some(span);
        }
    }
    None
}

fn is_word_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=')
}
