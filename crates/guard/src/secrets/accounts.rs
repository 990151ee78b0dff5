//! Finds the passwords of accounts: `user / password`, `user:password@host`, lists of accounts, and lines with a key and a
//! value.

use crate::bytes::{
    bytes_after, bytes_before, consists_of, equals_any_ignoring_case, is_word_or, line_after,
    line_before, run_after, run_before,
};
use crate::secrets::WORDS;
use crate::secrets::calls::oracle_password;
use crate::secrets::forms::{
    Characters, has_digit, is_capitalised_word, is_chosen_password, is_literal_word,
    is_strong_password,
};
use crate::secrets::requests::is_url_password;
use crate::table::WordList;
use crate::work;
use std::ops::Range;

const MAX_DISTANCE: usize = 72;
const MIN_PAIR_PASSWORD: usize = 6;
const MAX_PASSWORD: usize = 40;
const MIN_USER: usize = 2;

/// Returns the password of the pair that contains or follows `text[at]`. If the text ends with a separator, as in
/// `root / `, it is a part of the pair.
pub(crate) fn password_at(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    let word = &text[at.clone()];
    if word.ends_with("/ ") || word.ends_with(": ") {
        pair_on_line(text, "", at.start)
    } else {
        pair_on_line(text, word, at.end)
    }
}

/// Returns the password of the pair that follows `anchor_word` on the same line. `from` is the end of the anchor word.
fn pair_on_line(text: &str, anchor_word: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = line_after(bytes, from, MAX_DISTANCE);
    memchr::memchr2_iter(b':', b'/', line).find_map(|at| {
        let user_end = line[..at].trim_ascii_end().len();
        let is_spaced = user_end < at;
        // A user name may be a mail address, but only if blanks separate it from the colon or slash. Otherwise, the
        // text may be a name with dots.
        let is_address_byte = |byte: u8| is_spaced && matches!(byte, b'.' | b'@' | b'\\');
        let user = run_before(&line[..user_end], usize::MAX, |byte| {
            is_word_or(byte, b"_-") || is_address_byte(byte)
        });
        let before = user_end.checked_sub(user + 1).map(|at| line[at]);
        let is_boundary = before.is_none_or(|byte| {
            matches!(byte, b' ' | b'(' | b'"' | b'\'' | b'`' | b'\t') || !byte.is_ascii()
        });
        let blanks = run_after(&line[at + 1..], usize::MAX, |byte| byte == b' ');
        // `name: word` is part of a sentence, and `name/word` is part of a path. If the user is an administrator,
        // `root : password` and `root/password` are also pairs.
        let is_even = is_spaced == (blanks > 0);
        let is_usual = is_spaced == (line[at] == b'/');
        let is_pair = is_even && (is_usual || is_administrator(&line[user_end - user..user_end]));
        let start = at + 1 + blanks;
        let length = run_after(&bytes[from + start..], MAX_PASSWORD, |byte| {
            byte.is_ascii_graphic() && !b"\"'`,;()<>|/".contains(&byte)
        });
        let password = text.get(from + start..from + start + length)?.trim_end_matches(['.', '?']);
        // If the value continues, it is part of a path or of a checksum.
        let is_whole = length < MAX_PASSWORD && bytes.get(from + start + length) != Some(&b'/');
        // In `root / iDr@c-Turnstone`, there is a slash between blanks, and the password ends the clause.
        let is_chosen = is_spaced
            && is_chosen_password(password)
            && (!anchor_word.is_empty() || is_strong_password(password))
            // Capitalised words that are joined by hyphens, such as `Two-Factor`, are a title.
            && !password.split('-').all(is_capitalised_word)
            && ends_clause(&bytes[from + start + password.len()..]);
        (is_pair
            && is_boundary
            && user >= MIN_USER
            && is_whole
            && (is_pair_password(password) || is_chosen))
            .then(|| from + start..from + start + password.len())
    })
}

/// Returns the password that `echo` or `printf` pipes into the program at `reader`.
pub(crate) fn piped_password(text: &str, reader: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = line_before(bytes, reader, 2 * MAX_DISTANCE);
    let echo =
        ["echo -e ", "echo -n ", "echo -ne ", "echo ", "printf "].iter().find_map(|writer| {
            memchr::memmem::rfind(line, writer.as_bytes()).map(|at| at + writer.len())
        })?;
    // The anchor at `reader` may start with the pipe character.
    let pipe = echo
        + memchr::memchr(b'|', &line[echo..])
            .or_else(|| (bytes[reader] == b'|').then_some(line.len() - echo))?;
    let written = line[echo..pipe].trim_ascii();
    let start =
        reader - line.len() + echo + run_after(&line[echo..pipe], usize::MAX, |byte| byte == b' ');
    let is_quoted = matches!(written, [b'"', .., b'"'] | [b'\'', .., b'\'']);
    let span = start + usize::from(is_quoted)..start + written.len() - usize::from(is_quoted);
    // `chpasswd` reads `user:password`.
    let value = text.get(span.clone())?;
    let colon = value.find(':').map_or(0, |at| at + 1);
    // For a program that asks for the password twice, the value is `password\npassword`.
    let password = value[colon..].split("\\n").next().unwrap_or_default();
    (is_literal_word(password) && !password.contains(['$', '"', '\'', '`']))
        .then(|| span.start + colon..span.end)
}

pub(crate) fn is_administrator(user: &[u8]) -> bool {
    equals_any_ignoring_case(user, &["admin", "root", "administrator", "sa", "sysdba"])
}

/// Returns whether the value has at least three letters and also a digit or punctuation that is rare in words.
fn is_pair_password(value: &str) -> bool {
    value.len() >= MIN_PAIR_PASSWORD
        && Characters::of(value).letters() >= 3
        && (has_digit(value) || value.contains(['!', '#', '%', '^']))
        && !value.starts_with(['$', '%', '{', '<', '*', ':', 'v', '-'])
        && !value.contains(['=', '{', '[', ':'])
        && !value.contains("redacted")
}

/// Words that may follow a pair in the same sentence.
const FOLLOWING_WORDS: &[&str] =
    &["until", "for", "on", "to", "at", "if", "when", "please", "and", "in"];
fn ends_clause(rest: &[u8]) -> bool {
    let word = rest.trim_ascii_start();
    let length = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match rest.first() {
        None | Some(b'.' | b',' | b')' | b';' | b'`' | b'"' | b'\'' | b'\n' | b'\r') => true,
        Some(b' ') => {
            word.is_empty()
                || word.starts_with(b"(")
                || !word[0].is_ascii()
                || equals_any_ignoring_case(&word[..length], FOLLOWING_WORDS)
        }
        Some(byte) => !byte.is_ascii(),
    }
}

const MAX_CREDENTIALS: usize = 128;

/// Returns the password if `user:password` precedes the `@` at `at_sign`.
pub(crate) fn password_before(text: &str, at_sign: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let window = bytes_before(bytes, at_sign, MAX_CREDENTIALS);
    let length = run_before(window, usize::MAX, is_credential);
    let credentials = &window[window.len() - length..];
    // `DB_DSN=user:password`
    let name = memchr::memchr(b'=', credentials).map_or(0, |at| at + 1);
    let user = run_after(&credentials[name..], usize::MAX, |byte| is_word_or(byte, b"_-."));
    let start = at_sign - length + name + user + 1;
    let is_pair =
        user > 0 && credentials.get(name + user) == Some(&b':') && length < MAX_CREDENTIALS;
    let password = text.get(start..at_sign).filter(|_| is_pair)?;
    let is_default = password.as_bytes().eq_ignore_ascii_case(&credentials[name..name + user]);
    (is_url_password(password) && !is_default && !password.starts_with('$'))
        .then_some(start..at_sign)
}

/// Returns the password in the connection string that follows `from` on the same line.
pub(crate) fn password_on_line(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = bytes_after(bytes, from, MAX_CREDENTIALS);
    let at_sign = memchr::memchr2(b'@', b'\n', rest)?;
    password_before(text, from + at_sign).filter(|span| span.start > from && rest[at_sign] == b'@')
}

/// Returns the password if the text at `from` has the form `user/password@host`.
pub(crate) fn oracle_password_at(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = bytes_after(text.as_bytes(), from, MAX_CREDENTIALS);
    let length = run_after(rest, usize::MAX, |byte| is_credential(byte) || byte == b'/');
    let at_sign = memchr::memchr(b'@', &rest[..length])?;
    let span = oracle_password(text, from..from + at_sign + 1)?;
    Some(span)
}

/// Returns the password in the line that contains `start`, if the line has the form `host:port:database:user:password`.
pub(crate) fn password_of_line(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let begin = start - line_before(bytes, start, MAX_CREDENTIALS).len();
    let limit = bytes.len().min(start + MAX_CREDENTIALS);
    let end = memchr::memchr2(b'\n', b'\r', &bytes[start..limit]).map_or(limit, |at| start + at);
    work::count(end - begin);
    let line = text.get(begin..end)?;
    let mut fields = line.splitn(5, ':');
    let is_field = |field: &str, kind: fn(&u8) -> bool, signs: &str| {
        field == "*" || !field.is_empty() && consists_of(field, kind, signs)
    };
    let is_host = |field: &str| is_field(field, u8::is_ascii_alphanumeric, "_-.");
    let are_fields = is_host(fields.next()?.trim_start())
        && is_field(fields.next()?, u8::is_ascii_digit, "")
        && is_host(fields.next()?)
        && is_host(fields.next()?);
    let password = fields.next()?;
    (are_fields
        && is_url_password(password)
        && password.bytes().all(|byte| byte.is_ascii_graphic()))
    .then(|| end - password.len()..end)
}

fn is_credential(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'`<>{}()/\\,;".contains(&byte)
}

const MAX_KEY: usize = 48;
const MAX_VALUE: usize = 96;

static PASSWORD_KEYS: WordList = WordList::new(WORDS, "password keys");

/// Returns the value at `from` if the line has exactly two words: a key, which contains `word`, and the value.
pub(crate) fn value_on_line(text: &str, word: Range<usize>, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let line = line_before(bytes, word.start, MAX_KEY);
    let starts_line =
        line.len() < MAX_KEY && line.trim_ascii_start().iter().all(|byte| is_word_or(*byte, b"_-"));
    if !starts_line {
        return None;
    }
    let key = text.get(word.start - line.trim_ascii_start().len()..from)?.trim_ascii_end();
    let is_known_key = equals_any_ignoring_case(key, &PASSWORD_KEYS);
    let from = if is_known_key { from + options_length(&bytes[from..]) } else { from };
    let rest = bytes_after(bytes, from, MAX_VALUE);
    let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let is_last = rest[length..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
        .is_none_or(|byte| *byte == b'\n');
    let value = text.get(from..from + length)?;
    // The key `pass` may also be a verb or a Python statement, so a stricter check applies to it.
    let is_verb = bytes[word].eq_ignore_ascii_case(b"pass");
    let is_password = if is_known_key {
        is_literal_word(value)
    } else {
        is_chosen_password(value) && (!is_verb || is_strong_password(value)) && !is_type_name(value)
    };
    (is_last && is_password).then_some(from..from + length)
}

/// Returns the length of the options before the value, with the blanks after them: `rootpw --plaintext …`.
fn options_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while length < MAX_VALUE && rest[length..].starts_with(b"--") {
        let end = length + run_after(&rest[length..], MAX_KEY, |byte| is_word_or(byte, b"-"));
        let blanks = run_after(&rest[end..], MAX_KEY, |byte| matches!(byte, b' ' | b'\t'));
        if blanks == 0 {
            break;
        }
        length = end + blanks;
    }
    length
}

/// Recognises the type of a field in a declaration: `password sql.NullString`, `Secret corev1.Secret`, `pass *Config2`.
fn is_type_name(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    let is_name = |part: &str| consists_of(part, u8::is_ascii_alphanumeric, "_");
    value.starts_with(['*', '&', '['])
        || value.ends_with(['?', ';', ','])
        || parts.len() <= 2
            && parts.iter().all(|part| is_name(part))
            && value.bytes().filter(u8::is_ascii_digit).count() < 2
}
