//! Splits text into terms. The index, queries, and the search without an index use the same tokenizer, stemmer and CJK
//! ranges.
//!
//! A compound identifier yields one term for the whole and one for each part (`camelCase`, `snake_case`, digits). Parts
//! are stemmed as English words. Runs of Chinese, Japanese and Korean characters yield bigrams. The terms do not depend
//! on the file's language.

mod letters;
mod split;
mod stem;
#[cfg(test)]
mod tests;

use letters::is_alphanumeric;
pub use split::for_each_part;
pub use stem::stem;

/// The maximum length in bytes of an identifier that is indexed. Longer ones are usually hashes or encoded data.
const MAX_TERM_BYTES: usize = 64;
/// The maximum number of digits of a number that is indexed. Longer numbers usually identify something outside the
/// repository.
const MAX_NUMBER_DIGITS: usize = 8;

/// The part of a file in which a term occurs. The discriminant is the index into all arrays with one element per field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// The file's path.
    Path,
    /// Names of definitions.
    Name,
    /// Names of the classes, modules and namespaces that enclose the definitions.
    Qualified,
    /// Signatures of definitions: parameters, types, return types.
    Signature,
    /// Comments, doc strings and prose files.
    Docs,
    /// String literals.
    Strings,
    /// Words in code outside comments and string literals, including the names of definitions.
    Body,
    /// Subjects of the commits that changed the file.
    History,
}

pub const FIELDS: usize = 8;

impl Field {
    /// All fields, in the order of [`Self::slot`].
    pub const ALL: [Self; FIELDS] = [
        Self::Path,
        Self::Name,
        Self::Qualified,
        Self::Signature,
        Self::Docs,
        Self::Strings,
        Self::Body,
        Self::History,
    ];

    /// Returns the index of this field in arrays with one element per field.
    pub fn slot(self) -> usize {
        self as usize
    }
}

/// How a term was derived from the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A whole compound identifier in lower case, not stemmed.
    Whole,
    /// A word or a part of an identifier, in lower case and stemmed.
    Part,
    /// Two adjacent CJK characters, or a single CJK character without CJK neighbours.
    Cjk,
}

/// One term in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextToken<'a> {
    /// The normalised term, as stored in the index.
    pub term: &'a str,
    /// The term as written in the string.
    pub written: &'a str,
    pub kind: TokenKind,
}

/// Calls `emit` with each term of `text`, in order.
pub fn for_each_token(text: &str, mut emit: impl FnMut(TextToken<'_>)) {
    let mut scratch = Scratch::default();
    for_each_word(text, |word| match word {
        Word::Identifier(identifier) => tokens_of_identifier(identifier, &mut scratch, &mut emit),
        Word::Cjk(run) => bigrams(run, &mut emit),
    });
}

/// Returns the terms of `text` in order, with repetitions.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each_token(text, |token| terms.push(token.term.to_owned()));
    terms
}

/// Buffers that are reused for all words of a string.
#[derive(Default)]
pub(crate) struct Scratch {
    whole: String,
    part: String,
}

/// A run of characters that is tokenized as one unit.
#[derive(Clone, Copy)]
pub(crate) enum Word<'a> {
    Identifier(&'a str),
    Cjk(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Cjk,
    Gap,
}

/// Calls `emit` with each word of `text`. Characters between words are skipped.
pub(crate) fn for_each_word<'a>(text: &'a str, mut emit: impl FnMut(Word<'a>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (class, width) = class_at(text, at);
        let start = at;
        at += width;
        if class == Class::Gap {
            continue;
        }
        while at < bytes.len() {
            let (next, width) = class_at(text, at);
            if next != class {
                break;
            }
            at += width;
        }
        let run = text.get(start..at).unwrap_or_default();
        match class {
            Class::Word => emit(Word::Identifier(run)),
            Class::Cjk => emit(Word::Cjk(run)),
            Class::Gap => {}
        }
    }
}

/// Returns the class and the UTF-8 length of the character that starts at byte `at`.
#[inline]
fn class_at(text: &str, at: usize) -> (Class, usize) {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        let class =
            if byte.is_ascii_alphanumeric() || byte == b'_' { Class::Word } else { Class::Gap };
        return (class, 1);
    }
    match text.get(at..).and_then(|rest| rest.chars().next()) {
        Some(character) if is_cjk(character) => (Class::Cjk, character.len_utf8()),
        Some(character) if is_alphanumeric(character) => (Class::Word, character.len_utf8()),
        Some(character) => (Class::Gap, character.len_utf8()),
        None => (Class::Gap, 1),
    }
}

/// Searches `table` for the line whose first word is `word`, and returns the rest of this line. The lines of `table`
/// must be sorted by their bytes.
pub fn look_up(mut table: &'static str, word: &str) -> Option<&'static str> {
    while !table.is_empty() {
        let middle = table.floor_char_boundary(table.len() / 2);
        let start = table[..middle].rfind('\n').map_or(0, |newline| newline + 1);
        let end = table[start..].find('\n').map_or(table.len(), |length| start + length + 1);
        let line = table[start..end].trim_end();
        let (known, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.cmp(known) {
            std::cmp::Ordering::Equal => return Some(rest),
            std::cmp::Ordering::Less => table = &table[..start],
            std::cmp::Ordering::Greater => table = &table[end..],
        }
    }
    None
}

/// Returns whether `character` is a Chinese, Japanese or Korean character (ideograph, kana or hangul). Runs of such
/// characters are indexed as bigrams.
pub fn is_cjk(character: char) -> bool {
    matches!(u32::from(character),
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x323af)
}

/// Calls `emit` with the terms of one identifier or word.
pub(crate) fn tokens_of_identifier(
    identifier: &str,
    scratch: &mut Scratch,
    emit: &mut impl FnMut(TextToken<'_>),
) {
    let identifier = identifier.trim_matches('_');
    if identifier.is_empty() || identifier.len() > MAX_TERM_BYTES {
        return;
    }
    let mut n_parts = 0;
    for_each_part(identifier, |_| n_parts += 1);
    if n_parts > 1 {
        lower_into(identifier, &mut scratch.whole);
        emit(TextToken { term: &scratch.whole, written: identifier, kind: TokenKind::Whole });
        // An identifier with more than twelve parts is usually a hash or encoded data, so its parts are not indexed.
        if n_parts > 12 {
            return;
        }
    }
    for_each_part(identifier, |part| {
        let is_number = part.as_bytes()[0].is_ascii_digit();
        let too_short = part.chars().nth(1).is_none() && n_parts > 1;
        if too_short || (is_number && part.len() > MAX_NUMBER_DIGITS) {
            return;
        }
        lower_into(part, &mut scratch.part);
        emit(TextToken { term: stem(&mut scratch.part), written: part, kind: TokenKind::Part });
    });
}

/// Calls `emit` with each pair of adjacent characters, or with the only character of `run`.
pub(crate) fn bigrams(run: &str, emit: &mut impl FnMut(TextToken<'_>)) {
    let mut starts = run.char_indices().map(|(start, _)| start).chain([run.len()]);
    let (Some(mut first), Some(mut second)) = (starts.next(), starts.next()) else { return };
    if second == run.len() {
        return emit(TextToken { term: run, written: run, kind: TokenKind::Cjk });
    }
    for third in starts {
        let term = run.get(first..third).unwrap_or_default();
        emit(TextToken { term, written: term, kind: TokenKind::Cjk });
        first = second;
        second = third;
    }
}

fn lower_into(text: &str, out: &mut String) {
    out.clear();
    if text.is_ascii() {
        out.push_str(text);
        out.make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}
