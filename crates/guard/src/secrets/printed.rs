//! Finds secrets that a command printed on the line below it: `vault kv get -field=password …`, `echo $API_TOKEN`.

use super::Secret;
use super::chosen::is_chosen_password;
use super::value::is_random;
use crate::work;

const MAX_COMMAND: usize = 512;
const MAX_VALUE: usize = 512;

/// The starts of commands that print a variable. Their output is a secret only if the variable's name indicates one.
const NAMED: &[&str] = &["echo ", "$env:"];
/// Lower-case endings of the names of variables that contain a secret.
#[rustfmt::skip]
const SECRET_ENDINGS: &[&str] = &[
    "pass", "password", "passwd", "passphrase", "pwd", "pw", "secret", "token", "_key", "apikey", "credential",
];
/// Commands that print a file.
const READERS: &[&str] =
    &["cat ", "type ", "less ", "more ", "head ", "tail ", "Get-Content ", "gc "];
/// Parts of a command which show that its output is not the secret itself.
const OTHER_OUTPUTS: &[&str] =
    &[".metadata", ".type}", "-o name", "-o yaml", "-o wide", "--help", "#include"];
const MAX_ANNOUNCEMENT: usize = 96;

/// Returns the secret on the line below the command that printed a file. `text[start..end]` is the name of the file, which
/// counts only if one of [`READERS`] precedes it on the same line.
pub(crate) fn value_of_file(text: &str, start: usize, end: usize) -> Option<Secret> {
    let head = &text.as_bytes()[start.saturating_sub(MAX_COMMAND)..start];
    let head = memchr::memrchr(b'\n', head).map_or(head, |at| &head[at + 1..]);
    let is_read = READERS.iter().any(|word| memchr::memmem::find(head, word.as_bytes()).is_some());
    if is_read { value_below(text, start, end) } else { None }
}

/// Returns the secret on the line below the command that printed it. `text[start..end]` is part of the command.
pub(crate) fn value_below(text: &str, start: usize, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_COMMAND)];
    let length = memchr::memchr_iter(b'\n', rest).find(|&at| at == 0 || rest[at - 1] != b'\\')?;
    let head_start = start.saturating_sub(MAX_COMMAND);
    let head = &bytes[head_start..start];
    let head = memchr::memrchr(b'\n', head).map_or(head, |at| &head[at + 1..]);
    work::count(length + head.len());
    let command = &rest[..length];
    // `NAME=$(…)` and `… > file` do not print the value. A command in backticks is mentioned in a sentence.
    let is_captured = memchr::memmem::find(head, b"$(").is_some()
        || memchr::memchr(b'`', head).is_some()
        || memchr::memchr2(b'>', b'`', command).is_some();
    let anchor = text[start..end].to_ascii_lowercase();
    let is_listed = |words: &[&str]| words.iter().any(|word| anchor.starts_with(word));
    let has = |part: &[u8], words: &[&str]| {
        words.iter().any(|word| memchr::memmem::find(part, word.as_bytes()).is_some())
    };
    if is_captured
        || has(command, OTHER_OUTPUTS)
        || is_listed(NAMED) && !names_secret(&text[end..end + length])
    {
        return None;
    }
    value_on_line(text, end + length + 1)
}

/// Returns the secret on a separate line below the announcement that ends at `end`.
pub(crate) fn value_below_announcement(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_ANNOUNCEMENT)];
    let length = memchr::memchr(b'\n', rest)?;
    let n_breaks = rest[length..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    work::count(length + n_breaks);
    rest[..length]
        .trim_ascii_end()
        .ends_with(b":")
        .then(|| value_on_line(text, end + length + n_breaks))?
}

/// Returns whether the name of the variable at the start of `rest` indicates a secret.
fn names_secret(rest: &str) -> bool {
    let name = rest.trim_start_matches(['{', '$', '"']);
    let length =
        name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let name = name[..length].to_ascii_lowercase();
    SECRET_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn value_on_line(text: &str, line_start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let below = bytes.get(line_start..bytes.len().min(line_start + MAX_VALUE))?;
    let below = &below[..memchr::memchr(b'\n', below).unwrap_or(below.len())];
    work::count(below.len());
    let indent = below.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'"')).count();
    let value = text.get(line_start + indent..line_start + below.len())?;
    let value = value.trim_end().trim_end_matches('"');
    let span = line_start + indent..line_start + indent + value.len();
    is_printed(value).then_some(Secret { kind: "printed-secret", span })
}

/// Returns whether the line consists of one word that looks generated or chosen as a password.
fn is_printed(line: &str) -> bool {
    let body = line.trim_end_matches('=');
    let is_word = line.bytes().all(|byte| byte.is_ascii_graphic())
        && !line.starts_with(['/', '.', '-', '#', '{', '[', '<']);
    let is_path = line.contains('/') && !line.bytes().any(|byte| byte.is_ascii_digit());
    let is_code = body.contains(['=', '(', '{', '`', ';', '\\'])
        || line.contains("://")
        || line.ends_with(':');
    let has = |kind: fn(&u8) -> bool| line.as_bytes().iter().any(kind);
    let is_generated = is_random(line) && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    is_word && !is_path && !is_code && (is_generated || is_chosen_password(line))
}
