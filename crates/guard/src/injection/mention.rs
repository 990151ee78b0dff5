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
    "re.compile", "regex", "patterns", "flagged", "such as", "payload", "red team", "detect(", "test case", "注入", "攻击", "检测", "拦截",
    "越狱", "恶意", "黑名单", "之类", "载荷", "红队", "用例", "这类",
];

/// Words that name an attack. A quotation after such a word is an example even if it names a secret.
#[rustfmt::skip]
const ATTACK: &[&str] = &[
    "injection", "jailbreak", "attack", "malicious", "adversarial", "payload", "red team", "test case", "guard removes", "filter removes",
    "注入", "攻击", "越狱", "恶意", "载荷", "红队", "用例", "防护", "过滤器",
];

/// Verbs that report what an attack asks for.
#[rustfmt::skip]
const REPORTING: &[&str] = &[
    " ask ", " asks ", " tell ", " tells ", " instruct ", " instructs ", " trick ", " tricks ", " tries to ", " order ", " orders ", "要求",
    "让", "诱导", "诱使", "命令",
];

/// Readers that a report names in the third person.
#[rustfmt::skip]
const READERS: &[&str] = &[
    "the assistant", "the model", "the agent", "the bot", "an ai", "the ai", "the llm", "an agent", "an assistant", "a model", "an llm",
    "助手", "模型", "代理", "机器人", "智能体", "ai ",
];

/// Words that turn a report into an order to the reader.
#[rustfmt::skip]
const SECOND_PERSON: &[&str] =
    &["you", "please", " i ", " we ", "must now", "now,", "now:", "你", "您", "请", "我", "现在", "立即", "务必"];

/// Strings that no description of an attack needs: addresses and paths.
const TARGETS: &[&str] =
    &["://", "www.", "~/", ".env", ".ssh", "@", "$", "rm -", "sudo", ".example", ".com"];
const COMMANDS: &[&str] =
    &["curl", "wget", "bash", "chmod", "npm ", "npx ", "pip ", "eval", "exec"];
/// Maximum number of bytes between the name of an attack and the verb of a report, and between the verb and the reader.
const REPORT_REACH: usize = 48;
/// Maximum number of bytes of a sentence that describes an attack.
const MAX_SENTENCE_BYTES: usize = 320;

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
        let from = text.ceil_char_boundary(from);
        let from = sentence_start(text, from, span.start.max(from));
        for sentence in sentences(text, from..span.end.max(from)) {
            if is_description(&text[sentence.clone()]) {
                examples.push(sentence);
            } else {
                let from =
                    examples.last().map_or(sentence.start, |last| sentence.start.max(last.end));
                examples.extend(examples_in(text, text.ceil_char_boundary(from)..sentence.end));
            }
        }
        searched = examples.last().map_or(span.end, |last| last.end.max(span.end)).max(searched);
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

/// Returns the start of the sentence or quotation context around `at`, but at least `lowest`.
fn sentence_start(text: &str, lowest: usize, at: usize) -> usize {
    let before = text.get(lowest..at).unwrap_or_default();
    before.rfind('\n').map_or(lowest, |newline| lowest + newline + 1)
}

/// Splits a part of `text` into sentences.
fn sentences(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = part.start;
    let mut characters = text[part.clone()].char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_before_space = characters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match character {
            '\n' | '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' | ':' => is_before_space,
            _ => false,
        };
        if ends {
            let end = part.start + at + character.len_utf8();
            found.push(start..end);
            start = end;
        }
    }
    if start < part.end {
        found.push(start..part.end);
    }
    found
}

/// Whether a sentence describes an attack in the third person (`a payload asks the assistant to …`): it names an attack, then a verb that reports a request, then the reader of the request.
fn is_description(sentence: &str) -> bool {
    if sentence.len() > MAX_SENTENCE_BYTES {
        return false;
    }
    // `请求` is a noun, but `请` alone asks for something.
    let sentence = sentence.to_lowercase().replace("请求", "  ");
    let within = |start: usize| {
        let end = sentence.floor_char_boundary(start + REPORT_REACH);
        &sentence[start..end]
    };
    let reports = |attack: &&str| {
        sentence.find(*attack).is_some_and(|at| {
            let after = at + attack.len();
            let verb_end = |verb: &&str| {
                within(after)
                    .find(*verb)
                    .map(|at| after + at + verb.len() - usize::from(verb.ends_with(' ')))
            };
            REPORTING
                .iter()
                .filter_map(verb_end)
                .any(|verb| READERS.iter().any(|reader| within(verb).contains(reader)))
        })
    };
    ATTACK.iter().any(|attack| reports(&attack))
        && !SECOND_PERSON.iter().chain(TARGETS).any(|word| sentence.contains(word))
}

/// Returns the content of each quoted example that starts in `span`, in text order and without overlap.
fn examples_in(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = span.start;
    while let Some((start, content)) = next_quotation(text, at, span.end) {
        let quoted = text[content.clone()].to_lowercase();
        let is_example = is_harmless(&quoted) && has_context(text, &content)
            || names_no_target(&quoted) && follows_attack(text, &content);
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
    !PAYLOAD.iter().any(|payload| quoted.contains(payload))
}

/// Whether the quotation contains neither a command nor an address nor a path.
fn names_no_target(quoted: &str) -> bool {
    !TARGETS.iter().any(|target| quoted.contains(target))
        && !COMMANDS.iter().any(|command| quoted.contains(command))
}

/// Whether the line names an attack before the quotation.
fn follows_attack(text: &str, content: &Range<usize>) -> bool {
    let start = text.floor_char_boundary(content.start.saturating_sub(CONTEXT_BYTES_BEFORE));
    let before = text[start..content.start].to_lowercase();
    let line = before.rsplit('\n').next().unwrap_or_default();
    ATTACK.iter().any(|attack| line.contains(attack))
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
