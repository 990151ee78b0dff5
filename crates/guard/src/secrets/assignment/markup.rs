//! Finds values in HTML and XML elements: `<td>Password</td><td>value</td>`.

use crate::secrets::cursor::Cursor;

const MAX_TAG: usize = 80;
/// Pairs of a tag that closes the name and a tag that opens the value.
const CELLS: &[(&str, &str)] = &[
    ("</td>", "<td"),
    ("</th>", "<td"),
    ("</dt>", "<dd"),
    ("</key>", "<string"),
    ("</name>", "<value"),
    ("</b>", "<code"),
    ("</strong>", "<code"),
];
const INLINE: &[&str] =
    &["<code", "<b", "<strong", "<tt", "<kbd", "<span", "<pre", "<em", "<Value", "<value"];

/// If the cell or element that contains the name ends here, moves to the content of the next cell or element and
/// returns true.
pub(super) fn to_next_cell(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    if !matches!(cursor.bytes.get(start..start + 2), Some([b'<', _] | [b':', b'<'])) {
        return false;
    }
    let found = CELLS.iter().any(|(close, open)| {
        cursor.at = start;
        cursor.skip(1, |byte| byte == b':');
        if !cursor.eat(close) {
            return false;
        }
        cursor.skip(1, |byte| byte == b':');
        cursor.skip(16, |byte| byte.is_ascii_whitespace());
        cursor.eat(open) && to_tag_end(cursor)
    });
    cursor.at = if found { cursor.at } else { start };
    found && {
        into_inline_element(cursor);
        true
    }
}

/// If an element such as `<code>` starts here, moves to the content of the element and returns true.
pub(super) fn into_inline_element(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    let found = INLINE.iter().any(|open| {
        cursor.at = start;
        cursor.eat(open) && to_tag_end(cursor)
    });
    cursor.at = if found { cursor.at } else { start };
    found
}

/// Moves to the position after the tag's `>`. Returns false if the tag does not end within [`MAX_TAG`] bytes on the
/// same line.
pub(super) fn to_tag_end(cursor: &mut Cursor<'_>) -> bool {
    if !matches!(cursor.peek(), Some(b'>' | b' ')) {
        return false;
    }
    cursor.skip(MAX_TAG, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    cursor.eat(">")
}

/// Returns the start of a form field's value. The value follows `type="password"` in the same tag:
/// `type="password" name="pw" value="…"`.
pub(super) fn value_of_field(text: &str, word_start: usize, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = bytes[..word_start]
        .strip_suffix(b"\"")
        .or_else(|| bytes[..word_start].strip_suffix(b"'"))?;
    let rest = &bytes[from..bytes.len().min(from + MAX_TAG)];
    let length = memchr::memchr2(b'>', b'\n', rest).unwrap_or(rest.len());
    crate::work::count(length);
    let at = memchr::memmem::find(&rest[..length], b" value=")?;
    before.ends_with(b"type=").then(|| from + at + " value=".len())
}

/// Returns the start of an element's content if the element's tag has attributes:
/// `<Password Type="…">value</Password>`.
pub(super) fn text_of_element(text: &str, word_start: usize, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let name = bytes[..word_start]
        .iter()
        .rev()
        .take(24)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':'))
        .count();
    if bytes[..word_start - name].last() != Some(&b'<') {
        return None;
    }
    let mut cursor = Cursor::new(text, from);
    cursor.skip(MAX_TAG, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    let is_closed = bytes[..cursor.at].ends_with(b"/");
    (cursor.eat(">") && !is_closed).then_some(cursor.at)
}
