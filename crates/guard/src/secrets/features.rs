//! Computes the binary features that the scorer uses. They describe a candidate's context and characters.

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::cursor::{contains_any, is_word_or, run_after};
use crate::secrets::forms::is_uuid;
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

/// A set of features: bit `n` represents row `n` of `tables/features.txt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FeatureSet(u64);

impl FeatureSet {
    fn set(&mut self, index: &mut usize, is_present: bool) {
        self.0 |= u64::from(is_present) << *index;
        *index += 1;
    }

    pub(crate) fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }
}

pub(crate) fn features(candidate: &Candidate<'_>) -> FeatureSet {
    let mut set = FeatureSet::default();
    let mut index = 0;
    set.set(&mut index, true);
    context(candidate, &mut set, &mut index);
    let value = candidate.value();
    let start = &value[..value.floor_char_boundary(MAX_VALUE)];
    characters(candidate, start, &mut set, &mut index);
    debug_assert_eq!(index, N_FEATURES, "one bit for each feature");
    set
}

fn context(candidate: &Candidate<'_>, set: &mut FeatureSet, index: &mut usize) {
    let before = candidate.before().as_bytes();
    let word = candidate.word().as_bytes();
    let after = candidate.between().as_bytes();
    let head = candidate.head(b"_-");
    let identifier_start = before.len() - head.len();
    let tail = run_after(after, after.len(), |byte| is_word_or(byte, b"_-"));
    let rest = candidate.after();

    set.set(index, candidate.quoting == Quoting::Quoted);
    // One feature for each relation, in the order of the enumeration.
    for relation in 0..=Relation::RestOfLine as usize {
        set.set(index, candidate.relation as usize == relation);
    }
    set.set(index, candidate.name == Name::Public);
    set.set(index, candidate.name == Name::Provider);
    set.set(
        index,
        word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase),
    );
    set.set(index, !head.is_empty());
    set.set(index, tail > 0);
    set.set(index, has_key_word(head) || has_key_word(&after[..tail]));
    let is_line_start = before[..identifier_start]
        .iter()
        .rev()
        .take(16)
        .take_while(|byte| **byte != b'\n')
        .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'"' | b'\'' | b'#' | b'*'));
    set.set(index, is_line_start);
    let ends_line = rest
        .iter()
        .take(4)
        .find(|byte| !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b' ' | b'\r'))
        .is_none_or(|&byte| byte == b'\n');
    set.set(index, ends_line);
    set.set(index, candidate.value().contains(' '));
    set.set(index, has_login(&before[before.len().saturating_sub(MAX_LOGIN_DISTANCE)..]));
}

fn has_key_word(part: &[u8]) -> bool {
    const WORDS: &[&str] = &["key", "token", "secret", "pass", "auth", "access", "api", "private"];
    contains_any(&part.to_ascii_lowercase(), WORDS)
}

fn has_login(before: &[u8]) -> bool {
    const WORDS: &[&str] = &["user", "login", "admin", "root", "machine", "用户", "账号", "帐号"];
    contains_any(&before.to_ascii_lowercase(), WORDS)
}

struct CharacterCounts {
    digits: usize,
    upper: usize,
    lower: usize,
    marks: usize,
    hex: usize,
    changes: usize,
}

impl CharacterCounts {
    fn of(value: &[u8]) -> Self {
        let count = |accept: fn(&u8) -> bool| value.iter().filter(|byte| accept(byte)).count();
        let kind = |byte: u8| match byte {
            b'a'..=b'z' => 0,
            b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            _ => 3,
        };
        Self {
            digits: count(u8::is_ascii_digit),
            upper: count(u8::is_ascii_uppercase),
            lower: count(u8::is_ascii_lowercase),
            marks: count(|byte| {
                matches!(
                    byte,
                    b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~' | b'?' | b'+'
                )
            }),
            hex: count(u8::is_ascii_hexdigit),
            changes: value
                .windows(2)
                .filter(|pair| {
                    let (first, second) = (kind(pair[0]), kind(pair[1]));
                    first != second && first != 3 && second != 3 && (first == 2 || second == 2)
                })
                .count(),
        }
    }
}

fn characters(candidate: &Candidate<'_>, value: &str, set: &mut FeatureSet, index: &mut usize) {
    let bytes = value.as_bytes();
    let counts = CharacterCounts::of(bytes);
    let length = candidate.value.len();
    for (min, max) in [(0, 5), (6, 7), (8, 11), (12, 15), (16, 23), (24, 39), (40, usize::MAX)] {
        set.set(index, (min..=max).contains(&length));
    }
    let letters = counts.upper + counts.lower;
    let body = value.trim_end_matches('=').as_bytes();
    let surprise = surprise(body);
    let is_hex = counts.hex + memchr::memchr_iter(b'-', bytes).count() == bytes.len()
        && counts.digits >= 2
        && letters >= 2;
    set.set(index, counts.digits > 0);
    set.set(index, counts.upper > 0 && counts.lower > 0);
    set.set(index, counts.upper > 0 && counts.lower == 0);
    set.set(index, counts.marks > 0);
    set.set(index, counts.digits * 4 >= bytes.len());
    set.set(index, counts.digits == bytes.len());
    set.set(index, is_hex);
    set.set(index, is_uuid(value));
    set.set(index, letters == bytes.len());
    set.set(index, surprise >= RANDOM);
    set.set(index, surprise >= VERY_RANDOM);
    set.set(
        index,
        letters + counts.digits >= 4
            && surprise * 2 >= i32::try_from(body.len()).unwrap_or(i32::MAX),
    );
    set.set(index, surprise < 0);
    set.set(index, is_placeholder(value));
    set.set(index, is_dummy(value.trim_end_matches('=')));
    set.set(index, is_label(value));
    set.set(index, label_share(value) * 2 >= bytes.len());
    let is_base64 = counts.digits > 0 && counts.upper > 1 && counts.lower > 1 && !is_dotted(bytes);
    set.set(
        index,
        value.contains(['\\', ':']) || value.contains('/') && !is_base64 || is_dotted(bytes),
    );
    set.set(index, is_separated_words(bytes));
    set.set(
        index,
        letters == bytes.len() && counts.lower > 0 && bytes[1..].iter().any(u8::is_ascii_uppercase),
    );
    set.set(index, counts.lower == 0 && counts.upper > 0 && bytes.contains(&b'_'));
    set.set(
        index,
        value.contains(['(', ')', '[', ']', '{', '}', '<', '>', '|', ';', '='])
            && !value.ends_with('='),
    );
    let word = candidate.word().as_bytes().to_ascii_lowercase();
    set.set(index, memchr::memmem::find(&bytes.to_ascii_lowercase(), &word).is_some());
    set.set(index, letters == bytes.len() && counts.upper == 1 && bytes[0].is_ascii_uppercase());
    set.set(index, counts.changes >= 2);
    set.set(index, counts.changes >= 5);
    set.set(index, value.ends_with('=') || value.contains(['+', '/']) && is_base64);
    set.set(index, !value.is_ascii());
    set.set(index, is_hex && matches!(length, 32 | 40 | 56 | 64 | 96 | 128));
    set.set(index, candidate.name == Name::Vague && surprise >= RANDOM && counts.digits >= 2);
    set.set(index, counts.digits == 0 && candidate.quoting == Quoting::Bare);
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
