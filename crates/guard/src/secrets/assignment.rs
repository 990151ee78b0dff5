//! `name = value`, `"name": "value"`, `<name>value`, `--name value`, `name("value")`, `the name is value`: finds the value
//! that a word announces. The scorer decides whether it is a secret.

use std::ops::Range;

use super::bounds::{MAX_VALUE, quoted_in_chinese, value_bounds};
use super::candidate::{Candidate, Name, Quoting, Relation};
use super::cursor::Cursor;
use super::later::later_on_line;
use super::scorer::{is_secret, is_value_byte};
use super::value::is_uuid;
use super::{MARK, Secret};

mod markup;
mod names;
mod operator;
mod prose;
mod references;

use names::{is_argument_of_command, is_flag, is_joined, is_name, joined};
use operator::{declared_type, is_type, operator};
use prose::prose_value;
use references::is_reference;

const MAX_NAME: usize = 48;
/// After a longer value the rest of the line is not examined.
const MAX_LATER: usize = 96;
/// A name that ends like this is something about the secret, not the secret.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "name", "type", "url", "uri", "path", "file", "field", "length", "len", "size", "count", "limit", "expiry", "expires", "expiration",
    "ttl", "label", "hint", "pattern", "regex", "policy", "class", "izer", "endpoint", "version", "format", "hash", "digest", "index",
    "offset", "kind", "prefix", "suffix", "placeholder", "error", "message", "description", "title", "help", "text", "required",
    "enabled", "valid", "validator", "provider", "manager", "service", "factory", "handler", "input", "timeout", "encryption", "algorithm", "startswith", "endswith", "contains", "change", "encoder", "address", ".txt",
];

/// Names of passwords in languages whose sentences are not told from values by their words.
const FOREIGN: &[&str] = &[
    "senha",
    "wachtwoord",
    "hasło",
    "heslo",
    "lösenord",
    "пароль",
    "パスワード",
    "비밀번호",
    "암호",
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
    if let Some(candidate) = after_chinese_name(text, name, start..end, tail) {
        return accepted(&candidate, "");
    }
    if is_joined(tail) {
        let candidate = joined(text, name, start..end, cursor.at)?;
        return accepted(&candidate, tail);
    }
    if ABOUT.iter().any(|about| ends_with(tail, about)) {
        return None;
    }
    let closing = cursor
        .skip(3, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\' | b')' | b'}' | b'*'));
    let gap = cursor.skip_blanks();
    let behind_name = cursor.at;
    // A quoted name has no type; what follows it is the next attribute: `class="token" href="…"`.
    if closing == 0 && is_type(&text.as_bytes()[cursor.at..]) {
        declared_type(&mut cursor);
    }
    // `jsonpath='{.data.password}' | base64`: a pipe, not a column.
    if closing > 0 && cursor.peek() == Some(b'|') {
        return None;
    }
    let place =
        Place { text, name, word: start..end, tail, is_quoted: closing > 0, gap, behind_name };
    if let Some(from) = markup::value_of_field(text, start, behind_name) {
        return place.accepted_at(Relation::Attribute, from);
    }
    match operator(&mut cursor) {
        Some(_) if is_redacted(text, cursor.at) => None,
        Some(Relation::Attribute) => place.accepted_at(Relation::Attribute, cursor.at),
        Some(relation) => {
            let candidate = place.candidate(relation, cursor.at);
            // After a long run without a blank there is no other value near.
            let is_long = candidate.as_ref().is_some_and(|found| found.value.len() > MAX_LATER);
            let secret = candidate.and_then(|candidate| accepted(&candidate, tail));
            if secret.is_some() || is_long || !name.is_telling() {
                return secret;
            }
            later_on_line(text, name, start..end, cursor.at)
        }
        None => place.secret_without_operator(),
    }
}

/// A name and what is around it.
struct Place<'t> {
    text: &'t str,
    name: Name,
    /// The announcing word.
    word: Range<usize>,
    /// The rest of the identifier after the word.
    tail: &'t str,
    /// Whether a quote or a bracket closes the name.
    is_quoted: bool,
    /// How many blanks follow the name, and where they end.
    gap: usize,
    behind_name: usize,
}

impl<'t> Place<'t> {
    fn candidate(&self, relation: Relation, value_start: usize) -> Option<Candidate<'t>> {
        let (begin, end, quoting) = value_bounds(self.text, value_start, self.name)?;
        Some(Candidate {
            text: self.text,
            name: self.name,
            word: self.word.clone(),
            relation,
            quoting,
            value: begin..end,
        })
    }

    fn accepted_at(&self, relation: Relation, value_start: usize) -> Option<Secret> {
        accepted(&self.candidate(relation, value_start)?, self.tail)
    }

    /// The secret after a flag, a call, an element, in a sentence, or right after the name.
    fn secret_without_operator(&self) -> Option<Secret> {
        let Self { text, gap, behind_name, .. } = *self;
        let is_verb = ends_with(&text[..self.word.end], "pass");
        let is_before_chinese = is_followed_by_chinese(text, behind_name);
        if gap > 0 && is_argument_of_command(text, self.word.clone()) {
            return None;
        }
        if gap > 0
            && !self.is_quoted
            && let Some(from) = markup::text_of_element(text, self.word.start, behind_name)
        {
            return self.accepted_at(Relation::Sign, from);
        }
        if gap > 0 && is_flag(text, self.word.start) {
            return self.accepted_at(Relation::Flag, behind_name);
        }
        let is_plain = gap == 0 && !self.is_quoted;
        if is_plain && !self.tail.contains('.') && is_call(text, behind_name) {
            return self.accepted_at(Relation::Argument, behind_name + 1);
        }
        if gap > 0 {
            let beside = self.accepted_at(Relation::Beside, behind_name);
            if beside.is_some() || !(self.name.is_telling() || is_before_chinese) {
                return beside;
            }
            let from = prose_value(text, is_verb, behind_name)?;
            return self.accepted_at(Relation::Prose, from);
        }
        if is_before_chinese && self.tail.is_empty() {
            let from = prose_value(text, is_verb, behind_name)?;
            return self.accepted_at(Relation::Words, from);
        }
        let is_in_quotes = !self.is_quoted && quoted_in_chinese(text, behind_name).is_some();
        if is_in_quotes { self.accepted_at(Relation::Words, behind_name) } else { None }
    }
}

/// A value that directly follows a name in Chinese: `密码abc123`.
fn after_chinese_name<'t>(
    text: &'t str,
    name: Name,
    word: Range<usize>,
    tail: &str,
) -> Option<Candidate<'t>> {
    let has = |kind: fn(&u8) -> bool| tail.as_bytes().iter().any(kind);
    let is_value = !text.as_bytes()[word.start].is_ascii()
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase);
    if !is_value {
        return None;
    }
    let (begin, end, quoting) = value_bounds(text, word.end, name)?;
    (!is_followed_by_chinese(text, end)).then_some(Candidate {
        text,
        name,
        word,
        relation: Relation::Words,
        quoting,
        value: begin..end,
    })
}

/// The candidate as a secret, if the scorer takes it for one.
fn accepted(candidate: &Candidate<'_>, tail: &str) -> Option<Secret> {
    if !is_secret(candidate) || is_reference(candidate) {
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
    // A sentence with the name in a language whose words are not known here.
    let is_in_sentence =
        matches!(candidate.relation, Relation::Beside | Relation::Words | Relation::Prose);
    let has_digit = candidate.value().bytes().any(|byte| byte.is_ascii_digit());
    if is_in_sentence && !has_digit && is_foreign(&candidate.text[candidate.word.clone()]) {
        return None;
    }
    // The password within a connection string is found by its own rule.
    let is_dsn = candidate.text.as_bytes()[candidate.word.clone()].eq_ignore_ascii_case(b"dsn");
    if is_dsn && candidate.value().contains('@') {
        return None;
    }
    let kind = if candidate.name == Name::Human { "password" } else { "secret-assignment" };
    let end = whole_end(candidate.text, candidate.value.clone());
    Some(Secret { kind, span: candidate.value.start..end })
}

fn is_foreign(word: &str) -> bool {
    FOREIGN.iter().any(|name| word.eq_ignore_ascii_case(name))
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

fn is_followed_by_chinese(text: &str, at: usize) -> bool {
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| ('\u{4e00}'..='\u{9fff}').contains(&next))
}

/// Whether a quoted argument follows: `setPassword("…")`.
fn is_call(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at..at + 2), Some([b'(', b'"' | b'\'' | b'`']))
}

/// The end of a value: one that reached the limit continues to the end of its run.
pub(crate) fn whole_end(text: &str, value: Range<usize>) -> usize {
    let rest = &text.as_bytes()[value.end..];
    let continues = value.len() >= MAX_VALUE;
    value.end
        + if continues {
            rest.iter().take_while(|&&byte| is_value_byte(byte) && byte != b'\'').count()
        } else {
            0
        }
}
