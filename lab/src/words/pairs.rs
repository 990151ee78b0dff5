//! Collects pairs that consist of a Chinese text and code words. Each commit subject, line or translation results in
//! one pair.

use std::collections::{HashMap, HashSet};

use index::text::{TokenKind, for_each_token, is_cjk};

/// The maximum number of changed files in a commit. Larger commits are skipped, because their subject does not describe each
/// file.
const MAX_CHANGED_FILES: usize = 4;
/// The number of path parts that are used, counted from the end. The first folders are common to most files.
const PATH_PARTS: usize = 3;
/// The maximum number of code words in a pair. Longer texts are skipped, because their words cannot be matched
/// reliably.
const MAX_ENGLISH: usize = 14;
const MAX_CHINESE_BYTES: usize = 120;
/// Stemmed keywords of programming languages. They are excluded from the code words.
#[rustfmt::skip]
const SYNTAX: &[&str] = &[
    "const", "def", "else", "final", "for", "func", "if", "import", "int", "let", "of", "privat", "protect", "public", "return",
    "self", "static", "string", "this", "to", "var", "void",
];

/// A Chinese text and the code words next to it.
pub(super) struct Pair {
    /// Runs of ideographs, separated by spaces.
    pub(super) chinese: String,
    /// The ids of the code words. The words have the form in which the index stores terms.
    pub(super) english: Vec<u32>,
    /// The index of the corpus.
    pub(super) corpus: u32,
}

/// The pairs of all corpora, in the order in which they were read.
#[derive(Default)]
pub(super) struct Pairs {
    pub(super) all: Vec<Pair>,
    pub(super) english: Vec<String>,
    numbers: HashMap<String, u32>,
    seen: HashSet<(String, Vec<u32>)>,
    corpus: u32,
}

impl Pairs {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Starts the next corpus. Repeated pairs count once per corpus.
    pub(super) fn next_corpus(&mut self) {
        self.corpus += 1;
        self.seen.clear();
    }

    pub(super) fn subject(&mut self, subject: &str, paths: &[&str]) {
        if paths.is_empty() || paths.len() > MAX_CHANGED_FILES {
            return;
        }
        let ends: Vec<&str> = paths.iter().map(|path| end_of(path)).collect();
        self.line(subject, &ends);
    }

    pub(super) fn line(&mut self, chinese: &str, english: &[&str]) {
        let chinese = ideographs(chinese);
        if chinese.is_empty() || chinese.len() > MAX_CHINESE_BYTES {
            return;
        }
        let mut numbers = Vec::new();
        for text in english {
            for_each_token(text, |token| {
                let plain = token.term.bytes().all(|byte| byte.is_ascii_lowercase());
                let is_syntax = SYNTAX.binary_search(&token.term).is_ok();
                if token.kind == TokenKind::Part && plain && !is_syntax && token.term.len() > 1 {
                    let number = self.number(token.term);
                    if !numbers.contains(&number) {
                        numbers.push(number);
                    }
                }
            });
        }
        if numbers.is_empty() || numbers.len() > MAX_ENGLISH {
            return;
        }
        if self.seen.insert((chinese.clone(), numbers.clone())) {
            self.all.push(Pair { chinese, english: numbers, corpus: self.corpus });
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = u32::try_from(self.english.len()).unwrap_or(u32::MAX);
        self.english.push(word.to_owned());
        self.numbers.insert(word.to_owned(), number);
        number
    }
}

/// Returns the last parts of a path, without the extension.
fn end_of(path: &str) -> &str {
    let stem_end = path.rfind('.').filter(|dot| !path[*dot..].contains('/')).unwrap_or(path.len());
    let path = &path[..stem_end];
    let start = path.rmatch_indices('/').nth(PATH_PARTS - 1).map_or(0, |(at, _)| at + 1);
    &path[start..]
}

/// Returns the runs of ideographs in a text, separated by spaces.
fn ideographs(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if is_cjk(character) && !is_kana(character) {
            out.push(character);
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn is_kana(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30ff)
}
