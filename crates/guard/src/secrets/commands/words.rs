//! Splits a command line into words as a shell does.

use crate::bytes::bytes_after;
use crate::secrets::forms::{Characters, is_chosen_password, is_random, is_strong_password};
use std::ops::Range;

const MAX_COMMAND: usize = 512;
/// The minimum length of a generated token that is given instead of a user name. A shorter one may be a user name.
const MIN_TOKEN_USER: usize = 16;

/// One word of a command. The span does not include quotes around the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) span: Range<usize>,
    pub(super) is_quoted: bool,
}

/// The part of a command after its anchor.
pub(super) struct Line<'t> {
    text: &'t str,
    span: Range<usize>,
}

impl<'t> Line<'t> {
    /// Creates a `Line` for the command that continues at `start`. The command ends at the end of the line, unless the
    /// line ends with a backslash or with PowerShell's backtick.
    pub(super) fn after(text: &'t str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let rest = bytes_after(bytes, start, MAX_COMMAND);
        let length = memchr::memchr_iter(b'\n', rest)
            .find(|&end| end == 0 || !matches!(rest[end - 1], b'\\' | b'`'))
            .unwrap_or(rest.len());
        Self { text, span: start..start + length }
    }

    pub(super) fn len(&self) -> usize {
        self.span.len()
    }

    pub(super) fn text(&self, word: &Word) -> &'t str {
        self.text.get(word.span.clone()).unwrap_or_default()
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        let line = &self.text.as_bytes()[self.span.clone()];
        memchr::memmem::find(line, word.as_bytes()).is_some()
    }

    /// Returns the words up to the end of the command.
    pub(super) fn words(&self) -> impl Iterator<Item = Word> + '_ {
        let mut at = self.span.start;
        std::iter::from_fn(move || {
            let (raw, next) = self.raw_word(at)?;
            at = next;
            Some(self.unquoted(raw))
        })
    }

    /// Returns the words that are quoted or that are not flags.
    pub(super) fn arguments(&self) -> impl Iterator<Item = Word> + '_ {
        self.words().filter(|word| word.is_quoted || !self.text(word).starts_with('-'))
    }

    /// Returns the values of the given flags, in order of appearance.
    pub(super) fn flag_values<'f, F: AsRef<str>>(
        &'f self,
        flags: &'f [F],
    ) -> impl Iterator<Item = Word> + 'f {
        let mut at = self.span.start;
        let mut is_value = false;
        std::iter::from_fn(move || {
            loop {
                let (raw, next) = self.raw_word(at)?;
                at = next;
                let word = self.text.get(raw.clone())?;
                if std::mem::take(&mut is_value) {
                    return Some(self.unquoted(raw));
                }
                is_value = flags.iter().any(|flag| flag.as_ref().strip_suffix(' ') == Some(word));
                let attached = flags
                    .iter()
                    .map(AsRef::as_ref)
                    .filter(|flag| !flag.ends_with(' ') && word.len() > flag.len())
                    .find(|flag| word.starts_with(*flag));
                if let (false, Some(flag)) = (is_value, attached) {
                    return Some(self.unquoted(raw.start + flag.len()..raw.end));
                }
            }
        })
    }

    /// Returns the values of one-letter flags that are the last flag in a group: `-sSu value`.
    pub(super) fn cluster_values<'f, F: AsRef<str>>(
        &'f self,
        flags: &'f [F],
    ) -> impl Iterator<Item = Word> + 'f {
        self.words().zip(self.words().skip(1)).filter_map(move |(flag, value)| {
            let is_listed = flags.iter().map(AsRef::as_ref).any(|listed| {
                listed.len() == 3 && listed.ends_with(' ') && {
                    let letter = listed.as_bytes()[1];
                    self.is_cluster_with(&flag, letter)
                        && self.text(&flag).as_bytes().ends_with(&[letter])
                }
            });
            (is_listed && self.text(&flag).len() > 2).then_some(value)
        })
    }

    /// Returns whether the word is a group of one-letter flags that includes `letter`: `-cb`.
    pub(super) fn is_cluster_with(&self, word: &Word, letter: u8) -> bool {
        self.text(word).as_bytes().strip_prefix(b"-").is_some_and(|letters| {
            letters.iter().all(u8::is_ascii_alphabetic) && letters.contains(&letter)
        })
    }

    /// Returns the part of the word after the first `separator`, or `None` if the word has no separator or starts with
    /// the separator.
    pub(super) fn after_separator(&self, word: Word, separator: u8) -> Option<Word> {
        let at = memchr::memchr(separator, self.text(&word).as_bytes()).filter(|at| *at > 0)?;
        let rest = self.unquoted(word.span.start + at + 1..word.span.end);
        Some(Word { is_quoted: word.is_quoted || rest.is_quoted, span: rest.span })
    }

    /// Returns the password in a word of the form `user:password` or `:password`. If the password is empty, returns the
    /// user name if it looks like a token, as in `-u token:`.
    pub(super) fn password_of_pair(&self, word: Word, separator: u8) -> Option<Word> {
        let pair = self.text(&word);
        let span = word.span.clone();
        if let Some(user) = pair
            .strip_suffix(char::from(separator))
            .filter(|user| is_token(user) && !is_short_user_name(user))
        {
            return Some(Word { span: span.start..span.start + user.len(), ..word });
        }
        let password = pair.strip_prefix(char::from(separator));
        if password.is_some_and(|password| is_token(password) || is_strong_password(password)) {
            return Some(Word { span: span.start + 1..span.end, ..word });
        }
        self.after_separator(word, separator)
    }

    /// Returns the password in a word of the form `user:password@host`.
    pub(super) fn target_password(&self, word: &Word) -> Option<Word> {
        let target = self.text(word);
        let (colon, at_sign) = (target.find(':')?, target.rfind('@')?);
        (0 < colon && colon < at_sign).then(|| Word {
            span: word.span.start + colon + 1..word.span.start + at_sign,
            is_quoted: true,
        })
    }

    /// Returns the word without its first character, or `None` if the first character is not `mark`.
    pub(super) fn without_mark(&self, word: Word, mark: u8) -> Option<Word> {
        (self.text(&word).as_bytes().first() == Some(&mark))
            .then(|| Word { span: word.span.start + 1..word.span.end, is_quoted: word.is_quoted })
    }

    /// Returns the range of the next word at or after `at`, including quotes, and the position after the word. Returns
    /// `None` at a pipe, a redirection or the end of the command.
    fn raw_word(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let line = &self.text.as_bytes()[..self.span.end];
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
        let mut start = at;
        while line.get(start).is_some_and(is_blank) {
            // A backslash at the end of a line joins two lines; any other backslash starts a word.
            if line[start] == b'\\' && line.get(start + 1) != Some(&b'\n') {
                break;
            }
            start += 1;
        }
        let mut end = start;
        while let Some(&byte) = line.get(end) {
            match byte {
                b'"' | b'\'' if opens_quote(&line[start..end]) => {
                    let length = memchr::memchr(byte, &line[end + 1..]);
                    end = length.map_or(line.len(), |length| end + length + 2);
                    continue;
                }
                b'"' | b'\'' | b'`' | b'|' | b';' | b')' => break,
                _ if byte.is_ascii_whitespace() => break,
                _ => end += 1,
            }
        }
        let is_joint = matches!(&line[start..end], b"&&" | b"<<<" | b">" | b">>");
        (end > start && !is_joint).then_some((start..end, end))
    }

    fn unquoted(&self, raw: Range<usize>) -> Word {
        let bytes = &self.text.as_bytes()[raw.clone()];
        match bytes {
            [open @ (b'"' | b'\''), inner @ .., close] if open == close => {
                Word { span: raw.start + 1..raw.start + 1 + inner.len(), is_quoted: true }
            }
            [b'"' | b'\'', ..] => Word { span: raw.start + 1..raw.end, is_quoted: true },
            _ => Word { span: raw, is_quoted: false },
        }
    }
}

/// Returns whether the value looks generated, or is a chosen password with a character that user names do not contain.
fn is_token(value: &str) -> bool {
    is_random(value)
        || value.contains(['!', '#', '$', '%', '^', '&', '*', '?', '~'])
            && is_chosen_password(value)
}

/// Returns whether the value may be the short name of an account, such as `jdoe-adm1`.
fn is_short_user_name(value: &str) -> bool {
    value.len() < MIN_TOKEN_USER
        && !Characters::of(value).are_mixed()
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Returns whether a quote after `word`, the part of a word read so far, opens a quoted section. This is the case if
/// `word` is empty or ends like `-p`, `--flag=` or `user:`.
fn opens_quote(word: &[u8]) -> bool {
    word.is_empty()
        || matches!(word, [b'-', _])
        || matches!(word.last(), Some(b'=' | b':' | b'%' | b','))
}
