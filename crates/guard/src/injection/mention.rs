//! Finds quoted examples of injected instructions: a document about prompt injection, the patterns of a detector, a test.
//!
//! Such a quotation is not removed, because a reader of the document needs it and it contains no order of its own. It is still
//! not quoted in a briefing ([`super::unquotable_lines`]).

use std::ops::Range;

use super::score::Removal;

/// Maximum number of bytes between the quotation marks. A longer text is not an example.
const MAX_QUOTED_BYTES: usize = 96;
/// Number of bytes before and after a quotation in which its context must be named.
const CONTEXT_BYTES_BEFORE: usize = 240;
const CONTEXT_BYTES_AFTER: usize = 96;

const QUOTATION_MARKS: &[(&str, &str)] =
    &[("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("「", "」"), ("『", "』")];

/// Words that say that a quotation is an example of an attack.
#[rustfmt::skip]
const CONTEXT: &[&str] = &[
    "injection", "jailbreak", "attack", "malicious", "adversarial", "detector", "detection", "blocklist", "denylist",
    "re.compile", "regex", "patterns", "flagged", "such as", "注入", "攻击", "检测", "拦截", "越狱", "恶意", "黑名单", "之类",
];

/// Strings that a harmless example does not contain: addresses, commands, paths and names of secrets.
#[rustfmt::skip]
const PAYLOAD: &[&str] = &[
    "://", "www.", "curl", "wget", "sudo", "bash", "rm -", "chmod", "npm ", "npx ", "pip ", "eval", "exec", "$", "~/", ".env", ".ssh",
    "@", "key", "token", "password", "secret", "credential", "send", "upload", "delete", "install", "密钥", "密码", "令牌", "口令",
    "发送", "上传", "删除", "执行", "运行", "下载", "安装",
];

/// Returns `text` with spaces instead of the quoted examples in `found`, so that positions do not change. Returns `None` if
/// there is no such example.
pub(crate) fn masked(text: &str, found: &[Removal]) -> Option<String> {
    let mut spans: Vec<&Range<usize>> = found.iter().map(|removal| &removal.span).collect();
    spans.sort_by_key(|span| span.start);
    let mut examples: Vec<Range<usize>> = Vec::new();
    // The removals of one long line overlap: each part of the text is searched once.
    let mut searched = 0;
    for span in spans {
        let from = span.start.saturating_sub(MAX_QUOTED_BYTES).max(searched);
        let from = examples.last().map_or(from, |last| from.max(last.end + 1));
        examples.extend(examples_in(text, text.ceil_char_boundary(from)..span.end));
        searched = searched.max(span.end);
    }
    if examples.is_empty() {
        return None;
    }
    let mut masked = String::with_capacity(text.len());
    let mut written = 0;
    for example in examples {
        masked.push_str(&text[written..example.start]);
        masked.extend(std::iter::repeat_n(' ', example.len()));
        written = example.end;
    }
    masked.push_str(&text[written..]);
    Some(masked)
}

/// Returns the content of each quoted example that starts in `span`, in text order and without overlap.
fn examples_in(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = span.start;
    while let Some((start, content)) = next_quotation(text, at, span.end) {
        let is_example = is_harmless(&text[content.clone()]) && has_context(text, &content);
        at = if is_example { content.end + 1 } else { start };
        at = text.ceil_char_boundary(at);
        if is_example {
            found.push(content);
        }
    }
    found
}

/// Returns the next quotation on one line that starts between `at` and `end`: the position after its opening mark, and its
/// content.
fn next_quotation(text: &str, at: usize, end: usize) -> Option<(usize, Range<usize>)> {
    let mut rest = at;
    loop {
        let searched = text.get(rest..end)?;
        let (offset, character) =
            searched.char_indices().find(|(_, character)| "\"'`“‘「『".contains(*character))?;
        let open = &text[rest + offset..rest + offset + character.len_utf8()];
        let start = rest + offset + open.len();
        let close = QUOTATION_MARKS.iter().find(|(mark, _)| *mark == open).map(|(_, close)| *close);
        let window = &text[start..text.floor_char_boundary(start + MAX_QUOTED_BYTES)];
        let line = window.split('\n').next().unwrap_or_default();
        if let Some(length) = close.and_then(|close| line.find(close))
            && length > 0
        {
            return Some((start, start..start + length));
        }
        rest = start;
    }
}

fn is_harmless(quoted: &str) -> bool {
    let quoted = quoted.to_lowercase();
    !PAYLOAD.iter().any(|payload| quoted.contains(payload))
}

/// Whether the text around a quotation says that it is an example of an attack.
fn has_context(text: &str, content: &Range<usize>) -> bool {
    let before = text.floor_char_boundary(content.start.saturating_sub(CONTEXT_BYTES_BEFORE));
    let after = text.floor_char_boundary(content.end + CONTEXT_BYTES_AFTER);
    let before = text[before..content.start].to_lowercase();
    let after = text[content.end..after].to_lowercase();
    CONTEXT.iter().any(|word| before.contains(word) || after.contains(word))
}

#[cfg(test)]
mod tests;
