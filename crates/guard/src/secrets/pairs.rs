//! Finds `user / password` and `user:password` after a word such as `login`: `ssh login: deploy:…`,
//! `credentials are admin / …`. This module also finds passwords that are piped into a program.

mod names;
mod words;

use std::ops::Range;

use super::Secret;
use super::chosen::is_chosen_password;
use super::vocabulary::is_label;
use crate::work;

const MAX_DISTANCE: usize = 72;
const MIN_PASSWORD: usize = 6;
const MAX_PASSWORD: usize = 40;
const MIN_USER: usize = 2;

/// Returns the password of the pair that contains or follows `text[at]`. If the text ends with a separator, as in
/// `root / `, it is a part of the pair.
pub(crate) fn password_at(text: &str, at: &Range<usize>) -> Option<Secret> {
    let word = &text[at.clone()];
    if word.ends_with("/ ") || word.ends_with(": ") {
        password_after(text, "", at.start)
    } else {
        password_after(text, word, at.end)
    }
}

/// Returns the password of the pair that follows `anchor_word` on the same line. `from` is the end of the anchor word.
fn password_after(text: &str, anchor_word: &str, from: usize) -> Option<Secret> {
    pair_on_line(text, from)
        .or_else(|| words::password_after(text, anchor_word, from))
        .or_else(|| names::after_user_name(text, anchor_word, from))
        .or_else(|| names::network_key(text, anchor_word, from))
}

fn pair_on_line(text: &str, from: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_DISTANCE)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    work::count(line.len());
    memchr::memchr2_iter(b':', b'/', line).find_map(|at| {
        let user_end = line[..at].trim_ascii_end().len();
        let is_spaced = user_end < at;
        // A user name may be a mail address, but only if blanks separate it from the colon or slash. Otherwise, the
        // text may be a name with dots.
        let is_address_byte = |byte: u8| is_spaced && matches!(byte, b'.' | b'@' | b'\\');
        let user = line[..user_end]
            .iter()
            .rev()
            .take_while(|byte| is_user_byte(**byte) || is_address_byte(**byte))
            .count();
        let before = user_end.checked_sub(user + 1).map(|at| line[at]);
        let is_boundary = before.is_none_or(|byte| {
            matches!(byte, b' ' | b'(' | b'"' | b'\'' | b'`' | b'\t') || !byte.is_ascii()
        });
        let blanks = line[at + 1..].iter().take_while(|byte| **byte == b' ').count();
        // `name: word` is part of a sentence, and `name/word` is part of a path. If the user is an administrator,
        // `root : password` and `root/password` are also pairs.
        let is_pair = match line[at] {
            b':' => {
                !is_spaced && blanks == 0
                    || is_spaced && blanks > 0 && is_administrator(&line[user_end - user..user_end])
            }
            _ => {
                is_spaced && blanks > 0
                    || !is_spaced
                        && blanks == 0
                        && is_administrator(&line[user_end - user..user_end])
            }
        };
        let start = at + 1 + blanks;
        let length = bytes[from + start..]
            .iter()
            .take(MAX_PASSWORD)
            .take_while(|byte| is_password_byte(**byte))
            .count();
        let password = text.get(from + start..from + start + length)?.trim_end_matches(['.', '?']);
        // If the value continues, it is part of a path or of a checksum.
        let is_whole = length < MAX_PASSWORD && bytes.get(from + start + length) != Some(&b'/');
        // In `root / iDr@c-Turnstone`, there is a slash between blanks, and the password ends the clause.
        let is_chosen = is_spaced
            && is_chosen_password(password)
            && !is_title(password)
            && words::ends_clause(&bytes[from + start + password.len()..]);
        (is_pair
            && is_boundary
            && user >= MIN_USER
            && is_whole
            && (is_password(password) || is_chosen))
            .then(|| Secret { kind: "password", span: from + start..from + start + password.len() })
    })
}

/// Returns the password that `echo` or `printf` pipes into the program at `reader`.
pub(crate) fn piped_password(text: &str, reader: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let window = &bytes[reader.saturating_sub(2 * MAX_DISTANCE)..reader];
    let line = &window[memchr::memrchr(b'\n', window).map_or(0, |at| at + 1)..];
    work::count(line.len());
    let echo =
        ["echo -e ", "echo -n ", "echo -ne ", "echo ", "printf "].iter().find_map(|writer| {
            memchr::memmem::rfind(line, writer.as_bytes()).map(|at| at + writer.len())
        })?;
    // The anchor at `reader` may start with the pipe character.
    let pipe = echo
        + memchr::memchr(b'|', &line[echo..])
            .or_else(|| (bytes[reader] == b'|').then_some(line.len() - echo))?;
    let written = line[echo..pipe].trim_ascii();
    let start = reader - line.len()
        + echo
        + line[echo..pipe].iter().take_while(|byte| **byte == b' ').count();
    let is_quoted = matches!(written, [b'"', .., b'"'] | [b'\'', .., b'\'']);
    let span = start + usize::from(is_quoted)..start + written.len() - usize::from(is_quoted);
    // `chpasswd` reads `user:password`.
    let value = text.get(span.clone())?;
    let colon = value.find(':').map_or(0, |at| at + 1);
    // For a program that asks for the password twice, the value is `password\npassword`.
    let password = value[colon..].split("\\n").next().unwrap_or_default();
    let is_written_out = password.len() >= MIN_USER * 2
        && password.bytes().all(is_password_byte)
        && !password.starts_with(['$', '%', '{', '-'])
        && !password.contains(['{', '$']);
    (is_written_out && !is_label(password))
        .then(|| Secret { kind: "command-password", span: span.start + colon..span.end })
}

pub(crate) fn is_administrator(user: &[u8]) -> bool {
    [&b"admin"[..], b"root", b"administrator", b"sa", b"sysdba"]
        .iter()
        .any(|name| user.eq_ignore_ascii_case(name))
}

fn is_user_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Recognises capitalised words that are joined by hyphens, such as `Two-Factor`.
fn is_title(value: &str) -> bool {
    value.split('-').all(|word| {
        word.bytes().enumerate().all(|(at, byte)| {
            if at == 0 { byte.is_ascii_uppercase() } else { byte.is_ascii_lowercase() }
        })
    })
}

fn is_password_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'\'' | b'`' | b',' | b';' | b'(' | b')' | b'<' | b'>' | b'|' | b'/'
        )
}

/// Returns whether the value has at least three letters and also a digit or punctuation that is rare in words.
fn is_password(value: &str) -> bool {
    let count =
        |accept: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| accept(byte)).count();
    let letters = count(u8::is_ascii_alphabetic);
    value.len() >= MIN_PASSWORD
        && letters >= 3
        && (count(u8::is_ascii_digit) > 0 || value.contains(['!', '#', '%', '^']))
        && !value.starts_with(['$', '%', '{', '<', '*', ':', 'v', '-'])
        && !value.contains(['=', '{', '[', ':'])
        && !value.contains("redacted")
}
