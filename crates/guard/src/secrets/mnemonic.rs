//! Finds the recovery phrases of cryptocurrency wallets: 12, 15, 18, 21 or 24 lower-case words after an anchor word.

use super::Secret;

/// Frequent English words that are not in the published list of words.
const OTHER_WORDS: &[&str] = &[
    "the", "and", "for", "are", "was", "with", "from", "not", "has", "have", "you", "your", "they",
];
/// The maximum number of bytes between an anchor word and the start of the phrase.
const MAX_DISTANCE: usize = 64;
/// The allowed lengths of a word in a recovery phrase, in letters. The words of the published list (BIP 39) have three
/// to eight letters.
const WORD_LENGTHS: std::ops::RangeInclusive<usize> = 3..=8;
const MIN_WORDS: usize = 12;
const MAX_WORDS: usize = 24;

/// Returns the recovery phrase after the anchor word that ends at `end`.
pub(crate) fn phrase_after(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(end + MAX_DISTANCE);
    let mut at = end;
    // Prose may precede the phrase. The first run of words with a valid number of words is the phrase.
    while at < limit {
        let (run_end, n_words) = words_from(bytes, at);
        if (MIN_WORDS..=MAX_WORDS).contains(&n_words) && n_words.is_multiple_of(3) {
            return Some(Secret { kind: "recovery-phrase", span: at..run_end });
        }
        // A longer run of words is prose.
        if n_words > MAX_WORDS {
            return None;
        }
        at = bytes[at..]
            .iter()
            .position(|byte| !byte.is_ascii_lowercase())
            .map_or(limit, |skip| at + skip);
        at += bytes[at..].iter().take_while(|byte| !byte.is_ascii_lowercase()).count();
    }
    None
}

/// Returns the recovery phrase directly after the announcement that ends at `end`.
pub(crate) fn phrase_after_announcement(text: &str, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let is_gap = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'"' | b'`');
    let start = end + bytes[end..].iter().take(3).take_while(is_gap).count();
    let (run_end, n_words) = words_from(bytes, start);
    let is_phrase = matches!(n_words, MIN_WORDS | MAX_WORDS)
        && !text
            .get(start..run_end)?
            .split([' ', ',', '\n'])
            .any(|word| OTHER_WORDS.contains(&word));
    is_phrase.then_some(Secret { kind: "recovery-phrase", span: start..run_end })
}

/// Returns the end of the run of words at `start`, and the number of words in the run.
fn words_from(bytes: &[u8], start: usize) -> (usize, usize) {
    let (mut at, mut end, mut n_words) = (start, start, 0);
    while n_words <= MAX_WORDS {
        let length =
            bytes[at..].iter().take(9).take_while(|byte| byte.is_ascii_lowercase()).count();
        crate::work::count(length + 1);
        // A name before a colon starts the next message of a chat.
        if !WORD_LENGTHS.contains(&length) || bytes.get(at + length) == Some(&b':') {
            break;
        }
        n_words += 1;
        end = at + length;
        let gap = bytes[end..]
            .iter()
            .take(3)
            .take_while(|byte| matches!(byte, b' ' | b',' | b'\n'))
            .count();
        if gap == 0 {
            break;
        }
        at = end + gap;
    }
    (end, n_words)
}
