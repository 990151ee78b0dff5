//! Recognises the forms in which a literal is assigned to a name.

use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Quoting, Relation};
use crate::secrets::cursor::{consists_of, contains_any, is_word_or, line_before, run_before};
use crate::secrets::forms::is_chosen_password;
use crate::table::WordList;
use std::ops::Range;

const MAX_IDENTIFIER: usize = 48;
const MAX_LINE: usize = 96;
/// The minimum length of a single word in capital letters that counts as a variable name. A shorter word may be the
/// name of a step or a state, as in `PASS: …`.
const MIN_VARIABLE: usize = 7;
/// The minimum length of a value after the label `Password:` that counts because of a capital and digits.
const MIN_LABELLED: usize = 10;

pub(super) enum Literal {
    /// `name = "value"`, `<name>value</name>`, `&name=value`
    Given,
    /// `--name 'several words'`
    Phrase,
    /// `"name", "value"`, where both strings may be names
    Listed,
    /// `the name is value`, where the value has the form of a password
    Chosen,
}

/// Functions that take a name and its value or default as arguments: `setenv("PASSWORD", "…")`,
/// `fill("#password", "…")`.
static SETTERS: WordList = WordList::new(WORDS, "setters");
/// Lower-case words that mean "user" or "account" in several languages.
const USER_WORDS: &[&str] =
    &["user", "login", "account", "benutzer", "usuario", "utilisateur", "账号", "用户"];
/// Words that follow a flag in a sentence, as in `the --password option`. They are not the flag's value.
static NOUNS: WordList = WordList::new(WORDS, "nouns");

pub(super) fn literal(candidate: &Candidate<'_>) -> Option<Literal> {
    let between = candidate.between().as_bytes();
    let after = candidate.after();
    let is_element = between.ends_with(b">") && after.starts_with(b"</");
    let given = |is_given: bool| is_given.then_some(Literal::Given);
    match (candidate.relation, candidate.quoting) {
        (
            Relation::Equals | Relation::Colon | Relation::Attribute | Relation::Argument,
            Quoting::Quoted,
        ) => Some(Literal::Given),
        (Relation::Sign, Quoting::Quoted) if between.contains(&b',') || between.contains(&b'|') => {
            let is_default = memchr::memmem::find(between, b"||").is_some();
            let is_assigned =
                is_default || is_set_by_call(candidate) || follows_option_sign(candidate);
            Some(if is_assigned { Literal::Given } else { Literal::Listed })
        }
        (Relation::Sign, Quoting::Quoted) => Some(Literal::Given),
        (Relation::Sign, Quoting::Bare) if is_element => Some(Literal::Given),
        (Relation::Equals | Relation::Colon | Relation::Sign, Quoting::Bare) => given(
            is_default_of_variable(candidate)
                || candidate.relation != Relation::Sign && is_assigned_bare(candidate),
        ),
        (Relation::Attribute, Quoting::Bare) => Some(Literal::Given),
        (Relation::Flag, _) => is_command_flag(candidate).then_some(Literal::Phrase),
        (Relation::Words | Relation::Prose, Quoting::Bare)
            if is_chosen_password(candidate.value()) && is_end_of_clause(candidate) =>
        {
            Some(Literal::Chosen)
        }
        (Relation::Words, Quoting::Bare) => given(super::is_mixed(candidate.value())),
        (Relation::Beside, Quoting::Quoted) if names_shared_key(candidate) => Some(Literal::Phrase),
        (Relation::Beside, Quoting::Quoted) => given(is_clause(candidate)),
        (Relation::Beside, Quoting::Bare) if is_after_chinese_name(candidate) => {
            Some(Literal::Chosen)
        }
        (Relation::Beside, Quoting::Bare) => {
            given(is_environment_line(candidate) || is_beside_user(candidate))
        }
        _ => None,
    }
}

/// Returns whether the text around a bare value shows that the value is assigned to the name. For example, the value
/// may be a query parameter, the value of a flag or a variable, one of several pairs, or on the line after a user
/// name. A value that `is_mixed` accepts needs no such context.
fn is_assigned_bare(candidate: &Candidate<'_>) -> bool {
    is_parameter(candidate)
        || is_setting_line(candidate)
        || is_line_of_settings_file(candidate)
        || is_label_line(candidate)
        || is_shell_assignment(candidate)
        || follows_option_sign(candidate)
        || is_value_of_option(candidate)
        || is_beside_user(candidate)
        || super::is_mixed(candidate.value())
        || candidate.relation == Relation::Equals && is_one_of_pairs(candidate)
        || candidate.relation == Relation::Colon && is_after_user_line(candidate)
}

/// Recognises `MYSQL_ROOT_PASSWORD: value`, where the name is in capital letters and the value ends the line.
fn is_setting_line(candidate: &Candidate<'_>) -> bool {
    let after = candidate.text.as_bytes().get(candidate.value.end);
    is_variable_name(candidate) && after.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Recognises a line that consists of the label `Password:` and a long value with a capital and several digits, before an
/// optional comment. Types have shorter names: `password: String50`.
fn is_label_line(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let indent = run_before(&bytes[..name.start], MAX_IDENTIFIER, |byte| byte == b' ');
    let is_line_start = matches!(bytes[..name.start - indent], [] | [.., b'\n']);
    let after = candidate.after();
    let is_line_end =
        matches!(after, [] | [b'\n' | b'\r', ..] | [b' ', b'#', ..] | [b' ', b' ', b'#', ..]);
    is_line_start
        && is_line_end
        && candidate.between().as_bytes() == b": "
        && candidate.value.len() >= MIN_LABELLED
        && candidate.value().bytes().any(|byte| byte.is_ascii_uppercase())
        && candidate.value().bytes().filter(u8::is_ascii_digit).count() >= 2
}

/// Recognises a line of the form `name=value` without blanks, as in INI and properties files. A value that is a
/// lower-case name with underscores is not accepted, because it is probably a variable in a program.
fn is_line_of_settings_file(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let is_line_start = name.start == 0 || bytes[name.start - 1] == b'\n';
    let after = bytes.get(candidate.value.end);
    let is_line_end = after.is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let is_variable = candidate.value().contains('_')
        && consists_of(candidate.value(), u8::is_ascii_lowercase, "_");
    is_line_start && is_line_end && !is_variable && candidate.between().as_bytes() == b"="
}

/// Recognises `-e MYSQL_ROOT_PASSWORD=value image`.
pub(super) fn is_shell_assignment(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let after = bytes.get(candidate.value.end);
    is_variable_name(candidate)
        && bytes[..candidate.value.start].ends_with(b"=")
        && after.is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'"' | b'\'' | b'`'))
}

/// Recognises an assignment after an option: `--set adminPassword=value`, `-var 'db_pass=value'`, `-Dkey.pass=value`.
fn is_value_of_option(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let before = &bytes[..identifier(candidate).start];
    let before = &before[before.len().saturating_sub(MAX_IDENTIFIER)..];
    let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    let option = before.strip_suffix(b" ").unwrap_or_default();
    let option = option.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let follows_option_sign = option.len() > 1
        && option[0] == b'-'
        && option.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    follows_option_sign && bytes[..candidate.value.start].trim_ascii_end().ends_with(b"=")
}

/// Recognises `PSK "several words"`.
fn names_shared_key(candidate: &Candidate<'_>) -> bool {
    candidate.word().eq_ignore_ascii_case("psk")
}

/// Recognises `user is bob, pw value (capital G)`: the value follows a user name and has the form of a password.
fn is_beside_user(candidate: &Candidate<'_>) -> bool {
    let line = line_before(candidate.text.as_bytes(), candidate.word.start, MAX_IDENTIFIER);
    let line = line.to_ascii_lowercase();
    contains_any(&line, USER_WORDS) && is_chosen_password(candidate.value())
}

/// Recognises `端口 22，密码 value）`: the value follows a Chinese name and has the form of a password.
fn is_after_chinese_name(candidate: &Candidate<'_>) -> bool {
    !candidate.word().is_ascii()
        && is_chosen_password(candidate.value())
        && is_end_of_clause(candidate)
}

/// Returns whether the sentence or clause ends after the value.
fn is_end_of_clause(candidate: &Candidate<'_>) -> bool {
    let rest = candidate.after();
    match rest {
        [] | [b'\n' | b'\r' | b',' | b';' | b')', ..] => true,
        [b' ', next, ..] => matches!(next, b'(' | b'-' | b',' | b'\n') || !next.is_ascii(),
        [next, ..] => !next.is_ascii(),
    }
}

fn is_variable_name(candidate: &Candidate<'_>) -> bool {
    let name = &candidate.text.as_bytes()[identifier(candidate)];
    (name.contains(&b'_') || name.len() > candidate.word.len() || name.len() >= MIN_VARIABLE)
        && !name.iter().any(u8::is_ascii_lowercase)
}

/// Recognises the default of a variable: `${PASSWORD:-value}`, `${db.password:value}`.
fn is_default_of_variable(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let between = candidate.between().as_bytes();
    bytes[..identifier(candidate).start].ends_with(b"${")
        && matches!(between, b":" | b":-" | b":=" | b"-")
        && bytes.get(candidate.value.end) == Some(&b'}')
}

/// Returns the range from the start of the identifier to the end of the anchor word in it.
fn identifier(candidate: &Candidate<'_>) -> Range<usize> {
    candidate.word.start - candidate.head(b"_-.").len()..candidate.word.end
}

/// Recognises `?password=value`, `&password=value`.
fn is_parameter(candidate: &Candidate<'_>) -> bool {
    let start = identifier(candidate).start;
    start > 0 && matches!(candidate.text.as_bytes()[start - 1], b'?' | b'&' | b';')
}

/// Recognises `--password=value`, `/password:value`, `"--password", "value"`.
fn follows_option_sign(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let start = identifier(candidate).start;
    let before = start.checked_sub(1).map(|at| bytes[at]);
    let is_slashed = before == Some(b'/')
        && matches!(start.checked_sub(2).map(|at| bytes[at]), Some(b' ' | b'"' | b'\''));
    is_slashed || bytes[start] == b'-' && before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
}

/// Returns whether the flag is part of a command and not just mentioned in a sentence.
fn is_command_flag(candidate: &Candidate<'_>) -> bool {
    let before = candidate.text.as_bytes()[..identifier(candidate).start].trim_ascii_end();
    let word = before.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let is_subject = [&b"the"[..], b"a", b"with", b"and", b"or"]
        .iter()
        .any(|article| word.eq_ignore_ascii_case(article));
    let value = candidate.value();
    let is_noun = NOUNS
        .iter()
        .any(|noun| value.eq_ignore_ascii_case(noun) || value.strip_suffix('s') == Some(noun));
    !is_subject && !is_noun
}

/// Recognises `user=app password=value dbname=x`, `username=bob,password=value,uid=1000`.
fn is_one_of_pairs(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let between = candidate.between().as_bytes();
    let is_pair = |word: &[u8]| {
        let at = memchr::memchr(b'=', word);
        at.is_some_and(|at| {
            at > 0
                && word[..at]
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
        })
    };
    let line = line_before(bytes, name.start, MAX_LINE);
    let rest = &bytes[candidate.value.end..bytes.len().min(candidate.value.end + MAX_LINE)];
    let separator = line.last().copied();
    let is_separator = |byte: &u8| matches!(byte, b' ' | b',' | b'"' | b'\'');
    let before = line.split(is_separator).rfind(|word| !word.is_empty()).unwrap_or_default();
    let next = rest.get(1..).unwrap_or_default().split(is_separator).next().unwrap_or_default();
    let is_in_list = match separator {
        Some(b',') => is_pair(before) && !line.contains(&b'('),
        Some(b' ' | b'"' | b'\'') => {
            is_pair(before) && !line.ends_with(b", ")
                || rest.first() == Some(&b' ') && is_pair(next)
        }
        _ => false,
    };
    between.ends_with(b"=") && is_in_list
}

/// Recognises a line `password: value` below a line `username: value`.
fn is_after_user_line(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let start = identifier(candidate).start;
    let window = &bytes[start.saturating_sub(MAX_LINE)..start];
    let Some(line_start) = memchr::memrchr(b'\n', window) else { return false };
    let indent = &window[line_start + 1..];
    let above = &window[..line_start];
    let above = memchr::memrchr(b'\n', above).map_or(above, |at| &above[at + 1..]);
    let name = above.trim_ascii().to_ascii_lowercase();
    let is_user =
        [&b"user"[..], b"login", b"- user", b"account"].iter().any(|word| name.starts_with(word))
            && name.contains(&b':')
            && !matches!(name.last(), Some(b':' | b',' | b';' | b'{'));
    let after = bytes.get(candidate.value.end);
    is_user
        && indent.trim_ascii().is_empty()
        && after.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Returns whether the name is the first argument of a call that assigns a value to the name.
fn is_set_by_call(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let start = candidate.word.start;
    // `-define(PASSWORD, "value")`
    if bytes[..identifier(candidate).start].ends_with(b"define(") {
        return true;
    }
    let window = &bytes[start.saturating_sub(MAX_IDENTIFIER)..start];
    let Some(quote) = window.iter().rposition(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return false;
    };
    let before = window[..quote].trim_ascii_end();
    let Some(before) = before.strip_suffix(b"(") else { return false };
    let word = run_before(before, usize::MAX, |byte| is_word_or(byte, b"_"));
    let callee: Vec<u8> = before[before.len() - word..]
        .iter()
        .filter(|byte| **byte != b'_')
        .map(u8::to_ascii_lowercase)
        .collect();
    SETTERS.iter().any(|setter| setter.as_bytes() == callee)
}

/// Recognises `WITH PASSWORD 'value'`, `:password "value"`, `storePassword "value"`, `user 'app', password 'value'`.
fn is_clause(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let word = candidate.word().as_bytes();
    let before = &bytes[name.start.saturating_sub(MAX_IDENTIFIER)..name.start];
    let is_after_user = contains_any(before, &["user", "User", "login", "WiFi", "ssid", "SSID"]);
    name.start < candidate.word.start
        || word.iter().all(u8::is_ascii_uppercase)
        || before.ends_with(b":")
        || is_after_user
}

/// Recognises `ENV ADMIN_PASSWORD value`, `setx DB_PASSWORD value`.
fn is_environment_line(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let before = bytes[..identifier(candidate).start].trim_ascii_end();
    let after = bytes.get(candidate.value.end);
    is_variable_name(candidate)
        && (before.ends_with(b"ENV") || before.ends_with(b"setx") || before.ends_with(b"setenv"))
        && after.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Returns whether the name is an option in a call that configures sessions or signed tokens:
/// `session({ secret: "…" })`.
pub(super) fn is_in_session(candidate: &Candidate<'_>) -> bool {
    let before = candidate.before().as_bytes();
    let before = &before[before.len().saturating_sub(MAX_IDENTIFIER)..];
    candidate.quoting == Quoting::Quoted
        && contains_any(before, &["session(", "jwt(", "cookieSession(", "expressJwt("])
}
