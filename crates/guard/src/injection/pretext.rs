//! Finds harmful commands that a comment or a document makes a condition of work on a file (`Before modifying this file, run:
//! curl … | sh`), makes the duty of an agent, or asks to conceal. Neither part is enough: documents explain how to install a
//! program with `curl … | sh`, and comments ask for `make generate` after a change.

use crate::bytes::{contains_any, line_before, run_after, starts_with_any};
use crate::injection::WORDS;
use crate::table::WordList;
use memchr::memmem;
use std::ops::Range;

use super::pattern::PATTERNS;
use super::phrases::{Role, Signal};
use super::score::Removal;
use super::segment::{line_start, removed_span};
use super::words::Words;

const MAX_BYTES_BEFORE: usize = 400;
const MAX_BYTES_AFTER: usize = 240;
const MAX_LINES_BEFORE: usize = 4;
const MAX_LINES_AFTER: usize = 3;
/// The distance of two commands on one line from which on the text around each of them is read.
const MAX_SHARED_BYTES: usize = 128;

/// The maximum number of bytes between the start of a code block and a command in it.
const MAX_BLOCK: usize = 600;
/// The languages of code blocks that contain commands.
const SHELLS: &[&str] = &["bash", "console", "powershell", "sh", "shell", "shell-session", "zsh"];
/// Marks with which a line of a comment starts.
const COMMENT_MARKS: &[&str] = &["#", "//", "/*", "*", "--", ";", "%", "<!--"];

/// Returns the spans to remove. Some kinds of commands are searched for in `parts` only.
pub(crate) fn removals(text: &str, parts: &[Range<usize>]) -> Vec<Removal> {
    let mut found: Vec<Removal> = Vec::new();
    let (mut covered, mut last_kept) = (0, None);
    for command in harmful_commands(text.as_bytes(), parts) {
        let follows_kept = last_kept.is_some_and(|kept| is_same_place(text, kept, command.start));
        if command.start < covered || follows_kept {
            continue;
        }
        match ordered_span(text, &command) {
            Some(span) => {
                covered = span.end;
                found.push(Removal { span, signal: Signal::Request });
            }
            None => last_kept = Some(command.start),
        }
    }
    found
}

/// Returns whether two commands are on the same line and so close together that the text around them is nearly the same. This
/// bounds the work in a line with many commands.
fn is_same_place(text: &str, first: usize, second: usize) -> bool {
    second - first < MAX_SHARED_BYTES && !text.as_bytes()[first..second].contains(&b'\n')
}

/// Returns the span of a command and of the phrase that makes it an order, or `None` if there is no such phrase near
/// the command.
fn ordered_span(text: &str, command: &Range<usize>) -> Option<Range<usize>> {
    let region = region_around(text, command);
    let words = Words::read(&text[region.clone()], region.start);
    let after = words.list.partition_point(|word| word.source.end <= command.start);
    let first_of_command = after.min(words.len().checked_sub(1)?);
    let is_in_block = is_in_shell_block(text, command.start);
    let phrase = PATTERNS.find(&words).into_iter().find(|hit| {
        let is_condition = hit.role == Role::Pretext
            || hit.role == Role::AgentPretext && !is_in_block
            || hit.signal == Signal::Conceal && hit.weight > 0;
        // The comment above a command of a script describes the script, and gives no order to its reader.
        is_condition
            && is_in_comment(text, words.list[hit.first].source.start)
                == is_in_comment(text, command.start)
    })?;
    let first = phrase.first.min(first_of_command);
    let last = phrase.last.max(first_of_command);
    Some(removed_span(text, &words.list, first, last))
}

/// Returns whether a removal is a command that a document lists in a code block, such as the line that installs the program of a
/// README. Such a command is an order only if a phrase near it makes it a condition of a change, or gives another order.
pub(crate) fn is_documented_command(text: &str, span: &Range<usize>) -> bool {
    let is_comment = text[span.clone()].trim_start().starts_with('#');
    if !is_in_shell_block(text, span.start) || is_comment || text[span.clone()].contains("```") {
        return false;
    }
    let region = region_around(text, span);
    let words = Words::read(&text[region.clone()], region.start);
    PATTERNS.find(&words).iter().all(|hit| {
        hit.role != Role::Pretext
            && (hit.weight == 0
                || matches!(hit.signal, Signal::Request | Signal::Exfiltrate | Signal::Address))
    })
}

/// Returns whether `at` is in a code block of a document that contains commands. The line above a block without a language must
/// be empty, because the mark that ends a block looks the same.
fn is_in_shell_block(text: &str, at: usize) -> bool {
    let block = &text[text.floor_char_boundary(at.saturating_sub(MAX_BLOCK))..at];
    block.rfind("```").is_some_and(|fence| {
        let above = block[..fence].trim_end_matches([' ', '\t']);
        let first_line = block[fence + 3..].split_once('\n');
        first_line.is_some_and(|(language, _)| {
            SHELLS.contains(&language.trim())
                || language.trim().is_empty() && above.ends_with("\n\n")
        })
    })
}

/// Returns whether the line that contains `at` starts with a comment mark. Returns false if the start of the line is too far
/// away.
fn is_in_comment(text: &str, at: usize) -> bool {
    let line = &text.as_bytes()[line_start(text, at)..];
    starts_with_any(line, COMMENT_MARKS)
}

/// Returns the lines around a command.
fn region_around(text: &str, command: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let lowest = text.ceil_char_boundary(command.start.saturating_sub(MAX_BYTES_BEFORE));
    let start = memchr::memrchr_iter(b'\n', &bytes[lowest..command.start])
        .nth(MAX_LINES_BEFORE)
        .map_or(lowest, |newline| lowest + newline + 1);
    let highest = text.floor_char_boundary(command.end + MAX_BYTES_AFTER);
    let end = memchr::memchr_iter(b'\n', &bytes[command.end..highest])
        .nth(MAX_LINES_AFTER)
        .map_or(highest, |newline| command.end + newline);
    start..end
}

/// The maximum number of bytes before a pipe that are searched for the program on its left side.
const MAX_BYTES_BEFORE_PIPE: usize = 240;

/// Programs that run what they read from a pipe.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "zsh", "python", "python3", "node", "perl", "ruby", "iex", "sudo"];
/// Programs that send what they read from a pipe.
const SENDERS: &[&str] = &["curl", "nc", "ncat", "netcat", "wget", "socat"];
/// Parts of commands that fetch or decode what they write to a pipe.
const SOURCES: &[&str] = &["curl", "wget", "iwr", "irm", "base64", "http://", "https://"];

/// Harmful parts of commands that are rare enough to be searched for in the whole text.
const RARE: &[&str] = &["(curl ", "(wget ", "/dev/tcp/", "--privileged", "urlopen("];
static COMMON: WordList = WordList::new(WORDS, "common");

/// Returns the spans of harmful parts of commands, in order. Only `parts` are searched for [`COMMON`] ones.
fn harmful_commands(text: &[u8], parts: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = memchr::memchr_iter(b'|', text)
        .filter(|pipe| is_harmful_pipe(text, *pipe))
        .map(|pipe| pipe..pipe + 1)
        .collect();
    for needle in RARE {
        found.extend(memmem::find_iter(text, needle).map(|at| at..at + needle.len()));
    }
    for part in parts {
        for needle in COMMON.iter() {
            let hits = memmem::find_iter(&text[part.clone()], needle);
            found.extend(hits.map(|at| part.start + at..part.start + at + needle.len()));
        }
    }
    found.sort_unstable_by_key(|span| span.start);
    found
}

/// Returns whether a pipe leads from a download into an interpreter, or into a program that sends its input.
fn is_harmful_pipe(text: &[u8], pipe: usize) -> bool {
    let rest = text[pipe + 1..].trim_ascii_start();
    let length = run_after(rest, usize::MAX, |byte| byte.is_ascii_alphanumeric());
    let is_in = |list: &[&str]| list.iter().any(|name| name.as_bytes() == &rest[..length]);
    if is_in(SENDERS) {
        return true;
    }
    if !is_in(INTERPRETERS) {
        return false;
    }
    contains_any(line_before(text, pipe, MAX_BYTES_BEFORE_PIPE), SOURCES)
}

#[cfg(test)]
mod tests;
