//! Decides whether a candidate is a secret. Values that cannot be secrets are rejected first. The remaining values are
//! accepted by a linear model over [`features`], or because of their form.

mod exclusions;
mod keys;

use crate::bytes::{bytes_before, consists_of, contains_any, ends_with_any};
use crate::secrets::MARK;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::direct::{describes_handling, is_direct, is_dotted_name};
use crate::secrets::features::{N_FEATURES, WEIGHTS, features};
use crate::secrets::forms::{MIN_PASSWORD, has_digit, is_random};
use crate::secrets::stand_ins::{is_example, is_masked, is_published, is_reference};
use crate::secrets::verdict::exclusions::is_ordinary;
use crate::secrets::verdict::keys::{
    is_base64_after_slash, is_generated_key, is_service_key, names_public_key,
};
use crate::work;

const MAX_EXAMINED: usize = 160;
const MAX_LOGIN: usize = 40;
const MIN_TOKEN: usize = 8;
/// The minimum length of a number in a sentence that may be a secret. Shorter numbers are treated as lengths or
/// counts.
const MIN_NUMBER: usize = 6;
const MIN_VAGUE: usize = 10;
/// The number of hexadecimal digits of a 64-bit number.
const MAX_HEXADECIMAL_NUMBER: usize = 16;
/// The minimum length of a token that contains no digit and follows its name without an operator. Shorter values are
/// treated as words in a sentence.
const MIN_WITHOUT_DIGIT: usize = 16;

/// The prefix of the PostHog keys that web pages contain.
const PUBLISHABLE_PREFIX: &str = "phc_";

/// About this many of the checks below read the whole value.
const READS_PER_VALUE: usize = 20;

pub(crate) fn is_secret(candidate: &Candidate<'_>) -> bool {
    work::count(READS_PER_VALUE * candidate.value().len());
    // Few values after the name of a service look generated, so this check is made first.
    if candidate.name == Name::Service {
        return is_service_key(candidate) && is_possible(candidate);
    }
    if !is_possible(candidate) {
        return false;
    }
    #[cfg(feature = "training")]
    if super::training::record(candidate) {
        return false;
    }
    score(candidate) > 0
        || is_service_key(candidate)
        || is_assigned_random_value(candidate)
        || is_generated_key(candidate)
        || is_assigned_after_slash(candidate)
        || is_direct(candidate)
}

/// Returns whether a random base64 string that starts with a slash is assigned to the name of a secret.
fn is_assigned_after_slash(candidate: &Candidate<'_>) -> bool {
    matches!(candidate.name, Name::Token | Name::Password)
        && matches!(
            candidate.relation,
            Relation::Equals
                | Relation::Colon
                | Relation::Flag
                | Relation::Attribute
                | Relation::Beside
        )
        && is_base64_after_slash(start_of(candidate.value()))
}

/// Returns whether a random value is assigned to a token name.
fn is_assigned_random_value(candidate: &Candidate<'_>) -> bool {
    candidate.name == Name::Token
        && matches!(candidate.relation, Relation::Equals | Relation::Colon | Relation::Flag)
        && candidate.value().is_ascii()
        && is_random(start_of(candidate.value()))
}

/// Returns the sum of the weights of the candidate's features, in sixteenths of a nat. A positive score means that the
/// value is probably a secret.
fn score(candidate: &Candidate<'_>) -> i32 {
    let weights = &WEIGHTS[candidate.name.group()];
    work::count(N_FEATURES);
    let present = features(candidate).into_iter().zip(weights);
    present.filter(|(is_present, _)| *is_present).map(|(_, weight)| i32::from(*weight)).sum()
}

/// Returns whether the value could be a secret. Such a value is long enough, is not a reference, code, a mask or a
/// word in a sentence, and has not been published.
pub(crate) fn is_possible(candidate: &Candidate<'_>) -> bool {
    let value = start_of(candidate.value());
    let min = [MIN_PASSWORD, MIN_TOKEN, MIN_VAGUE][candidate.name.group()];
    let is_generated = candidate.name != Name::Password;
    value.len() >= min
        && !value.contains(MARK)
        && (!is_generated || value.bytes().all(is_value_byte) || is_direct(candidate))
        && !(is_generated
            && matches!(candidate.relation, Relation::Beside | Relation::RestOfLine)
            && !has_digit(value)
            && value.len() < MIN_WITHOUT_DIGIT)
        && !describes_handling(value)
        && !is_ordinary(candidate, value)
        && !names_public_key(candidate)
        && (!is_reference(value) || is_assigned_after_slash(candidate))
        && !is_expression(candidate)
        && !is_call_of_literal(value)
        && !is_word_of_sentence(candidate)
        && !is_masked(value)
        && !is_example(value)
        && !value.starts_with(PUBLISHABLE_PREFIX)
        && !is_published(value)
}

/// Returns the part of the value that is examined. Its limited length bounds the work.
fn start_of(value: &str) -> &str {
    &value[..value.floor_char_boundary(MAX_EXAMINED)]
}

pub(crate) fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'`' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>')
}

/// Returns whether the value is unquoted code, such as a call, a comparison or a member name.
fn is_expression(candidate: &Candidate<'_>) -> bool {
    let value = start_of(candidate.value());
    candidate.quoting == Quoting::Bare
        && (value.contains("->")
            || value.trim_end_matches('=').contains("==")
            || value.contains("=>")
            || value.contains(['{', '[', '(', '|'])
            || value.ends_with(':')
            || is_number_in_code(value)
            || is_attribute(candidate, value)
            || candidate.relation == Relation::Beside && value.trim_end_matches('=').contains('=')
            || is_member_expression(candidate, value)
            // A tag of YAML, such as `!vault`. The actual value is on the following lines or in another file.
            || value
                .strip_prefix('!')
                .is_some_and(|tag| consists_of(tag, u8::is_ascii_alphabetic, ""))
            || is_cmdlet(value)
            || is_variable(candidate, value))
}

/// Recognises the call of a method of an empty string: `password = "".join(letters)`.
fn is_call_of_literal(value: &str) -> bool {
    let method = value.strip_prefix('.').and_then(|rest| rest.split_once('('));
    method
        .is_some_and(|(name, _)| !name.is_empty() && consists_of(name, u8::is_ascii_lowercase, "_"))
}

/// Recognises the next attribute of an element in a template, or the next setting: `show-password @keyup.enter="submit"`,
/// `types=wpa2-psk wpa2-key="…"`.
fn is_attribute(candidate: &Candidate<'_>, value: &str) -> bool {
    value.ends_with('=')
        && (value.starts_with(['@', ':', '#'])
            || value.starts_with("v-")
            || candidate.relation == Relation::Beside)
        && matches!(candidate.after(), [b'"' | b'\'', ..])
}

/// Recognises a number in code, such as `0b0010_1100` or `0xc0506617`. A hexadecimal key may also start with `0b`, and is
/// longer than a number.
fn is_number_in_code(value: &str) -> bool {
    let is_binary = value.strip_prefix("0b").is_some_and(|digits| {
        digits.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'_' | b';' | b','))
    });
    let hexadecimal = value.trim_end_matches(';').strip_prefix("0x");
    is_binary
        || hexadecimal.is_some_and(|digits| {
            digits.len() <= MAX_HEXADECIMAL_NUMBER
                && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// Recognises a member of a variable in code: `settings.db.password`, `node_pass = cluster.nodepass;`.
fn is_member_expression(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_statement = candidate.after().starts_with(b";");
    // `the password is yew.Tree.Gravel`: code does not follow a word of a sentence.
    let is_prose = matches!(candidate.relation, Relation::Words | Relation::Prose);
    !is_prose
        && is_dotted_name(value)
        && (value.matches('.').count() > 1 || value.contains('_') || is_statement)
}

/// Recognises the name of a variable that is assigned in code or that is the next argument of a call:
/// `password = connector_secrets`, `counts[pass], n_cases`.
fn is_variable(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_code = ends_with_any(&candidate.text[..candidate.value.start], &["= ", ", "]);
    (is_code || candidate.name != Name::Password)
        && value.contains('_')
        && consists_of(value, u8::is_ascii_alphabetic, "_")
}

/// Recognises PowerShell commands such as `ConvertTo-SecureString`. The assigned value is the result of the command,
/// not the command itself.
fn is_cmdlet(value: &str) -> bool {
    const VERBS: &[&str] =
        &["ConvertTo", "ConvertFrom", "Read", "Get", "New", "Import", "Invoke", "Select"];
    value.split_once('-').is_some_and(|(verb, noun)| {
        VERBS.contains(&verb)
            && noun.starts_with(|first: char| first.is_ascii_uppercase())
            && noun.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// Returns whether the value is a plain word in a sentence: `the password is stored as …`, `paths pass through`.
fn is_word_of_sentence(candidate: &Candidate<'_>) -> bool {
    let is_word = consists_of(candidate.value(), u8::is_ascii_alphabetic, "-_");
    // `密码长度为 8-30 位`
    let is_range = candidate.value().len() < MIN_NUMBER
        && consists_of(candidate.value(), u8::is_ascii_digit, "-~");
    if is_range && matches!(candidate.relation, Relation::Words | Relation::Prose) {
        return true;
    }
    let rest = candidate.after();
    let is_continued = matches!(rest, [b' ', next, ..] if next.is_ascii_alphabetic());
    let is_bare = candidate.quoting == Quoting::Bare;
    let ends_sentence = matches!(rest, [b'.' | b',', ..]);
    // `login root password toor`: the value ends the line.
    let is_last_of_login = candidate.ends_line() && candidate.between().len() == 1;
    // `pass` is also a verb.
    let is_verb = candidate.word() == "pass";
    let value = candidate.value();
    let is_list = candidate.between().as_bytes().contains(&b',');
    let is_in = |relation: Relation| candidate.relation == relation;
    is_word
        && (is_in(Relation::Words)
            && is_bare
            && (is_continued || ends_sentence)
            && !is_direct(candidate)
            || is_in(Relation::Prose) && (is_bare || is_verb) && !is_direct(candidate)
            || is_in(Relation::Beside)
                && !(is_direct(candidate)
                    || is_in_capitals(candidate)
                    || is_after_login(candidate) && is_last_of_login)
            // `["password", "date_of_birth"]` is a list of names.
            || is_in(Relation::Sign)
                && !is_bare
                && (value.contains('_')
                    || is_list && value.contains('-') && !is_direct(candidate)))
}

/// Returns whether the name is in capital letters, which is unusual in prose: `acme SECRET value`.
fn is_in_capitals(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    bytes[candidate.word.clone()].iter().all(u8::is_ascii_uppercase)
        && !matches!(bytes.get(candidate.word.end), Some(b'`' | b'"' | b'\''))
}

/// Returns whether `login` or `user` appears shortly before the name: `login root password …`.
fn is_after_login(candidate: &Candidate<'_>) -> bool {
    let before = bytes_before(candidate.before(), candidate.word.start, MAX_LOGIN);
    contains_any(before, &["login "])
        || contains_any(before, &["user"]) && !contains_any(before, &["user's"])
}
