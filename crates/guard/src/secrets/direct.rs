//! Recognises values that are secrets regardless of their score, such as a literal that is assigned to a password
//! variable.
//!
//! `password: 'rubyslippers'` is a secret although the value consists of words. Labels, placeholders, sentences,
//! types, references and paths are left to the scorer.

mod literal;

use crate::base64;
use crate::bytes::{
    bytes_before, consists_of, contains_any, ends_with_any, equals_any_ignoring_case, run_before,
};
use crate::secrets::WORDS;
use crate::secrets::bounds::{is_chinese, is_value_with_signs};
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::direct::literal::{Literal, is_in_session, is_shell_assignment, literal};
use crate::secrets::forms::{
    Characters, has_digit, is_capitalised_word, is_chosen_password, is_phrase, is_strong_password,
    n_different_signs,
};
use crate::secrets::stand_ins::{is_dummy, is_label, is_placeholder, label_share};
use crate::table::WordList;

const MAX_LENGTH: usize = 64;
const MIN_LENGTH: usize = 4;
/// The minimum length of a password that consists of words. A shorter word may be the name of a rule, a type or a
/// widget: `password: 'text'`.
const MIN_WORD: usize = 8;
/// The minimum length of a quoted key that counts as generated because it contains punctuation characters. An example
/// is Django's `SECRET_KEY`.
const MIN_KEY_WITH_SIGNS: usize = 24;
/// The minimum length of a quoted token that counts as generated because of its punctuation, letters and digits.
const MIN_TOKEN_WITH_SIGNS: usize = 16;
const MIN_SIGNS: usize = 4;

static SETTINGS: WordList = WordList::new(WORDS, "settings");

/// Returns whether the value is a secret because of its form. Such a value is one of the following:
/// - a plausible password or a base64-encoded password after a password name,
/// - a quoted key or token with digits and several different punctuation characters,
/// - a value with signs on a line of an environment file,
/// - a key that a person chose.
pub(crate) fn is_direct(candidate: &Candidate<'_>) -> bool {
    is_key_with_signs(candidate)
        || is_value_with_signs(candidate)
        || candidate.name == Name::Token
            && candidate.value.len() >= MIN_TOKEN_WITH_SIGNS
            && matches!(candidate.relation, Relation::Equals | Relation::Colon)
            && is_sign_rich(candidate)
        || is_secret_of_access_key(candidate)
        || is_chosen_cipher_key(candidate)
        || is_mail_code(candidate)
        || is_numbered_token(candidate)
        || names_password(candidate) && is_encoded(candidate)
        || names_password(candidate)
            && match literal(candidate) {
                Some(Literal::Given) => {
                    is_plausible_password(candidate)
                        || is_mixed(candidate.value())
                        || is_numbered(candidate)
                        || is_sign_rich(candidate)
                        || is_in_session(candidate) && is_phrase(candidate.value())
                }
                Some(Literal::Phrase) => {
                    is_plausible_password(candidate) || is_phrase(candidate.value())
                }
                Some(Literal::Listed) => {
                    is_plausible_password(candidate) && !is_words(candidate.value())
                }
                Some(Literal::Chosen) => true,
                None => false,
            }
}

/// Returns whether the identifier ends with a word for a password (`DB_PASSWORD`, `pwd2`, `secret`) or is a name such
/// as `SECRET_KEY`.
fn names_password(candidate: &Candidate<'_>) -> bool {
    let tail = candidate.tail(b"_-.");
    let is_end = consists_of(tail, u8::is_ascii_digit, "_");
    let is_secret = candidate.word().eq_ignore_ascii_case("secret");
    let is_secret_key = is_secret
        && candidate.relation == Relation::Equals
        && equals_any_ignoring_case(tail, &["_key", "key", "_key_base"]);
    is_secret_key || is_end && (candidate.name == Name::Password || is_secret)
}

/// Returns whether the value is a plausible password rather than a word about passwords.
fn is_plausible_password(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let bytes = value.as_bytes();
    let is_password = candidate.name == Name::Password;
    let min_length = match (is_password, is_words(value)) {
        (true, false) => MIN_LENGTH,
        (true, true) | (false, _) => MIN_WORD,
    };
    let is_constant = !bytes.iter().any(u8::is_ascii_lowercase) && bytes.contains(&b'_');
    let lower = value.to_ascii_lowercase();
    (min_length..=MAX_LENGTH).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_graphic)
        && !is_capitalised_word(value)
        && !is_constant
        && !is_address(value)
        && (!is_camel_case(bytes) || is_unlabelled_constant(candidate))
        && !is_label(value)
        && !repeats_name(candidate)
        && !is_placeholder(value)
        && !is_dummy(value)
        && !describes_handling(value)
        && (is_password
            || has_digit(value)
            || value.contains(['!', '@', '#', '$', '%', '^'])
            || value.contains('-') && !lower.contains("secret")
            || is_in_session(candidate))
        && !value.contains(['(', '<', '{', '[', '|'])
}

/// Returns whether the value is a constant, less than half of which consists of words about passwords. A constant is a
/// quoted literal after `=`, or a value that is assigned in a shell. `password = "aReallyBadPassword"` is accepted.
/// `PASSWORD = "newPassword"` is not, because the value may be the name of a field.
fn is_unlabelled_constant(candidate: &Candidate<'_>) -> bool {
    candidate.relation == Relation::Equals
        && (candidate.quoting == Quoting::Quoted || is_shell_assignment(candidate))
        && label_share(candidate.value()) * 2 < candidate.value.len()
}

/// Returns whether the value is quoted and contains upper-case letters, lower-case letters, digits and at least
/// [`MIN_SIGNS`] different punctuation characters: `F-oS9Su%}<>[];#`.
fn is_sign_rich(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    candidate.quoting == Quoting::Quoted
        && (MIN_WORD..=MAX_LENGTH).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
        && Characters::of(value).are_mixed()
        && n_different_signs(value) >= MIN_SIGNS
        && !is_placeholder(value)
        && !contains_any(
            value,
            &["{}", "](", "=>", "%d", "</", "(?", "[^", "]+", "]*", "{0}", "\\d", "\\w"],
        )
}

/// Returns whether the value is the anchor word, optionally followed by one more character: `password1: "password1"`.
fn repeats_name(candidate: &Candidate<'_>) -> bool {
    let word = candidate.word().as_bytes();
    let value = candidate.value().as_bytes();
    value.len() <= word.len() + 1 && value[..value.len().min(word.len())].eq_ignore_ascii_case(word)
}

/// Returns whether the value describes how passwords are handled: `password: 'bcrypt'`.
pub(crate) fn describes_handling(value: &str) -> bool {
    equals_any_ignoring_case(value, &SETTINGS)
}

/// Returns whether the value looks like a path, a URL, a `key:value` pair or a member name such as `config.password`.
/// Such a value is unlikely to be a password.
fn is_address(value: &str) -> bool {
    value.contains(['\\', ':'])
        || value.contains('/') && !has_digit(value)
        || is_dotted_name(value) && !is_titled(value)
}

/// Recognises words separated by dots, at least one of which is capitalised: `Thunder.Road`, `caspian.Tern`. If one
/// of the words is a label, the value is treated as a member name instead.
fn is_titled(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_uppercase())
        && value.split('.').all(|part| {
            part.starts_with(|first: char| first.is_ascii_alphabetic())
                && consists_of(&part[1..], u8::is_ascii_lowercase, "")
                && !is_label(part)
        })
}

/// Returns whether the value is a base64-encoded string of printable ASCII characters, as in a Kubernetes secret.
fn is_encoded(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let Characters { upper, lower, .. } = Characters::of(value);
    matches!(candidate.relation, Relation::Equals | Relation::Colon)
        && value.len() >= MIN_WORD
        && value.len().is_multiple_of(4)
        && upper.min(lower) > 0
        && !is_dummy(value)
        && base64::decode(value.as_bytes())
            .is_some_and(|decoded| decoded.iter().all(|byte| matches!(byte, b' '..=b'~')))
}

/// Returns whether the value consists of Chinese characters followed by ASCII characters, or the reverse: `口令abc`.
/// Returns false if the value contains a Chinese character that is typical of sentences.
pub(crate) fn is_mixed(value: &str) -> bool {
    const SENTENCE_CHARACTERS: &str =
        "请見见看用支输由查参在与和或是为至不的可必位长最需要同无空有未已个";
    let n_chinese = value.chars().filter(|character| is_chinese(*character)).count();
    let n_letters = value.bytes().filter(u8::is_ascii_alphanumeric).count();
    let n_changes = value
        .chars()
        .zip(value.chars().skip(1))
        .filter(|(first, second)| is_chinese(*first) != is_chinese(*second))
        .count();
    (1..=6).contains(&n_chinese)
        && n_letters >= 3
        && n_changes == 1
        && value.chars().all(|character| character.is_ascii_graphic() || is_chinese(character))
        && !value.contains(|character| SENTENCE_CHARACTERS.contains(character))
}

/// Recognises names separated by dots, such as `settings.password` or `t.form.label`.
pub(crate) fn is_dotted_name(value: &str) -> bool {
    value.contains('.')
        && value
            .split('.')
            .all(|part| part.len() > 1 && consists_of(part, u8::is_ascii_alphabetic, "_-"))
}

fn is_camel_case(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
        && bytes[0].is_ascii_lowercase()
        && bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

pub(crate) fn is_words(value: &str) -> bool {
    consists_of(value, u8::is_ascii_alphabetic, "_-.")
}

/// Returns whether the value is a quoted key with digits and several different punctuation characters. Web frameworks
/// generate such keys.
fn is_key_with_signs(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    candidate.quoting == Quoting::Quoted
        && matches!(
            candidate.relation,
            Relation::Equals | Relation::Colon | Relation::Sign | Relation::Attribute
        )
        && value.len() >= MIN_KEY_WITH_SIGNS
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && Characters::of(value).digits >= MIN_SIGNS
        && n_different_signs(value) > MIN_SIGNS
        && !contains_any(value, &["\\", "%s", "{}"])
}

/// The maximum number of bytes between an access key and its secret.
const MAX_PAIR: usize = 160;
const MAIL_CODE_LENGTH: usize = 16;

/// Returns whether the value is an encryption key or a signing key that a person chose:
/// `encryption_key = 'Tufted!Duck!2020'`.
fn is_chosen_cipher_key(candidate: &Candidate<'_>) -> bool {
    const KEYS: &[&str] = &["encryptionkey", "signingkey", "masterkey", "hmackey", "sharedkey"];
    if candidate.name != Name::Token || candidate.quoting != Quoting::Quoted {
        return false;
    }
    let word = candidate.word().replace(|letter: char| !letter.is_ascii_alphabetic(), "");
    matches!(candidate.relation, Relation::Equals | Relation::Colon | Relation::Sign)
        && equals_any_ignoring_case(word, KEYS)
        && is_strong_password(candidate.value())
}

/// Recognises the 16-letter code that allows a program to read a mailbox: `邮箱授权码 qkzvbtnmwjxhdgfa`.
fn is_mail_code(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    candidate.word() == "授权码"
        && value.len() == MAIL_CODE_LENGTH
        && (value.bytes().all(|byte| byte.is_ascii_lowercase())
            || value.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Returns whether the value is the secret of an access key and was chosen by a person:
/// `accessKey: 'files', secretKey: 'Files_Store@2o24'`.
fn is_secret_of_access_key(candidate: &Candidate<'_>) -> bool {
    let tail = candidate.tail(b"_-").replace(['_', '-'], "");
    if !candidate.word().eq_ignore_ascii_case("secret")
        || !equals_any_ignoring_case(tail, &["key", "accesskey"])
        || !matches!(candidate.relation, Relation::Equals | Relation::Colon)
    {
        return false;
    }
    let before = bytes_before(candidate.before(), candidate.word.start, MAX_PAIR);
    contains_any(before.to_ascii_lowercase(), &["access"])
        && (is_chosen_password(candidate.value())
            // `"Jackdaw_Chimney"`
            || is_plausible_password(candidate)
                && candidate.quoting == Quoting::Quoted
                && candidate.value().contains(['-', '_', '@', '!', '#']))
        && !is_camel_case(candidate.value().as_bytes())
        && !is_dotted_name(candidate.value())
}

/// The lengths of the number at the end of the password.
const NUMBER_LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;
/// The minimum length of the number after the name of a token. Names of variables end with shorter numbers.
const MIN_TOKEN_NUMBER: usize = 3;

/// Returns whether the value consists of letters, at least one of which is a capital, and of a number after them. After a
/// name such as `secret`, the value must be quoted, and its last word must be one for a password: `"secret": "ReportPass20417"`.
fn is_numbered(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let words = value.trim_end_matches(|character: char| character.is_ascii_digit());
    // `ReportPass`, but not `Compass`
    const PASSWORD_WORDS: &[&str] = &["Pass", "Password", "Passwd", "Pwd", "Secret"];
    let is_named = candidate.name == Name::Password
        || candidate.quoting == Quoting::Quoted && ends_with_any(words, PASSWORD_WORDS);
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
fn is_numbered_token(candidate: &Candidate<'_>) -> bool {
    let between = candidate.between();
    let value = candidate.value().as_bytes();
    let number = run_before(value, usize::MAX, |byte| byte.is_ascii_digit());
    candidate.name == Name::Token
        && matches!(candidate.relation, Relation::Equals | Relation::Colon)
        && !between.contains(|sign: char| sign.is_ascii_alphanumeric() || sign == '_')
        && number >= MIN_TOKEN_NUMBER
        && is_numbered(candidate)
}
