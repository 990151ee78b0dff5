//! Recovers a file's own text from output that has a prefix before each line: a line number, `path:line:`, the mark of a
//! diff, a time stamp, a label or a quote mark.
//!
//! Many rules depend on the start of a line or on the line before it, so a secret is also searched for in the text
//! without the prefixes.

use crate::secrets::Secret;
use crate::work;
use std::ops::Range;

/// The maximum length of a label or path before the text of a line, in bytes.
const MAX_LABEL: usize = 200;
const MAX_DIGITS: usize = 7;
const LEVELS: &[&str] =
    &["trace", "debug", "info", "notice", "warn", "warning", "error", "fatal", "critical"];
const MONTHS: &[&str] =
    &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A text without the prefixes of its lines.
#[derive(Debug, Default)]
pub(crate) struct OwnText {
    pub(crate) text: String,
    /// For each line, its start in `text` and the start of the same byte in the original.
    lines: Vec<(usize, usize)>,
}

impl OwnText {
    fn push(&mut self, original: &str, line: Range<usize>) {
        self.lines.push((self.text.len(), line.start));
        self.text.push_str(&original[line]);
    }

    /// Returns the secret, which was found in this text, at its place in the original.
    pub(crate) fn in_original(&self, secret: &Secret) -> Secret {
        let offset = |at: usize| {
            let line = self.lines.partition_point(|(start, _)| *start <= at) - 1;
            self.lines[line].1 + at - self.lines[line].0
        };
        let end = secret.span.end;
        Secret { kind: secret.kind, span: offset(secret.span.start)..offset(end - 1) + 1 }
    }
}

/// What precedes the text of a line, except for the marks of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix<'t> {
    /// `7|`, `7:`, `7-`, or `7` and a tab or an arrow.
    Number(u32),
    /// `7` and a blank.
    Counter(u32),
    /// `path:7:` or `path-7-`.
    Place(&'t str),
    /// `path:`, `name |` or `[name]`.
    Label(&'t str),
    Stamp,
    /// `>`, `<` or `|`.
    Quote,
}

impl Prefix<'_> {
    /// Returns whether a line with the prefix `next` can follow a line with this prefix in the same output.
    fn precedes(self, next: Self) -> bool {
        match (self, next) {
            (Self::Number(this), Self::Number(next)) => this < next,
            (Self::Counter(this), Self::Counter(next)) => this.checked_add(1) == Some(next),
            (this, next) => this == next,
        }
    }
}

/// Returns the text of each run of lines that have the same kind of prefix. A diff yields its old and its new text.
pub(crate) fn own_texts(text: &str) -> Vec<OwnText> {
    let mut own_texts = Vec::new();
    let mut at = 0;
    // The start of the indented or empty lines directly before `at`, which are the context if a diff follows.
    let mut context = None;
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        if matches!(line.as_bytes()[0], b'+' | b'-') {
            let run = context.unwrap_or(at)..diff_end(text, at);
            at = run.end;
            context = None;
            own_texts.extend(['-', '+'].map(|side| side_of_diff(text, &run, side)));
            continue;
        }
        let runs = prefixes(line).map(|(prefix, length)| run_of(text, at, prefix, length));
        match runs.max_by_key(|(own, _)| own.lines.len()) {
            Some((own, run_end)) => {
                own_texts.push(own);
                at = run_end;
                context = None;
            }
            None => {
                let is_context = matches!(line.as_bytes()[0], b' ' | b'\n' | b'\r');
                context = is_context.then(|| context.unwrap_or(at));
                at = end;
            }
        }
    }
    work::count(text.len());
    own_texts
}

/// Returns the end of the line that starts at `at`, after its line break.
fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length + 1)
}

fn diff_end(text: &str, start: usize) -> usize {
    let mut at = start;
    while at < text.len()
        && matches!(text.as_bytes()[at], b'+' | b'-' | b' ' | b'\\' | b'\n' | b'\r')
    {
        at = line_end(text, at);
    }
    at
}

/// Returns the lines of a diff that have the mark `side` or no mark.
fn side_of_diff(text: &str, run: &Range<usize>, side: char) -> OwnText {
    let mut own = OwnText::default();
    let mut at = run.start;
    while at < run.end {
        let end = line_end(text, at);
        let line = &text[at..end];
        if line.starts_with([side, ' ']) {
            own.push(text, at + 1..end);
        } else if line.starts_with(['\n', '\r']) {
            own.push(text, at..end);
        }
        at = end;
    }
    own
}

/// Returns the lines from `start` on that continue the line with `prefix`, and the end of the last of them. `length` is
/// the length of the first prefix.
fn run_of(text: &str, start: usize, prefix: Prefix<'_>, length: usize) -> (OwnText, usize) {
    let mut own = OwnText::default();
    let (mut at, mut previous, mut length) = (start, prefix, length);
    loop {
        let end = line_end(text, at);
        own.push(text, at + length..end);
        at = end;
        let line = &text[at..line_end(text, at)];
        let Some(next) = prefixes(line).find(|(next, _)| previous.precedes(*next)) else { break };
        (previous, length) = next;
    }
    (own, at)
}

/// Returns the possible prefixes of a line with their lengths. If several fit equally well, the last one is used.
fn prefixes(line: &str) -> impl Iterator<Item = (Prefix<'_>, usize)> {
    let start = line.bytes().take_while(|byte| *byte == b' ').count();
    let candidates = match line.as_bytes().get(start) {
        None | Some(b'\n' | b'\r' | b'\t') => [None, None, None],
        Some(b'>' | b'<' | b'|' | 0xe2) => [quote(line, start), None, None],
        Some(b'0'..=b'9') if start == 0 => [place(line), number(line, start), stamp(line)],
        Some(b'0'..=b'9') => [number(line, start), None, None],
        Some(_) if start > 0 => [None, None, None],
        Some(b'[' | b'A'..=b'Z') => [place(line), stamp(line), None],
        Some(_) => [place(line), None, None],
    };
    candidates.into_iter().flatten()
}

/// Recognises a number and a separator. The number starts at `start`.
fn number(line: &str, start: usize) -> Option<(Prefix<'static>, usize)> {
    let digits = digits(&line[start..]);
    let value: u32 = line[start..start + digits].parse().ok()?;
    let rest = &line[start + digits..];
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    let separators = ["|", "│", "→", "\t", ":", "-"];
    let separator = separators.iter().find(|separator| rest[spaces..].starts_with(**separator));
    match separator {
        Some(&separator) if spaces == 0 || matches!(separator, "|" | "│" | "→") => {
            let end = start + digits + spaces + separator.len();
            let blank = matches!(separator, "|" | "│" | "→") && line[end..].starts_with(' ');
            Some((Prefix::Number(value), end + usize::from(blank)))
        }
        Some(_) | None if spaces > 0 => Some((Prefix::Counter(value), start + digits + 1)),
        Some(_) | None => None,
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take(MAX_DIGITS + 1).take_while(u8::is_ascii_digit).count()
}

/// Recognises `path:7:`, `path:7:12:`, `path-7-`, `path:`, `name |` and `[name]`.
fn place(line: &str) -> Option<(Prefix<'_>, usize)> {
    let bytes = line.as_bytes();
    let limit = bytes.len().min(MAX_LABEL);
    if bytes[0] == b'[' {
        let close =
            memchr::memchr2(b']', b'\n', &bytes[..limit]).filter(|at| bytes[*at] == b']')?;
        let blank = usize::from(bytes.get(close + 1) == Some(&b' '));
        return Some((Prefix::Label(&line[..=close]), close + 1 + blank));
    }
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
    let name = bytes[..limit].iter().position(is_end).unwrap_or(line.floor_char_boundary(limit));
    if let Some(place) = context_place(line, name) {
        return Some(place);
    }
    let is_path = bytes[..name].iter().any(|byte| matches!(byte, b'/' | b'.'));
    if bytes.get(name) == Some(&b':') {
        let mut end = name + 1;
        let number = digits(&line[end..]);
        if number == 0 || bytes.get(end + number) != Some(&b':') {
            return is_path.then(|| (Prefix::Label(&line[..name]), end));
        }
        end += number + 1;
        let column = digits(&line[end..]);
        let has_column = column > 0 && bytes.get(end + column) == Some(&b':');
        return Some((Prefix::Place(&line[..name]), end + if has_column { column + 1 } else { 0 }));
    }
    let spaces = bytes[name..].iter().take_while(|byte| **byte == b' ').count();
    let is_labelled = bytes[name + spaces..].starts_with(b"| ");
    is_labelled.then(|| (Prefix::Label(&line[..name]), name + spaces + 2))
}

/// Recognises `path-7-`, which grep writes before a line next to a match. `name` is the length of the line's first word.
fn context_place(line: &str, name: usize) -> Option<(Prefix<'_>, usize)> {
    let mut dashes = line[..name].match_indices('-').map(|(at, _)| at);
    dashes.find_map(|dash| {
        let number = digits(&line[dash + 1..name]);
        let end = dash + 1 + number;
        let is_place =
            number > 0 && line[end..].starts_with('-') && line[..dash].contains(['/', '.']);
        is_place.then(|| (Prefix::Place(&line[..dash]), end + 1))
    })
}

/// Recognises a quote mark at `start`.
fn quote(line: &str, start: usize) -> Option<(Prefix<'static>, usize)> {
    let mark =
        [">", "< ", "| ", "│", "┃"].into_iter().find(|mark| line[start..].starts_with(mark))?;
    let end = start + mark.len();
    Some((Prefix::Quote, end + usize::from(!mark.ends_with(' ') && line[end..].starts_with(' '))))
}

/// Recognises a date with a time, a time, or the time of a system log, and a level or the name of a program after it.
fn stamp(line: &str) -> Option<(Prefix<'static>, usize)> {
    let bracket = line.strip_prefix('[');
    let text = bracket.unwrap_or(line).trim_start_matches(' ');
    let syslog = MONTHS.iter().any(|month| text.starts_with(month)).then(|| &text[3..]);
    let rest = match syslog {
        Some(day) => time(after_digits(day.trim_start(), 1..=2)?.strip_prefix(' ')?)?,
        None => match date(text) {
            Some(rest) => rest.strip_prefix(['T', ' ']).and_then(time)?,
            None => time(text)?,
        },
    };
    let rest = if bracket.is_some() { rest.strip_prefix(']')? } else { rest };
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let mut own =
        rest.strip_prefix([' ', '\t']).or(rest.starts_with(['\n', '\r']).then_some(rest))?;
    if syslog.is_some()
        && let Some((tag, message)) = own.split_once(": ")
        && tag.split(' ').count() <= 2
    {
        own = message;
    }
    own = without_level(own);
    Some((Prefix::Stamp, line.len() - own.len()))
}

/// Returns the text after the digits at the start of `text`, if their number is in `count`.
fn after_digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<&str> {
    let found = text.bytes().take(10).take_while(u8::is_ascii_digit).count();
    count.contains(&found).then(|| &text[found..])
}

fn date(text: &str) -> Option<&str> {
    let month = after_digits(text, 4..=4)?.strip_prefix(['-', '/'])?;
    after_digits(after_digits(month, 2..=2)?.strip_prefix(['-', '/'])?, 2..=2)
}

/// Returns the text after a time with its fraction of a second and its time zone.
fn time(text: &str) -> Option<&str> {
    let minutes = after_digits(text, 2..=2)?.strip_prefix(':')?;
    let rest = after_digits(minutes, 2..=2)?;
    let rest = after_digits(rest.strip_prefix(':')?, 2..=2)?;
    let rest = rest.strip_prefix(['.', ',']).and_then(|it| after_digits(it, 1..=9)).unwrap_or(rest);
    let zone = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix(['+', '-']);
    let offset = zone.and_then(|zone| after_digits(zone, 2..=4));
    let offset =
        offset.map(|it| it.strip_prefix(':').and_then(|it| after_digits(it, 2..=2)).unwrap_or(it));
    Some(
        offset
            .or_else(|| rest.strip_prefix('Z'))
            .or_else(|| rest.strip_prefix(" UTC"))
            .unwrap_or(rest),
    )
}

/// Returns `text` without the level of a log message at its start.
fn without_level(text: &str) -> &str {
    let start = text.trim_start_matches([' ', '[']);
    let letters = start.bytes().take_while(u8::is_ascii_alphabetic).count();
    if !LEVELS.iter().any(|level| start[..letters].eq_ignore_ascii_case(level)) {
        return text;
    }
    let rest = start[letters..].trim_start_matches([']', ':']);
    rest.strip_prefix(' ').unwrap_or(text)
}

#[cfg(test)]
mod tests;
