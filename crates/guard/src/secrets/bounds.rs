//! Finds the start and end of a quoted or bare value.

use super::candidate::{Name, Quoting};
use super::cursor::Cursor;
use super::direct::is_mixed;
use super::variable_lines::{long_value_end, value_with_signs};
use super::vocabulary::is_label;

/// The maximum number of bytes in a value that are examined. A longer value is classified by its first bytes and
/// replaced as a whole.
pub(crate) const MAX_VALUE: usize = 192;
/// Prefixes that convert a literal to another type: `String::from("…")`, `N'…'`.
const WRAPPERS: &[&str] = &[
    "String::from(",
    "SecretString::from(",
    "[]byte(",
    "bytes(",
    "str(",
    "String(",
    "new String(",
    "Some(",
    "Buffer.from(",
    "Secret(",
    "SecretStr(",
    "SecretString(",
    "N",
    "L",
];
/// The maximum length of the rest of a multi-word password after its first word, in bytes.
const MAX_PHRASE: usize = 48;
const MAX_WORDS: usize = 5;
/// The number of bytes before a value that are searched for the start of the line and for a user name.
const MAX_SETTING: usize = 128;
const MAX_QUERY_NAME: usize = 24;
const MIN_QUOTED: usize = 4;
const MAX_MIXED: usize = 32;
/// Opening and closing quotes in Chinese, Japanese, Russian and typographic text.
#[rustfmt::skip]
const QUOTES: &[(char, char)] = &[
    ('「', '」'), ('『', '』'), ('“', '”'), ('‘', '’'), ('【', '】'), ('（', '）'), ('《', '》'), ('〈', '〉'), ('«', '»'), ('„', '“'),
];

/// Returns the start and end of the value at `start`, and whether the value is quoted.
pub(crate) fn value_bounds(
    text: &str,
    start: usize,
    name: Name,
) -> Option<(usize, usize, Quoting)> {
    if let Some((begin, end)) = quoted_in_chinese(text, start) {
        return Some((begin, end, Quoting::Quoted));
    }
    let mut cursor = Cursor::new(text, start);
    cursor.skip(2, |byte| byte == b'\\');
    // The literal may have a prefix or be in a list: `b"…"`, `r'…'`, `@"…"`, `["…"]`, `{"…"}`.
    if let Some(wrapper) =
        WRAPPERS.iter().find(|wrapper| cursor.bytes[cursor.at..].starts_with(wrapper.as_bytes()))
    {
        let inside = cursor.at + wrapper.len();
        if matches!(cursor.bytes.get(inside), Some(b'"' | b'\'')) {
            cursor.at = inside;
        }
    }
    let is_prefixed =
        cursor.bytes.get(cursor.at + 1).is_some_and(|&next| matches!(next, b'"' | b'\''));
    if is_prefixed {
        cursor
            .skip(1, |byte| matches!(byte, b'b' | b'r' | b'f' | b'u' | b'@' | b'(' | b'[' | b'{'));
    }
    let Some(quote) = cursor.peek().filter(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return bare_bounds(text, start, name);
    };
    let n_quotes = cursor.skip(3, |byte| byte == quote);
    // "```yaml" opens a block of YAML code.
    if n_quotes == 3 && quote == b'`' && opens_code(&cursor.bytes[cursor.at..]) {
        return None;
    }
    // `password="" next="…"`: the value is empty.
    if n_quotes == 2 && !cursor.peek().is_some_and(|byte| byte.is_ascii_graphic() && byte != b'>') {
        return None;
    }
    // Only a triple-quoted literal may start with a line break.
    if n_quotes == 3 {
        cursor.skip(2, |byte| byte == b'\n');
    }
    cursor.skip_blanks();
    let begin = cursor.at;
    cursor.skip(MAX_VALUE, |byte| byte != quote && byte != b'\n' && byte != b'\\');
    let end = begin + cursor.bytes[begin..cursor.at].trim_ascii_end().len();
    Some((begin, end, Quoting::Quoted))
}

/// Returns whether the text after a code fence, up to the end of the line, is the name of a language.
fn opens_code(rest: &[u8]) -> bool {
    let length = rest.iter().take(MAX_QUERY_NAME).take_while(|byte| byte.is_ascii_alphanumeric());
    let length = length.count();
    length > 0 && matches!(rest.get(length), Some(b'\n' | b'\r'))
}

/// Returns the start and end of a value in non-ASCII quotes or brackets: `「value」`, `“value”`. The value must be
/// printable ASCII.
pub(crate) fn quoted_in_chinese(text: &str, start: usize) -> Option<(usize, usize)> {
    let rest = text.get(start..)?;
    let open = rest.chars().next().filter(|open| !open.is_ascii())?;
    let (_, close) = QUOTES.iter().find(|(quote, _)| *quote == open)?;
    let begin = start + open.len_utf8();
    let length = text[begin..].bytes().take(MAX_VALUE).take_while(u8::is_ascii_graphic).count();
    crate::work::count(length);
    let is_closed = text[begin + length..].starts_with(*close);
    let n_letters = text[begin..begin + length].bytes().filter(u8::is_ascii_alphanumeric).count();
    (is_closed && n_letters >= MIN_QUOTED).then_some((begin, begin + length))
}

/// Returns the end of a bare value that consists of Chinese characters and ASCII letters: `口令abc`.
fn mixed_end(text: &str, start: usize) -> Option<usize> {
    let run = text.get(start..)?;
    let length = run
        .char_indices()
        .take(MAX_MIXED)
        .find(|(_, character)| {
            !(character.is_ascii_alphanumeric()
                || is_chinese(*character)
                || matches!(character, '!' | '@' | '#' | '_' | '-' | '.'))
        })
        .map_or(run.len().min(MAX_VALUE), |(at, _)| at);
    let value = run.get(..length)?;
    let is_last = run[length..].chars().next().is_none_or(char::is_whitespace);
    (is_last && is_mixed(value)).then_some(start + length)
}

pub(crate) fn is_chinese(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

/// Returns whether a semicolon at the cursor ends a character reference of XML, such as `&amp;`.
fn ends_entity(cursor: &Cursor<'_>, start: usize) -> bool {
    cursor.peek() == Some(b';')
        && [&b"&amp"[..], b"&lt", b"&gt", b"&quot", b"&apos"]
            .iter()
            .any(|entity| cursor.bytes[start..cursor.at].ends_with(entity))
}

fn bare_bounds(text: &str, start: usize, name: Name) -> Option<(usize, usize, Quoting)> {
    if let Some(end) = long_value_end(text.as_bytes(), start) {
        return Some((start, end, Quoting::Quoted));
    }
    if let Some(value) = value_with_signs(text.as_bytes(), start, name) {
        return Some((value.start, value.end, Quoting::Quoted));
    }
    let mut cursor = Cursor::new(text, start);
    loop {
        cursor.skip(MAX_VALUE, |byte| {
            byte.is_ascii_graphic()
                && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'\\' | b'<' | b')' | b'&')
        });
        // In a password, `&` is an ordinary character. In a query string, `&` starts the next parameter.
        let is_part = name == Name::Password
            && cursor.at > start
            && cursor.at - start < MAX_VALUE
            && cursor.peek() == Some(b'&')
            && !starts_parameter(&cursor.bytes[cursor.at + 1..]);
        let is_entity = name == Name::Password && ends_entity(&cursor, start);
        if !is_part && !is_entity {
            break;
        }
        cursor.at += 1;
    }
    if name == Name::Password
        && cursor.peek().is_some_and(|byte| !byte.is_ascii())
        && let Some(end) = mixed_end(text, start)
    {
        return Some((start, end, Quoting::Bare));
    }
    // `${PASSWORD:-value}`
    if let Some(length) = memchr::memchr(b'}', &cursor.bytes[start..cursor.at])
        && is_in_variable(&cursor.bytes[..start])
    {
        cursor.at = start + length;
    }
    let is_end = !matches!(cursor.peek(), Some(b'(' | b'[' | b'{' | b'`'));
    // `password, hasher="…"`: the text after the name is the next argument, not a value.
    let is_argument = cursor.at > start
        && cursor.bytes[cursor.at - 1] == b'='
        && matches!(cursor.peek(), Some(b'"' | b'\''))
        && is_parameter_name(&cursor.bytes[start..cursor.at - 1], cursor.bytes.get(cursor.at + 1));
    if is_end
        && !is_argument
        && name == Name::Password
        && let Some(end) = phrase_end(cursor.bytes, start, cursor.at)
    {
        return Some((start, end, Quoting::Bare));
    }
    let (begin, end) = without_emphasis(cursor.bytes, start, cursor.at);
    (is_end && !is_argument && end > begin).then_some((begin, end, Quoting::Bare))
}

/// Returns whether `before`, the text before the value, ends with the start of a shell variable that has a default:
/// `${name:-`.
fn is_in_variable(before: &[u8]) -> bool {
    let name = before
        .iter()
        .rev()
        .take(MAX_SETTING)
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b':' | b'=')
        })
        .count();
    before[..before.len() - name].ends_with(b"${")
}

/// Returns the end of a password that consists of several words. Such a password must be the value of a setting:
/// `bind_password = Thursday Club`, or `password: wrgd xkqp mzta louv` after a user name.
fn phrase_end(bytes: &[u8], start: usize, first_word_end: usize) -> Option<usize> {
    let is_word_byte =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'!');
    let rest = &bytes[first_word_end..bytes.len().min(first_word_end + MAX_PHRASE)];
    let length =
        memchr::memchr2(b'\n', b'\r', rest).or((rest.len() < MAX_PHRASE).then_some(rest.len()))?;
    let end = first_word_end + rest[..length].trim_ascii_end().len();
    let phrase = &bytes[start..end];
    crate::work::count(phrase.len());
    let mut words = phrase.split(|byte| *byte == b' ');
    let is_phrase = words.clone().count() <= MAX_WORDS
        && words.clone().count() > 1
        && words.all(|word| {
            !word.is_empty()
                && word.iter().all(is_word_byte)
                && !std::str::from_utf8(word).is_ok_and(is_label)
        });
    (is_phrase && is_setting(&bytes[..start])).then_some(end)
}

/// Returns whether `before` ends with a line that contains only the name of a setting and its operator. If the
/// operator is a colon, one of the lines above must contain `user`.
fn is_setting(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(MAX_SETTING)..];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = before[line_start..].trim_ascii();
    let Some((operator, name)) = line.split_last() else { return false };
    let is_name = name
        .trim_ascii_end()
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let has_user = || memchr::memmem::find(&before[..line_start], b"user").is_some();
    is_name && (*operator == b'=' || *operator == b':' && has_user())
}

/// Returns whether `value`, the text before `="`, is the name of an argument (`hasher="…"`). Otherwise, it may be a
/// base64 string with padding before a closing quote (`aGVsbG8="`). `after_quote` is the byte after the quote.
fn is_parameter_name(value: &[u8], after_quote: Option<&u8>) -> bool {
    let is_lower = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b':');
    let opens_text = after_quote.is_some_and(u8::is_ascii_alphanumeric);
    value.len() <= MAX_QUERY_NAME
        && (value.iter().all(is_lower)
            || opens_text && value.iter().all(|byte| is_lower(byte) || byte.is_ascii_uppercase()))
}

/// Returns whether the text after an `&` is empty or starts with `name=`, a blank or another `&`. In these cases, the
/// `&` is not part of a password.
fn starts_parameter(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(MAX_QUERY_NAME)
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b';')
        })
        .count();
    rest.get(name) == Some(&b'=')
        || rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'&')
}

/// Returns the bounds of the value without Markdown asterisks around it and without a full stop after it.
fn without_emphasis(bytes: &[u8], start: usize, end: usize) -> (usize, usize) {
    let value = &bytes[start..end];
    let stars = value.iter().take_while(|byte| **byte == b'*').count();
    let is_emphasis =
        matches!(stars, 1 | 2) && value.len() > 2 * stars && value.ends_with(&value[..stars]);
    let (start, end) = if is_emphasis { (start + stars, end - stars) } else { (start, end) };
    let is_sentence_end = bytes[start..end].ends_with(b".")
        && bytes
            .get(end)
            .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b')' | b'<'));
    (start, end - usize::from(is_sentence_end))
}
