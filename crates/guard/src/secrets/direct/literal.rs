//! Recognises the forms in which a literal is assigned to a name.

use crate::bytes::{
    bytes_after, bytes_before, consists_of, contains_any, ends_with_any, equals_any_ignoring_case,
    is_word_or, line_before, run_before, starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Quoting, Relation};
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

static SETTERS: WordList = WordList::new(WORDS, "setters");
/// Lower-case words that mean "user" or "account" in several languages.
const USER_WORDS: &[&str] =
    &["user", "login", "account", "benutzer", "usuario", "utilisateur", "账号", "用户"];
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
        // `PSK "several words"`
        (Relation::Beside, Quoting::Quoted) if candidate.word().eq_ignore_ascii_case("psk") => {
            Some(Literal::Phrase)
        }
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
    // `?password=value`, `&password=value`
    candidate.text[..identifier(candidate).start].ends_with(['?', '&', ';'])
        // `MYSQL_ROOT_PASSWORD: value`
        || is_variable_name(candidate) && candidate.ends_line()
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

/// Recognises a line that consists of the label `Password:` and a long value with a capital and several digits, before an
/// optional comment. Types have shorter names: `password: String50`.
fn is_label_line(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let indent = run_before(&bytes[..name.start], MAX_IDENTIFIER, |byte| byte == b' ');
    let is_line_start = matches!(bytes[..name.start - indent], [] | [.., b'\n']);
    is_line_start
        && (candidate.ends_line() || starts_with_any(candidate.after(), &[" #", "  #"]))
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
    let is_variable = candidate.value().contains('_')
        && consists_of(candidate.value(), u8::is_ascii_lowercase, "_");
    is_line_start && candidate.ends_line() && !is_variable && candidate.between().as_bytes() == b"="
}

/// Recognises `-e MYSQL_ROOT_PASSWORD=value image`.
pub(super) fn is_shell_assignment(candidate: &Candidate<'_>) -> bool {
    is_variable_name(candidate)
        && candidate.text[..candidate.value.start].ends_with('=')
        && (candidate.ends_line() || matches!(candidate.after(), [b' ' | b'"' | b'\'' | b'`', ..]))
}

/// Recognises an assignment after an option: `--set adminPassword=value`, `-var 'db_pass=value'`, `-Dkey.pass=value`.
fn is_value_of_option(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let before = &bytes[..identifier(candidate).start];
    let before = bytes_before(before, before.len(), MAX_IDENTIFIER);
    let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    let option = before.strip_suffix(b" ").unwrap_or_default();
    let option = option.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    let follows_option_sign =
        option.len() > 1 && option[0] == b'-' && option.iter().all(|byte| is_word_or(*byte, b"-"));
    follows_option_sign && bytes[..candidate.value.start].trim_ascii_end().ends_with(b"=")
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
    match candidate.after() {
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
    candidate.text[..identifier(candidate).start].ends_with("${")
        && matches!(candidate.between(), ":" | ":-" | ":=" | "-")
        && candidate.after().starts_with(b"}")
}

/// Returns the range from the start of the identifier to the end of the anchor word in it.
fn identifier(candidate: &Candidate<'_>) -> Range<usize> {
    candidate.word.start - candidate.head(b"_-.").len()..candidate.word.end
}

/// Recognises `--password=value`, `/password:value`, `"--password", "value"`.
fn follows_option_sign(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let start = identifier(candidate).start;
    let is_slashed = matches!(bytes[..start], [.., b' ' | b'"' | b'\'', b'/']);
    is_slashed
        || bytes[start] == b'-' && !bytes[..start].last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns whether the flag is part of a command and not just mentioned in a sentence.
fn is_command_flag(candidate: &Candidate<'_>) -> bool {
    let before = candidate.text.as_bytes()[..identifier(candidate).start].trim_ascii_end();
    let word = before.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let value = candidate.value();
    let is_plural_noun = value.strip_suffix('s').is_some_and(|noun| NOUNS.contains(&noun));
    !equals_any_ignoring_case(word, &["the", "a", "with", "and", "or"])
        && !equals_any_ignoring_case(value, &NOUNS)
        && !is_plural_noun
}

/// Recognises `user=app password=value dbname=x`, `username=bob,password=value,uid=1000`.
fn is_one_of_pairs(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let name = identifier(candidate);
    let between = candidate.between().as_bytes();
    let is_pair = |word: &[u8]| {
        let at = memchr::memchr(b'=', word);
        at.is_some_and(|at| at > 0 && word[..at].iter().all(|byte| is_word_or(*byte, b"_.-")))
    };
    let line = line_before(bytes, name.start, MAX_LINE);
    let rest = bytes_after(bytes, candidate.value.end, MAX_LINE);
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
    let window = bytes_before(bytes, start, MAX_LINE);
    let Some(line_start) = memchr::memrchr(b'\n', window) else { return false };
    let indent = &window[line_start + 1..];
    let above = &window[..line_start];
    let above = memchr::memrchr(b'\n', above).map_or(above, |at| &above[at + 1..]);
    let name = above.trim_ascii().to_ascii_lowercase();
    let is_user = starts_with_any(&name, &["user", "login", "- user", "account"])
        && name.contains(&b':')
        && !matches!(name.last(), Some(b':' | b',' | b';' | b'{'));
    is_user && indent.trim_ascii().is_empty() && candidate.ends_line()
}

/// Returns whether the name is the first argument of a call that assigns a value to the name.
fn is_set_by_call(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let start = candidate.word.start;
    // `-define(PASSWORD, "value")`
    if bytes[..identifier(candidate).start].ends_with(b"define(") {
        return true;
    }
    let window = bytes_before(bytes, start, MAX_IDENTIFIER);
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
    let before = bytes_before(bytes, name.start, MAX_IDENTIFIER);
    let is_after_user = contains_any(before, &["user", "User", "login", "WiFi", "ssid", "SSID"]);
    name.start < candidate.word.start
        || word.iter().all(u8::is_ascii_uppercase)
        || before.ends_with(b":")
        || is_after_user
}

/// Recognises `ENV ADMIN_PASSWORD value`, `setx DB_PASSWORD value`.
fn is_environment_line(candidate: &Candidate<'_>) -> bool {
    let before = candidate.text.as_bytes()[..identifier(candidate).start].trim_ascii_end();
    is_variable_name(candidate)
        && ends_with_any(before, &["ENV", "setx", "setenv"])
        && candidate.ends_line()
}

/// Returns whether the name is an option in a call that configures sessions or signed tokens:
/// `session({ secret: "…" })`.
pub(super) fn is_in_session(candidate: &Candidate<'_>) -> bool {
    let before = bytes_before(candidate.before(), candidate.word.start, MAX_IDENTIFIER);
    candidate.quoting == Quoting::Quoted
        && contains_any(before, &["session(", "jwt(", "cookieSession(", "expressJwt("])
}
