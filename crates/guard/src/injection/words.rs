//! A text as words: lower case, disguises removed, each with its place in the source.
//!
//! A Chinese, Japanese or Korean ideograph is a word of its own; a mail address becomes `address@host`.

use std::ops::Range;

use super::disguise::{is_invisible, plain};

/// What stands for any mail address.
pub(crate) const ADDRESS: &str = "address@host";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) source: Range<usize>,
    /// First word of a line, behind comment marks and quotes.
    pub(crate) starts_line: bool,
    /// First word of a sentence.
    pub(crate) starts_sentence: bool,
    /// A colon follows directly.
    pub(crate) has_colon: bool,
    /// Letters were hidden, replaced or pulled apart.
    pub(crate) disguised: bool,
}

/// The words of `text`, whose first byte is at `offset` of the source.
pub(crate) fn words(text: &str, offset: usize) -> Vec<Word> {
    let mut reader =
        Reader { words: Vec::new(), word: None, starts_line: true, starts_sentence: true };
    let mut characters = text.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        let source = offset + index..offset + index + character.len_utf8();
        let next = characters.peek().map(|&(_, next)| next);
        reader.read(character, next, source);
    }
    reader.end_word();
    let mut words = reader.words;
    join_addresses(text, offset, &mut words);
    super::disguise::join_letters(text, offset, &mut words);
    words
}

struct Reader {
    words: Vec<Word>,
    word: Option<Word>,
    starts_line: bool,
    starts_sentence: bool,
}

impl Reader {
    fn read(&mut self, character: char, next: Option<char>, source: Range<usize>) {
        if is_invisible(character) {
            if let Some(word) = &mut self.word {
                word.disguised = true;
                word.source.end = source.end;
            }
        } else if is_ideograph(character) {
            self.end_word();
            self.push(character, source);
            self.end_word();
        } else if plain(character).is_alphanumeric() || is_mark(character) {
            self.push(character, source);
        } else if !(matches!(character, '\'' | '’')
            && self.word.is_some()
            && next.is_some_and(char::is_alphabetic))
        {
            self.end_word();
            self.punctuate(character, next);
        }
    }

    fn push(&mut self, character: char, source: Range<usize>) {
        let shown = plain(character);
        let word = self.word.get_or_insert_with(|| Word {
            text: String::new(),
            source: source.clone(),
            starts_line: self.starts_line,
            starts_sentence: self.starts_sentence,
            has_colon: false,
            disguised: false,
        });
        word.disguised |= shown != character && !is_accented(character);
        word.text.extend(shown.to_lowercase());
        word.source.end = source.end;
        (self.starts_line, self.starts_sentence) = (false, false);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn punctuate(&mut self, character: char, next: Option<char>) {
        match character {
            '\n' => self.starts_line = true,
            ':' | '：' => {
                if let Some(last) = self.words.last_mut() {
                    last.has_colon = true;
                }
                self.starts_sentence |= next.is_none_or(|next| !next.is_alphanumeric());
            }
            '。' | '！' | '？' | '；' | '"' | '“' | '”' | '<' | '>' | '(' | '（' | '\'' | '‘' => {
                self.starts_sentence = true
            }
            '.' | '!' | '?' | ';' => {
                self.starts_sentence |= next.is_none_or(|next| !next.is_alphanumeric())
            }
            _ => {}
        }
    }
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Vowel signs of Indic scripts belong to their word though they are no letters.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{0900}'..='\u{0963}' | '\u{0981}'..='\u{09e3}' | '\u{0e00}'..='\u{0e4e}' | '\u{064b}'..='\u{0652}')
}

fn is_accented(character: char) -> bool {
    matches!(character, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// `name` `host` `com` written `name@host.com` are one word.
fn join_addresses(text: &str, offset: usize, words: &mut [Word]) {
    for at in memchr::memchr_iter(b'@', text.as_bytes()) {
        let source = offset + at;
        let after = words.partition_point(|word| word.source.start <= source);
        let touches = after > 0
            && words.get(after).is_some_and(|host| {
                host.source.start == source + 1 && words[after - 1].source.end == source
            });
        if touches {
            ADDRESS.clone_into(&mut words[after].text);
        }
    }
}

#[cfg(test)]
mod tests;
