//! Finds the names, quoted strings, flags and routes in a prompt that a question can be about.

use std::ops::Range;

use index::text::is_cjk;

use super::Subject;
use crate::query::{has_source_extension, is_camel_case, is_stop_word};

const MIN_NAME_CHARS: usize = 2;
const MIN_WORD_CHARS: usize = 3;
const MIN_TEXT_CHARS: usize = 3;
const MAX_SUBJECT_BYTES: usize = 300;
const MAX_SPANS: usize = 200;

/// The extensions of files that are not code and that no member of a type is named like.
const OTHER_EXTENSIONS: &[&str] =
    &["cfg", "conf", "csv", "ini", "md", "properties", "rst", "toml", "txt", "xml"];
/// Opening and closing quotation marks.
#[rustfmt::skip]
const QUOTES: &[(char, char)] = &[
    ('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('«', '»'), ('„', '“'), ('„', '”'), ('《', '》'), ('‹', '›'),
];

/// A subject and its position in the prompt, including quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) range: Range<usize>,
    pub(super) subject: Subject,
}

/// Returns the possible subjects of a prompt in their order of appearance, without overlaps.
pub(super) fn spans(prompt: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let has_cjk = prompt.chars().any(is_cjk);
    let mut at = 0;
    while at < prompt.len() && spans.len() < MAX_SPANS {
        let Some(c) = prompt[at..].chars().next() else { break };
        if let Some((end, subject)) = quoted(prompt, at, c) {
            spans.extend(subject.map(|subject| Span { range: at..end, subject }));
            at = end;
        } else if let Some(end) = has_cjk.then(|| phrase_end(prompt, at)).flatten() {
            spans.push(Span {
                range: at..end,
                subject: Subject::Phrase(prompt[at..end].to_owned()),
            });
            at = end;
        } else if is_token_char(c) {
            let end = token_end(prompt, at);
            spans.extend(token(prompt, at, end));
            at = end;
        } else {
            at += c.len_utf8();
        }
    }
    spans
}

/// Returns the end of the phrase that starts at `at`, or `None` if no phrase starts there. A phrase consists of at
/// least three plain words in Latin letters.
fn phrase_end(prompt: &str, at: usize) -> Option<usize> {
    const MIN_WORDS: usize = 3;
    let rest = &prompt[at..];
    let is_inside = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '.' | '\'' | '%' | ',');
    let end = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
    let text = rest[..end].trim_end();
    let is_plain = text
        .split(' ')
        .all(|word| !word.is_empty() && !is_code_name(word.trim_end_matches(['.', ','])));
    (is_plain && text.split(' ').count() >= MIN_WORDS).then_some(at + text.len())
}

/// If a quotation starts at `at`, returns the position after it and, if the quoted text can be a subject, the subject.
/// Returns `None` if no quotation starts there.
fn quoted(prompt: &str, at: usize, open: char) -> Option<(usize, Option<Subject>)> {
    let before = prompt[..at].chars().next_back();
    // An apostrophe inside a word is not a quotation mark.
    if open == '\'' && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let start = at + open.len_utf8();
    for (_, close) in QUOTES.iter().filter(|(mark, _)| *mark == open) {
        let rest = &prompt[start..];
        let is_end = |position: &usize| {
            let after = rest[position + close.len_utf8()..].chars().next();
            open != '\'' || !after.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c))
        };
        let end = rest.match_indices(*close).map(|(position, _)| position).find(is_end);
        let Some(end) = end else { continue };
        let text = rest[..end].trim();
        if text.len() > MAX_SUBJECT_BYTES || text.contains('\n') {
            return None;
        }
        return Some((start + end + close.len_utf8(), quoted_subject(text, open == '`')));
    }
    None
}

fn quoted_subject(text: &str, is_code: bool) -> Option<Subject> {
    if let Some(subject) = special(text) {
        return Some(subject);
    }
    let name = text.strip_suffix("()").unwrap_or(text);
    let is_name = is_qualified_name(name);
    if is_name && (is_code || is_code_name(name)) {
        let fits = name.chars().count() >= MIN_NAME_CHARS && !is_file_name(name);
        return fits.then(|| Subject::Name(name.to_owned()));
    }
    let is_text = text.chars().count() >= MIN_TEXT_CHARS && text.chars().any(char::is_alphabetic);
    let is_path = is_file_name(text) && !text.contains(' ');
    (is_text && !is_path).then(|| Subject::Text(text.to_owned()))
}

/// Returns the subject if `text` is a flag such as `--all` or a route such as `/users` or `GET /users`, otherwise
/// `None`.
fn special(text: &str) -> Option<Subject> {
    let is_flag = text.strip_prefix("--").is_some_and(|name| {
        name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    });
    if is_flag {
        return Some(Subject::Flag(text.to_owned()));
    }
    let path =
        text.split_once(' ').filter(|(method, _)| is_method(method)).map_or(text, |(_, path)| path);
    super::route::is_route(path).then(|| Subject::Route(path.to_owned()))
}

/// Returns whether `word` is an HTTP method in upper case.
fn is_method(word: &str) -> bool {
    matches!(word, "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS")
}

fn is_token_char(c: char) -> bool {
    (c.is_alphanumeric() && !is_cjk(c))
        || matches!(c, '_' | '$' | '-' | '/' | ':' | '.' | '#' | '<' | '>' | '{' | '}' | '@')
}

fn token_end(prompt: &str, at: usize) -> usize {
    prompt[at..].find(|c| !is_token_char(c)).map_or(prompt.len(), |length| at + length)
}

/// Returns the subject in the unquoted token at `at..end`, or `None` if the token cannot be a subject.
fn token(prompt: &str, at: usize, end: usize) -> Option<Span> {
    let raw = &prompt[at..end];
    let is_special = raw.starts_with("--") || raw.starts_with('/');
    let trimmed = if is_special {
        raw.trim_end_matches(['.', ':'])
    } else {
        raw.trim_end_matches(['.', ':', '-', '#', '<', '>', '/', '{', '}'])
    };
    let text = if is_special {
        trimmed
    } else {
        trimmed.trim_start_matches(['.', ':', '-', '#', '<', '>', '/', '@', '{', '}'])
    };
    let start = at + (trimmed.len() - text.len());
    let range = start..start + text.len();
    if text.is_empty() || text.len() > MAX_SUBJECT_BYTES {
        return None;
    }
    if let Some(subject) = special(text) {
        return Some(Span { range, subject });
    }
    if !is_qualified_name(text) || is_file_name(text) {
        return None;
    }
    let is_called = prompt[end..].starts_with("()");
    let n_chars = text.chars().count();
    let subject = if (is_code_name(text) || is_called) && n_chars >= MIN_NAME_CHARS {
        Subject::Name(text.to_owned())
    } else if n_chars >= MIN_WORD_CHARS && !is_stop_word(&text.to_lowercase()) {
        Subject::Word(text.to_owned())
    } else {
        return None;
    };
    let range = if is_called { range.start..end + 2 } else { range };
    Some(Span { range, subject })
}

/// Returns whether `text` is the name of a file, such as `app.ini`, and not that of code.
fn is_file_name(text: &str) -> bool {
    let extension = text.rsplit_once('.').map(|(_, extension)| extension);
    has_source_extension(text) || extension.is_some_and(|it| OTHER_EXTENSIONS.contains(&it))
}

/// Returns whether `text` is a name, or several names joined by `.`, `::`, `->`, `#` or `-`.
fn is_qualified_name(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let is_part = |part: &str| {
        part.starts_with(is_start)
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
    };
    text.replace("::", ".").replace("->", ".").split(['.', '#', '-']).all(is_part)
}

/// Returns whether an unquoted name looks like code.
fn is_code_name(name: &str) -> bool {
    let inner = name.trim_matches('_');
    inner.len() < name.len()
        || inner.contains('_')
        || is_camel_case(inner)
        || name.contains(['.', ':', '#', '>'])
}
