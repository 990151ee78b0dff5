//! What is said in Chinese beside what it is called in code: one pair per commit subject, line or translation.

use std::collections::{HashMap, HashSet};

use index::text::{TokenKind, for_each_token, is_cjk};

/// A commit that changed more says little about each file.
const MAX_CHANGED_FILES: usize = 4;
/// The words at the end of a path say what a file is; the first folders are those of every file.
const PATH_PARTS: usize = 3;
/// More words than this are a paragraph: no word of it is surely the one that is meant.
const MAX_ENGLISH: usize = 14;
const MAX_CHINESE_BYTES: usize = 120;
/// Words of languages, not of what is written in them.
#[rustfmt::skip]
const SYNTAX: &[&str] = &[
    "const", "def", "else", "final", "for", "func", "if", "import", "int", "let", "of", "privat", "protect", "public", "return",
    "self", "static", "string", "this", "to", "var", "void",
];

/// One pair.
pub(super) struct Pair {
    /// Runs of ideographs, parted by spaces.
    pub(super) chinese: String,
    /// Words of code, as the index has them.
    pub(super) english: Vec<u32>,
    /// Which corpus it is of.
    pub(super) corpus: u32,
}

/// All pairs of all corpora, in the order of reading.
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

    /// What follows is of another corpus; repetitions are counted once per corpus.
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

/// The last parts of a path, without the extension.
fn end_of(path: &str) -> &str {
    let stem_end = path.rfind('.').filter(|dot| !path[*dot..].contains('/')).unwrap_or(path.len());
    let path = &path[..stem_end];
    let start = path.rmatch_indices('/').nth(PATH_PARTS - 1).map_or(0, |(at, _)| at + 1);
    &path[start..]
}

/// The runs of ideographs of a text, parted by spaces.
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
