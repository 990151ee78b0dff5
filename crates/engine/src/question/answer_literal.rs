//! Finds the lines that contain a string, a flag, a route, an environment variable or a configuration key.

use std::time::Instant;

use index::text::{Field, is_cjk, terms};
use index::{FileId, Posting, Role, View};

use super::answer::Verb;
use super::line_relations::{has_word, is_mention, reports, sets};
use super::occurrences::{Corpus, Occurrence, Occurrences, rarest};
use super::route::{RouteMatch, longest_segment, match_file, match_line};
use super::sites::{Site, Sites, merge};
use super::{DirectQuestion, QuestionKind, Subject, message};
use crate::comments::is_comment;
use crate::source::Source;

const FULL: u8 = 100;
pub(super) const PARTIAL: u8 = 60;
const UNCERTAIN: u8 = 30;
/// The maximum number of rare words that are used to find the files that may contain a message.
const MAX_KEY_WORDS: usize = 3;
const MIN_MESSAGE_WORDS: usize = 3;

pub(super) fn literal_sites(corpus: &Corpus<'_>, question: &DirectQuestion) -> Sites {
    let text = question.subject.text();
    let mut occurrences = occurrences_of(corpus, &question.subject);
    let is_name = matches!(question.subject, Subject::Name(_) | Subject::Word(_));
    keep_asked(&mut occurrences.found, &question.kinds, text, is_name);
    let kind = question.kinds.first().copied().unwrap_or(QuestionKind::Definition);
    let mut sites: Vec<Site> = Vec::new();
    for found in &occurrences.found {
        merge(&mut sites, Site::of_occurrence(corpus, found, verb(found, text, is_name)));
    }
    Sites { kind, sites, is_complete: occurrences.is_complete, is_absent: false }
}

fn occurrences_of(corpus: &Corpus<'_>, subject: &Subject) -> Occurrences {
    let text = subject.text();
    let mut occurrences = match subject {
        Subject::Name(_) | Subject::Word(_) | Subject::Words(_) => words(corpus, text),
        Subject::Text(_) | Subject::Phrase(_) => quoted(corpus, text),
        Subject::Message(_) => messages(corpus, text),
        Subject::Flag(_) => flags(corpus, text),
        Subject::Route(_) => routes(corpus, text),
    };
    keep_best(&mut occurrences.found);
    occurrences
}

fn verb(found: &Occurrence, text: &str, is_name: bool) -> Verb {
    if found.role != Role::Docs && found.quality < FULL {
        return Verb::MatchesPart;
    }
    if found.role == Role::Docs || !is_name || is_mention(&found.text, text) {
        return Verb::Contains;
    }
    if sets(&found.text, text) { Verb::Sets } else { Verb::Reads }
}

/// Removes the occurrences that do not answer the question. If none of them answers it, keeps the occurrences in code
/// or, if there are none, all occurrences.
fn keep_asked(found: &mut Vec<Occurrence>, kinds: &[QuestionKind], text: &str, is_name: bool) {
    let is_code = |found: &Occurrence| {
        let is_mentioned =
            if is_name { is_mention(&found.text, text) } else { is_comment(&found.text) };
        found.role != Role::Docs && !is_mentioned
    };
    let is_asked = |found: &Occurrence| {
        kinds.iter().any(|kind| match kind {
            QuestionKind::Writes => is_code(found) && sets(&found.text, text),
            QuestionKind::Reads | QuestionKind::Uses => {
                is_code(found) && !(is_name && sets(&found.text, text))
            }
            QuestionKind::Reports => is_code(found) && reports(&found.text),
            QuestionKind::Tests => found.role == Role::Test,
            QuestionKind::Callers
            | QuestionKind::Callees
            | QuestionKind::Implementations
            | QuestionKind::Overrides
            | QuestionKind::Impact
            | QuestionKind::Definition => is_code(found),
        })
    };
    if found.iter().any(is_asked) {
        found.retain(is_asked);
    } else if found.iter().any(is_code) {
        found.retain(is_code);
    }
}

fn words(corpus: &Corpus<'_>, name: &str) -> Occurrences {
    corpus.find(&[name], &[name], &|line| has_word(line, name).then_some(FULL))
}

/// Keeps the best occurrences, separately for code and for tests and documentation. A line that contains only a part
/// of the string is dropped if another line contains more of it.
fn keep_best(found: &mut Vec<Occurrence>) {
    let best = best_qualities(found);
    let least = |best: u8| if best > PARTIAL { PARTIAL + 1 } else { best };
    found.retain(|found| found.quality >= least(best[usize::from(is_code_file(found))]));
}

/// Returns the highest quality in tests and documentation, and the highest quality in code.
fn best_qualities(found: &[Occurrence]) -> [u8; 2] {
    [false, true].map(|in_code| {
        let same = found.iter().filter(|found| is_code_file(found) == in_code);
        same.map(|found| found.quality).max().unwrap_or(0)
    })
}

fn is_code_file(found: &Occurrence) -> bool {
    !matches!(found.role, Role::Test | Role::Docs)
}

/// Finds the lines that contain a quoted string. If no code contains the whole string, also finds the lines that
/// contain a part of it, because it may be a message with inserted words, or a string that is split over several lines.
fn quoted(corpus: &Corpus<'_>, text: &str) -> Occurrences {
    let mut found = words(corpus, text);
    let n_words = text.split_whitespace().count();
    if !found.found.iter().any(is_code_file) && n_words >= MIN_MESSAGE_WORDS {
        let parts = messages(corpus, text);
        found.is_complete &= parts.is_complete;
        let is_new = |part: &Occurrence| !found.found.contains(part);
        let new: Vec<Occurrence> = parts.found.into_iter().filter(is_new).collect();
        found.found.extend(new);
    }
    found
}

/// Finds the lines that contain the longest part of a message, separately for code and for tests and documentation.
fn messages(corpus: &Corpus<'_>, text: &str) -> Occurrences {
    let words = message::key_words(text);
    let keys = rarest(corpus.view, &words, MAX_KEY_WORDS);
    let mut found = corpus.find(&keys, &keys, &|line| message::share(text, line));
    let best = best_qualities(&found.found);
    found.found.retain(|found| found.quality == best[usize::from(is_code_file(found))]);
    // A line that contains more than half of the message is assumed to be its source.
    for found in &mut found.found {
        found.quality = match found.quality {
            FULL => FULL,
            51..FULL => FULL - 1,
            _ => PARTIAL,
        };
    }
    found
}

/// Returns the lines of code that contain the error messages in `text` or, if no error line has a message, the text of
/// a single line. If no line contains a whole message, returns the lines that contain the longest part of it.
pub(crate) fn message_lines(
    view: &View,
    source: &Source<'_>,
    text: &str,
    deadline: Instant,
) -> Vec<(FileId, u32)> {
    /// The maximum number of lines of code that may contain a message. A more common message does not identify a line.
    const MAX_LINES: usize = 10;
    let corpus = Corpus { view: Some(view), source, deadline };
    let mut texts = message::messages(text);
    if texts.is_empty() {
        texts.extend(message::single_line(text));
    }
    let mut lines = Vec::new();
    for text in texts {
        let mut found = messages(&corpus, &text).found;
        found.retain(is_code_file);
        if found.len() <= MAX_LINES {
            lines.extend(found.iter().filter_map(|found| Some((found.file?, found.line))));
        }
    }
    lines
}

/// Returns the lines of product code that contain a text which the prompt quotes, such as a message or the label of a
/// button. A text that occurs in more than a few lines identifies none of them. Neither does a single word, or a text in a
/// comment or a document, which is usually an example.
pub(crate) fn quoted_lines(
    view: &View,
    source: &Source<'_>,
    questions: &[DirectQuestion],
    deadline: Instant,
) -> Vec<(FileId, u32)> {
    /// The maximum number of lines of code that may contain the text.
    const MAX_LINES: usize = 3;
    /// The minimum number of words of a text of which a line may contain only the longer part, because the code inserts
    /// the others.
    const MIN_WORDS_OF_TEMPLATE: usize = 5;
    const MIN_CJK_CHARS: usize = 4;
    let corpus = Corpus { view: Some(view), source, deadline };
    let mut lines = Vec::new();
    for DirectQuestion { subject, .. } in questions {
        let text = subject.text();
        let n_words = text.split_whitespace().count();
        let identifies = match subject {
            Subject::Name(_) | Subject::Word(_) | Subject::Words(_) => false,
            Subject::Flag(_) | Subject::Route(_) => true,
            Subject::Text(_) | Subject::Phrase(_) | Subject::Message(_) => {
                n_words > 1 || text.chars().filter(|c| is_cjk(*c)).count() >= MIN_CJK_CHARS
            }
        };
        if !identifies {
            continue;
        }
        let min_quality = if n_words < MIN_WORDS_OF_TEMPLATE { FULL } else { PARTIAL + 1 };
        let mut found = occurrences_of(&corpus, subject).found;
        found.retain(|found| {
            let is_code = found.role == Role::Source && !is_comment(&found.text);
            is_code && found.quality >= min_quality
        });
        if found.len() <= MAX_LINES {
            lines.extend(found.iter().filter_map(|found| Some((found.file?, found.line))));
        }
    }
    lines
}

/// Finds a flag in three forms: as it is typed, as a quoted name without dashes, and as an identifier.
fn flags(corpus: &Corpus<'_>, flag: &str) -> Occurrences {
    let name = flag.trim_start_matches('-');
    let identifier = name.replace('-', "_");
    let declared = [format!("\"{name}\""), format!("'{name}'")];
    let judge = |line: &str| {
        let is_whole = |at: usize| {
            let after = line[at + flag.len()..].chars().next();
            !after.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_')
        };
        if line.match_indices(flag).any(|(at, _)| is_whole(at)) {
            Some(FULL)
        } else if declared.iter().any(|declared| line.contains(declared.as_str())) {
            Some(FULL - 1)
        } else {
            has_word(line, &identifier).then_some(PARTIAL)
        }
    };
    let mut occurrences = corpus.find(&[name, &identifier], &[name, &identifier], &judge);
    // If the code derives its flags from identifiers, the flag itself occurs only in documentation.
    let in_code = |found: &Occurrence| found.quality > PARTIAL && found.role == Role::Source;
    if !occurrences.found.iter().any(in_code) {
        occurrences.found.iter_mut().filter(|found| found.role == Role::Source).for_each(|found| {
            found.quality = found.quality.max(FULL - 1);
        });
    }
    occurrences
}

fn routes(corpus: &Corpus<'_>, route: &str) -> Occurrences {
    let Some(key) = longest_segment(route) else { return Occurrences::default() };
    let judge = |line: &str| {
        match_line(route, line).map(|found| match found {
            RouteMatch::Full => FULL,
            RouteMatch::Partial => PARTIAL,
            RouteMatch::LastSegment => UNCERTAIN,
        })
    };
    let mut occurrences = corpus.find(&[key], &[key], &judge);
    if let Some(view) = corpus.view {
        for file in files_of_route(view, key).filter(|file| match_file(route, view.path(*file))) {
            occurrences.found.push(Occurrence {
                path: view.path(file).to_owned(),
                file: Some(file),
                role: view.role(file),
                line: 1,
                text: String::new(),
                quality: FULL,
                within: None,
            });
        }
    }
    occurrences
}

/// Returns the files whose paths may match a route. In a small repository, these are all files; in a large one, the
/// files whose paths contain the rarest term of `key`.
fn files_of_route<'a>(view: &'a View, key: &str) -> Box<dyn Iterator<Item = FileId> + 'a> {
    const MAX_FILES_TO_SCAN: usize = 20_000;
    if view.file_slots() <= MAX_FILES_TO_SCAN {
        return Box::new(view.files());
    }
    let in_path = |posting: &Posting| posting.counts[Field::Path.slot()] > 0;
    let rarest = terms(key).into_iter().min_by_key(|term| view.document_frequency(term));
    let files: Vec<FileId> = rarest
        .map(|term| view.best_postings(&term).filter(in_path).map(|it| it.file).collect())
        .unwrap_or_default();
    Box::new(files.into_iter())
}
