//! Finds the start and end of a quoted or bare value. In environment files, a bare value may contain characters that end other
//! bare values.

use crate::bytes::{
    Cursor, bytes_after, bytes_before, consists_of, contains_any, ends_with_any, is_word_or,
    run_after, run_before,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Name, Quoting};
use crate::secrets::direct::is_mixed;
use crate::secrets::forms::{Characters, n_different_signs};
use crate::secrets::stand_ins::{is_label, is_placeholder, split_between};
use crate::table::WordList;
use crate::work;
use std::ops::Range;

/// The maximum number of bytes in a value that are examined. A longer value is classified by its first bytes and
/// replaced as a whole.
pub(crate) const MAX_VALUE: usize = 192;
static WRAPPERS: WordList = WordList::new(WORDS, "wrappers");
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
) -> Option<(Range<usize>, Quoting)> {
    if let Some(value) = quoted_in_chinese(text, start) {
        return Some((value, Quoting::Quoted));
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
    Some((begin..end, Quoting::Quoted))
}

/// Returns whether the text after a code fence, up to the end of the line, is the name of a language.
fn opens_code(rest: &[u8]) -> bool {
    let length = run_after(rest, MAX_QUERY_NAME, |byte| byte.is_ascii_alphanumeric());
    length > 0 && matches!(rest.get(length), Some(b'\n' | b'\r'))
}

/// Returns the start and end of a value in non-ASCII quotes or brackets: `「value」`, `“value”`. The value must be
/// printable ASCII.
pub(crate) fn quoted_in_chinese(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let open = rest.chars().next().filter(|open| !open.is_ascii())?;
    let (_, close) = QUOTES.iter().find(|(quote, _)| *quote == open)?;
    let begin = start + open.len_utf8();
    let length = text[begin..].bytes().take(MAX_VALUE).take_while(u8::is_ascii_graphic).count();
    work::count(length);
    let is_closed = text[begin + length..].starts_with(*close);
    let n_letters = text[begin..begin + length].bytes().filter(u8::is_ascii_alphanumeric).count();
    (is_closed && n_letters >= MIN_QUOTED).then_some(begin..begin + length)
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

/// Character references of XML without their semicolon.
const ENTITIES: &[&str] = &["&amp", "&lt", "&gt", "&quot", "&apos"];

fn bare_bounds(text: &str, start: usize, name: Name) -> Option<(Range<usize>, Quoting)> {
    if let Some(end) = long_value_end(text.as_bytes(), start) {
        return Some((start..end, Quoting::Quoted));
    }
    if let Some(value) = value_with_signs(text.as_bytes(), start, name) {
        return Some((value, Quoting::Quoted));
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
        let is_entity = name == Name::Password
            && cursor.peek() == Some(b';')
            && ends_with_any(&cursor.bytes[start..cursor.at], ENTITIES);
        if !is_part && !is_entity {
            break;
        }
        cursor.at += 1;
    }
    if name == Name::Password
        && cursor.peek().is_some_and(|byte| !byte.is_ascii())
        && let Some(end) = mixed_end(text, start)
    {
        return Some((start..end, Quoting::Bare));
    }
    // `${PASSWORD:-value}`
    let before = &cursor.bytes[..start];
    if let Some(length) = memchr::memchr(b'}', &cursor.bytes[start..cursor.at])
        && let n_before = run_before(before, MAX_SETTING, |byte| is_word_or(byte, b"_.-:="))
        && before[..start - n_before].ends_with(b"${")
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
        return Some((start..end, Quoting::Bare));
    }
    let value = without_emphasis(cursor.bytes, start, cursor.at);
    (is_end && !is_argument && !value.is_empty()).then_some((value, Quoting::Bare))
}

/// Returns the end of a password that consists of several words. Such a password must be the value of a setting:
/// `bind_password = Thursday Club`, or `password: wrgd xkqp mzta louv` after a user name.
fn phrase_end(bytes: &[u8], start: usize, first_word_end: usize) -> Option<usize> {
    let rest = bytes_after(bytes, first_word_end, MAX_PHRASE);
    let length =
        memchr::memchr2(b'\n', b'\r', rest).or((rest.len() < MAX_PHRASE).then_some(rest.len()))?;
    let end = first_word_end + rest[..length].trim_ascii_end().len();
    let phrase = &bytes[start..end];
    work::count(phrase.len());
    let mut words = phrase.split(|byte| *byte == b' ');
    let is_phrase = words.clone().count() <= MAX_WORDS
        && words.clone().count() > 1
        && words.all(|word| {
            !word.is_empty()
                && word.iter().all(|byte| is_word_or(*byte, b"-_!"))
                && !std::str::from_utf8(word).is_ok_and(is_label)
        });
    (is_phrase && follows_setting_name(&bytes[..start])).then_some(end)
}

/// Returns whether `before` ends with a line that contains only the name of a setting and its operator. If the
/// operator is a colon, one of the lines above must contain `user`.
fn follows_setting_name(before: &[u8]) -> bool {
    let before = bytes_before(before, before.len(), MAX_SETTING);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let line = before[line_start..].trim_ascii();
    let Some((operator, name)) = line.split_last() else { return false };
    let is_name = name.trim_ascii_end().iter().all(|byte| is_word_or(*byte, b"_-."));
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
    let name = run_after(rest, MAX_QUERY_NAME, |byte| is_word_or(byte, b"_-.;"));
    rest.get(name) == Some(&b'=')
        || rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'&')
}

/// Returns the bounds of the value without Markdown asterisks around it and without a full stop after it.
fn without_emphasis(bytes: &[u8], start: usize, end: usize) -> Range<usize> {
    let value = &bytes[start..end];
    let stars = run_after(value, usize::MAX, |byte| byte == b'*');
    let is_emphasis =
        matches!(stars, 1 | 2) && value.len() > 2 * stars && value.ends_with(&value[..stars]);
    let (start, end) = if is_emphasis { (start + stars, end - stars) } else { (start, end) };
    let is_sentence_end = bytes[start..end].ends_with(b".")
        && bytes
            .get(end)
            .is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b')' | b'<'));
    start..end - usize::from(is_sentence_end)
}

const MAX_NAME: usize = 128;
/// The maximum number of blanks and comment marks before a name.
const MAX_INDENT: usize = 32;
/// The minimum length of a value in a line whose name is in capital letters. Such a value needs no other property.
const MIN_LONG_VALUE: usize = 24;
const MIN_VALUE: usize = 8;
/// The maximum number of signs between `=` and the position at which the operator was read to its end.
const MAX_SIGNS: usize = 4;
/// The minimum number of different punctuation characters in a value that cannot be code.
const MIN_SIGNS: usize = 4;
const MIN_DENSE_VALUE: usize = 16;
/// The minimum number of consecutive lower-case letters that may be a name in code.
const MIN_WORD: usize = 4;
/// The minimum length of a word after a separator.
const MIN_LISTED_WORD: usize = 3;
static TEMPLATES: WordList = WordList::new(WORDS, "templates");
/// Parts of expressions.
const OPERATORS: &[&str] =
    &["&&", "||", "->", "=>", "==", "!=", ">=", "<=", ">>", "<<", "::", "()", "[]", "{}"];

/// Returns the end of a long value in a line `NAME=value` of an environment file: `SECRET_KEY=k&zq7)w2m!x-…`. Such a
/// value extends to the end of the line, although it contains characters that end other bare values.
pub(crate) fn long_value_end(bytes: &[u8], start: usize) -> Option<usize> {
    let name = bytes[..start].strip_suffix(b"=")?;
    let length = run_before(name, MAX_NAME, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
    });
    let before = &name[..name.len() - length];
    if length == 0
        || !(before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"export "))
    {
        return None;
    }
    let rest = bytes_after(bytes, start, MAX_VALUE);
    let length = unquoted_length(rest);
    let value = &rest[..length];
    let is_line_end = rest.get(length).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let has_ending_sign = value.iter().any(|byte| matches!(byte, b'&' | b')' | b',' | b';' | b'<'));
    let is_reference = memchr::memmem::find(value, b"://").is_some() || value.starts_with(b"$");
    (length >= MIN_LONG_VALUE && is_line_end && has_ending_sign && !is_reference)
        .then_some(start + length)
}

/// Returns the value that contains `start` if it is the value of a variable on a line of its own, and has the form of a
/// generated password with signs that end other unquoted values. A comment may follow the value.
pub(crate) fn value_with_signs(bytes: &[u8], start: usize, name: Name) -> Option<Range<usize>> {
    if !matches!(name, Name::Token | Name::Password) {
        return None;
    }
    // The signs at the start of the value may have been read as a part of the operator.
    let n_signs = run_before(&bytes[..start], MAX_SIGNS, |byte| {
        matches!(byte, b'!' | b'+' | b'-' | b'.' | b'?' | b',' | b':')
    });
    let begin = start - n_signs;
    if !follows_variable_name(bytes, begin) {
        return None;
    }
    let rest = bytes_after(bytes, begin, MAX_VALUE);
    let length = unquoted_length(rest);
    let value = std::str::from_utf8(&rest[..length]).ok()?;
    let is_value = is_end(&rest[length..])
        && length < MAX_VALUE
        && has_signs(value)
        && !is_expression_or_list(value)
        && !is_placeholder(value);
    is_value.then_some(begin..begin + length)
}

/// Returns the number of characters at the start of `rest` that an unquoted value can contain.
fn unquoted_length(rest: &[u8]) -> usize {
    run_after(rest, usize::MAX, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\')
    })
}

/// Returns whether the candidate was found by [`value_with_signs`].
pub(crate) fn is_value_with_signs(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    candidate.quoting == Quoting::Quoted
        && bytes[..candidate.value.start].ends_with(b"=")
        && value_with_signs(bytes, candidate.value.start, candidate.name)
            == Some(candidate.value.clone())
}

/// Returns whether the text before `begin` is `name=` at the start of a line, after `export` or in a comment.
fn follows_variable_name(bytes: &[u8], begin: usize) -> bool {
    let Some(line) = bytes[..begin].strip_suffix(b"=") else { return false };
    let name = run_before(line, MAX_NAME, |byte| is_word_or(byte, b"_"));
    let line = &line[..line.len() - name];
    let line = line.strip_suffix(b"export ").unwrap_or(line);
    let indent = run_before(line, MAX_INDENT, |byte| matches!(byte, b' ' | b'\t' | b'#'));
    let line = &line[..line.len() - indent];
    name > 0 && (line.is_empty() || line.ends_with(b"\n"))
}

/// Returns whether the line ends, or only a comment follows.
fn is_end(rest: &[u8]) -> bool {
    let blanks = run_after(rest, usize::MAX, |byte| matches!(byte, b' ' | b'\t'));
    match rest.get(blanks) {
        None | Some(b'\n' | b'\r') => true,
        Some(b'#') => blanks > 0,
        Some(_) => false,
    }
}

/// Returns whether the value contains upper-case letters, lower-case letters, digits, and a sign that ends or splits
/// other unquoted values.
fn has_signs(value: &str) -> bool {
    value.len() >= MIN_VALUE
        && Characters::of(value).are_mixed()
        && value.contains(['&', '>', '<', ';', '|', '$', '[', ']', '(', ')', '{', '}'])
}

/// Returns whether the value is an expression, a template, or several values.
fn is_expression_or_list(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '[', '(', '&', '|', '>'])
        || value.ends_with([';', ',', '(', '{'])
        || contains_any(value, &TEMPLATES)
        || is_list(value)
        || !is_dense(value)
            && (value.ends_with(['|', '&'])
                || contains_any(value, OPERATORS)
                || has_call(value)
                || has_variable(value))
}

/// Returns whether the value contains many different punctuation characters and no word that may be a name in code.
fn is_dense(value: &str) -> bool {
    let has_word =
        value.split(|letter: char| !letter.is_ascii_lowercase()).any(|word| word.len() >= MIN_WORD);
    value.len() >= MIN_DENSE_VALUE && n_different_signs(value) >= MIN_SIGNS && !has_word
}

/// Recognises several values in one line: `token=abc&user=bob`, `password=x;Server=y`, `password=x;exit`. After the
/// separator, there is a name with its value or a word.
fn is_list(value: &str) -> bool {
    value.split(['&', ';', ',', '|', '<', '>']).skip(1).any(|part| {
        let name = run_after(part.as_bytes(), usize::MAX, |byte| is_word_or(byte, b"_-."));
        let is_named = name > 0 && matches!(part.as_bytes().get(name), Some(b'=' | b':'));
        is_named || is_listed_words(part)
    })
}

/// Recognises words of at least three letters with up to two digits at the end: `debug`, `Basic2`, `HttpOnly`.
fn is_listed_words(part: &str) -> bool {
    let letters = part.trim_end_matches(|last: char| last.is_ascii_digit());
    let is_end = |before: u8, next: u8| next.is_ascii_uppercase() || matches!(before, b'_' | b'-');
    part.len() - letters.len() <= 2
        && !letters.is_empty()
        && consists_of(letters, u8::is_ascii_alphabetic, "_-")
        && split_between(letters, is_end).iter().all(|word| word.len() >= MIN_LISTED_WORD)
}

/// Recognises a call, an index and a type argument: `load(a1)`, `Keys[0]`, `List<String>`.
fn has_call(value: &str) -> bool {
    value.bytes().zip(value.bytes().skip(1)).enumerate().any(|(at, (before, open))| {
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'<' => b'>',
            b'{' => b'}',
            _ => return false,
        };
        (before.is_ascii_alphanumeric() || before == b'_')
            && value.as_bytes()[at + 2..].contains(&close)
    })
}

/// Recognises a shell variable in the value: `prefix$NAME`, `prefix$name`. The name is in one case.
fn has_variable(value: &str) -> bool {
    value.split('$').skip(1).any(|part| {
        let length = run_after(part.as_bytes(), usize::MAX, |byte| is_word_or(byte, b"_"));
        let Characters { upper, lower, .. } = Characters::of(&part[..length]);
        upper + lower >= 3
            && upper.min(lower) == 0
            && part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    })
}
