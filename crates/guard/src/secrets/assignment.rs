//! `name = value`, `"name": "value"`, `<name>value`, `--name value`, `name("value")`, `the name is value`: finds the value
//! that a word announces. The scorer decides whether it is a secret.

use super::bounds::{MAX_VALUE, value_bounds};
use super::candidate::{Candidate, Name, Quoting, Relation};
use super::cursor::Cursor;
use super::later::later_on_line;
use super::published::is_published;
use super::scorer::{is_secret, is_value_byte};
use super::value::is_uuid;
use super::{MARK, Secret};
use crate::base64;

const MAX_NAME: usize = 48;
const MIN_BASIC: usize = 8;
/// After a longer value the rest of the line is not examined.
const MAX_LATER: usize = 96;
/// How many bytes of prose may be between a name and its value: `the password of the staging database is …`.
const MAX_PROSE: usize = 48;
/// A name that ends like this is something about the secret, not the secret.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "name", "type", "url", "uri", "path", "file", "field", "length", "len", "size", "count", "limit", "expiry", "expires", "expiration",
    "ttl", "label", "hint", "pattern", "regex", "policy", "class", "izer", "endpoint", "version", "format", "hash", "digest", "index",
    "offset", "kind", "prefix", "suffix", "placeholder", "error", "message", "description", "title", "help", "text", "required",
    "enabled", "valid", "validator", "provider", "manager", "service", "factory", "handler", "input", "timeout", "encryption", "algorithm", "startswith", "endswith", "contains", "change", "encoder",
];

/// Calls that fill in a form field which the name selects: `get('#password').type("…")`.
const FILLED: &[&str] = &[
    ".type(",
    ".send_keys(",
    ".sendKeys(",
    ".fill(",
    ".setValue(",
    ".set_value(",
    ".val(",
    ".input(",
];

/// The secret given to the name whose announcing word is `text[start..end]`.
pub(crate) fn assigned_secret(text: &str, name: Name, start: usize, end: usize) -> Option<Secret> {
    // The anchors of two letters contain their operator, or the blank before the value.
    let has_operator = matches!(text.as_bytes().get(end.wrapping_sub(1)), Some(b':' | b'=' | b' '));
    let end = end - usize::from(has_operator);
    let mut cursor = Cursor::new(text, end);
    cursor
        .skip(MAX_NAME, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let tail = text.get(end..cursor.at)?;
    if !is_name(text, name, start, end, tail) {
        return None;
    }
    if is_joined(tail) {
        let candidate = joined(text, name, start..end, cursor.at)?;
        return accepted(&candidate, tail);
    }
    if ABOUT.iter().any(|about| ends_with(tail, about)) {
        return None;
    }
    let closing =
        cursor.skip(3, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\' | b')' | b'}'));
    let gap = cursor.skip_blanks();
    let behind_name = cursor.at;
    // A quoted name has no type; what follows it is the next attribute: `class="token" href="…"`.
    if closing == 0 && is_type(&text.as_bytes()[cursor.at..]) {
        declared_type(&mut cursor);
    }
    let at = |relation, value_start| {
        let (begin, end_of_value, quoting) = value_bounds(text, value_start, name)?;
        Some(Candidate {
            text,
            name,
            word: start..end,
            relation,
            quoting,
            value: begin..end_of_value,
        })
    };
    // `jsonpath='{.data.password}' | base64`: a pipe, not a column.
    if closing > 0 && cursor.peek() == Some(b'|') {
        return None;
    }
    let candidate = match operator(&mut cursor) {
        Some(_) if is_redacted(text, cursor.at) => return None,
        Some(Relation::Attribute) => at(Relation::Attribute, cursor.at),
        Some(relation) => {
            let candidate = at(relation, cursor.at);
            // After a long run without a blank there is no other value near.
            let is_long = candidate.as_ref().is_some_and(|found| found.value.len() > MAX_LATER);
            let secret = candidate.and_then(|candidate| accepted(&candidate, tail));
            if secret.is_some() || is_long || !name.is_telling() {
                return secret;
            }
            return later_on_line(text, name, start..end, cursor.at);
        }
        None if gap > 0 && is_argument_of_command(text, start..end) => None,
        None if gap > 0 && is_flag(text, start) => at(Relation::Flag, behind_name),
        None if gap == 0 && closing == 0 && !tail.contains('.') && is_call(text, behind_name) => {
            at(Relation::Argument, behind_name + 1)
        }
        None if gap > 0 => {
            let beside =
                at(Relation::Beside, behind_name).and_then(|candidate| accepted(&candidate, tail));
            if beside.is_some() || !(name.is_telling() || is_followed_by_chinese(text, behind_name))
            {
                return beside;
            }
            prose_value(text, behind_name).and_then(|from| at(Relation::Prose, from))
        }
        None if is_followed_by_chinese(text, behind_name) && tail.is_empty() => {
            prose_value(text, behind_name).and_then(|from| at(Relation::Words, from))
        }
        None => None,
    }?;
    accepted(&candidate, tail)
}

/// Whether the word is a name of its own or the end of one, rather than letters within another word.
fn is_name(text: &str, name: Name, start: usize, end: usize, tail: &str) -> bool {
    if is_of_public_key(text, start) {
        return false;
    }
    // A short word is part of many others, and of random strings.
    let is_short =
        end - start <= 4 && text.is_char_boundary(start) && text.as_bytes()[start].is_ascii();
    let is_vague = name == Name::Vague;
    !(is_short || is_vague) || is_word_end(tail) && is_own_word(text, start)
}

/// `publicKeyToken`: the digest of a public key.
fn is_of_public_key(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[..start];
    [&b"publickey"[..], b"public_key", b"public-key"].iter().any(|name| {
        before.len() >= name.len() && before[before.len() - name.len()..].eq_ignore_ascii_case(name)
    })
}

/// The candidate as a secret, if the scorer takes it for one.
fn accepted(candidate: &Candidate<'_>, tail: &str) -> Option<Secret> {
    if !is_secret(candidate) {
        return None;
    }
    let names_identifier = ends_with(tail, "id") || candidate.name == Name::Public;
    // `{ key: "9df2…", value: … }`: the key of a map.
    let is_map_key = candidate.name == Name::Vague
        && candidate.relation == Relation::Colon
        && candidate.quoting == Quoting::Quoted
        && is_uuid(candidate.value());
    if is_map_key {
        return None;
    }
    let is_identifier = is_uuid(candidate.value())
        || candidate.value().bytes().all(|byte| byte.is_ascii_hexdigit());
    if names_identifier && is_identifier {
        return None;
    }
    let kind = if candidate.name == Name::Human { "password" } else { "secret-assignment" };
    let end = whole_end(candidate.text, candidate.value.clone());
    Some(Secret { kind, span: candidate.value.start..end })
}

/// Whether this value was replaced before: then nothing on its line is examined again because of it.
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
    !tail.starts_with(|first: char| first.is_ascii_lowercase())
        && !tail.starts_with(|first: char| first.is_ascii_uppercase())
        || tail.starts_with(|first: char| first.is_ascii_uppercase())
            && tail.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase)
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
    let before = &text.as_bytes()[start.saturating_sub(MAX_NAME)..start];
    let word = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        .count();
    word > 0 && before[before.len() - word] == b'-'
}

/// `-field=password path`, `passwd user`: the word is an argument or a command, what follows is no password.
fn is_argument_of_command(text: &str, word: std::ops::Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = bytes[..word.start].last();
    let is_command = bytes[word.clone()].eq_ignore_ascii_case(b"passwd")
        && before.is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'/'))
        && !is_after_user(text, word.start);
    before == Some(&b'=') || is_command
}

/// Whether a user name is announced shortly before: `user bob passwd …`.
fn is_after_user(text: &str, start: usize) -> bool {
    let before = &text.as_bytes()[start.saturating_sub(MAX_NAME)..start];
    [&b"user "[..], b"login "].iter().any(|word| memchr::memmem::find(before, word).is_some())
}

fn is_followed_by_chinese(text: &str, at: usize) -> bool {
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| ('\u{4e00}'..='\u{9fff}').contains(&next))
}

/// Whether a quoted argument follows: `setPassword("…")`.
fn is_call(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at..at + 2), Some([b'(', b'"' | b'\'' | b'`']))
}

/// Whether the rest of the identifier is the value itself: `apikey-4f9c…`.
fn is_joined(tail: &str) -> bool {
    tail.starts_with(['-', '_'])
        && tail.len() > 16
        && tail.bytes().filter(u8::is_ascii_digit).count() >= 3
}

fn joined(
    text: &str,
    name: Name,
    word: std::ops::Range<usize>,
    tail_end: usize,
) -> Option<Candidate<'_>> {
    let mut cursor = Cursor::new(text, tail_end);
    cursor
        .skip(MAX_VALUE, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let run = text.get(word.end..cursor.at)?;
    let is_value = |part: &str| {
        part.len() >= 16 && part.bytes().filter(u8::is_ascii_digit).count() * 5 >= part.len()
    };
    // The value begins after the last separator that leaves enough of it; a UUID has separators of its own.
    let uuid =
        run.len().checked_sub(36).filter(|&at| run.is_char_boundary(at) && is_uuid(&run[at..]));
    let begin = uuid.or_else(|| {
        run.match_indices(['-', '_']).map(|(at, _)| at + 1).rfind(|&at| is_value(&run[at..]))
    })?;
    let value = word.end + begin..cursor.at;
    Some(Candidate { text, name, word, relation: Relation::Joined, quoting: Quoting::Bare, value })
}

/// Moves over `=`, `:=`, `=>`, `: str =`, `",`, `" value=` … and the space after it.
fn operator(cursor: &mut Cursor<'_>) -> Option<Relation> {
    if cursor.eat("value=") || cursor.eat("Value=") {
        return Some(Relation::Attribute);
    }
    if value_of_pair(cursor) {
        return Some(Relation::Attribute);
    }
    if FILLED.iter().any(|call| cursor.eat(call)) {
        return Some(Relation::Argument);
    }
    if cursor.bytes[cursor.at..].starts_with(b"{") {
        return default_of_block(cursor);
    }
    let is_in_words = ["is: ", "is ", "was ", "set to ", "：", "是：", "为：", "是", "为", "→ "]
        .iter()
        .any(|word| cursor.eat(word));
    let relation = if is_in_words { Relation::Words } else { sign(cursor)? };
    cursor.skip_blanks();
    if cursor.skip(1, |byte| matches!(byte, b'|' | b'>')) == 1 {
        cursor.skip(1, |byte| byte == b'-');
    }
    cursor.skip(4, |byte| matches!(byte, b'\r' | b'\n' | b'|' | b'>'));
    cursor.skip_blanks();
    Some(relation)
}

/// Moves over what separates a name from its value in a list of pairs: `"name": "PASSWORD", "value": "…"`.
fn value_of_pair(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    cursor.skip(24, |byte| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b',' | b'<' | b'>' | b'\\')
    });
    let is_word = cursor.at > start && (cursor.eat("value") || cursor.eat("Value"));
    cursor.skip(2, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    cursor.skip_blanks();
    let is_value = is_word && cursor.skip(1, |byte| matches!(byte, b':' | b'=' | b'>')) == 1;
    cursor.skip_blanks();
    cursor.at = if is_value { cursor.at } else { start };
    is_value
}

/// `variable "token" { default = "value" }`: the default of a declared variable.
fn default_of_block(cursor: &mut Cursor<'_>) -> Option<Relation> {
    cursor.at += 1;
    cursor.skip(16, |byte| byte.is_ascii_whitespace());
    if !cursor.eat("default") {
        return None;
    }
    cursor.skip_blanks();
    let is_assigned = cursor.eat("=");
    cursor.skip_blanks();
    is_assigned.then_some(Relation::Equals)
}

fn sign(cursor: &mut Cursor<'_>) -> Option<Relation> {
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
    let relation = match signs {
        b"=" | b":=" | b"?=" | b"+=" => Relation::Equals,
        b":" => Relation::Colon,
        _ => Relation::Sign,
    };
    cursor.skip_blanks();
    // After a comma it is the name of the next argument.
    if signs != b"," {
        declared_type(cursor);
    }
    if cursor.skip(2, |byte| byte == b'=') > 0 {
        cursor.skip_blanks();
        return Some(Relation::Equals);
    }
    Some(relation)
}

/// Whether the word after a name is a type of text, as in `password string = "…"`, rather than another name.
fn is_type(rest: &[u8]) -> bool {
    const TYPES: [&[u8]; 8] =
        [b"string", b"String", b"str", b"&", b"[]byte", b"char", b"text", b"SecretString"];
    TYPES.iter().any(|name| rest.starts_with(name))
}

/// `string = `, `&str = `, `[]byte(`: the type between a name and its value.
fn declared_type(cursor: &mut Cursor<'_>) {
    let start = cursor.at;
    cursor.skip(24, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'&' | b'\'' | b'[' | b']' | b'*' | b'?')
    });
    let length = cursor.at - start;
    cursor.skip_blanks();
    let is_path = cursor.bytes[cursor.at..].starts_with(b"::");
    if length == 0 || is_path || !matches!(cursor.peek(), Some(b'=' | b':')) {
        cursor.at = start;
    }
}

/// Where a value starts that a short phrase separates from its name: `password for the replica is …`.
fn prose_value(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_PROSE)];
    let length = window
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b'=' | b'(' | b'{' | b';' | b'.'))
        .unwrap_or(window.len());
    let phrase = &window[..length];
    crate::work::count(length);
    let after = [" is ", ": ", " - ", "是", "为", "：", "改成", "设成"]
        .iter()
        .filter_map(|mark| memchr::memmem::find(phrase, mark.as_bytes()).map(|at| at + mark.len()))
        .min()?;
    let blanks = phrase[after..].iter().take_while(|byte| **byte == b' ').count();
    Some(from + after + blanks)
}

/// The value after an authorization scheme.
pub(crate) fn bearer_secret(text: &str, start: usize, scheme_end: usize) -> Option<Secret> {
    if start > 0 && text.as_bytes()[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let (begin, end, quoting) = value_bounds(text, scheme_end, Name::Machine)?;
    let word = start..start + "bearer".len();
    let candidate = Candidate {
        text,
        name: Name::Machine,
        word,
        relation: Relation::Equals,
        quoting,
        value: begin..end,
    };
    let span = begin..whole_end(text, begin..end);
    is_secret(&candidate).then_some(Secret { kind: "bearer-token", span })
}

/// The encoded `user:password` after `Basic`.
pub(crate) fn basic_secret(text: &str, scheme_end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, scheme_end);
    cursor.skip_blanks();
    let (begin, end, _) = value_bounds(text, cursor.at, Name::Machine)?;
    let value = text.get(begin..end)?;
    let decoded = base64::decode(value.as_bytes())?;
    let is_pair = memchr::memchr(b':', &decoded).is_some()
        && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (value.len() >= MIN_BASIC && is_pair && !is_published(value))
        .then_some(Secret { kind: "basic-auth", span: begin..end })
}

/// The end of a value: one that reached the limit continues to the end of its run.
fn whole_end(text: &str, value: std::ops::Range<usize>) -> usize {
    let rest = &text.as_bytes()[value.end..];
    let continues = value.len() >= MAX_VALUE;
    value.end
        + if continues {
            rest.iter().take_while(|&&byte| is_value_byte(byte) && byte != b'\'').count()
        } else {
            0
        }
}
