//! Finds passwords on command lines and in statements with a known syntax, and secrets that a command printed on the line
//! below it.
//!
//! Examples: `sshpass -p …`, `mysql -p…`, `curl -u user:…`, `net use Z: \\host\share …`, `IDENTIFIED BY '…'`.

mod words;

use crate::bytes::{
    bytes_after, bytes_before, contains_any, ends_with_any, equals_any_ignoring_case, is_word_or,
    line_after, line_before, run_after, starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::calls::oracle_password;
use crate::secrets::commands::words::{Line, Word};
use crate::secrets::forms::{
    Characters, MIN_PASSWORD, has_digit, is_chosen_password, is_distinct, is_literal_word,
    is_random, is_written_out,
};
use crate::secrets::stand_ins::is_constant;
use crate::table::WordList;
use crate::{table, work};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// The maximum number of bytes before a password that are searched for the settings of an LDAP login.
const MAX_ENTRY: usize = 200;

/// A command, and where its password is.
pub(crate) struct Row {
    pub(crate) anchor: Cow<'static, str>,
    /// How the password is found; see [`passwords_at`] and [`password_of`].
    form: &'static str,
    /// The arguments of the form. A blank at the end of a flag means that the value is the next word.
    arguments: Vec<Cow<'static, str>>,
}

pub(crate) static COMMANDS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let words = |arguments: &'static str| arguments.split('|').filter(|word| !word.is_empty());
    table::rows(include_str!("tables/commands.txt"))
        .map(|[anchor, form, arguments, _]| Row {
            anchor: table::unescaped(anchor),
            form,
            arguments: words(arguments).map(table::unescaped).collect(),
        })
        .collect()
});

impl Row {
    /// Returns the first byte of the first argument: a separator, a mark, or the letter of a flag.
    fn sign(&self) -> u8 {
        self.arguments.first().and_then(|sign| sign.bytes().next()).unwrap_or_default()
    }

    /// Returns the position of the password among the words, counted from zero.
    fn position(&self) -> Option<usize> {
        self.arguments.first()?.parse().ok()
    }
}

/// Returns the passwords in the command or statement whose anchor is `text[start..end]`. `row` is the
/// row of the command.
pub(crate) fn passwords_at(text: &str, row: usize, start: usize, end: usize) -> Vec<Range<usize>> {
    // The anchor must not be part of a longer word: `Invoke-Sqlcmd` is not `sqlcmd`.
    let is_part = text.as_bytes()[start].is_ascii_alphanumeric()
        && text.as_bytes()[..start]
            .last()
            .is_some_and(|before| before.is_ascii_alphanumeric() || matches!(before, b'-' | b'_'));
    if is_part {
        return Vec::new();
    }
    let line = Line::after(text, end);
    work::count(line.len());
    let row = &COMMANDS[row];
    let arguments = row.arguments.as_slice();
    let found: Vec<Word> = match row.form {
        // The password follows one of the flags. If the listed flag ends with a blank, the password is the next word;
        // otherwise the password is the rest of the same word, as in `-psecret`.
        "flags" => line.flag_values(arguments).collect(),
        // Like `flags`, but only if the command also contains the first argument.
        "flags-if" => {
            line.flag_values(&arguments[1..]).filter(|_| line.contains(&arguments[0])).collect()
        }
        // The password follows the sign in the value of one of the flags: `-u user:password`, `-U user%password`.
        "pair" => line
            .flag_values(&arguments[1..])
            .chain(line.cluster_values(&arguments[1..]))
            .filter_map(|word| line.password_of_pair(word, row.sign()))
            .collect(),
        // The password is the rest of each word that starts with the sign: `ACL SETUSER bob on >password`.
        "marked" => line.words().filter_map(|word| line.without_mark(word, row.sign())).collect(),
        _ => password_of(row, &line, text, start..end).into_iter().collect(),
    };
    found
        .into_iter()
        .filter(|word| is_argument_password(line.text(word), word.is_quoted))
        .map(|word| word.span)
        .collect()
}

/// Returns the word that is the password of a command with one password. `anchor` is the range of the anchor.
fn password_of(row: &Row, line: &Line<'_>, text: &str, anchor: Range<usize>) -> Option<Word> {
    let next = || line.words().next();
    match row.form {
        // The password is the next word.
        "next" => next(),
        // The next word of an SQL statement. If the word is not quoted, the keyword must be in capital letters, because
        // sentences also contain it: `objects are identified by name`.
        "sql" => {
            let is_keyword = !text[anchor].bytes().any(|byte| byte.is_ascii_lowercase());
            next().filter(|word| word.is_quoted || is_keyword)
        }
        // The next word, which must contain a digit or punctuation.
        "strict-next" => next().filter(|word| is_distinct(line.text(word))),
        // The next word, which must be the last word on the line. The sign is a digit that states how a network device
        // has encoded the password: `password 7 …`.
        "encoded" => {
            let is_alone = line.words().take(2).count() == 1;
            next().filter(|word| is_alone && has_encoding(line.text(word), row.sign()))
        }
        // The next word, after the settings of an LDAP login: `binddn="cn=…" credentials=password`.
        "bound" => {
            let before = bytes_before(text.as_bytes(), anchor.start, MAX_ENTRY);
            next().filter(|_| contains_any(before, &["binddn=", "bindmethod="]))
        }
        // The part after the sign in the next word, as in `user:password`.
        "next-pair" => line.after_separator(next()?, row.sign()),
        // The first word that is not a flag. That word must be quoted.
        "literal" => line.arguments().next().filter(|word| word.is_quoted),
        // The argument at this position. Flags are not counted.
        "word" => line.arguments().nth(row.position()?),
        // The word at this position. The command must be at the start of the line, and the password must be the last
        // word or be followed by an option such as `/add`.
        "account" => account(line, text, anchor.start, row.position()?),
        // The last word that is not a flag. One of the flags must contain the letter: `htpasswd -cb file user password`.
        "last" => {
            let has_flag = line.words().any(|word| line.is_cluster_with(&word, row.sign()));
            line.arguments().skip(1).last().filter(|_| has_flag)
        }
        // One of the words is `user/password@host`, or the first word is `user/password`.
        "oracle" => oracle(line, text),
        // One of the words is `user:password@host`.
        "target" => line.arguments().find_map(|word| line.target_password(&word)),
        // The first word after the network share that is not an option: `\\host\share password /user:CORP\bob`.
        "share" => share(line),
        // The password follows one of the words in a network device setting or a `.netrc` line. Only known options may
        // follow the password. Without words, the password is the first word.
        "setting" => setting(line, text, anchor.start, &row.arguments),
        // Like `setting`, but for words that also appear in prose. The password must contain a digit or punctuation, or
        // follow the digit of an encoding, as in `secret 0 value`.
        "strict-setting" => setting(line, text, anchor.start, &row.arguments).filter(|word| {
            // `secret 0 value`: a digit states the encoding of the password.
            let before = &text.as_bytes()[..word.span.start];
            is_distinct(line.text(word))
                || matches!(before, [.., b' ', b'0' | b'5' | b'7' | b'8' | b'9', b' '])
        }),
        // The last of at most two words after a command in capital letters: `AUTH password`, `AUTH user password`.
        "auth" => auth(line, text, anchor.start),
        // The second argument. The first argument is a name that contains a word for a password:
        // `kv put app/db_password value`.
        "stored" => stored(line),
        _ => None,
    }
}

/// Returns the password in `net user bob password /add`.
fn account(line: &Line<'_>, text: &str, start: usize, position: usize) -> Option<Word> {
    let words: Vec<Word> = line.words().collect();
    let word = words.get(position).cloned()?;
    let is_end = words.get(position + 1).is_none_or(|next| line.text(next).starts_with('/'));
    let are_names =
        words[..=position].iter().all(|word| !line.text(word).starts_with(['/', '*', '-']));
    (is_end && are_names && is_line_start(text, start)).then_some(word)
}

/// Returns the password in a word of the form `user/password@host`, or in the first word if it has the form
/// `user/password`.
fn oracle(line: &Line<'_>, text: &str) -> Option<Word> {
    let found = line.arguments().find_map(|word| {
        let span = oracle_password(text, word.span.clone())?;
        Some(Word { span, is_quoted: word.is_quoted })
    });
    found.or_else(|| {
        let word = line.arguments().next()?;
        let password = line.after_separator(word.clone(), b'/')?;
        let is_alone = !line.text(&password).contains(['/', '.', '@']);
        (is_alone && line.text(&word).starts_with(|first: char| first.is_ascii_alphabetic()))
            .then_some(password)
    })
}

fn share(line: &Line<'_>) -> Option<Word> {
    line.words()
        .skip_while(|word| !line.text(word).starts_with("\\\\"))
        .skip(1)
        .find(|word| !line.text(word).starts_with('/'))
        .filter(|word| line.text(word) != "*")
}

/// Returns the value in `username admin privilege 15 password 0 value` or `machine host login bob password value`.
fn setting(line: &Line<'_>, text: &str, start: usize, names: &[Cow<'static, str>]) -> Option<Word> {
    let words: Vec<Word> = line.words().collect();
    let is_name = |word: &Word| names.iter().any(|name| line.text(word).eq_ignore_ascii_case(name));
    let at = if names.is_empty() { 0 } else { words.iter().rposition(is_name)? + 1 };
    let is_prose = words[..at].iter().any(|word| {
        ["and", "or", "is", "are", "the", "with", "a", "for"].contains(&line.text(word))
    });
    // A single character before the password identifies the password's encoding.
    let is_type = words.get(at).is_some_and(|word| line.text(word).len() == 1);
    let at = at + usize::from(is_type);
    let is_last = words.get(at + 1).is_none_or(|next| {
        equals_any_ignoring_case(line.text(next), &["ro", "rw", "account", "default"])
            || line.text(next).starts_with(|first: char| first.is_ascii_digit())
    });
    words.get(at).cloned().filter(|_| is_last && !is_prose && is_line_start(text, start))
}

/// Returns whether the value looks like a password in the given encoding. `encoding` is the digit by which network
/// devices identify it, such as `7` in `password 7 …`.
fn has_encoding(value: &str, encoding: u8) -> bool {
    match encoding {
        b'7' => {
            value.len() >= MIN_PASSWORD * 2
                && value.len().is_multiple_of(2)
                && value.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        _ => is_distinct(value) && value.bytes().any(|byte| byte.is_ascii_alphabetic()),
    }
}

fn auth(line: &Line<'_>, text: &str, start: usize) -> Option<Word> {
    let words: Vec<Word> = line.words().collect();
    let is_command = text[start..].starts_with("AUTH") && is_line_start(text, start);
    words.last().cloned().filter(|word| {
        is_command
            && words.len() <= 2
            && line.text(&words[0]) != "="
            && !line.text(word).contains(['%', ','])
            && is_distinct(line.text(word))
    })
}

fn stored(line: &Line<'_>) -> Option<Word> {
    let mut words = line.arguments();
    let name = line.text(&words.next()?).to_ascii_lowercase();
    let says_password = contains_any(name, &["passw", "passphrase", "pwd", "secret"]);
    words.next().filter(|word| says_password && !line.text(word).contains('='))
}

/// Returns whether the text before `start` on the same line is empty or ends with `sudo`, a prompt character or a
/// quote.
fn is_line_start(text: &str, start: usize) -> bool {
    const MAX_PROMPT: usize = 64;
    let line = line_before(text.as_bytes(), start, MAX_PROMPT).trim_ascii();
    line.is_empty()
        || line.ends_with(b"sudo")
        || matches!(line.last(), Some(b'$' | b'#' | b'>' | b'%' | b'`' | b'"' | b'\''))
}

/// Returns whether the value is a literal password rather than a variable, a template, a path, a mask or a label.
fn is_argument_password(value: &str, is_quoted: bool) -> bool {
    let is_path = value.starts_with(['/', '\\', '.', '~'])
        || value.starts_with("file:")
        || value.starts_with("env:")
        || value.contains("://");
    is_written_out(value)
        && !value.starts_with(['-', '@', '&'])
        && !is_constant(value)
        && (is_quoted && !value.contains("://") || !is_path)
}

const MAX_PRINTING_COMMAND: usize = 512;
const MAX_PRINTED: usize = 512;

/// The starts of commands that print a variable. Their output is a secret only if the variable's name indicates one.
const NAMED: &[&str] = &["echo ", "$env:"];
static SECRET_ENDINGS: WordList = WordList::new(WORDS, "secret endings");
/// Parts of a command which show that its output is not the secret itself.
const OTHER_OUTPUTS: &[&str] =
    &[".metadata", ".type}", "-o name", "-o yaml", "-o wide", "--help", "#include"];

/// Returns the secret on the line below the command that printed it. `text[start..end]` is part of the command.
pub(crate) fn value_below(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = bytes_after(bytes, end, MAX_PRINTING_COMMAND);
    let length = memchr::memchr_iter(b'\n', rest).find(|&at| at == 0 || rest[at - 1] != b'\\')?;
    let head = line_before(bytes, start, MAX_PRINTING_COMMAND);
    let command = &rest[..length];
    // `NAME=$(…)` and `… > file` do not print the value. A command in backticks is mentioned in a sentence.
    let is_captured =
        contains_any(head, &["$(", "`"]) || memchr::memchr2(b'>', b'`', command).is_some();
    let anchor = text[start..end].to_ascii_lowercase();
    if is_captured
        || contains_any(command, OTHER_OUTPUTS)
        || starts_with_any(anchor, NAMED) && !names_secret(&text[end..end + length])
    {
        return None;
    }
    printed_on_line(text, end + length + 1)
}

/// Returns whether the name of the variable at the start of `rest` indicates a secret.
fn names_secret(rest: &str) -> bool {
    let name = rest.trim_start_matches(['{', '$', '"']);
    let length = run_after(name.as_bytes(), usize::MAX, |byte| is_word_or(byte, b"_"));
    let name = name[..length].to_ascii_lowercase();
    ends_with_any(name, &SECRET_ENDINGS)
}

fn printed_on_line(text: &str, line_start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let below = line_after(bytes, line_start.min(bytes.len()), MAX_PRINTED);
    let indent = run_after(below, usize::MAX, |byte| matches!(byte, b' ' | b'\t' | b'"'));
    let value = text.get(line_start + indent..line_start + below.len())?;
    let value = value.trim_end().trim_end_matches('"');
    let span = line_start + indent..line_start + indent + value.len();
    is_printed(value).then_some(span)
}

/// Returns whether the line consists of one word that looks generated or chosen as a password.
fn is_printed(line: &str) -> bool {
    let body = line.trim_end_matches('=');
    let is_path = line.contains('/') && !has_digit(line);
    let is_code = body.contains(['=', '`', ';', '\\']) || line.ends_with(':');
    let is_generated = is_random(line) && has_digit(line) && Characters::of(line).letters() > 0;
    is_literal_word(line) && !is_path && !is_code && (is_generated || is_chosen_password(line))
}

#[cfg(test)]
mod tests;
