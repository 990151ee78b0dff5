//! Recognises passwords that consist of words and a number after them: `AdminPassword123`.

use super::{MAX_LENGTH, MIN_WORD};
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::dummy_values::{is_dummy, is_placeholder};

/// The lengths of the number at the end of the password.
const NUMBER_LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;
/// The minimum length of the number after the name of a token. Names of variables end with shorter numbers.
const MIN_TOKEN_NUMBER: usize = 3;

/// Returns whether the value consists of letters, at least one of which is a capital, and of a number after them. After a
/// name such as `secret`, the value must be quoted, and its last word must be one for a password: `"secret": "ReportPass20417"`.
pub(super) fn is_numbered(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let words = value.trim_end_matches(|character: char| character.is_ascii_digit());
    let is_named = candidate.name == Name::Password
        || candidate.quoting == Quoting::Quoted && ends_with_password_word(words);
    is_named
        && NUMBER_LENGTHS.contains(&(value.len() - words.len()))
        && (MIN_WORD..=MAX_LENGTH).contains(&value.len())
        && words.bytes().all(|byte| byte.is_ascii_alphabetic())
        && words.bytes().any(|byte| byte.is_ascii_uppercase())
        && !is_placeholder(value)
        && !is_dummy(words)
}

/// Returns whether such a password is assigned to an identifier that ends with a word for a token:
/// `REPORT_TOKEN="ReportPass20417"`.
pub(super) fn is_numbered_token(candidate: &Candidate<'_>) -> bool {
    let between = &candidate.text[candidate.word.end..candidate.value.start];
    let number = candidate.value().bytes().rev().take_while(u8::is_ascii_digit).count();
    candidate.name == Name::Token
        && matches!(candidate.relation, Relation::Equals | Relation::Colon)
        && !between.contains(|sign: char| sign.is_ascii_alphanumeric() || sign == '_')
        && number >= MIN_TOKEN_NUMBER
        && is_numbered(candidate)
}

/// Returns whether the last word is one for a password: `ReportPass`, but not `Compass`.
fn ends_with_password_word(words: &str) -> bool {
    ["Pass", "Password", "Passwd", "Pwd", "Secret"].iter().any(|word| words.ends_with(word))
}
