//! Stop words: common English words and pairs of Chinese characters that do not identify anything in a repository.

#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before", "but",
    "by", "can", "could", "did", "do", "does", "doesn", "don", "down", "else", "explain", "find", "fix", "for", "from", "get",
    "give", "go", "had", "has", "have", "help", "here", "how", "i", "if", "in", "into", "is", "isn", "it", "its", "just", "know",
    "let", "like", "look", "make", "may", "me", "more", "my", "need", "no", "not", "now", "of", "off", "on", "one", "only", "or",
    "other", "our", "out", "over", "please", "same", "see", "should", "show", "so", "some", "tell", "than", "thank", "thanks",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "up", "us", "use", "used",
    "uses", "using", "very", "want", "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will",
    "with", "won", "work", "works", "would", "you", "your",
    "code", "defined", "file", "files", "function", "happen", "happens", "line", "search",
];

#[rustfmt::skip]
const STOP_PAIRS: &[&str] = &[
    "一个", "一下", "为什", "什么", "么样", "之后", "了吗", "什麼", "他们", "以及", "你们", "你帮", "你好", "使用", "到底", "可以", "可能", "告诉",
    "哪些", "哪个", "哪里", "在哪", "好像", "如何", "如果", "它们", "帮我", "帮忙", "应该", "怎么", "怎样", "我们", "我想", "找到", "把这", "是不", "是什",
    "时候", "有没", "没有", "然后", "现在", "的是", "看看", "知道", "请问", "请帮", "这个", "这些", "这里", "那个", "里面", "需要", "不是", "不能", "因为",
];

/// Returns whether `word` is a stop word. `word` must be in lower case and not stemmed.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

pub(super) fn is_stop_pair(pair: &str) -> bool {
    STOP_PAIRS.contains(&pair)
}
