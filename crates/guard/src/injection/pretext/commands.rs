//! Finds commands that fetch and run a program, send files or variables to another host, or weaken a protection.

use crate::injection::WORDS;
use crate::table::WordList;
use std::ops::Range;

use memchr::memmem;

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
/// Harmful parts of commands that are searched for only where the text resembles an instruction.
static COMMON: WordList = WordList::new(WORDS, "common");

/// Returns the spans of harmful parts of commands, in order. Only `parts` are searched for [`COMMON`] ones.
pub(super) fn harmful_commands(text: &[u8], parts: &[Range<usize>]) -> Vec<Range<usize>> {
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
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_in = |list: &[&str]| list.iter().any(|name| name.as_bytes() == &rest[..length]);
    if is_in(SENDERS) {
        return true;
    }
    if !is_in(INTERPRETERS) {
        return false;
    }
    let lowest = pipe.saturating_sub(MAX_BYTES_BEFORE_PIPE);
    let start =
        memchr::memrchr(b'\n', &text[lowest..pipe]).map_or(lowest, |line| lowest + line + 1);
    SOURCES.iter().any(|source| memmem::find(&text[start..pipe], source.as_bytes()).is_some())
}
