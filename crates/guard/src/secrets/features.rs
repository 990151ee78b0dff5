//! Computes the binary features that the scorer uses. They describe a candidate's context and characters.

use crate::bytes::{bytes_before, consists_of, contains_any, is_word_or, run_after};
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::forms::{Characters, is_uuid};
use crate::secrets::letters::surprise;
use crate::secrets::stand_ins::{is_dummy, is_label, is_placeholder, label_share};
use crate::table;
use std::sync::LazyLock;

/// The maximum number of bytes in a value that are examined. This bounds the work.
const MAX_VALUE: usize = 160;
/// The maximum number of bytes between a user name and the password after it.
const MAX_LOGIN_DISTANCE: usize = 96;
/// The minimum surprise (see `letters`), in half nats, of a value that counts as random. Identifiers rarely have such
/// a high surprise.
const RANDOM: i32 = 9;
const VERY_RANDOM: i32 = 24;

/// The number of rows in `tables/features.txt`.
pub(crate) const N_FEATURES: usize = 61;

/// The weights of the features for one kind of name, in sixteenths of a nat.
pub(crate) type Weights = [i16; N_FEATURES];

/// The weights for the values of password names, token names and vague names.
pub(crate) static WEIGHTS: LazyLock<[Weights; 3]> = LazyLock::new(|| {
    let mut weights = [[0; N_FEATURES]; 3];
    for (index, [_, password, token, vague]) in table::rows(FEATURES).take(N_FEATURES).enumerate() {
        for (row, weight) in weights.iter_mut().zip([password, token, vague]) {
            row[index] = weight.parse().unwrap_or(0);
        }
    }
    weights
});

/// The name of each feature and its weights.
pub(crate) const FEATURES: &str = include_str!("tables/features.txt");

/// Returns whether each feature is present, in the order of the rows of `tables/features.txt`.
pub(crate) fn features(candidate: &Candidate<'_>) -> Vec<bool> {
    let value = candidate.value();
    let start = &value[..value.floor_char_boundary(MAX_VALUE)];
    let present = [vec![true], context(candidate), characters(candidate, start)].concat();
    debug_assert_eq!(present.len(), N_FEATURES, "one value for each feature");
    present
}

/// Returns the features that describe the name and the text around the value.
fn context(candidate: &Candidate<'_>) -> Vec<bool> {
    let before = candidate.before();
    let word = candidate.word().as_bytes();
    let after = candidate.between().as_bytes();
    let head = candidate.head(b"_-");
    let tail = run_after(after, after.len(), |byte| is_word_or(byte, b"_-"));
    let is_line_start = before[..before.len() - head.len()]
        .iter()
        .rev()
        .take(16)
        .take_while(|byte| **byte != b'\n')
        .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'"' | b'\'' | b'#' | b'*'));
    let ends_line = candidate
        .after()
        .iter()
        .take(4)
        .find(|byte| !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b' ' | b'\r'))
        .is_none_or(|&byte| byte == b'\n');
    let mut present = vec![candidate.quoting == Quoting::Quoted];
    // One feature for each relation, in the order of the enumeration.
    let relations = 0..=Relation::RestOfLine as usize;
    present.extend(relations.map(|relation| candidate.relation as usize == relation));
    present.extend([
        candidate.name == Name::Public,
        candidate.name == Name::Provider,
        word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase),
        !head.is_empty(),
        tail > 0,
        has_key_word(head) || has_key_word(&after[..tail]),
        is_line_start,
        ends_line,
        candidate.value().contains(' '),
        contains_any(
            bytes_before(before, before.len(), MAX_LOGIN_DISTANCE).to_ascii_lowercase(),
            LOGIN_WORDS,
        ),
    ]);
    present
}

fn has_key_word(part: &[u8]) -> bool {
    const WORDS: &[&str] = &["key", "token", "secret", "pass", "auth", "access", "api", "private"];
    contains_any(part.to_ascii_lowercase(), WORDS)
}

const LOGIN_WORDS: &[&str] = &["user", "login", "admin", "root", "machine", "用户", "账号", "帐号"];

/// Returns the features that describe the characters of `value`, the start of the candidate's value.
fn characters(candidate: &Candidate<'_>, value: &str) -> Vec<bool> {
    const LENGTHS: [(usize, usize); 7] =
        [(0, 5), (6, 7), (8, 11), (12, 15), (16, 23), (24, 39), (40, usize::MAX)];
    let bytes = value.as_bytes();
    let counts = Characters::of(value);
    let Characters { upper, lower, digits, .. } = counts;
    let letters = counts.letters();
    let length = candidate.value.len();
    let body = value.trim_end_matches('=').as_bytes();
    let surprise = surprise(body);
    let is_hex = consists_of(value, u8::is_ascii_hexdigit, "-") && digits >= 2 && letters >= 2;
    let is_base64 = digits > 0 && upper > 1 && lower > 1 && !is_dotted(bytes);
    let word = candidate.word().to_ascii_lowercase();
    let n_changes = n_changes(bytes);
    let mut present = LENGTHS.map(|(min, max)| (min..=max).contains(&length)).to_vec();
    present.extend([
        digits > 0,
        upper > 0 && lower > 0,
        upper > 0 && lower == 0,
        value.contains(['!', '@', '#', '$', '%', '^', '&', '*', '~', '?', '+']),
        digits * 4 >= bytes.len(),
        digits == bytes.len(),
        is_hex,
        is_uuid(value),
        letters == bytes.len(),
        surprise >= RANDOM,
        surprise >= VERY_RANDOM,
        letters + digits >= 4 && surprise * 2 >= i32::try_from(body.len()).unwrap_or(i32::MAX),
        surprise < 0,
        is_placeholder(value),
        is_dummy(value.trim_end_matches('=')),
        is_label(value),
        label_share(value) * 2 >= bytes.len(),
        value.contains(['\\', ':']) || value.contains('/') && !is_base64 || is_dotted(bytes),
        is_separated_words(bytes),
        letters == bytes.len() && lower > 0 && bytes[1..].iter().any(u8::is_ascii_uppercase),
        lower == 0 && upper > 0 && bytes.contains(&b'_'),
        value.contains(['(', ')', '[', ']', '{', '}', '<', '>', '|', ';', '='])
            && !value.ends_with('='),
        value.to_ascii_lowercase().contains(&word),
        letters == bytes.len() && upper == 1 && bytes[0].is_ascii_uppercase(),
        n_changes >= 2,
        n_changes >= 5,
        value.ends_with('=') || value.contains(['+', '/']) && is_base64,
        !value.is_ascii(),
        is_hex && matches!(length, 32 | 40 | 56 | 64 | 96 | 128),
        candidate.name == Name::Vague && surprise >= RANDOM && digits >= 2,
        digits == 0 && candidate.quoting == Quoting::Bare,
    ]);
    present
}

/// Returns how often a digit follows a letter, or a letter follows a digit.
fn n_changes(value: &[u8]) -> usize {
    let is_change =
        |first: &u8, second: &u8| first.is_ascii_digit() && second.is_ascii_alphabetic();
    let pairs = value.windows(2);
    pairs.filter(|pair| is_change(&pair[0], &pair[1]) || is_change(&pair[1], &pair[0])).count()
}

/// Returns whether the value contains a dot between two letters, as in a member name or a file name.
fn is_dotted(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|three| {
        three[1] == b'.' && three[0].is_ascii_alphabetic() && three[2].is_ascii_alphabetic()
    })
}

/// Returns whether the value consists of lower-case words with separators, as in `snake_case`, `kebab-case` and
/// prose.
fn is_separated_words(bytes: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'_' | b'-' | b' ' | b'.');
    bytes.iter().any(is_separator)
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || is_separator(byte))
}
