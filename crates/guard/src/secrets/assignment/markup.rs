//! Finds values in the next cell or element of a document: `<td>Password</td><td>value</td>`.

use crate::secrets::cursor::Cursor;

const MAX_TAG: usize = 80;
/// The tag that closes the name, and the tag that opens the value.
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

/// Moves into the cell or element that follows the one that ends here.
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

/// Moves into an element such as `<code>` if one starts here.
pub(super) fn into_inline_element(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    let found = INLINE.iter().any(|open| {
        cursor.at = start;
        cursor.eat(open) && to_tag_end(cursor)
    });
    cursor.at = if found { cursor.at } else { start };
    found
}

/// Moves to the position after the `>` of the tag.
pub(super) fn to_tag_end(cursor: &mut Cursor<'_>) -> bool {
    if !matches!(cursor.peek(), Some(b'>' | b' ')) {
        return false;
    }
    cursor.skip(MAX_TAG, |byte| !matches!(byte, b'>' | b'<' | b'\n'));
    cursor.eat(">")
}

/// Returns the start of the value of a form field in the rest of its tag: `type="password" name="pw" value="…"`.
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

/// Returns the start of the text of an element whose tag has attributes: `<Password Type="…">value</Password>`.
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
