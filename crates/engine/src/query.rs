//! What a prompt asks for: words by the zone they stand in, identifiers, paths, stack frames.
//!
//! Pure and total: any text gives a query. How much a zone is worth is not decided here; see `rank`.

mod frames;
mod glossary;
mod learned;
mod links;
mod names;
mod paths;
#[cfg(test)]
mod tests;
mod zones;

use index::text::{TokenKind, for_each_token};
use rustc_hash::FxHashMap;

pub(crate) use glossary::{Ideographs, for_each_ideograph};
use zones::for_each_line;

/// A prompt is read up to here: what a person writes is shorter, what follows is pasted output.
const MAX_PROMPT_BYTES: usize = 64 * 1024;
/// More distinct terms than this are a pasted log, whose tail adds cost and no meaning.
const MAX_TERMS: usize = 1_000;
const MAX_MENTIONS: usize = 200;

/// Where in the prompt something stands. The discriminant is the slot in [`Weights`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Zone {
    /// The first line; the whole of a one-line prompt.
    Title,
    /// Sentences.
    Prose,
    /// Between backticks.
    Inline,
    /// Fenced or indented blocks, shell lines.
    Code,
    /// Stack traces.
    Trace,
    /// The line that says what went wrong.
    Error,
    /// Versions, platforms, check lists.
    Environment,
    /// Headings of an issue form.
    Heading,
    /// English words for the Chinese ones of the prompt.
    Glossary,
    /// Pairs of ideographs across the border of two known words.
    Border,
    /// What public projects call the Chinese words of the prompt in code.
    Learned,
}

/// How many zones there are.
pub(crate) const ZONES: usize = 11;

impl Zone {
    /// The slot of this zone in a per-zone array.
    pub fn slot(self) -> usize {
        self as usize
    }
}

/// How often something occurs in each zone; a translated word counts by how sure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights(pub(crate) [f32; ZONES]);

impl Weights {
    /// The occurrences in one zone.
    pub fn of(&self, zone: Zone) -> f32 {
        self.0[zone.slot()]
    }

    fn add(&mut self, zone: Zone, weight: f32) {
        self.0[zone.slot()] += weight;
    }
}

/// A term as the index has it.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// Normalised by the index's tokenizer.
    pub text: String,
    /// A compound identifier, a word of one, or ideographs.
    pub kind: TokenKind,
    /// Where it occurs.
    pub zones: Weights,
}

/// A name that reads like code: compound, called, qualified or in backticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Identifier {
    /// As written.
    pub name: String,
    /// Where it occurs.
    pub zones: Weights,
}

/// A path or a qualified name, as far as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// `/` parts a path, `.` a qualified name.
    pub text: String,
    /// Where it occurs first.
    pub zone: Zone,
}

/// A place in a file: of a stack trace, a compiler message or a link to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// As written, with `/`.
    pub path: String,
    /// 1-based; 0 when only the file is known.
    pub line: u32,
    /// The function, when the frame names it.
    pub function: Option<String>,
}

/// A prompt, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Distinct terms, in the order of their first occurrence.
    pub terms: Vec<QueryTerm>,
    /// Distinct names.
    pub identifiers: Vec<Identifier>,
    /// Distinct paths and file names.
    pub paths: Vec<Mention>,
    /// Distinct qualified names, parted by `.` whatever the language parts them with.
    pub qualified: Vec<Mention>,
    /// Outermost call first, as written.
    pub frames: Vec<Frame>,
}

impl Query {
    /// Reads a prompt.
    pub fn read(prompt: &str) -> Self {
        let mut reader = Reader::default();
        for_each_line(head(prompt, MAX_PROMPT_BYTES), |zone, line| reader.line(zone, line));
        reader.query
    }
}

/// The first `max` bytes of `text`, cut between characters.
fn head(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// Collects a query; the maps give the place of what was seen before.
#[derive(Default)]
struct Reader {
    query: Query,
    terms: FxHashMap<String, usize>,
    identifiers: FxHashMap<String, usize>,
}

impl Reader {
    fn line(&mut self, zone: Zone, line: &str) {
        let line = &links::take_links(line, &mut |frame| self.frame(frame));
        frames::for_each_frame(line, &mut |frame| self.frame(frame));
        self.words(zone, line);
        paths::for_each_path(line, |path| push_mention(&mut self.query.paths, path, zone));
        names::for_each_name(line, |name| match name {
            names::Name::Code(name) => self.identifier(name, zone),
            names::Name::Qualified(name) if paths::has_source_extension(name) => {}
            names::Name::Qualified(name) => push_mention(&mut self.query.qualified, name, zone),
        });
        if matches!(zone, Zone::Title | Zone::Prose) {
            zones::for_each_inline(line, |code| {
                self.words(Zone::Inline, code);
                names::for_each_word(code, |word| self.identifier(word, Zone::Inline));
            });
        }
    }

    fn words(&mut self, zone: Zone, text: &str) {
        for_each_token(text, |token| {
            if token.kind != TokenKind::Cjk {
                self.term(token.term, token.kind, zone, 1.0);
            }
        });
        for_each_ideograph(text, |found| match found {
            Ideographs::Pair(pair) => self.term(pair, TokenKind::Cjk, zone, 1.0),
            Ideographs::Border(pair) => self.term(pair, TokenKind::Cjk, Zone::Border, 1.0),
            Ideographs::English { word, sureness, .. } => for_each_token(word, |token| {
                self.term(token.term, token.kind, Zone::Glossary, sureness);
            }),
            Ideographs::Learned { word, sureness } => {
                self.term(word, TokenKind::Part, Zone::Learned, sureness);
            }
        });
    }

    fn term(&mut self, text: &str, kind: TokenKind, zone: Zone, weight: f32) {
        let at = match self.terms.get(text) {
            Some(at) => *at,
            None if self.query.terms.len() >= MAX_TERMS => return,
            None => {
                let at = self.query.terms.len();
                self.terms.insert(text.to_owned(), at);
                self.query.terms.push(QueryTerm {
                    text: text.to_owned(),
                    kind,
                    zones: Weights::default(),
                });
                at
            }
        };
        self.query.terms[at].zones.add(zone, weight);
    }

    fn identifier(&mut self, name: &str, zone: Zone) {
        let at = match self.identifiers.get(name) {
            Some(at) => *at,
            None if self.query.identifiers.len() >= MAX_TERMS => return,
            None => {
                let at = self.query.identifiers.len();
                self.identifiers.insert(name.to_owned(), at);
                self.query
                    .identifiers
                    .push(Identifier { name: name.to_owned(), zones: Weights::default() });
                at
            }
        };
        self.query.identifiers[at].zones.add(zone, 1.0);
    }

    fn frame(&mut self, frame: Frame) {
        if self.query.frames.len() < MAX_MENTIONS && !self.query.frames.contains(&frame) {
            self.query.frames.push(frame);
        }
    }
}

fn push_mention(mentions: &mut Vec<Mention>, text: &str, zone: Zone) {
    if mentions.len() < MAX_MENTIONS && !mentions.iter().any(|mention| mention.text == text) {
        mentions.push(Mention { text: text.to_owned(), zone });
    }
}
