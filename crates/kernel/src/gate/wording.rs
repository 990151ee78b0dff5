//! Measures the wording of a prompt: its words, pairs of words and sequences of two to four characters. Each of them
//! has a learned weight. Requests are therefore recognised in any language, even if the table of request words does not
//! contain their words.
//!
//! The features are hashed into a table of weights. Features that share a weight do little harm, because a prompt has
//! hundreds of features.

use std::collections::BTreeMap;

/// The number of weights in the table.
pub const N_WEIGHTS: usize = 1 << 16;
/// The number of characters that are read from the start of a prompt.
const HEAD_CHARS: usize = 500;
/// The number of characters that are read from the end of a prompt.
const TAIL_CHARS: usize = 200;
/// The lengths of the character sequences.
const SEQUENCE_CHARS: std::ops::RangeInclusive<usize> = 2..=4;

/// The part of the input that a feature comes from. Features of different parts are hashed separately.
#[derive(Clone, Copy)]
enum Part {
    Words,
    Sequences,
    PreviousWords,
}

/// A wording feature: the index of its weight in the table, and its value.
pub type WordingFeature = (u16, f32);

/// Measures the wording of a prompt and of the prompt before it. Returns each index once, in ascending order.
#[must_use]
pub fn measure_wording(prompt: &str, previous: Option<&str>) -> Vec<WordingFeature> {
    let prompt = excerpt(prompt);
    let words = words(&prompt);
    let pairs = words.windows(2).map(|pair| hash(Part::Words, [pair[0], " ", pair[1]]));
    let singles = words.iter().map(|word| hash(Part::Words, [*word]));
    let mut features = BTreeMap::new();
    add(&mut features, 4.0, singles.chain(pairs));
    add(&mut features, 4.0, sequences(&prompt).into_iter());
    let previous = excerpt(previous.unwrap_or_default());
    let earlier = self::words(&previous);
    add(&mut features, 2.0, earlier.iter().map(|word| hash(Part::PreviousWords, [*word])));
    features.into_iter().collect()
}

/// Returns a text in lower case. Of a long text, returns only the start and the end.
fn excerpt(text: &str) -> String {
    let n_chars = text.chars().count();
    let skipped = HEAD_CHARS..n_chars.saturating_sub(TAIL_CHARS).max(HEAD_CHARS);
    let kept = text.chars().enumerate().filter(|(at, _)| !skipped.contains(at));
    kept.flat_map(|(_, character)| character.to_lowercase()).collect()
}

fn words(text: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect()
}

/// Returns the hashes of the character sequences. A sequence does not cross white space.
fn sequences(text: &str) -> Vec<u16> {
    let mut hashes = Vec::new();
    for word in text.split_whitespace() {
        let padded: Vec<char> = std::iter::once(' ').chain(word.chars()).chain([' ']).collect();
        for n_chars in SEQUENCE_CHARS {
            for sequence in padded.windows(n_chars) {
                let mut bytes = [0; 16];
                let mut length = 0;
                for character in sequence {
                    length += character.encode_utf8(&mut bytes[length..]).len();
                }
                let sequence = std::str::from_utf8(&bytes[..length]).unwrap_or_default();
                hashes.push(hash(Part::Sequences, [sequence]));
            }
        }
    }
    hashes
}

/// Adds the features of one part. Their values are proportional to the number of occurrences and form a vector of
/// length `factor`, so that a long prompt does not count more than a short one.
fn add(features: &mut BTreeMap<u16, f32>, factor: f32, hashes: impl Iterator<Item = u16>) {
    let mut counts: BTreeMap<u16, f32> = BTreeMap::new();
    for hash in hashes {
        *counts.entry(hash).or_default() += 1.0;
    }
    let norm = counts.values().map(|count| count * count).sum::<f32>().sqrt();
    for (place, count) in counts {
        *features.entry(place).or_default() += factor * count / norm;
    }
}

/// Returns the FNV-1a hash of the texts, folded to the size of the table of weights.
fn hash<const N: usize>(part: Part, texts: [&str; N]) -> u16 {
    const PRIME: u32 = 16_777_619;
    let start = (2_166_136_261 ^ part as u32).wrapping_mul(PRIME);
    let bytes = texts.into_iter().flat_map(str::bytes);
    let hash = bytes.fold(start, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME));
    ((hash >> 16) ^ (hash & 0xffff)) as u16
}
