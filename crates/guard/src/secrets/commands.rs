//! Passwords on command lines and in statements whose syntax says where the password is: `sshpass -p …`, `mysql -p…`,
//! `curl -u user:…`, `IDENTIFIED BY '…'`.

use std::ops::Range;

use super::Secret;
use super::calls::oracle_password;
use super::made_up::is_placeholder;
use super::vocabulary::is_label;
use crate::work;

const MAX_COMMAND: usize = 512;
const MIN_PASSWORD: usize = 4;

/// How a command is given its password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// After one of these flags.
    Flags(&'static [&'static str]),
    /// After the separator in the value of one of these flags: `-u user:password`, `-U user%password`.
    Pair(&'static [&'static str], u8),
    /// The next word.
    Next,
    /// `user/password@host`
    Oracle,
    /// The word after the flag that names the user: `/user:CORP\bob password`.
    AfterUser,
}

/// What announces a password, in lower case, and where it is.
pub(crate) const COMMANDS: &[(&str, Command)] = &[
    ("curl ", Command::Pair(&[" -u ", " --user ", " -u", " --user=", " --proxy-user "], b':')),
    ("smbclient ", Command::Pair(&[" -U ", " -U", " --user="], b'%')),
    ("sshpass ", Command::Flags(&[" -p ", " -p"])),
    ("mysql ", Command::Flags(&[" -p"])),
    ("mysqldump ", Command::Flags(&[" -p"])),
    ("mysqladmin ", Command::Flags(&[" -p"])),
    ("mariadb ", Command::Flags(&[" -p"])),
    ("mongo ", Command::Flags(&[" -p "])),
    ("mongosh ", Command::Flags(&[" -p "])),
    ("mongodump ", Command::Flags(&[" -p "])),
    ("docker login", Command::Flags(&[" -p "])),
    ("podman login", Command::Flags(&[" -p "])),
    ("helm registry login", Command::Flags(&[" -p "])),
    ("psexec ", Command::Flags(&[" -p "])),
    ("sqlcmd ", Command::Flags(&[" -P ", " -P"])),
    ("redis-cli ", Command::Flags(&[" -a ", " --pass "])),
    ("ldapsearch ", Command::Flags(&[" -w "])),
    ("ldapadd ", Command::Flags(&[" -w "])),
    ("ldapmodify ", Command::Flags(&[" -w "])),
    ("lftp ", Command::Pair(&[" -u "], b',')),
    ("openssl enc ", Command::Flags(&[" -k ", " -pass pass:"])),
    ("7z ", Command::Flags(&[" -p"])),
    ("7za ", Command::Flags(&[" -p"])),
    ("rar a ", Command::Flags(&[" -hp", " -p"])),
    ("sqlplus ", Command::Oracle),
    ("sqlldr ", Command::Oracle),
    ("expdp ", Command::Oracle),
    ("impdp ", Command::Oracle),
    ("rman target ", Command::Oracle),
    ("net use ", Command::AfterUser),
    ("zip -p ", Command::Next),
    ("zip --password ", Command::Next),
    ("identified by ", Command::Next),
    ("identified by password ", Command::Next),
    ("_password by ", Command::Next),
    ("convertto-securestring -string ", Command::Next),
    ("convertto-securestring ", Command::Next),
    ("requirepass ", Command::Next),
    ("masterauth ", Command::Next),
    ("-passin pass:", Command::Next),
    ("-passout pass:", Command::Next),
    ("openssl passwd ", Command::Next),
];

/// The password given to the command or statement whose announcing text is `text[..end]`.
pub(crate) fn password_at(text: &str, command: Command, end: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let start = if bytes.get(end.wrapping_sub(1)) == Some(&b' ') { end - 1 } else { end };
    let rest = &bytes[start..bytes.len().min(start + MAX_COMMAND)];
    let line = &rest[..command_length(rest)];
    work::count(line.len());
    let (word, is_quoted) = match command {
        Command::Next => word_at(line, end - start)?,
        Command::Oracle => {
            let (word, is_quoted) = words(line, end - start).find(|(word, _)| {
                line[word.clone()].contains(&b'/') && line[word.clone()].contains(&b'@')
            })?;
            let password = oracle_password(text, start + word.start..start + word.end)?;
            (password.start - start..password.end - start, is_quoted)
        }
        Command::AfterUser => {
            let user = flag_end(line, &[" /user:", " /USER:", " /u:"])?;
            words(line, user).nth(1).filter(|(word, _)| line[word.start] != b'/')?
        }
        Command::Flags(flags) => word_at(line, flag_end(line, flags)?)?,
        Command::Pair(flags, separator) => {
            let (word, is_quoted) = word_at(line, flag_end(line, flags)?)?;
            let at = memchr::memchr(separator, &line[word.clone()])?;
            (word.start + at + 1..word.end, is_quoted)
        }
    };
    let span = start + word.start..start + word.end;
    let password = text.get(span.clone())?;
    is_password(password, is_quoted).then_some(Secret { kind: "command-password", span })
}

fn flag_end(line: &[u8], flags: &[&str]) -> Option<usize> {
    flags
        .iter()
        .find_map(|flag| memchr::memmem::find(line, flag.as_bytes()).map(|at| at + flag.len()))
}

/// The word at `at`, without its quotes.
fn word_at(line: &[u8], at: usize) -> Option<(Range<usize>, bool)> {
    let quote = line.get(at).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let begin = at + usize::from(quote.is_some());
    let length = line
        .get(begin..)?
        .iter()
        .position(|&byte| match quote {
            Some(quote) => byte == quote,
            None => {
                byte.is_ascii_whitespace()
                    || matches!(byte, b'"' | b'\'' | b'`' | b';' | b'|' | b')')
            }
        })
        .unwrap_or(line.len() - begin);
    Some((begin..begin + length, quote.is_some()))
}

/// The words of the line from `at` on.
fn words(line: &[u8], at: usize) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
    let mut next = at;
    std::iter::from_fn(move || {
        next += line.get(next..)?.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (word, is_quoted) = word_at(line, next).filter(|(word, _)| !word.is_empty())?;
        next = word.end + usize::from(is_quoted);
        Some((word, is_quoted))
    })
}

fn is_password(value: &str, is_quoted: bool) -> bool {
    let is_reference =
        value.starts_with(['$', '<', '{', '-', '%', '[', '(']) || value.contains("${");
    value.len() >= MIN_PASSWORD
        && !is_reference
        && !value.contains(['<', '{', '*'])
        && !is_placeholder(value)
        && !is_label(value)
        && (is_quoted || !value.starts_with(['/', '\\', '.']))
}

/// A command ends at its line, unless the line ends in a backslash.
fn command_length(rest: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', rest)
        .find(|&end| end == 0 || rest[end - 1] != b'\\')
        .unwrap_or(rest.len())
}
