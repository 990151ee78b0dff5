//! A prompt becomes search words: identifiers whole and in parts, English words, Chinese in pairs.

/// One word to look for, in lower case.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub text: String,
    /// How much a match says: 1 for a plain word, more for a name, less for a part of one.
    pub weight: f64,
    /// Written as a name in the prompt (`snake_case`, `camelCase`, `a::b`, a path).
    pub is_name: bool,
}

/// More words than this only cost time.
const MAX_TERMS: usize = 24;
/// A longer prompt is a pasted log; its beginning and its end say what it is about.
const MAX_CHARS: usize = 8_000;

const NAME_WEIGHT: f64 = 3.0;
const PART_WEIGHT: f64 = 0.6;
const CHINESE_WEIGHT: f64 = 0.8;

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
const CHINESE_STOP_PAIRS: &[&str] = &[
    "一个", "一下", "为什", "什么", "么样", "之后", "了吗", "什麼", "他们", "以及", "你们", "你帮", "你好", "使用", "到底", "可以", "可能", "告诉",
    "哪些", "哪个", "哪里", "在哪", "好像", "如何", "如果", "它们", "帮我", "帮忙", "应该", "怎么", "怎样", "我们", "我想", "找到", "把这", "是不", "是什",
    "时候", "有没", "没有", "然后", "现在", "的是", "看看", "知道", "请问", "请帮", "这个", "这些", "这里", "那个", "里面", "需要", "不是", "不能", "因为",
];

/// The words worth searching, the weightiest first.
#[must_use]
pub fn terms(prompt: &str) -> Vec<Term> {
    let prompt = ends_of(prompt);
    let mut terms: Vec<Term> = Vec::new();
    for word in prompt.split(|c: char| !is_word_character(c)) {
        let word = word.trim_matches(['.', ':', '-', '/', '@', '$', '#']);
        for run in split_scripts(word) {
            match run {
                Run::Chinese(text) => add_pairs(&mut terms, text),
                Run::Latin(text) => add_word(&mut terms, text),
            }
        }
    }
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    terms.truncate(MAX_TERMS);
    terms
}

/// The first and the last part of a very long prompt.
fn ends_of(prompt: &str) -> String {
    if prompt.chars().count() <= MAX_CHARS {
        return prompt.to_owned();
    }
    let head: String = prompt.chars().take(MAX_CHARS / 2).collect();
    let tail_start = prompt.char_indices().rev().nth(MAX_CHARS / 2).map_or(0, |(index, _)| index);
    head + "\n" + &prompt[tail_start..]
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '/' | '-' | '$')
}

enum Run<'a> {
    Chinese(&'a str),
    Latin(&'a str),
}

fn split_scripts(word: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let chinese = is_chinese(first);
        let end = rest.find(|c| is_chinese(c) != chinese).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        runs.push(if chinese { Run::Chinese(run) } else { Run::Latin(run) });
        rest = after;
    }
    runs
}

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Without a dictionary, neighbouring pairs stand in for words.
fn add_pairs(terms: &mut Vec<Term>, text: &str) {
    let characters: Vec<char> = text.chars().collect();
    for pair in characters.windows(2) {
        let pair: String = pair.iter().collect();
        if !CHINESE_STOP_PAIRS.contains(&pair.as_str()) {
            add(terms, pair, CHINESE_WEIGHT, false);
        }
    }
}

fn add_word(terms: &mut Vec<Term>, text: &str) {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let is_compound = text.contains([':', '/', '.']);
    // The ending of a file's name is in every file of its kind.
    let text = text
        .rsplit_once('.')
        .filter(|(_, ending)| ending.len() <= 4)
        .map_or(text, |(stem, _)| stem);
    for name in text.split([':', '/', '.', '-']).filter(|name| !name.is_empty()) {
        let lower = name.to_lowercase();
        let parts = parts_of(name);
        let is_name = parts.len() > 1 || name.contains('_') || is_compound;
        if lower.len() < 2 || lower.len() > 80 || lower.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        if is_name {
            add(terms, lower, NAME_WEIGHT, true);
            for part in parts.into_iter().filter(|part| part.len() > 2 && !is_stop_word(part)) {
                add(terms, part, PART_WEIGHT, false);
            }
        } else if !is_stop_word(&lower) {
            add(terms, stem(&lower).to_owned(), 1.0, false);
        }
    }
}

pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Plurals find the singular; the search is for substrings, so the shorter form finds both.
fn stem(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(singular) if singular.len() > 3 && !singular.ends_with(['s', 'u', 'i']) => singular,
        _ => word,
    }
}

/// `parseHTTPHeader_v2` is `parse`, `http`, `header`, `v2`.
fn parts_of(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (index, c) in characters.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| characters[index]);
        let after = characters.get(index + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || (before.is_uppercase() && after.is_some_and(|after| after.is_lowercase()))
            });
        if *c == '_' || *c == '$' || starts {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn add(terms: &mut Vec<Term>, text: String, weight: f64, is_name: bool) {
    match terms.iter_mut().find(|term| term.text == text) {
        Some(term) => {
            term.weight = term.weight.max(weight);
            term.is_name |= is_name;
        }
        None => terms.push(Term { text, weight, is_name }),
    }
}
