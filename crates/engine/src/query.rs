//! Parses a prompt into a [`Query`], which lists the prompt's terms, identifiers, paths and stack frames.
//!
//! Every string is a valid prompt. The section weights are defined in `rank`, not here.

mod code_words;
mod form;
mod frames;
mod glossary;
mod joined_words;
mod names;
mod paths;
mod sections;
mod stop_words;
#[cfg(test)]
mod tests;
mod trace;

use index::text::{TokenKind, for_each_token};
use rustc_hash::{FxHashMap, FxHashSet};

pub use code_words::{CodeWord, CodeWordKind};
pub use form::Form;
pub(crate) use glossary::{CjkItem, for_each_cjk_item};
pub(crate) use joined_words::joinable_runs;
pub(crate) use names::is_camel_case;
pub(crate) use paths::has_source_extension;
pub(crate) use sections::error_message;
use sections::for_each_line;
pub(crate) use stop_words::is_stop_word;
pub(crate) use trace::plain_function;
pub use trace::{TraceFrame, trace_frames};

/// The maximum size of a prompt that is read. The rest of a longer prompt is usually pasted output.
const MAX_PROMPT_BYTES: usize = 64 * 1024;
const MAX_TERMS: usize = 1_000;
const MAX_MENTIONS: usize = 200;

/// The part of the prompt in which a term occurs. The discriminant is the index into [`SectionCounts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// The first line, which may be the whole prompt.
    Title,
    Prose,
    /// Text between backticks.
    Inline,
    /// Fenced or indented blocks, and lines that start with `$ ` or `>>>`.
    Code,
    /// Stack traces.
    Trace,
    /// Lines that contain an error message.
    Error,
    /// The parts of a bug report that describe versions or the platform, or contain a checklist.
    Environment,
    /// Markdown headings.
    Heading,
    /// English translations of the prompt's Chinese words.
    Glossary,
    /// Pairs of adjacent CJK characters that belong to different words.
    Border,
    /// Identifiers that public projects use for the Chinese words in the prompt.
    Learned,
    /// Adjacent words of the title, joined as in identifiers: `lockfile` and `lock_file` for "lock file".
    Joined,
}

pub(crate) const SECTIONS: usize = 12;

/// The sections whose terms occur in the prompt itself. The other sections contain terms derived from the prompt's CJK
/// text or from several words.
const WRITTEN_SECTIONS: &[Section] = &[
    Section::Title,
    Section::Prose,
    Section::Inline,
    Section::Code,
    Section::Trace,
    Section::Error,
    Section::Environment,
    Section::Heading,
    Section::Border,
];

/// The number of occurrences of a term in each section. Translations and learned names are counted with their
/// probability instead of 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionCounts(pub(crate) [f32; SECTIONS]);

impl SectionCounts {
    pub fn in_section(&self, section: Section) -> f32 {
        self.0[section as usize]
    }

    pub(crate) fn occurs_in(&self, sections: &[Section]) -> bool {
        sections.iter().any(|section| self.in_section(*section) > 0.0)
    }

    fn add(&mut self, section: Section, count: f32) {
        self.0[section as usize] += count;
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// The normalised form of the term, as used in the index.
    pub text: String,
    /// The term as it appears in the prompt, in lower case.
    pub written: String,
    pub kind: TokenKind,
    /// Whether the term occurs with a capital letter at its start.
    pub is_capitalised: bool,
    pub sections: SectionCounts,
}

impl QueryTerm {
    /// Returns whether a search for this term can distinguish between files. Returns false for stop words and numbers.
    pub(crate) fn is_searchable(&self) -> bool {
        match self.kind {
            TokenKind::Whole => true,
            TokenKind::Cjk => {
                self.text.chars().nth(1).is_some() && !stop_words::is_stop_pair(&self.text)
            }
            TokenKind::Part => {
                self.written.len() > 1
                    && !self.written.bytes().all(|byte| byte.is_ascii_digit())
                    && !stop_words::is_stop_word(&self.written)
            }
        }
    }
}

/// A name that looks like code: a compound name, a called name, a qualified name, or any name between backticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifier {
    pub name: String,
    pub sections: SectionCounts,
}

/// A path or a qualified name in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The path or the name. The components of a path are separated by `/`, those of a qualified name by `.`.
    pub text: String,
    /// The section of the first occurrence.
    pub section: Section,
}

/// A path with a line number, from a stack trace, a compiler message or a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The path in the prompt, with `/` as the separator.
    pub path: String,
    /// The line number, counted from 1, or 0 if only the file is known.
    pub line: u32,
    pub function: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Distinct terms, ordered by first occurrence.
    pub terms: Vec<QueryTerm>,
    pub identifiers: Vec<Identifier>,
    /// Distinct paths and file names.
    pub paths: Vec<Mention>,
    /// Distinct qualified names, with `.` as the separator for all languages.
    pub qualified: Vec<Mention>,
    /// Distinct frames, in the order in which they appear in the prompt.
    pub frames: Vec<Frame>,
    /// Distinct words in lower case. Words may contain `-` and `_`.
    pub words: Vec<String>,
    /// Distinct words that look like code, in the order in which they appear in the prompt.
    pub code_words: Vec<CodeWord>,
    pub has_code_block: bool,
    pub has_trace: bool,
    pub form: Form,
}

impl Query {
    pub fn read(prompt: &str) -> Self {
        #[cfg(feature = "record_readings")]
        crate::readings::record(crate::readings::RecordedReading::Query(prompt.to_owned()));
        let prompt = head(prompt, MAX_PROMPT_BYTES);
        let form = Form::of(prompt);
        let query = Self { form, ..Self::default() };
        let mut reader = Reader { query, ..Reader::default() };
        for_each_line(prompt, |section, line| reader.line(section, line));
        let words = words(prompt);
        let foreign = stop_words::foreign_stop_words(&words);
        let is_foreign = |term: &QueryTerm| foreign.contains(&term.written.as_str());
        reader.query.terms.retain(|term| term.kind != TokenKind::Part || !is_foreign(term));
        Self {
            words,
            code_words: code_words::code_words(prompt),
            has_code_block: prompt.contains("```"),
            has_trace: trace::has_trace(prompt),
            ..reader.query
        }
    }

    /// Returns whether the prompt contains a term to search for.
    #[must_use]
    pub fn is_searchable(&self) -> bool {
        self.search_terms().next().is_some()
    }

    /// Returns the terms of the prompt without translations, stop words and numbers.
    pub fn search_terms(&self) -> impl Iterator<Item = &QueryTerm> {
        let terms = self.terms.iter().filter(|term| term.sections.occurs_in(WRITTEN_SECTIONS));
        terms.filter(|term| term.is_searchable())
    }
}

/// Returns the longest prefix of `text` with at most `max` bytes.
fn head(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

fn words(prompt: &str) -> Vec<String> {
    let lower = prompt.to_lowercase();
    let mut seen = FxHashSet::default();
    lower
        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
        .filter(|word| !word.is_empty() && seen.insert(*word))
        .map(str::to_owned)
        .collect()
}

/// Builds a query from the lines of a prompt. `terms` and `identifiers` map the terms and identifiers that have already
/// been found to their indices in the query's lists.
#[derive(Default)]
struct Reader {
    query: Query,
    terms: FxHashMap<String, usize>,
    identifiers: FxHashMap<String, usize>,
}

impl Reader {
    fn line(&mut self, section: Section, line: &str) {
        let line = &frames::take_links(line, &mut |frame| self.frame(frame));
        frames::for_each_frame(line, &mut |frame| self.frame(frame));
        self.words(section, line);
        paths::for_each_path(line, |path| push_mention(&mut self.query.paths, path, section));
        names::for_each_name(line, |name| match name {
            names::Name::Code(name) => self.identifier(name, section),
            names::Name::Qualified(name) if paths::has_source_extension(name) => {}
            names::Name::Qualified(name) => push_mention(&mut self.query.qualified, name, section),
        });
        if matches!(section, Section::Title | Section::Prose) {
            sections::for_each_inline(line, |code| {
                self.words(Section::Inline, code);
                names::for_each_word(code, |word| self.identifier(word, Section::Inline));
            });
        }
    }

    fn words(&mut self, section: Section, text: &str) {
        for_each_token(text, |token| {
            if token.kind != TokenKind::Cjk {
                self.term(token.term, token.written, token.kind, section, 1.0);
            }
        });
        if section == Section::Title && self.query.form == Form::Question {
            joined_words::for_each_joined(text, |joined| {
                self.term(joined, joined, TokenKind::Whole, Section::Joined, 1.0);
            });
        }
        for_each_cjk_item(text, |item| match item {
            CjkItem::Pair(pair) => self.term(pair, pair, TokenKind::Cjk, section, 1.0),
            CjkItem::Border(pair) => self.term(pair, pair, TokenKind::Cjk, Section::Border, 1.0),
            CjkItem::Translation { word, probability, .. } => for_each_token(word, |token| {
                self.term(token.term, token.written, token.kind, Section::Glossary, probability);
            }),
            CjkItem::Learned { word, probability } => {
                self.term(word, word, TokenKind::Part, Section::Learned, probability);
            }
        });
    }

    fn term(&mut self, text: &str, written: &str, kind: TokenKind, section: Section, count: f32) {
        let at = match self.terms.get(text) {
            Some(at) => *at,
            None if self.query.terms.len() >= MAX_TERMS => return,
            None => {
                let at = self.query.terms.len();
                self.terms.insert(text.to_owned(), at);
                self.query.terms.push(QueryTerm {
                    text: text.to_owned(),
                    written: written.to_lowercase(),
                    kind,
                    is_capitalised: false,
                    sections: SectionCounts::default(),
                });
                at
            }
        };
        let term = &mut self.query.terms[at];
        term.is_capitalised |= written.starts_with(char::is_uppercase);
        term.sections.add(section, count);
    }

    fn identifier(&mut self, name: &str, section: Section) {
        let at = match self.identifiers.get(name) {
            Some(at) => *at,
            None if self.query.identifiers.len() >= MAX_TERMS => return,
            None => {
                let at = self.query.identifiers.len();
                self.identifiers.insert(name.to_owned(), at);
                let sections = SectionCounts::default();
                self.query.identifiers.push(Identifier { name: name.to_owned(), sections });
                at
            }
        };
        self.query.identifiers[at].sections.add(section, 1.0);
    }

    fn frame(&mut self, frame: Frame) {
        if self.query.frames.len() < MAX_MENTIONS && !self.query.frames.contains(&frame) {
            self.query.frames.push(frame);
        }
    }
}

fn push_mention(mentions: &mut Vec<Mention>, text: &str, section: Section) {
    if mentions.len() < MAX_MENTIONS && !mentions.iter().any(|mention| mention.text == text) {
        mentions.push(Mention { text: text.to_owned(), section });
    }
}
