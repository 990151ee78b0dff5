//! What Chinese words are called in code, as public projects call them: 证书 is `cert` or `ssl`, 弹窗 `modal` or `dialog`.
//!
//! Learned by `cargo xtask words` (`docs/design/ranking.md`), sorted by bytes and searched by halves where it lies, as the
//! glossary is. Less sure than what a person wrote down, so every word of code has its chance.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use super::glossary::find;

/// One Chinese word a line, then words of code as the index has them, each with the share of the places where the Chinese word
/// is called so, in hundredths: `证书 certificat=23 cert=14 ssl=9`.
const TABLE: &str = include_str!("learned.txt");

/// How long the words of the table are, in characters; one character alone is none.
pub(super) const LENGTHS: RangeInclusive<usize> = 2..=5;

/// The words of code for a Chinese word, and how sure each is.
///
/// The root of the share: a word that has several names is not less sure to have one of them.
pub(super) fn meanings(word: &str) -> Option<impl Iterator<Item = (&'static str, f32)> + use<>> {
    let line = find(TABLE, word)?;
    Some(line.split_ascii_whitespace().filter_map(|meaning| {
        let (english, hundredths) = meaning.split_once('=')?;
        Some((english, (hundredths.parse::<f32>().ok()? / 100.0).sqrt()))
    }))
}
