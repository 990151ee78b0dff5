//! Stop words: common words and pairs of Chinese characters that do not identify anything in a repository.

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

/// The stop words of other languages. Some of them are names in code (`die`, `es`, `para`), so they count only in a
/// prompt in this language.
#[rustfmt::skip]
const OTHER_LANGUAGES: [&[&str]; 5] = [
    // Spanish
    &["al", "como", "cómo", "con", "cuando", "cuándo", "de", "del", "donde", "dónde", "el", "en", "es", "esta", "este", "está", "hay", "la", "las", "lo", "los",
      "más", "no", "o", "para", "pero", "por", "porque", "qué", "que", "se", "si", "sin", "sobre", "su", "un", "una", "y"],
    // French
    &["à", "au", "aux", "avec", "ce", "cette", "comment", "dans", "de", "des", "du", "elle", "en", "est", "et", "il", "la", "le", "les", "mais", "ne", "où", "ou",
      "par", "pas", "pour", "pourquoi", "que", "quel", "quelle", "qui", "sans", "se", "sont", "sur", "un", "une"],
    // German
    &["auf", "aus", "bei", "das", "dass", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen", "er", "es", "für", "im", "in", "ist", "mit", "nach",
      "nicht", "oder", "sich", "sie", "sind", "über", "und", "von", "warum", "was", "welche", "wenn", "wer", "werden", "wie", "wird", "wo", "zu", "zum", "zur"],
    // Portuguese
    &["ao", "as", "com", "como", "da", "das", "de", "do", "dos", "e", "em", "está", "isso", "mas", "na", "não", "nas", "no", "nos", "o", "onde", "os", "ou", "para",
      "pela", "pelo", "por", "que", "quando", "se", "sem", "são", "um", "uma", "é"],
    // Italian
    &["al", "alla", "che", "chi", "come", "con", "da", "dal", "dei", "del", "della", "delle", "di", "dove", "e", "gli", "il", "in", "la", "le", "lo", "ma", "nel",
      "nella", "non", "per", "perché", "più", "quando", "se", "si", "sono", "sul", "un", "una", "è"],
];
/// The number of distinct stop words from which a prompt is in a language.
const MIN_FOREIGN: usize = 3;

/// Returns the stop words of the language of a prompt with these words, or an empty list if it is in English. `words`
/// must be distinct and in lower case.
pub(super) fn foreign_stop_words(words: &[String]) -> &'static [&'static str] {
    let count = |list: &[&str]| words.iter().filter(|word| list.contains(&word.as_str())).count();
    let counts = OTHER_LANGUAGES.iter().map(|list| (count(list), *list));
    let best = counts.max_by_key(|(count, _)| *count);
    best.filter(|(found, _)| *found >= MIN_FOREIGN && *found > count(STOP_WORDS))
        .map_or(&[], |(_, list)| list)
}

/// Returns whether `word` is an English stop word. `word` must be in lower case and not stemmed.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

pub(super) fn is_stop_pair(pair: &str) -> bool {
    STOP_PAIRS.contains(&pair)
}
