//! Recognises and answers direct questions, such as "who calls `save`?" or "where does 'invalid token' come from?".
//!
//! A question has a subject, which is a name or a string in the repository, and asks for one or more relations, such
//! as its callers. Relations are recognised by phrases in ten languages. A question that asks for no known relation is
//! answered with the subject's definition and callers.

mod answer;
mod answer_literal;
mod answer_name;
mod callers;
mod inheritance;
mod line_relations;
mod message;
mod occurrences;
mod phrase_match;
mod route;
mod sites;
mod subjects;

#[cfg(test)]
mod tests;
mod words;

use phrase_match::PossiblePhrases;
use subjects::Span;

use crate::query::joinable_runs;

pub use answer::{QuestionAnswer, Rest, Verb, answer_direct_question};
pub(crate) use answer_literal::{message_lines, quoted_lines};
pub(crate) use answer_name::MIN_CERTAIN_EDGE;
pub use callers::{CallSite, Callers, callers};
pub use occurrences::is_searched_everywhere;
pub(crate) use occurrences::place;
pub use sites::Site;

/// The maximum length of a prompt in which subjects and relations are recognised. In a longer prompt, only error
/// messages are recognised.
const MAX_QUESTION_CHARS: usize = 1_500;
/// The maximum length of a prompt that is read as a question about a plain word, or as a question that asks for no
/// known relation.
const MAX_SHORT_CHARS: usize = 240;
/// The maximum length of a prompt whose point can be the relations of a name.
const MAX_RELATION_CHARS: usize = 120;
/// The maximum number of words of a prompt whose point can be the relations of a plain word, such as `checkout`. A longer
/// prompt contains other words that are more likely to be its subject.
const MAX_WORDS_AROUND_WORD: usize = 8;
/// The maximum number of words that are read as one name.
const MAX_JOINED_WORDS: usize = 4;
const MAX_QUESTIONS: usize = 8;
/// How the places in the answer to a direct question were found.
pub const DIRECT_ANSWER: &str = "direct answer";

/// What a question asks about its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuestionKind {
    Callers,
    Callees,
    Uses,
    Implementations,
    Overrides,
    Tests,
    /// Where the subject is assigned or configured.
    Writes,
    Reads,
    /// Where the subject is logged, printed, raised or shown.
    Reports,
    /// What a change to the subject affects.
    Impact,
    Definition,
}

/// The name or string that a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A name that looks like code or is quoted as code. It may be qualified.
    Name(String),
    /// A plain word. It is a subject only if it is the name of a symbol.
    Word(String),
    /// Several plain words with one space between them. They are a subject only if the name of a symbol joins them, as
    /// `lock_file` or `LockFile` joins "lock file".
    Words(String),
    /// A quoted string.
    Text(String),
    /// Several words in Latin letters that are not quoted, in a Chinese, Japanese or Korean prompt.
    Phrase(String),
    /// The message of a pasted error. Its variable parts may differ from the text in the code.
    Message(String),
    /// A command-line flag with its dashes.
    Flag(String),
    /// The path of a URL.
    Route(String),
}

impl Subject {
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Name(text)
            | Self::Word(text)
            | Self::Words(text)
            | Self::Text(text)
            | Self::Phrase(text)
            | Self::Message(text)
            | Self::Flag(text)
            | Self::Route(text) => text,
        }
    }
}

/// A question about one subject, such as "who calls `save`?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectQuestion {
    pub subject: Subject,
    /// The relations that the prompt asks for, without duplicates. Empty if it asks for no known relation.
    pub kinds: Vec<QuestionKind>,
}

impl DirectQuestion {
    /// Extracts the direct questions from a prompt, most explicit first. Several questions are alternatives: the first
    /// one that has an answer is assumed to be the intended question.
    #[must_use]
    pub fn read(prompt: &str) -> Vec<Self> {
        #[cfg(feature = "record_readings")]
        crate::readings::record(crate::readings::RecordedReading::Questions(prompt.to_owned()));
        let n_chars = prompt.chars().take(MAX_QUESTION_CHARS + 1).count();
        let mut questions = Vec::new();
        if n_chars <= MAX_QUESTION_CHARS {
            let spans = subjects::spans(prompt);
            let possible = PossiblePhrases::new(prompt);
            let mut read: Vec<Self> = Vec::new();
            // A long prompt contains too many plain words to treat each of them as a possible subject.
            let is_short = n_chars <= MAX_SHORT_CHARS;
            for Span { subject, .. } in &spans {
                let is_candidate = is_short || !matches!(subject, Subject::Word(_));
                if is_candidate && read.iter().all(|known| known.subject != *subject) {
                    let kinds = phrase_match::kinds(prompt, &possible, &spans, subject);
                    read.push(Self { subject: subject.clone(), kinds });
                }
            }
            let is_general = is_short && phrase_match::is_question(prompt);
            let (explicit, other): (Vec<Self>, Vec<Self>) =
                read.into_iter().partition(|question| !question.kinds.is_empty());
            // A plain word is less likely to be the subject than a name that looks like code.
            let (words, names): (Vec<Self>, Vec<Self>) =
                explicit.into_iter().partition(|question| question.is_about_word());
            // If the prompt names code, its plain words are not treated as symbol names, even if the named code is
            // unknown.
            let is_about_name = names.iter().any(Self::is_about_code);
            questions.extend(names);
            if !is_about_name {
                let joined =
                    if is_short { joined_words(prompt, &spans, &possible) } else { Vec::new() };
                questions.extend(joined);
                questions.extend(words);
            }
            questions.extend(other.into_iter().filter(|question| question.has_meaning(is_general)));
        }
        questions.extend(message::messages(prompt).into_iter().map(|text| {
            let subject = Subject::Message(text);
            Self { subject, kinds: Vec::new() }
        }));
        questions.truncate(MAX_QUESTIONS);
        questions
    }

    /// Returns whether the prompt asks for a known relation and the subject does not consist of plain words.
    #[must_use]
    pub fn is_explicit(&self) -> bool {
        !self.kinds.is_empty() && !self.is_about_word()
    }

    /// Returns whether a briefing should answer the question instead of showing code. A long prompt that contains a name or
    /// a quoted text and the word for a relation usually asks for something else. If the name is the type of a pasted
    /// error, the lines that raise the error are the answer.
    #[must_use]
    pub fn is_the_point(&self, prompt: &str) -> bool {
        let is_short = if self.is_about_word() {
            prompt.split_whitespace().count() <= MAX_WORDS_AROUND_WORD
        } else {
            prompt.chars().nth(MAX_RELATION_CHARS).is_none()
        };
        let is_pasted = matches!(&self.subject, Subject::Word(name) | Subject::Name(name) if is_error_type(prompt, name));
        (is_short && !self.kinds.is_empty()) || is_pasted
    }

    /// Returns whether the question is explicit and its subject is not a quoted string, a phrase or an error message.
    /// These may refer to anything, not only to code.
    #[must_use]
    pub fn is_about_code(&self) -> bool {
        self.is_explicit()
            && !matches!(self.subject, Subject::Text(_) | Subject::Phrase(_) | Subject::Message(_))
    }

    fn is_about_word(&self) -> bool {
        matches!(self.subject, Subject::Word(_) | Subject::Words(_))
    }

    /// Returns whether the question can be answered although it asks for no known relation. A question about a quoted
    /// string or an error message can always be answered, because even a request to change a string is about the lines
    /// that contain it. If the subject is a name, a flag or a route, the prompt must be a short question
    /// (`is_general`).
    fn has_meaning(&self, is_general: bool) -> bool {
        match self.subject {
            Subject::Name(_) | Subject::Flag(_) | Subject::Route(_) => is_general,
            Subject::Text(_) | Subject::Message(_) => true,
            Subject::Word(_) | Subject::Words(_) | Subject::Phrase(_) => false,
        }
    }
}

/// Returns the questions about names that may be written as several words in the prompt, longest first, as in "who calls
/// bulk create?".
fn joined_words(prompt: &str, spans: &[Span], possible: &PossiblePhrases) -> Vec<DirectQuestion> {
    let is_plain = |span: &&Span| matches!(span.subject, Subject::Word(_));
    let names: Vec<&Span> = spans.iter().filter(|span| !is_plain(span)).collect();
    let runs = joinable_runs(prompt);
    let mut questions: Vec<DirectQuestion> = Vec::new();
    for n_words in (2..=MAX_JOINED_WORDS).rev() {
        for words in runs.iter().flat_map(|run| run.windows(n_words)) {
            let range = words[0].start..words[n_words - 1].end;
            let is_apart =
                |span: &&&Span| span.range.end <= range.start || span.range.start >= range.end;
            let mut around: Vec<Span> =
                names.iter().filter(is_apart).map(|span| (*span).clone()).collect();
            if around.len() < names.len() {
                continue;
            }
            let words: Vec<&str> = words.iter().map(|word| &prompt[word.clone()]).collect();
            if possible.contains(words[n_words - 1]) {
                continue;
            }
            let subject = Subject::Words(words.join(" "));
            let at = around.partition_point(|span| span.range.start < range.start);
            around.insert(at, Span { range, subject: subject.clone() });
            let kinds = phrase_match::kinds(prompt, possible, &around, &subject);
            if !kinds.is_empty() {
                questions.push(DirectQuestion { subject, kinds });
            }
        }
    }
    questions
}

/// Returns whether a line of the prompt begins with the name and a message, such as `RetryBudgetExceeded: 3 tries`.
fn is_error_type(prompt: &str, name: &str) -> bool {
    prompt.lines().any(|line| {
        line.trim_start().strip_prefix(name).is_some_and(|message| message.starts_with(": "))
    })
}
