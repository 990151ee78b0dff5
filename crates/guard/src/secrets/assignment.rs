//! Finds the value that belongs to a name: `name = value`, `"name": "value"`, `<name>value`, `--name value`,
//! `name("value")`, `the name is value`. The scorer decides whether the value is a secret.

mod names;
mod operator;
mod references;

use crate::bytes::{
    Cursor, bytes_before, contains_any, ends_with, ends_with_any_ignoring_case,
    equals_any_ignoring_case, is_word_or, line_after, run_after, run_before, starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::assignment::names::{
    is_argument_of_command, is_event, is_flag, is_id_of_credential, is_in_resource_name, is_joined,
    is_metadata, is_name, is_pod, is_role_secret, is_token_count, is_typed_number, joined,
};
use crate::secrets::assignment::operator::{
    declared_type, is_declared_array, is_type, operator, prose_value, skip_array_length,
};
use crate::secrets::assignment::references::{is_name_of_resource, refers_to_secret};
use crate::secrets::bounds::{MAX_VALUE, is_chinese, quoted_in_chinese, value_bounds};
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::forms::{
    Characters, has_digit, is_chosen_password, is_literal_word, is_random, is_uuid,
};
use crate::secrets::stand_ins::is_dummy;
use crate::secrets::verdict::{is_secret, is_value_byte};
use crate::secrets::{MARK, Secret, accounts};
use crate::table::WordList;
use std::ops::Range;

const MAX_NAME: usize = 48;
/// If the value after a name is not a secret, the rest of the line is searched for one, unless the value is longer than
/// this.
const MAX_VALUE_BEFORE_REST: usize = 96;
/// Returns the secret assigned to the name that contains the anchor `text[start..end]`.
pub(crate) fn assigned_secret(text: &str, name: Name, start: usize, end: usize) -> Option<Secret> {
    // Two-letter anchors such as `pw=` include the operator or the blank before the value.
    let has_operator = matches!(text.as_bytes().get(end.wrapping_sub(1)), Some(b':' | b'=' | b' '));
    let end = end - usize::from(has_operator);
    let mut cursor = Cursor::new(text, end);
    cursor.skip(MAX_NAME, |byte| is_word_or(byte, b"_-."));
    let tail = text.get(end..cursor.at)?;
    if !is_name(text, name, start, end, tail) {
        return None;
    }
    if let Some(candidate) = after_chinese_name(text, name, start..end, tail) {
        return accepted(&candidate, "");
    }
    if is_joined(tail) && !is_pod(text, cursor.at) {
        let candidate = joined(text, name, start..end, cursor.at)?;
        return accepted(&candidate, tail);
    }
    if is_metadata(tail)
        || is_id_of_credential(text, start..end, tail)
        || is_typed_number(text, end)
        || is_in_resource_name(text, start)
    {
        return None;
    }
    if cursor.peek() == Some(b'[') && is_declared_array(text, start) {
        skip_array_length(&mut cursor);
    }
    let closing = cursor
        .skip(3, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\' | b')' | b'}' | b'*'));
    if closing > 0 && is_event(tail) {
        return None;
    }
    let gap = cursor.skip_blanks();
    let after_name = cursor.at;
    // A quoted name is not followed by a type. The next word is another attribute: `class="token" href="…"`.
    if closing == 0 && is_type(&text.as_bytes()[cursor.at..]) {
        declared_type(&mut cursor);
    }
    // `jsonpath='{.data.password}' | base64`: the `|` is a shell pipe, not a column separator.
    if closing > 0 && cursor.peek() == Some(b'|') {
        return None;
    }
    // `input[type="password"]:focus`: the colon is part of a selector.
    if gap == 0 && closing > 1 && text[..after_name].ends_with(']') && cursor.peek() == Some(b':') {
        return None;
    }
    let context =
        NameContext { text, name, word: start..end, tail, is_quoted: closing > 0, gap, after_name };
    if let Some(from) = operator::value_of_field(text, start, after_name) {
        return context.accepted_at(Relation::Attribute, from);
    }
    match operator(&mut cursor) {
        Some(_) if is_redacted(text, cursor.at) || is_encrypted(text, cursor.at) => None,
        Some(Relation::Attribute) => context.accepted_at(Relation::Attribute, cursor.at),
        Some(relation) => {
            let candidate = context.candidate(relation, cursor.at);
            if candidate.as_ref().is_some_and(is_name_of_resource) {
                return None;
            }
            // After a long value, the rest of the line is not searched, because another value nearby is unlikely.
            let is_long =
                candidate.as_ref().is_some_and(|found| found.value.len() > MAX_VALUE_BEFORE_REST);
            let secret = candidate.and_then(|candidate| accepted(&candidate, tail));
            if secret.is_some()
                || is_long
                || !name.implies_secret()
                || is_token_count(text, tail, cursor.at)
            {
                return secret;
            }
            value_in_rest_of_line(text, name, start..end, cursor.at)
        }
        None => context.secret_without_operator(),
    }
}

/// The name of a possible secret, with the text around the name.
struct NameContext<'t> {
    text: &'t str,
    name: Name,
    /// The anchor word.
    word: Range<usize>,
    /// The part of the identifier that follows the anchor word.
    tail: &'t str,
    /// Whether a quote or a bracket closes the name.
    is_quoted: bool,
    /// The number of blanks after the name.
    gap: usize,
    /// The position after the blanks that follow the name.
    after_name: usize,
}

impl<'t> NameContext<'t> {
    fn candidate(&self, relation: Relation, value_start: usize) -> Option<Candidate<'t>> {
        let Self { text, name, .. } = *self;
        let (value, quoting) = value_bounds(text, value_start, name)?;
        Some(Candidate { text, name, word: self.word.clone(), relation, quoting, value })
    }

    fn accepted_at(&self, relation: Relation, value_start: usize) -> Option<Secret> {
        accepted(&self.candidate(relation, value_start)?, self.tail)
    }

    /// Finds a secret that is not separated from its name by an operator: the value of a flag, a call argument, the
    /// content of a markup element, the next word, or a value in a sentence.
    fn secret_without_operator(&self) -> Option<Secret> {
        let Self { text, gap, after_name, .. } = *self;
        let is_verb = ends_with(&text.as_bytes()[..self.word.end], b"pass");
        let is_before_chinese = is_followed_by_chinese(text, after_name);
        if gap > 0 && is_argument_of_command(text, self.word.clone()) {
            return None;
        }
        if gap > 0
            && !self.is_quoted
            && let Some(from) = operator::text_of_element(text, self.word.start, after_name)
        {
            return self.accepted_at(Relation::Sign, from);
        }
        if gap > 0 && is_flag(text, self.word.start) {
            // "`--password` because …": the option is mentioned in a sentence.
            if text[..after_name].trim_end().ends_with('`') {
                return None;
            }
            return self.accepted_at(Relation::Flag, after_name);
        }
        if gap > 0
            && self.name == Name::Password
            && !self.is_quoted
            && let Some(span) = accounts::value_on_line(text, self.word.clone(), after_name)
        {
            return Some(Secret { kind: "password", span });
        }
        let is_plain = gap == 0 && !self.is_quoted;
        if is_plain && !self.tail.contains('.') && is_call(text, after_name) {
            return self.accepted_at(Relation::Argument, after_name + 1);
        }
        if gap > 0 {
            let adjacent = self.accepted_at(Relation::Beside, after_name);
            if adjacent.is_some() || !(self.name.implies_secret() || is_before_chinese) {
                return adjacent;
            }
            let from = prose_value(text, is_verb, after_name)?;
            return self.accepted_at(Relation::Prose, from);
        }
        if is_before_chinese && self.tail.is_empty() {
            let from = prose_value(text, is_verb, after_name)?;
            return self.accepted_at(Relation::Words, from);
        }
        let is_in_quotes = !self.is_quoted && quoted_in_chinese(text, after_name).is_some();
        if is_in_quotes { self.accepted_at(Relation::Words, after_name) } else { None }
    }
}

/// Returns the candidate that directly follows a Chinese name: `密码abc123`.
fn after_chinese_name<'t>(
    text: &'t str,
    name: Name,
    word: Range<usize>,
    tail: &str,
) -> Option<Candidate<'t>> {
    let Characters { lower, digits, .. } = Characters::of(tail);
    if text.as_bytes()[word.start].is_ascii() || digits.min(lower) == 0 {
        return None;
    }
    let (mut value, quoting) = value_bounds(text, word.end, name)?;
    // `之前的密码abc_123不对`: the sentence continues after the password.
    let length = run_after(&text.as_bytes()[value.clone()], usize::MAX, |byte| byte.is_ascii());
    if is_chosen_password(&text[value.start..value.start + length]) {
        value.end = value.start + length;
    } else if is_followed_by_chinese(text, value.end) {
        return None;
    }
    Some(Candidate { text, name, word, relation: Relation::Words, quoting, value })
}

/// Returns the candidate as a secret if the scorer accepts the candidate and the value is not a reference or an
/// identifier.
fn accepted(candidate: &Candidate<'_>, tail: &str) -> Option<Secret> {
    if !is_secret(candidate) || refers_to_secret(candidate) {
        return None;
    }
    let names_identifier = ends_with(tail.as_bytes(), b"id") || candidate.name == Name::Public;
    // `{ key: "9df2…", value: … }`: the UUID is a map key.
    let is_map_key = candidate.name == Name::Vague
        && candidate.relation == Relation::Colon
        && candidate.quoting == Quoting::Quoted
        && is_uuid(candidate.value());
    let is_identifier = is_uuid(candidate.value())
        || candidate.value().bytes().all(|byte| byte.is_ascii_hexdigit());
    // The value is probably a word of a sentence in a language for which there is no list of common words.
    let is_in_sentence =
        matches!(candidate.relation, Relation::Beside | Relation::Words | Relation::Prose);
    let is_word = !has_digit(candidate.value()) && !is_chosen_password(candidate.value());
    let is_foreign = equals_any_ignoring_case(candidate.word(), &FOREIGN_PASSWORD_NAMES)
        || contains_any(candidate.between(), FOREIGN_VERBS);
    // In `(b) pass — see #2307`, the dash after a test result starts an explanation.
    let is_result = ends_with(&candidate.text.as_bytes()[..candidate.word.end], b"pass")
        && candidate.between().contains(['—', '–']);
    // The password in this value is found by the rule for connection strings (`dsn`).
    let is_dsn = candidate.word().eq_ignore_ascii_case("dsn");
    if is_map_key
        || names_identifier && is_identifier && !is_role_secret(candidate, tail)
        || is_result
        || is_in_sentence && is_word && is_foreign
        || is_dsn && candidate.value().contains('@')
    {
        return None;
    }
    let kind = if candidate.name == Name::Password { "password" } else { "secret-assignment" };
    let end = extended_end(candidate.text, candidate.value.clone());
    Some(Secret { kind, span: candidate.value.start..end })
}

/// Returns whether the value at `at` has already been redacted. In this case, the caller does not search the rest of
/// the line.
fn is_redacted(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start_matches(['"', '\'', '`', '\\']);
    rest.starts_with(MARK) || rest.starts_with("[REDACTED]")
}

/// Returns whether the value at `at` is encrypted and can therefore be published: `ENC[AES256_GCM,…]`, `{cipher}…`,
/// `!vault |`.
fn is_encrypted(text: &str, at: usize) -> bool {
    const MARKS: &[&str] = &["ENC[", "ENC(", "!vault", "{cipher}", "$ANSIBLE_VAULT", "vault:v1:"];
    text.get(at..).is_some_and(|rest| starts_with_any(rest.trim_start_matches(['"', '\'']), MARKS))
}

fn is_followed_by_chinese(text: &str, at: usize) -> bool {
    text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_chinese)
}

/// Returns whether the text at `at` is a parenthesis and a quoted argument, as in `setPassword("…")`.
fn is_call(text: &str, at: usize) -> bool {
    matches!(text.as_bytes().get(at..at + 2), Some([b'(', b'"' | b'\'' | b'`']))
}

/// Returns the end of a value. If the value was cut at [`MAX_VALUE`] bytes, the end is moved to the first byte that
/// cannot be part of a value.
pub(crate) fn extended_end(text: &str, value: Range<usize>) -> usize {
    let rest = &text.as_bytes()[value.end..];
    let max = if value.len() >= MAX_VALUE { usize::MAX } else { 0 };
    value.end + run_after(rest, max, |byte| is_value_byte(byte) && byte != b'\'')
}

const MIN_COMPARED_PASSWORD: usize = 8;
const MIN_COMPARED_TOKEN: usize = 16;
/// The text between the literal and the variable.
const COMPARISONS: &[&str] =
    &[".equals(", ".equalsIgnoreCase(", ".contentEquals(", " == ", " === ", " != ", " !== "];

/// Returns the literal that is compared with a variable, if the literal looks like a secret. `word` is the anchor word
/// in the variable's name.
pub(crate) fn compared_literal(text: &str, name: Name, word: Range<usize>) -> Option<Range<usize>> {
    if !name.implies_secret() || !text.as_bytes()[word.start].is_ascii_alphabetic() {
        return None;
    }
    let before = &text.as_bytes()[..word.start];
    let head = run_before(before, MAX_NAME, |byte| is_word_or(byte, b"_.$"));
    let before = &before[..before.len() - head];
    let operator = COMPARISONS.iter().find(|operator| before.ends_with(operator.as_bytes()))?;
    let before = &before[..before.len() - operator.len()];
    let (quote, literal) = before.split_last()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let window = bytes_before(literal, literal.len(), MAX_VALUE);
    let length = window.len() - memchr::memrchr(*quote, window)? - 1;
    let span = literal.len() - length..literal.len();
    let value = text.get(span.clone())?;
    let is_secret = match name {
        Name::Password => {
            value.len() >= MIN_COMPARED_PASSWORD
                && is_literal_word(value)
                && has_digit(value)
                && !value.contains(['/', '\\'])
                && !is_dummy(value)
        }
        Name::Token | Name::Public | Name::Vague | Name::Provider => {
            value.len() >= MIN_COMPARED_TOKEN && is_random(value)
        }
        Name::Service => false,
    };
    is_secret.then_some(span)
}

static FOREIGN_PASSWORD_NAMES: WordList = WordList::new(WORDS, "foreign password names");

/// Words for "is" in other languages, and dashes.
const FOREIGN_VERBS: &[&str] = &[" é ", " è ", " là ", " ist ", " lautet ", "— ", "– "];

/// The maximum number of bytes that are searched after the operator.
const MAX_REST_OF_LINE: usize = 160;
/// Texts before public values: the identifier of a resource (`tls_private_key.ca: Refreshing state... [id=…]`), an encrypted
/// value (`secrets: [name: ENC[AES256_GCM,data:…]]`), and the version of a document in a response.
const PUBLIC_MARKS: &[&str] = &["[id=", "ENC[", "ETag", "etag", "If-None-Match", "if-none-match"];
const MIN_VALUE: usize = 12;
/// The signs that may be part of a value. The dot is included, because a token may have several parts separated by dots.
const VALUE_SIGNS: &[u8] = b"_-+/=.";
/// The maximum length of a field's name and operator.
const MAX_FIELD: usize = 40;
/// The maximum number of words on the line that are scored.
const MAX_SCORED_WORDS: usize = 8;

/// Returns the first secret after `from` on the same line. `word` is the range of the name on this line.
fn value_in_rest_of_line(
    text: &str,
    name: Name,
    word: Range<usize>,
    from: usize,
) -> Option<Secret> {
    let bytes = text.as_bytes();
    let line = line_after(bytes, from, MAX_REST_OF_LINE);
    let marks = PUBLIC_MARKS.iter().filter_map(|mark| memchr::memmem::find(line, mark.as_bytes()));
    let line = &line[..marks.min().unwrap_or(line.len())];
    let mut start = from;
    let mut scored = 0;
    for part in line.split(|byte| !is_word_or(*byte, VALUE_SIGNS)) {
        let span = start..start + part.len();
        start = span.end + 1;
        if part.len() < MIN_VALUE
            || scored == MAX_SCORED_WORDS
            || belongs_to_identifier(bytes, span.start)
        {
            continue;
        }
        scored += 1;
        let end = span.end;
        let is_quoted = matches!(bytes.get(end), Some(b'"' | b'\'' | b'`'));
        let quoting = if is_quoted { Quoting::Quoted } else { Quoting::Bare };
        let candidate = Candidate {
            text,
            // A value that is not next to its name must look generated, even if the name is a password name.
            name: if name == Name::Password { Name::Token } else { name },
            word: word.clone(),
            relation: Relation::RestOfLine,
            quoting,
            value: span.start..end,
        };
        if is_secret(&candidate) {
            let end = end + continuation(bytes, end, from + line.len());
            return Some(Secret { kind: "secret-assignment", span: span.start..end });
        }
    }
    None
}

/// Returns whether the value at `at` belongs to a field for a public identifier: `"id": "…"`, `request_id=…`,
/// `correlationId: …`, `className:"…"`. Identifiers of sessions and of secrets do not count as public.
fn belongs_to_identifier(bytes: &[u8], at: usize) -> bool {
    let name = bytes_before(bytes, at, MAX_FIELD).trim_ascii_end();
    let signs = run_before(name, usize::MAX, |byte| {
        matches!(byte, b'"' | b'\'' | b':' | b'=' | b' ' | b'\\')
    });
    let operator = &name[name.len() - signs..];
    let name = &name[..name.len() - signs];
    let length = run_before(name, usize::MAX, |byte| is_word_or(byte, b"_-"));
    let name = &name[name.len() - length..];
    let head =
        [&b"_id"[..], b"-id", b"Id", b"ID", b"_ID"].iter().find_map(|end| name.strip_suffix(*end));
    operator.iter().any(|byte| matches!(byte, b':' | b'='))
        && (matches!(name, b"id" | b"class" | b"className")
            || head.is_some_and(|head| !ends_with_any_ignoring_case(head, &["secret", "session"])))
}

/// Returns the number of bytes by which a word extends beyond the search window, or 0 if the word ends before
/// `window_end`.
fn continuation(bytes: &[u8], end: usize, window_end: usize) -> usize {
    if end < window_end {
        return 0;
    }
    run_after(&bytes[end..], usize::MAX, |byte| is_word_or(byte, VALUE_SIGNS))
}
