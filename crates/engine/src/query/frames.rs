//! Finds paths with line numbers in links, stack frames, compiler messages and grep output, for all languages.

use super::Frame;
use super::paths::{Span, for_each_span, has_source_extension};

pub(super) fn is_frame(line: &str) -> bool {
    let mut found = false;
    for_each_frame(line, &mut |_| found = true);
    found
}

/// Calls `emit` for each path with a line number in `line`.
pub(super) fn for_each_frame(line: &str, emit: &mut impl FnMut(Frame)) {
    for_each_span(line, |span| {
        if !has_source_extension(span.text) {
            return;
        }
        let Some(number) = line_number(&line[span.end..]) else { return };
        let path = span.text.replace('\\', "/").trim_start_matches("./").to_owned();
        emit(Frame { path, line: number, function: function_of(line, span) });
    });
}

/// Returns the line number at the start of `after`, which is the text after a path. Recognised forms are `:12`, `(12)`,
/// `", line 12`, ` on line 12`, `:line 12` and `#L12`.
pub(super) fn line_number(after: &str) -> Option<u32> {
    let after = after.trim_start_matches(['"', '\'', '`', ')']);
    let prefixes = [":line ", ":", "(", ", line ", " on line ", " line ", "#L"];
    let digits = prefixes.iter().find_map(|prefix| {
        let rest = after.strip_prefix(prefix)?;
        rest.starts_with(|character: char| character.is_ascii_digit()).then_some(rest)
    })?;
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Returns the function name in a frame. It precedes the path in `at a.b.f(` and `at f (`, and follows it in `in f`
/// (Python) and ``:in `f'`` (Ruby).
fn function_of(line: &str, span: Span<'_>) -> Option<String> {
    let named = match line.trim_start().strip_prefix("at ") {
        Some(call) => {
            let call = call.split(['(', ' ']).next()?;
            (!call.contains('/')).then(|| call.rsplit('.').next())??
        }
        None => {
            let after = &line[span.end..];
            let (_, name) = [" in ", ":in "].iter().find_map(|word| after.split_once(word))?;
            name.trim_start_matches(['`', '\''])
        }
    };
    let is_name =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '#');
    let end = named.find(|character: char| !is_name(character)).unwrap_or(named.len());
    (end > 0).then(|| named[..end].to_owned())
}

/// Returns `line` without its links. Calls `emit` for each link that points to a file.
pub(super) fn take_links(line: &str, emit: &mut impl FnMut(Frame)) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = link_start(rest) {
        let link = &rest[start..];
        let end = link.find(ends_link).unwrap_or(link.len());
        if let Some(frame) = frame_of(&link[..end]) {
            emit(frame);
        }
        kept.push_str(&rest[..start]);
        kept.push(' ');
        rest = &link[end..];
    }
    kept.push_str(rest);
    kept
}

fn link_start(text: &str) -> Option<usize> {
    let at = text.find("://")?;
    let scheme = text[..at].bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    Some(at - scheme)
}

fn ends_link(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, ')' | '>' | ']' | '"' | '\'' | '`' | '，' | '。' | '）')
}

/// Converts a link of the form `…/blob/<revision>/<path>#L12`, or the same with `tree` or `raw`, to a frame. Returns
/// `None` for other links.
fn frame_of(link: &str) -> Option<Frame> {
    let tail = ["/blob/", "/tree/", "/raw/"].iter().find_map(|part| link.split_once(part))?.1;
    let (_, tail) = tail.split_once('/')?;
    let path = tail.split(['#', '?']).next()?.trim_matches('/');
    let line = tail.split_once("#L").map_or("", |(_, line)| line);
    let end = line.find(|character: char| !character.is_ascii_digit()).unwrap_or(line.len());
    let line = line[..end].parse().unwrap_or(0);
    (!path.is_empty()).then(|| Frame { path: path.to_owned(), line, function: None })
}
