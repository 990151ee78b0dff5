//! Finds quoted examples of injected instructions, and sentences that describe an attack. They occur in documents about
//! prompt injection, in the patterns of a detector, and in tests.
//!
//! Such an example is not removed, because a reader of the document needs it and it gives no instruction itself. It is
//! still not quoted in a briefing ([`super::unquotable_lines`]).

mod sentence;

use crate::bytes::{contains_any, ends_with_any};
use std::ops::Range;

use super::WORDS;
use super::score::Removal;
use crate::table::WordList;
use sentence::{is_description, is_fiction, is_mentioned};

static CONTEXT: WordList = WordList::new(WORDS, "context");
static ATTACK: WordList = WordList::new(WORDS, "attack");
static OTHER_INJECTIONS: WordList = WordList::new(WORDS, "other injections");
static LITERAL_CONTEXT: WordList = WordList::new(WORDS, "literal context");
static FILTER_TEST: WordList = WordList::new(WORDS, "filter test");
static CELL_LABELS: WordList = WordList::new(WORDS, "cell labels");
static LABEL_PARTS: WordList = WordList::new(WORDS, "label parts");
static QUOTING: WordList = WordList::new(WORDS, "quoting");
static VERDICT: WordList = WordList::new(WORDS, "verdict");
static PAYLOAD: WordList = WordList::new(WORDS, "payload");
/// Strings that indicate an address, a command or a path. A sentence that contains one of them is not treated as a
/// description of an attack.
const TARGETS: &[&str] =
    &["://", "www.", "~/", ".env", ".ssh", "@", "$", "rm -", "sudo", ".example", ".com"];
/// The strings in [`TARGETS`] that may be part of a mail address.
const MAIL_PARTS: &[&str] = &["@", ".example", ".com"];
const COMMANDS: &[&str] =
    &["curl", "wget", "bash", "chmod", "npm ", "npx ", "pip ", "eval", "exec"];

/// The maximum number of bytes between the quotation marks. A longer quotation does not count as an example.
const MAX_QUOTED_BYTES: usize = 96;
/// How many bytes before a quotation are searched for a word that identifies the quotation as an example.
const CONTEXT_BYTES_BEFORE: usize = 240;
const CONTEXT_BYTES_AFTER: usize = 96;

/// The maximum length of a sentence that counts as the description of an attack, in bytes.
const MAX_SENTENCE_BYTES: usize = 320;

/// Replaces quoted examples and descriptions of attacks with spaces, so that positions do not change. Only the spans of
/// `found` are examined. Returns `None` if they contain no example or description.
pub(crate) fn masked(text: &str, found: &[Removal]) -> Option<String> {
    let mut spans: Vec<&Range<usize>> = found.iter().map(|removal| &removal.span).collect();
    spans.sort_by_key(|span| span.start);
    let mut examples: Vec<Range<usize>> = Vec::new();
    // The removals in a long line can overlap, so this variable ensures that each part of the text is searched only
    // once.
    let mut searched = 0;
    for span in spans {
        let from = span.start.saturating_sub(MAX_QUOTED_BYTES).max(searched);
        let from = examples.last().map_or(from, |last| from.max(last.end + 1));
        let from = text.ceil_char_boundary(from);
        let from = sentence_start(text, from, span.start.max(from));
        for sentence in sentences(text, from..span.end.max(from)) {
            let cells = labelled_cells(text, sentence.start..sentence.end);
            if is_description(&text[sentence.clone()]) || is_fiction(&text[sentence.clone()]) {
                examples.push(sentence);
            } else if !cells.is_empty() {
                examples.extend(cells);
            } else {
                let from =
                    examples.last().map_or(sentence.start, |last| sentence.start.max(last.end));
                examples.extend(examples_in(text, text.ceil_char_boundary(from)..sentence.end));
            }
        }
        searched = examples.last().map_or(span.end, |last| last.end.max(span.end)).max(searched);
    }
    if examples.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut written = 0;
    for example in examples {
        masked.push_str(&text[written..example.start]);
        masked.extend(std::iter::repeat_n(' ', example.len()));
        written = example.end;
    }
    masked.push_str(&text[written..]);
    Some(masked)
}

/// Returns the start of the line that contains `at`, or `lowest` if the line starts earlier.
fn sentence_start(text: &str, lowest: usize, at: usize) -> usize {
    let before = text.get(lowest..at).unwrap_or_default();
    before.rfind('\n').map_or(lowest, |newline| lowest + newline + 1)
}

/// Splits a part of `text` into sentences.
fn sentences(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = part.start;
    let mut characters = text[part.clone()].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_before_space = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match character {
            '\n' | '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' | ':' => is_before_space,
            _ => false,
        };
        if ends {
            let end = part.start + at + character.len_utf8();
            found.push(start..end);
            start = end;
        }
    }
    if start < part.end {
        found.push(start..part.end);
    }
    found
}

/// Returns the content of each quoted example that starts in `span`, in text order and without overlap.
fn examples_in(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = span.start;
    while let Some((start, content)) = next_quotation(text, at, span.end) {
        let quoted = text[content.clone()].to_lowercase();
        let is_example = is_harmless(&quoted) && has_context(text, &content)
            || is_harmless(&quoted) && is_labelled_literal(text, &content, &[&LITERAL_CONTEXT])
            || names_no_target(&quoted)
                && (follows_attack(text, &content)
                    || is_labelled_literal(text, &content, &[&ATTACK, &FILTER_TEST]))
            || names_no_command(&quoted) && is_reported(text, &content)
            || is_harmless(&quoted) && is_mentioned(text, &content);
        // An apostrophe may look like an opening mark, so the text after it is searched for another quotation.
        let is_apostrophe = matches!(text.as_bytes()[start - 1], b'\'');
        at = if is_example || !is_apostrophe { content.end + 1 } else { start };
        at = text.ceil_char_boundary(at);
        if is_example {
            found.push(content);
        }
    }
    found
}

/// Returns the text before and after a quotation that is searched for words.
fn context_of<'t>(text: &'t str, content: &Range<usize>) -> (&'t str, &'t str) {
    let lowest = text.floor_char_boundary(content.start.saturating_sub(CONTEXT_BYTES_BEFORE));
    let highest = text.floor_char_boundary(content.end + CONTEXT_BYTES_AFTER);
    (&text[lowest..content.start], &text[content.end..highest])
}

/// Returns whether the quotation is a string literal of a program or a test, and its line or the line before contains
/// one of the words in `lists`.
fn is_labelled_literal(text: &str, content: &Range<usize>, lists: &[&[&str]]) -> bool {
    let (before, after) = context_of(text, content);
    let mut lines = before.rsplit('\n');
    let line = lines.next().unwrap_or_default();
    let line_before = lines.next().unwrap_or_default();
    let after = after.split('\n').next().unwrap_or_default();
    is_literal(line, after)
        && [line_before, line, after].iter().any(|part| {
            let part = without_other_injections(part);
            lists.iter().any(|words| contains_any(&part, words))
        })
}

/// Returns whether the text before and after a quotation on its line looks like code or data around a string literal.
/// `before` ends with the opening quotation mark, and `after` starts with the closing one.
fn is_literal(before: &str, after: &str) -> bool {
    let Some(mark) = before.chars().next_back().filter(|mark| matches!(mark, '"' | '\'' | '`'))
    else {
        return false;
    };
    let before =
        before[..before.len() - mark.len_utf8()].trim_end_matches(['r', 'b', 'f', 'u']).trim();
    let after = after[mark.len_utf8()..].trim();
    let opens = before.is_empty()
        || before.ends_with(['=', '(', '[', '{', ',', ':', '-'])
        || before.ends_with("if");
    let closes = after.is_empty()
        || after.starts_with([')', ']', '}', ',', ';', ':'])
        || after.starts_with("in ");
    opens && closes
}

/// Returns whether a word such as "says" introduces the quotation and the rest of the line states how the attack was
/// handled.
fn is_reported(text: &str, content: &Range<usize>) -> bool {
    let (before, after) = context_of(text, content);
    let before = before.to_lowercase();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let line = line.trim_end_matches(['"', '\'', '`', '“', '‘', '「', '『']);
    let line = line.trim_end().trim_end_matches([':', '：', ',', '，']);
    let after = after.to_lowercase();
    let after = after.split('\n').next().unwrap_or_default();
    ends_with_any(line, &QUOTING) && contains_any(after, &VERDICT)
}

fn is_harmless(quoted: &str) -> bool {
    !contains_any(quoted, &PAYLOAD)
}

/// Returns whether the quotation contains no command, address or path.
fn names_no_target(quoted: &str) -> bool {
    !contains_any(quoted, TARGETS) && !contains_any(quoted, COMMANDS)
}

/// Returns whether the quotation contains no command, path or link. It may contain a mail address.
fn names_no_command(quoted: &str) -> bool {
    !TARGETS.iter().any(|target| quoted.contains(target) && !MAIL_PARTS.contains(target))
        && !contains_any(quoted, COMMANDS)
}

/// Returns whether the line names an attack before the quotation.
fn follows_attack(text: &str, content: &Range<usize>) -> bool {
    let before = without_other_injections(context_of(text, content).0);
    let line = before.rsplit('\n').next().unwrap_or_default();
    contains_any(line, &ATTACK)
}

/// Returns `part` in lower case and without the names of injections that do not concern a model, such as "SQL
/// injection".
fn without_other_injections(part: &str) -> String {
    let mut part = part.to_lowercase();
    for other in OTHER_INJECTIONS.iter() {
        if part.contains(other) {
            part = part.replace(other, " ");
        }
    }
    part
}

/// Returns whether the text around a quotation contains a word that identifies it as an example of an attack.
fn has_context(text: &str, content: &Range<usize>) -> bool {
    let (before, after) = context_of(text, content);
    let (before, after) = (without_other_injections(before), without_other_injections(after));
    CONTEXT.iter().any(|word| before.contains(word) || after.contains(word))
}

/// The maximum length of a cell that labels its row, in bytes.
const MAX_LABEL_BYTES: usize = 32;

/// Returns the harmless cells of a table row if one of its cells labels the row as an attack. Otherwise, the result is
/// empty. A row is a line of a Markdown table, a line with tabs, or a line with commas that also contains a score.
fn labelled_cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let line = &text[row.clone()];
    let Some(separator) = separator(line).filter(|_| line.len() <= MAX_SENTENCE_BYTES) else {
        return Vec::new();
    };
    if !line.split(separator).any(|cell| is_label(cell, separator)) {
        return Vec::new();
    }
    let mut at = row.start;
    let cells = line.split(separator).map(|cell| {
        let start = at;
        at += cell.len() + separator.len_utf8();
        start..start + cell.len()
    });
    cells
        .filter(|cell| {
            let content = text[cell.clone()].trim();
            !content.is_empty()
                && content.len() <= MAX_QUOTED_BYTES
                && is_harmless(&content.to_lowercase())
        })
        .collect()
}

/// Returns the character that separates the cells of `line`, or `None` if the line is not a row.
fn separator(line: &str) -> Option<char> {
    let trimmed = line.trim();
    if trimmed.starts_with('|') && trimmed.ends_with('|') {
        Some('|')
    } else if trimmed.contains('\t') {
        Some('\t')
    } else {
        trimmed.split(',').any(is_score).then_some(',')
    }
}

/// Returns whether a cell contains a probability, such as `0.97`, or a class, `0` or `1`.
fn is_score(cell: &str) -> bool {
    let cell = cell.trim();
    matches!(cell, "0" | "1")
        || cell.strip_prefix("0.").or_else(|| cell.strip_prefix("1.0")).is_some_and(|digits| {
            digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
}

/// Returns whether a cell names a kind of attack or contains a share. Outside of Markdown tables, the name may be part of a
/// longer label, such as `override-phrase`.
fn is_label(cell: &str, separator: char) -> bool {
    let cell = cell.trim().trim_matches('"');
    if cell.is_empty() || cell.len() > MAX_LABEL_BYTES {
        return false;
    }
    let cell = cell.to_lowercase();
    CELL_LABELS.contains(&cell.as_str())
        || is_share(&cell)
        || separator != '|' && !cell.contains(' ') && contains_any(cell, &LABEL_PARTS)
}

/// Returns whether a cell contains a number of per cent, as in a table of results.
fn is_share(cell: &str) -> bool {
    let number = cell.strip_suffix('%').map(str::trim_end);
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// The opening and the closing mark of each kind of quotation. If one mark is the start of another, the longer mark is
/// listed first.
const QUOTATION_MARKS: &[(&str, &str)] = &[
    ("\"", "\""),
    ("``", "''"),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("‘", "’"),
    ("「", "」"),
    ("『", "』"),
];

/// Returns the next quotation that starts between `at` and `end` and is on one line: the position after its opening
/// quotation mark, and the range of its content.
fn next_quotation(text: &str, at: usize, end: usize) -> Option<(usize, Range<usize>)> {
    let mut rest = at;
    loop {
        let searched = text.get(rest..end)?;
        let (offset, character) =
            searched.char_indices().find(|(_, character)| "\"'`“‘「『".contains(*character))?;
        let opening = rest + offset;
        let quotation = QUOTATION_MARKS
            .iter()
            .filter(|(open, _)| text[opening..].starts_with(open))
            .find_map(|(open, close)| content(text, opening, open, close));
        if let Some(content) = quotation {
            return Some((content.start, content));
        }
        rest = opening + character.len_utf8();
    }
}

/// Returns the content of the quotation whose opening mark is at `opening`, if it is closed on the same line.
fn content(text: &str, opening: usize, open: &str, close: &str) -> Option<Range<usize>> {
    let start = opening + open.len();
    let window = &text[start..text.floor_char_boundary(start + MAX_QUOTED_BYTES)];
    let line = window.split('\n').next().unwrap_or_default();
    let is_apostrophe = open == "'" && text[..opening].ends_with(char::is_alphanumeric);
    let length = line.find(close).filter(|length| *length > 0 && !is_apostrophe)?;
    Some(start..start + length)
}

#[cfg(test)]
mod tests;
