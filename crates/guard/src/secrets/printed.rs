//! Finds secrets in the output of commands, on the line below the command.

use crate::bytes::{
    bytes_after, contains_any, ends_with_any, is_word_or, line_after, line_before, run_after,
    starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::forms::{
    Characters, has_digit, is_chosen_password, is_literal_word, is_random,
};
use crate::table::WordList;
use crate::work;
use std::ops::Range;

const MAX_COMMAND: usize = 512;
const MAX_VALUE: usize = 512;

/// The starts of commands that print a variable. Their output is a secret only if the variable's name indicates one.
const NAMED: &[&str] = &["echo ", "$env:"];
static SECRET_ENDINGS: WordList = WordList::new(WORDS, "secret endings");
/// Parts of a command which show that its output is not the secret itself.
const OTHER_OUTPUTS: &[&str] =
    &[".metadata", ".type}", "-o name", "-o yaml", "-o wide", "--help", "#include"];

/// Returns the secret on the line below the command that printed it. `text[start..end]` is part of the command.
pub(crate) fn value_below(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = bytes_after(bytes, end, MAX_COMMAND);
    let length = memchr::memchr_iter(b'\n', rest).find(|&at| at == 0 || rest[at - 1] != b'\\')?;
    let head = line_before(bytes, start, MAX_COMMAND);
    work::count(length);
    let command = &rest[..length];
    // `NAME=$(…)` and `… > file` do not print the value. A command in backticks is mentioned in a sentence.
    let is_captured =
        contains_any(head, &["$(", "`"]) || memchr::memchr2(b'>', b'`', command).is_some();
    let anchor = text[start..end].to_ascii_lowercase();
    if is_captured
        || contains_any(command, OTHER_OUTPUTS)
        || starts_with_any(anchor, NAMED) && !names_secret(&text[end..end + length])
    {
        return None;
    }
    value_on_line(text, end + length + 1)
}

/// Returns whether the name of the variable at the start of `rest` indicates a secret.
fn names_secret(rest: &str) -> bool {
    let name = rest.trim_start_matches(['{', '$', '"']);
    let length = run_after(name.as_bytes(), usize::MAX, |byte| is_word_or(byte, b"_"));
    let name = name[..length].to_ascii_lowercase();
    ends_with_any(name, &SECRET_ENDINGS)
}

fn value_on_line(text: &str, line_start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let below = line_after(bytes, line_start.min(bytes.len()), MAX_VALUE);
    let indent = run_after(below, usize::MAX, |byte| matches!(byte, b' ' | b'\t' | b'"'));
    let value = text.get(line_start + indent..line_start + below.len())?;
    let value = value.trim_end().trim_end_matches('"');
    let span = line_start + indent..line_start + indent + value.len();
    is_printed(value).then_some(span)
}

/// Returns whether the line consists of one word that looks generated or chosen as a password.
fn is_printed(line: &str) -> bool {
    let body = line.trim_end_matches('=');
    let is_path = line.contains('/') && !has_digit(line);
    let is_code = body.contains(['=', '`', ';', '\\']) || line.ends_with(':');
    let is_generated = is_random(line) && has_digit(line) && Characters::of(line).letters() > 0;
    is_literal_word(line) && !is_path && !is_code && (is_generated || is_chosen_password(line))
}
