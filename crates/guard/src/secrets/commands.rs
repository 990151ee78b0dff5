//! Finds passwords on command lines and in statements with a known syntax.
//!
//! Examples: `sshpass -p …`, `mysql -p…`, `curl -u user:…`, `net use Z: \\host\share …`, `IDENTIFIED BY '…'`.

mod words;

use crate::secrets::Secret;
use crate::secrets::calls::oracle_password;
use crate::secrets::commands::words::{Line, Word};
use crate::secrets::cursor::line_before;
use crate::secrets::forms::{MIN_PASSWORD, is_distinct, is_written_out};
use crate::secrets::stand_ins::is_constant;
use crate::{table, work};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// The position of the password on a command line.
#[derive(Debug)]
enum Command {
    /// The password follows one of these flags. If the listed flag ends with a blank, the password is the next word;
    /// otherwise the password is the rest of the same word, as in `-psecret`.
    Flags(Flags),
    /// Like `Flags`, but only if the command also contains this word.
    FlagsIf(&'static str, Flags),
    /// The password follows the separator in the value of one of these flags: `-u user:password`, `-U user%password`.
    Pair(Flags, u8),
    /// The password is the rest of each word that starts with this character: `ACL SETUSER bob on >password`.
    Marked(u8),
    /// The command has one password.
    One(Position),
}

/// The position of the only password.
#[derive(Debug)]
enum Position {
    /// The password is the next word.
    Next,
    /// The password is the next word of an SQL statement. If the word is not quoted, the keyword must be in capital letters, because
    /// sentences also contain it: `objects are identified by name`.
    Sql,
    /// The password is the next word. The password must contain a digit or punctuation.
    StrictNext,
    /// The password is the next word, which must be the last word on the line. This digit states how a network device
    /// has encoded the password: `password 7 …`.
    Encoded(u8),
    /// The password is the next word. The settings of an LDAP login must precede it:
    /// `binddn="cn=…" credentials=password`.
    Bound,
    /// The next word contains a separator, and the password is the part after it, as in `user:password`.
    NextPair(u8),
    /// The password is the first word that is not a flag. That word must be quoted.
    Literal,
    /// The password is the argument at this zero-based position. Flags are not counted.
    Word(usize),
    /// Like `Word`, but the command must be at the start of the line, and the password must be the last word or be
    /// followed by an option such as `/add`.
    Account(usize),
    /// The password is the last word that is not a flag. One of the flags must contain this letter:
    /// `htpasswd -cb file user password`.
    Last(u8),
    /// One of the words is `user/password@host`, or the first word is `user/password`.
    Oracle,
    /// One of the words is `user:password@host`.
    Target,
    /// The password is the first word after the network share that is not an option:
    /// `\\host\share password /user:CORP\bob`.
    Share,
    /// The password follows one of these words in a network device setting or a `.netrc` line. Only known options may
    /// follow the password. If the list is empty, the password is the first word.
    Setting(Flags),
    /// Like `Setting`, but for words that also appear in prose. The password must contain a digit or punctuation, or
    /// follow the digit of an encoding, as in `secret 0 value`.
    StrictSetting(Flags),
    /// The password is the last of at most two words after a command in capital letters: `AUTH password`,
    /// `AUTH user password`.
    Auth,
    /// The password is the second argument. The first argument is a name that contains a word for a password:
    /// `kv put app/db_password value`.
    Stored,
}

/// The words of a column of the table. A blank at the end of a flag means that the value is the next word.
type Flags = Vec<Cow<'static, str>>;

/// A command and the position of its password.
pub(crate) struct Row {
    pub(crate) anchor: Cow<'static, str>,
    command: Command,
}

pub(crate) static COMMANDS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    table::rows(include_str!("tables/commands.txt"))
        .filter_map(|[anchor, form, arguments, _]| {
            Some(Row { anchor: table::unescaped(anchor), command: Command::read(form, arguments)? })
        })
        .collect()
});

impl Command {
    /// Reads the form and the arguments of a row. The arguments are separated by `|`.
    fn read(form: &str, arguments: &'static str) -> Option<Self> {
        let words = |arguments: &'static str| -> Flags {
            arguments.split('|').filter(|word| !word.is_empty()).map(table::unescaped).collect()
        };
        let (first, rest) = arguments.split_once('|').unwrap_or((arguments, ""));
        let sign = first.bytes().next();
        Some(match form {
            "flags" => Self::Flags(words(arguments)),
            "flags-if" => Self::FlagsIf(first, words(rest)),
            "pair" => Self::Pair(words(rest), sign?),
            "marked" => Self::Marked(sign?),
            _ => Self::One(match form {
                "next" => Position::Next,
                "sql" => Position::Sql,
                "strict-next" => Position::StrictNext,
                "encoded" => Position::Encoded(sign?),
                "bound" => Position::Bound,
                "next-pair" => Position::NextPair(sign?),
                "literal" => Position::Literal,
                "word" => Position::Word(first.parse().ok()?),
                "account" => Position::Account(first.parse().ok()?),
                "last" => Position::Last(sign?),
                "oracle" => Position::Oracle,
                "target" => Position::Target,
                "share" => Position::Share,
                "setting" => Position::Setting(words(arguments)),
                "strict-setting" => Position::StrictSetting(words(arguments)),
                "auth" => Position::Auth,
                "stored" => Position::Stored,
                _ => return None,
            }),
        })
    }
}

/// Returns the passwords in the command or statement whose anchor is `text[start..end]`. `row` is the
/// row of the command.
pub(crate) fn passwords_at(text: &str, row: usize, start: usize, end: usize) -> Vec<Secret> {
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
    let found: Vec<Word> = match &COMMANDS[row].command {
        Command::Flags(flags) => line.flag_values(flags).collect(),
        Command::FlagsIf(word, flags) => {
            line.flag_values(flags).filter(|_| line.contains(word)).collect()
        }
        Command::Pair(flags, separator) => line
            .flag_values(flags)
            .chain(line.cluster_values(flags))
            .filter_map(|word| line.password_of_pair(word, *separator))
            .collect(),
        Command::Marked(mark) => {
            line.words().filter_map(|word| line.without_mark(word, *mark)).collect()
        }
        Command::One(position) => {
            password_of(position, &line, text, start..end).into_iter().collect()
        }
    };
    found
        .into_iter()
        .filter(|word| is_argument_password(line.text(word), word.is_quoted))
        .map(|word| Secret { kind: "command-password", span: word.span })
        .collect()
}

/// Returns the word that is the password of a command with one password. `anchor` is the range of the anchor.
fn password_of(
    position: &Position,
    line: &Line<'_>,
    text: &str,
    anchor: Range<usize>,
) -> Option<Word> {
    let next = || line.words().next();
    match position {
        Position::Next => next(),
        Position::Sql => {
            let is_keyword = !text[anchor].bytes().any(|byte| byte.is_ascii_lowercase());
            next().filter(|word| word.is_quoted || is_keyword)
        }
        Position::StrictNext => next().filter(|word| is_distinct(line.text(word))),
        Position::Bound => next().filter(|_| has_entry_name(text, anchor.start)),
        Position::Encoded(encoding) => {
            let is_alone = line.words().take(2).count() == 1;
            next().filter(|word| is_alone && has_encoding(line.text(word), *encoding))
        }
        Position::NextPair(separator) => line.after_separator(next()?, *separator),
        Position::Literal => line.arguments().next().filter(|word| word.is_quoted),
        Position::Word(position) => line.arguments().nth(*position),
        Position::Account(position) => account(line, text, anchor.start, *position),
        Position::Last(letter) => {
            let has_flag = line.words().any(|word| line.is_cluster_with(&word, *letter));
            line.arguments().skip(1).last().filter(|_| has_flag)
        }
        Position::Oracle => oracle(line, text),
        Position::Target => line.arguments().find_map(|word| line.target_password(&word)),
        Position::Share => share(line),
        Position::Setting(names) => setting(line, text, anchor.start, names),
        Position::StrictSetting(names) => setting(line, text, anchor.start, names)
            .filter(|word| is_distinct(line.text(word)) || is_after_type(text, word.span.start)),
        Position::Auth => auth(line, text, anchor.start),
        Position::Stored => stored(line),
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
        ["ro", "rw", "account", "default"]
            .iter()
            .any(|option| line.text(next).eq_ignore_ascii_case(option))
            || line.text(next).starts_with(|first: char| first.is_ascii_digit())
    });
    words.get(at).cloned().filter(|_| is_last && !is_prose && is_line_start(text, start))
}

/// Returns whether the text shortly before `start` contains the settings of an LDAP login (`binddn` or `bindmethod`).
fn has_entry_name(text: &str, start: usize) -> bool {
    const MAX_ENTRY: usize = 200;
    let before = &text.as_bytes()[start.saturating_sub(MAX_ENTRY)..start];
    work::count(before.len());
    memchr::memmem::find(before, b"binddn=").is_some()
        || memchr::memmem::find(before, b"bindmethod=").is_some()
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

/// Returns whether the password at `start` follows the digit that identifies its encoding: `secret 0 value`.
fn is_after_type(text: &str, start: usize) -> bool {
    matches!(text.as_bytes()[..start], [.., b' ', b'0' | b'5' | b'7' | b'8' | b'9', b' '])
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
    let name = words.next()?;
    let name = line.text(&name).to_ascii_lowercase();
    let says_password =
        ["passw", "passphrase", "pwd", "secret"].iter().any(|word| name.contains(word));
    words.next().filter(|word| says_password && !line.text(word).contains('='))
}

/// Returns whether the text before `start` on the same line is empty or ends with `sudo`, a prompt character or a
/// quote.
fn is_line_start(text: &str, start: usize) -> bool {
    const MAX_PROMPT: usize = 64;
    let line = line_before(text.as_bytes(), start, MAX_PROMPT).trim_ascii();
    work::count(line.len());
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

#[cfg(test)]
mod tests;
