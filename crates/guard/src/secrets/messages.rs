//! Finds secrets in messages, in the output of commands and in answers to prompts, where no name directly precedes them.

use crate::secrets::Secret;
use crate::secrets::WORDS;
use crate::secrets::cursor::line_before;
use crate::secrets::forms::{is_chosen_password, is_random, is_strong_password, is_written_out};
use crate::table::WordList;
use crate::work;

/// The maximum number of bytes between the start of a question and its question mark.
const MAX_QUESTION: usize = 64;
const MAX_ANNOUNCEMENT: usize = 96;
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

/// Returns the secret on the line below the command that printed a file. `text[start..end]` is the name of the file, which
/// counts only if one of [`READERS`] precedes it on the same line.
pub(crate) fn value_of_file(text: &str, start: usize, end: usize) -> Option<Secret> {
    let head = line_before(text.as_bytes(), start, MAX_COMMAND);
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

const MAX_DISTANCE: usize = 160;
const MAX_ANSWER: usize = 64;

/// Commands and functions that reply to a prompt, in lower case, including the quote before the reply.
pub(crate) static ANSWERS: WordList = WordList::new(WORDS, "answers");

/// Returns the reply at `start` if a password prompt appears shortly before `start`.
pub(crate) fn answer_at(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let before = &bytes[start.saturating_sub(MAX_DISTANCE)..start];
    let asked = ["assword", "assphrase", "passwd"]
        .iter()
        .filter_map(|word| memchr::memmem::rfind(before, word.as_bytes()))
        .max()?;
    work::count(before.len());
    let has_wait = ["expect", "read_until", "waitfor", "wait_for"]
        .iter()
        .any(|word| memchr::memmem::find(before, word.as_bytes()).is_some());
    // If another reply already followed the prompt, that reply was the password.
    let is_answered = ANSWERS.iter().any(|answer| {
        let earlier = &before[asked..before.len() - answer.len().min(before.len() - asked)];
        memchr::memmem::find(earlier, answer.as_bytes()).is_some()
    });
    let quote = match bytes[start - 1] {
        b'{' => b'}',
        quote => quote,
    };
    let length =
        bytes[start..].iter().take(MAX_ANSWER).position(|byte| *byte == quote || *byte == b'\\')?;
    let answer = text.get(start..start + length)?;
    (has_wait && !is_answered && is_written_out(answer) && !answer.contains("${"))
        .then_some(Secret { kind: "password", span: start..start + length })
}

/// The maximum number of bytes before a phrase that are searched for a word about logins.
const MAX_CONTEXT: usize = 480;
const MAX_WORD: usize = 80;
/// The minimum numbers of letters and of digits in an answer that consists of both.
const MIN_LETTERS: usize = 6;
const MIN_DIGITS: usize = 2;
/// The maximum number of bytes at the start of an answer's line that are searched for a speaker's name.
const MAX_SPEAKER: usize = 40;

static LOGIN_WORDS: WordList = WordList::new(WORDS, "login words");
/// Words that may directly precede the password, after the speaker's name or the phrase. They are skipped.
static FILLERS: WordList = WordList::new(WORDS, "fillers");

/// Returns the password after `text[start..end]`, which is one of [`PHRASES`].
pub(crate) fn password_after_phrase(text: &str, start: usize, end: usize) -> Option<Secret> {
    if is_about_login(text, start) { password_after_user(text, end) } else { None }
}

/// Returns whether the text shortly before `start` contains a word about logins.
fn is_about_login(text: &str, start: usize) -> bool {
    let before = text.as_bytes()[start.saturating_sub(MAX_CONTEXT)..start].to_ascii_lowercase();
    work::count(before.len());
    LOGIN_WORDS.iter().any(|word| memchr::memmem::find(&before, word.as_bytes()).is_some())
}

/// Returns the password after the phrase that ends at `end`, which is one of [`SAME_USER`].
pub(crate) fn password_after_user(text: &str, end: usize) -> Option<Secret> {
    password_at(text, after_fillers(text, end), is_strong_password)
}

/// Returns the password on the line below the question that ends at `end`.
pub(crate) fn answer_below(text: &str, end: usize) -> Option<Secret> {
    let rest = text.get(end..)?;
    let below = rest.trim_start_matches(['?', '？', ' ', '"', '\r']).strip_prefix('\n')?;
    let line_start = text.len() - below.len();
    let window = &below.as_bytes()[..below.len().min(MAX_SPEAKER)];
    work::count(window.len());
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let speaker = [&b": "[..], b"] ", b"> ", "：".as_bytes()]
        .iter()
        .filter_map(|mark| memchr::memmem::rfind(line, mark).map(|at| at + mark.len()))
        .max()
        .unwrap_or(0);
    let begin = after_fillers(text, line_start + speaker);
    // Without a speaker, the line may be a heading or a link.
    let accept = if begin > line_start { is_answer } else { is_strong_password };
    let secret = password_at(text, begin, accept)?;
    // An answer consists of the password alone.
    let after = text[secret.span.end..].trim_start_matches(['.', '!', ' ', '`', '"']);
    let is_alone = after.is_empty() || after.starts_with(['\n', '\r', '(', ',']);
    let is_hedged =
        ["afaik", "iirc", "i think", "I think"].iter().any(|word| after.starts_with(word));
    (is_alone || is_hedged).then_some(secret)
}

/// Returns whether the word has the form of a password. In an answer, letters followed by several digits are enough.
fn is_answer(word: &str) -> bool {
    let letters = word.trim_end_matches(|last: char| last.is_ascii_digit());
    let is_name_with_number = letters.len() >= MIN_LETTERS
        && letters.bytes().all(|byte| byte.is_ascii_lowercase())
        && word.len() - letters.len() >= MIN_DIGITS;
    is_name_with_number || is_chosen_password(word)
}

fn after_fillers(text: &str, mut at: usize) -> usize {
    for _ in 0..2 {
        let rest = &text[at..];
        let skipped = FILLERS
            .iter()
            .find(|filler| rest.starts_with(**filler))
            .map_or(0, |filler| filler.len());
        at += skipped + rest[skipped..].bytes().take(2).take_while(|byte| *byte == b' ').count();
    }
    at
}

/// Returns the word at `at` if `accept` returns true for it.
fn password_at(text: &str, at: usize, accept: fn(&str) -> bool) -> Option<Secret> {
    let rest = text.get(at..)?;
    let quotes =
        rest.bytes().take(1).take_while(|byte| matches!(byte, b'"' | b'\'' | b'`')).count();
    let word = &rest[quotes..];
    let length = word
        .bytes()
        .take(MAX_WORD)
        .take_while(|byte| {
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b')')
        })
        .count();
    work::count(length);
    let word = word[..length].trim_end_matches(['.', '!', '?']);
    let span = at + quotes..at + quotes + word.len();
    accept(word).then_some(Secret { kind: "password", span })
}

/// Returns the password on the line below the question whose start ends at `end`.
pub(crate) fn answer_below_line(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_QUESTION)];
    work::count(rest.len());
    let mark = memchr::memchr3(b'?', b'\n', b'.', rest).filter(|&at| rest[at] == b'?')?;
    answer_below(text, end + mark + 1)
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
