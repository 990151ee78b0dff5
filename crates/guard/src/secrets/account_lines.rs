//! Finds passwords in lists of accounts: `user:password` lines for `chpasswd`, and lines in the files `chap-secrets`
//! and `pap-secrets`.

use super::Secret;
use super::dummy_values::is_placeholder;
use super::vocabulary::is_label;
use crate::work;

const MAX_LINE: usize = 160;
const MAX_LINES: usize = 24;
const MIN_PASSWORD: usize = 4;

/// Returns the passwords in the lines below the string at `start`, which is one of [`OPENERS`].
pub(crate) fn passwords_below(text: &str, start: usize) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let before = &bytes[start.saturating_sub(MAX_LINE)..start];
    let line_start = start - before.len() + memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let opener = &bytes[line_start..line_end(bytes, start)];
    let opener_has = |word: &[u8]| memchr::memmem::find(opener, word).is_some();
    let is_ppp = opener_has(b"server") && opener_has(b"secret");
    let is_list = bytes[start..].starts_with(b"chpasswd:") || opener_has(b"<<") || is_ppp;
    let mut found = Vec::new();
    let mut at = line_end(bytes, start) + 1;
    for _ in 0..MAX_LINES {
        if !is_list || at >= bytes.len() {
            break;
        }
        let end = line_end(bytes, at);
        work::count(end - at);
        let Some(line) = text.get(at..end) else { break };
        let password = if is_ppp { third_field(line) } else { after_user(line) };
        let is_heading = line.trim_start().starts_with('#')
            || ["expire:", "list:", "users:"].iter().any(|key| line.trim_start().starts_with(key));
        if password.is_none() && !is_heading {
            break;
        }
        let in_text = |value: &str| at + (value.as_ptr() as usize - line.as_ptr() as usize);
        found.extend(password.filter(|value| is_written_out(value)).map(|value| Secret {
            kind: "password",
            span: in_text(value)..in_text(value) + value.len(),
        }));
        at = end + 1;
    }
    found
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let line = &bytes[at..bytes.len().min(at + MAX_LINE)];
    at + memchr::memchr(b'\n', line).unwrap_or(line.len())
}

/// Returns the password in a line of the form `user:password`. The line may be an element of a YAML list.
fn after_user(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches("- ").trim_matches(['"', '\'']);
    let (user, password) = line.split_once(':')?;
    let is_user = !user.is_empty()
        && user
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    (is_user && !password.is_empty() && !password.contains(' ')).then_some(password)
}

/// Returns the password in a line of the form `client server password address`.
fn third_field(line: &str) -> Option<&str> {
    let mut fields = line.split_ascii_whitespace();
    let password = fields.by_ref().nth(2)?;
    (fields.count() <= 1 && !line.trim_start().starts_with('#'))
        .then_some(password.trim_matches('"'))
}

fn is_written_out(value: &str) -> bool {
    value.len() >= MIN_PASSWORD
        && !value.starts_with(['$', '{', '<', '%'])
        && !is_label(value)
        && !is_placeholder(value)
        && !["RANDOM", "random"].contains(&value)
}
