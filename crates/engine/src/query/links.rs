//! Removes links from a line. A link to a file in a repository is converted to a frame.

use super::Frame;

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
