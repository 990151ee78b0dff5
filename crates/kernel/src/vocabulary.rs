//! The English and Chinese words from which the subject and the intent of a prompt are derived.

use policy::TOOLS;

use crate::intent::Need;

const WORDS: &str = include_str!("vocabulary.txt");

/// A word of the vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    pub(crate) text: &'static str,
    pub(crate) weight: f64,
    /// Whether the word is an English verb.
    pub(crate) is_action: bool,
}

/// Returns the words from which it is derived whether a prompt is about code.
pub(crate) fn words() -> impl Iterator<Item = Word> {
    let mut is_action = false;
    WORDS.lines().filter_map(move |line| {
        if let Some(section) = line.strip_prefix('[') {
            is_action = section == "actions]";
        }
        let (text, weight) = line.rsplit_once(' ').filter(|_| !line.starts_with('#'))?;
        Some(Word { text, weight: weight.parse().ok()?, is_action })
    })
}

/// Phrases that occur in questions.
#[rustfmt::skip]
pub(crate) const QUESTIONS: &[&str] = &[
    "where is", "where are", "where do", "where does", "how is", "how are", "how does", "how do we", "why is", "why does", "when is", "who ", "which ", "what ",
    "哪里", "在哪", "怎么", "如何", "为什么", "什么", "谁",
];

/// Phrases that occur in prompts that refer to an earlier prompt.
#[rustfmt::skip]
pub(crate) const FOLLOW_UPS: &[&str] = &[
    "continue", "go on", "keep going", "proceed", "now fix it", "fix it", "do it", "try again", "next step", "same for", "as before",
    "what about", "how about", "and the ", "show me more", "more about",
    "继续", "接着", "下一步", "再试", "按上面", "照上面", "同样", "刚才", "上面的", "那测试呢", "还有呢", "再看看", "详细一点",
];

/// Pronouns that refer to the subject of an earlier prompt.
#[rustfmt::skip]
pub(crate) const PRONOUNS: &[&str] = &[
    "it", "its", "this", "that", "these", "those", "them", "they", "there", "它", "它们", "这个", "那个", "这里", "那里", "这些", "那些", "这段", "该",
];

/// Phrases that show what a prompt needs in addition to a search, and that belong to no question.
#[rustfmt::skip]
const GENERAL_NEEDS: &[(&str, Need)] = &[
    ("explain", Need::Structure), ("how does", Need::Structure), ("how do", Need::Structure), ("how is", Need::Structure),
    ("architecture", Need::Structure), ("refactor", Need::Structure), ("fix", Need::Structure), ("implement", Need::Structure),
    ("who uses", Need::Structure), ("depends on", Need::Structure), ("why", Need::Structure), ("flow", Need::Structure),
    ("conflict", Need::Structure), ("uses it", Need::Structure), ("used by", Need::Structure), ("解释", Need::Structure), ("怎么", Need::Structure),
    ("如何", Need::Structure), ("为什么", Need::Structure), ("架构", Need::Structure), ("流程", Need::Structure), ("重构", Need::Structure),
    ("修复", Need::Structure), ("实现", Need::Structure), ("依赖", Need::Structure), ("关系", Need::Structure), ("调用", Need::Structure),
    ("vulnerabilit", Need::Scan), ("cve", Need::Scan), ("dependency audit", Need::Scan), ("license audit", Need::Scan), ("漏洞", Need::Scan),
    ("依赖扫描", Need::Scan),
];

/// Returns the phrases that show what a prompt needs in addition to a search: the general ones, and those of the
/// questions.
pub(crate) fn needs() -> impl Iterator<Item = (&'static str, Need)> {
    let of_tool = |tool: &'static policy::Tool| {
        tool.phrases.iter().map(|phrase| (*phrase, Need::Question(tool.id)))
    };
    GENERAL_NEEDS.iter().copied().chain(TOOLS.iter().flat_map(of_tool))
}

/// Pairs of a word form and its base form in the vocabulary, for forms that the stemmer does not reduce. `caller` is
/// also a word of the vocabulary itself.
#[rustfmt::skip]
pub(crate) const FORMS: &[(&str, &str)] = &[
    ("added", "add"), ("adding", "add"), ("apis", "api"), ("caller", "call"), ("checker", "check"), ("debugger", "debug"), ("finder", "find"),
    ("implementer", "implement"), ("indexer", "index"), ("linter", "lint"), ("logger", "log"), ("renderer", "render"), ("used", "use"), ("using", "use"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_vocabulary_is_read() {
        let is_word = |line: &&str| !line.is_empty() && !line.starts_with(['#', '[']);
        assert_eq!(words().count(), WORDS.lines().filter(is_word).count());
        assert!(words().any(|word| word.is_action) && words().any(|word| !word.is_action));
    }
}
