//! Finds replies to password prompts in scripts: `expect "assword:"` followed by `send "…\r"`.

use super::Secret;
use super::dummy_values::is_placeholder;
use super::vocabulary::is_label;
use crate::work;

const MAX_DISTANCE: usize = 160;
const MIN_ANSWER: usize = 4;
const MAX_ANSWER: usize = 64;

/// Commands and functions that reply to a prompt, in lower case, including the quote before the reply.
pub(crate) const ANSWERS: &[&str] = &[
    "send \"",
    "send -- \"",
    "send {",
    "sendline(\"",
    "sendline('",
    "send(\"",
    "send('",
    "write(\"",
    "write('",
    "write(b\"",
    "write(b'",
];

/// Returns the reply at `start` if a password prompt appears shortly before `start`.
pub(crate) fn answer_at(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let before = &bytes[start.saturating_sub(MAX_DISTANCE)..start];
    let asked = ["assword", "assphrase", "passwd"]
        .iter()
        .filter_map(|word| memchr::memmem::rfind(before, word.as_bytes()))
        .max()?;
    work::count(before.len());
    let has_wait = ["expect", "read_until", "waitfor", "wait_for"]
        .iter()
        .any(|word| memchr::memmem::find(before, word.as_bytes()).is_some());
    // If another reply already followed the prompt, that reply was the password.
    let is_answered = ANSWERS.iter().any(|answer| {
        let earlier = &before[asked..before.len() - answer.len().min(before.len() - asked)];
        memchr::memmem::find(earlier, answer.as_bytes()).is_some()
    });
    let quote = match bytes[start - 1] {
        b'{' => b'}',
        quote => quote,
    };
    let length =
        bytes[start..].iter().take(MAX_ANSWER).position(|byte| *byte == quote || *byte == b'\\')?;
    let answer = text.get(start..start + length)?;
    let is_written_out = answer.len() >= MIN_ANSWER
        && answer.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && !answer.starts_with(['$', '{', '<', '%', '['])
        && !answer.contains("${");
    (has_wait && !is_answered && is_written_out && !is_label(answer) && !is_placeholder(answer))
        .then_some(Secret { kind: "password", span: start..start + length })
}
