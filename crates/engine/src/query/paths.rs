//! Finds paths and file names in a prompt.

use index::Language;

/// Extensions of source files in languages for which there are no outlines. `md` is not in the list, because Markdown
/// files are not code.
const OTHER_SOURCE_EXTENSIONS: &[&str] =
    &["ets", "lua", "m", "mm", "pl", "proto", "pyx", "sql", "y", "yaml", "yml", "zig"];
/// The maximum length of a path. Longer runs of characters are usually data.
const MAX_PATH_BYTES: usize = 300;

/// A run of characters that may be a path.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) text: &'a str,
    /// The byte offset in the line at which this span ends.
    pub(super) end: usize,
}

/// Calls `emit` for each path or file name. The separator is `/`; leading and trailing dots and slashes are removed.
pub(super) fn for_each_path(line: &str, mut emit: impl FnMut(&str)) {
    for_each_span(line, |span| {
        let path = span.text.replace('\\', "/");
        let path = path.trim_matches(['.', '/']);
        let is_source = has_source_extension(path);
        let has_folders =
            path.contains('/') && path.split('/').all(|part| part.len() > 1 || part == "~");
        if path.len() > 3 && (is_source || has_folders) {
            emit(path);
        }
    });
}

pub(crate) fn has_source_extension(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_source =
        Language::has_common_extension(extension) || OTHER_SOURCE_EXTENSIONS.contains(&extension);
    !stem.is_empty() && is_source
}

/// Calls `emit` for each run of path characters that contains a separator or a dot. Trailing dots and hyphens are
/// removed.
pub(super) fn for_each_span<'a>(line: &'a str, mut emit: impl FnMut(Span<'a>)) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_path_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_path_byte(bytes[at]) {
            at += 1;
        }
        // Path bytes are ASCII, so both ends are character boundaries.
        let text = line[start..at].trim_end_matches(['.', '-']);
        if text.contains(['/', '\\', '.']) && text.len() <= MAX_PATH_BYTES {
            emit(Span { text, end: start + text.len() });
        }
    }
}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-./\\@+~$".contains(&byte)
}
