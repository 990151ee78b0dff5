//! Finds calls: places where a text addresses a model or an agent. A call is the name before a comma or a colon near
//! the start of a sentence. Also finds the order that directly follows a call.

use super::{VOCATIVE_WEIGHT, is_reader_name};
use crate::injection::WORDS;
use crate::injection::pattern::PhraseMatch;
use crate::injection::phrases::Role;
use crate::injection::phrases::Signal;
use crate::injection::words::{Start, Words};
use crate::table::WordList;

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
        ends_call(text, words, *index)
            && (is_reader_name(words, *index) || is_chinese_name(words, *index))
            && is_near_start(words, *index)
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

fn ends_call(text: &str, words: &Words, index: usize) -> bool {
    let rest = text.get(words.list[index].source.end..).unwrap_or_default();
    rest.starts_with([',', '，', ':', '：'])
}

fn is_near_start(words: &Words, index: usize) -> bool {
    let first = index.saturating_sub(MAX_WORDS_BEFORE_CALL);
    words.list[first..=index].iter().any(|word| word.start != Start::Nothing)
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
