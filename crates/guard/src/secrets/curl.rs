//! `curl -u user:password`: the password of a command line.

use super::Secret;
use super::made_up::is_placeholder;

const COMMAND_LIMIT: usize = 1024;

/// The password given to the command that starts at `start`.
pub(crate) fn password_at(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let rest = &bytes[start..bytes.len().min(start + COMMAND_LIMIT)];
    let command = &rest[..command_length(rest)];
    let flag = [" -u ", " --user ", " -u", " --user="].iter().find_map(|flag| {
        memchr::memmem::find(command, flag.as_bytes()).map(|at| at + flag.len())
    })?;
    let quoted = command.get(flag).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let begin = flag + usize::from(quoted.is_some());
    let length = command[begin..]
        .iter()
        .position(|&byte| quoted.map_or(byte.is_ascii_whitespace(), |quote| byte == quote))
        .unwrap_or(command.len() - begin);
    let colon = memchr::memchr(b':', &command[begin..begin + length])?;
    let span = start + begin + colon + 1..start + begin + length;
    let password = text.get(span.clone())?;
    let is_secret = password.len() >= 4
        && !password.contains(['$', '<', '{', '*'])
        && !is_placeholder(password);
    is_secret.then_some(Secret { kind: "curl-password", span })
}

/// A command ends at its line, unless the line ends in a backslash.
fn command_length(rest: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', rest)
        .find(|&end| end == 0 || rest[end - 1] != b'\\')
        .unwrap_or(rest.len())
}
