//! Finds markup that imitates the turns of a conversation (`Assistant: …`, `User: …`), and tags that clients or model
//! templates interpret.

use memchr::memmem;
use std::ops::Range;
use std::sync::LazyLock;

use super::pattern::PhraseMatch;
use super::phrases::{Role, Signal};
use super::words::{Start, Words};
use crate::bytes::{equals_any_ignoring_case, run_before, starts_with};
use crate::injection::WORDS;
use crate::prefix_search::{Hit, PrefixSearch, StartRule};
use crate::table::WordList;

const ROLES: &[&str] = &["assistant", "user", "system", "human", "developer"];
/// Words with which an assistant's report about its own work often starts.
const REPORTS: &[&str] =
    &["added", "changed", "created", "fixed", "moved", "removed", "renamed", "replaced", "updated"];
const ONE_ROLE_WEIGHT: u32 = 3;
const SYSTEM_ROLE_WEIGHT: u32 = 5;
const TWO_ROLES_WEIGHT: u32 = 7;
const TAG_WEIGHT: u32 = 6;

/// The weight of a role such as `###(system_message)`. It suffices for a removal, because it has no other use.
const DECORATED_ROLE_WEIGHT: u32 = 8;

static TAGS: WordList = WordList::new(WORDS, "tags");
static ROLE_TRIGGERS: WordList = WordList::new(WORDS, "role triggers");
static READER_NAMES: WordList = WordList::new(WORDS, "reader names");
static SHARED_ROLES: WordList = WordList::new(WORDS, "shared roles");
const MODEL_QUALIFIERS: &[&str] =
    &["ai", "llm", "llms", "automated", "automatic", "machine", "model", "gpt", "bot"];
const VOCATIVE_WEIGHT: u32 = 4;
/// The weight of `[system]`. It is lower than [`TAG_WEIGHT`], because configuration files use `[system]` as a section
/// name.
const SECTION_WEIGHT: u32 = 4;

/// Finds the words that start a turn of a conversation. If they belong to different roles, they are scored as an
/// imitated dialogue, unless the last turn is an assistant's report.
pub(crate) fn roles(words: &Words) -> Vec<PhraseMatch> {
    let turns: Vec<(usize, &str)> = (0..words.len())
        .filter(|&index| words.list[index].has_colon && words.list[index].start != Start::Nothing)
        .map(|index| (index, words.text(index)))
        .filter(|&(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            ROLES.contains(&role) && (is_line || role == "system")
        })
        .collect();
    // If the last turn is the assistant's report, the text is a transcript that contains no instruction after the
    // report.
    let is_transcript = turns.last().is_some_and(|&(index, role)| {
        role == "assistant" && index + 1 < words.len() && REPORTS.contains(&words.text(index + 1))
    });
    let is_dialogue = !is_transcript && turns.iter().any(|(_, role)| *role != turns[0].1);
    turns
        .into_iter()
        .map(|(index, role)| {
            let is_line = words.list[index].start == Start::Line;
            let alone =
                if role == "system" && is_line { SYSTEM_ROLE_WEIGHT } else { ONE_ROLE_WEIGHT };
            let weight = if is_dialogue { TWO_ROLES_WEIGHT } else { alone };
            PhraseMatch::of_word(index, Signal::Markup, weight, Role::Trigger)
        })
        .collect()
}

/// Finds names of a model or an agent that are followed by a colon, such as `AI agents: …` or `LLM: …`, at the start
/// of a line, a sentence or a comment.
pub(crate) fn vocatives(text: &str, words: &Words) -> Vec<PhraseMatch> {
    let follows = |at: usize| {
        let gap = words.list[at - 1].source.end..words.list[at].source.start;
        matches!(text.get(gap), Some(" " | "-" | "/"))
    };
    // At most two words may come before the name: `coding agents:`, `dear coding agents:`, `review-bot:`.
    let starts = |index: usize| {
        let first = (index.saturating_sub(2)..=index)
            .rev()
            .find(|&at| words.list[at].start != Start::Nothing);
        first.is_some_and(|first| (first + 1..=index).all(follows))
    };
    (0..words.len())
        .filter(|&index| words.list[index].has_colon && is_reader_name(words, index))
        .filter(|&index| starts(index) && precedes_colon(text, words, index))
        .map(|index| PhraseMatch::of_word(index, Signal::Address, VOCATIVE_WEIGHT, Role::Trigger))
        .collect()
}

/// Returns whether the word is an English name of a model or an agent.
fn is_reader_name(words: &Words, index: usize) -> bool {
    READER_NAMES.contains(&words.text(index))
        || SHARED_ROLES.contains(&words.text(index))
            && index > 0
            && MODEL_QUALIFIERS.contains(&words.text(index - 1))
}

/// Returns whether the colon directly follows the name. In the commit subject `fix(agent): …`, the colon follows a
/// parenthesis instead.
fn precedes_colon(text: &str, words: &Words, index: usize) -> bool {
    let rest = text.get(words.list[index].source.end..).unwrap_or_default();
    rest.chars()
        .take_while(|character| !matches!(character, ':' | '：'))
        .all(|character| character != ')')
}

/// Finds tags that a client or a model template would interpret, and roles that are decorated with marks and brackets.
pub(crate) fn tags(text: &str, region: &Range<usize>, words: &Words) -> Vec<PhraseMatch> {
    if words.len() == 0 {
        return Vec::new();
    }
    let bytes = &text.as_bytes()[region.clone()];
    memchr::memchr3_iter(b'<', b'[', b'#', bytes)
        .chain(memchr::memchr2_iter(b'{', b'(', bytes))
        .filter_map(|at| Some((at, tag_weight(bytes, at)?)))
        .map(|(at, weight)| {
            let after = words.list.partition_point(|word| word.source.end <= region.start + at);
            let index = after.min(words.len() - 1);
            PhraseMatch::of_word(index, Signal::Markup, weight, Role::Trigger)
        })
        .collect()
}

/// Returns the weight of the tag or the decorated role at `at`, or `None` if there is neither.
fn tag_weight(bytes: &[u8], at: usize) -> Option<u32> {
    if decorated_role(bytes, at).is_some() {
        return Some(DECORATED_ROLE_WEIGHT);
    }
    let is_tag = TAGS.iter().any(|tag| starts_with(&bytes[at..], tag));
    let is_section = || starts_with(&bytes[at..], "[system]");
    is_tag.then(|| if is_section() { SECTION_WEIGHT } else { TAG_WEIGHT })
}

/// The minimum number of equal marks before the bracket.
const MIN_MARKS: usize = 2;
/// The maximum number of bytes between the brackets.
const MAX_INNER: usize = 40;

#[rustfmt::skip]
const SPEAKERS: &[&str] = &["admin", "administrator", "assistant", "developer", "instruction", "instructions", "operator", "system"];
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "alert", "command", "directive", "instruction", "instructions", "message", "msg", "note", "notice", "override", "prompt",
    "reminder", "role", "update",
];

/// Returns the span of a role in brackets after a row of marks, such as `###(system_message)` or `**[ADMIN OVERRIDE]`. No
/// client or document format uses such a form, so it can only imitate a role. The bracket is at `open`; the span
/// includes the marks.
fn decorated_role(text: &[u8], open: usize) -> Option<Range<usize>> {
    let close = match text.get(open)? {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        _ => return None,
    };
    let mark = *text[..open].last().filter(|mark| matches!(mark, b'#' | b'*' | b'=' | b'~'))?;
    let n_marks = run_before(&text[..open], usize::MAX, |byte| byte == mark);
    if n_marks < MIN_MARKS {
        return None;
    }
    let rest = &text[open + 1..];
    let length = memchr::memchr(close, &rest[..rest.len().min(MAX_INNER)])?;
    names_role(&rest[..length]).then(|| open - n_marks..open + length + 2)
}

/// Returns whether the text consists of a speaker and a kind of message: `system_message`, `Admin Override`.
fn names_role(inner: &[u8]) -> bool {
    let mut words =
        inner.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_in = |word: Option<&[u8]>, list: &[&str]| {
        word.is_some_and(|word| equals_any_ignoring_case(word, list))
    };
    is_in(words.next(), SPEAKERS) && is_in(words.next(), KINDS) && words.next().is_none()
}

/// The mark of a Markdown heading. It may precede a role, as in `### system:`.
const HEADING: &[u8] = b"### ";
const MAX_ROLE_BYTES: usize = "instruction".len();

static MARKUP: LazyLock<PrefixSearch> = LazyLock::new(|| {
    let patterns = TAGS.iter().chain(ROLE_TRIGGERS.iter()).map(|text| (*text).to_owned()).collect();
    PrefixSearch::new(patterns, StartRule::WordStarts)
});

/// Returns the spans of all tags, roles and pipes into a shell, in no particular order. Tags are found by their opening
/// bracket, and roles and headings by their colon.
pub(crate) fn raw_spans(text: &[u8]) -> Vec<Range<usize>> {
    let search = &*MARKUP;
    let mut found: Vec<Range<usize>> = Vec::new();
    let tags_at =
        |start: usize| search.hits_at(text, start).map(|Hit { start, end, .. }| start..end);
    for bracket in memchr::memchr3_iter(b'<', b'[', b'{', text) {
        found.extend(tags_at(bracket));
        found.extend(decorated_role(text, bracket));
    }
    // Most parentheses belong to code, so only those after the mark of a heading are checked.
    found.extend(memmem::find_iter(text, "#(").filter_map(|at| decorated_role(text, at + 1)));
    for colon in memchr::memchr_iter(b':', text) {
        if let Some(start) = role_start(text, colon) {
            found.extend(tags_at(start));
            if text[..start].ends_with(HEADING) {
                found.extend(tags_at(start - HEADING.len()));
            }
        }
    }
    found.extend(memchr::memchr_iter(b'|', text).filter_map(|pipe| pipe_into_shell(text, pipe)));
    found
}

/// Returns the span of a pipe into a shell or into `sudo`, such as `| sh`, if one starts at `pipe`. Such pipes are
/// searched for in the whole text, because the gate often does not select the few words around them.
fn pipe_into_shell(text: &[u8], pipe: usize) -> Option<Range<usize>> {
    let shells: [&[u8]; 6] = [b"| sh", b"| bash", b"|sh", b"|bash", b"| zsh", b"| sudo"];
    let shell = shells.into_iter().find(|shell| text[pipe..].starts_with(shell))?;
    Some(pipe..pipe + shell.len())
}

/// Returns the start of the word before a colon, if the word's length and last letter are those of a role.
fn role_start(text: &[u8], colon: usize) -> Option<usize> {
    let last = text[..colon].last()?.to_ascii_lowercase();
    if !matches!(last, b'i' | b'm' | b'n' | b'r' | b's' | b't') {
        return None;
    }
    let length = run_before(&text[..colon], MAX_ROLE_BYTES + 1, |byte| byte.is_ascii_alphabetic());
    (length <= MAX_ROLE_BYTES).then(|| colon - length)
}

/// The last two characters of the Chinese names for a model or an agent.
const CHINESE_NAME_ENDS: &[(&str, &str)] =
    &[("助", "手"), ("模", "型"), ("器", "人"), ("能", "体"), ("代", "理"), ("助", "理")];
const MAX_WORDS_BEFORE_CALL: usize = 8;
/// The weight of an order that directly follows a call.
const ORDER_WEIGHT: u32 = 4;

static ORDER_VERBS: WordList = WordList::new(WORDS, "order verbs");
static CHINESE_ORDERS: WordList = WordList::new(WORDS, "chinese orders");

/// Finds names of a model or an agent before a comma or a colon near the start of a sentence: `Model, …`, `摘要机器人：…`.
/// Such a name is only a clue, because descriptions of programs also contain it. If the next word starts an order, it
/// is a second clue.
pub(crate) fn calls(text: &str, words: &Words) -> Vec<PhraseMatch> {
    let is_call = |index: &usize| {
        let rest = text.get(words.list[*index].source.end..).unwrap_or_default();
        let first = index.saturating_sub(MAX_WORDS_BEFORE_CALL);
        rest.starts_with([',', '，', ':', '：'])
            && (is_reader_name(words, *index) || is_chinese_name(words, *index))
            && words.list[first..=*index].iter().any(|word| word.start != Start::Nothing)
    };
    let clue = |signal: Signal, weight: u32, index: usize| {
        PhraseMatch::of_word(index, signal, weight, Role::Clue)
    };
    let mut found = Vec::new();
    for index in (0..words.len()).filter(is_call) {
        found.push(clue(Signal::Address, VOCATIVE_WEIGHT, index));
        if !follows_article(words, index) && starts_order(words, index + 1) {
            found.push(clue(Signal::Request, ORDER_WEIGHT, index + 1));
        }
    }
    found
}

fn is_chinese_name(words: &Words, index: usize) -> bool {
    index > 0
        && CHINESE_NAME_ENDS
            .iter()
            .any(|(before, last)| words.text(index) == *last && words.text(index - 1) == *before)
}

/// Returns whether the text mentions the name without addressing it. An article or a preposition then precedes the
/// name, as in `at the model, …`, or `是` (to be) does, as in `你是翻译助手，…`.
fn follows_article(words: &Words, index: usize) -> bool {
    let articles = ["the", "a", "an", "of", "with", "by", "this", "that", "our", "and", "or", "is"];
    index > 0 && articles.contains(&words.text(index - 1))
        || (index.saturating_sub(MAX_WORDS_BEFORE_CALL)..index).any(|at| words.text(at) == "是")
}

/// Returns whether the words from `index` on start with an order. `please` and `always` may precede its verb.
fn starts_order(words: &Words, index: usize) -> bool {
    let is = |index: usize, list: &[&str]| index < words.len() && list.contains(&words.text(index));
    is(index, &ORDER_VERBS)
        // `请求` is a noun.
        || is(index, &CHINESE_ORDERS) && !is(index + 1, &["求"])
        || is(index, &["please", "always", "kindly", "now"]) && is(index + 1, &ORDER_VERBS)
}

#[cfg(test)]
mod tests;
