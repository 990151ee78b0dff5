//! Answers a direct question in a prompt. Lists the lines that answer the question, and counts the lines that are not
//! listed.

use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

use index::{Role, View};

use super::answer_literal::literal_sites;
use super::answer_name::{NameSites, is_distinctive};
use super::inheritance::inherited_symbols;
use super::occurrences::{Corpus, definition, line, place};
use super::sites::{Site, Sites};
use super::{DirectQuestion, QuestionKind, Subject};
use crate::naming::{exact_symbols, joined_symbols};
use crate::source::{Source, ToQuote};

/// The maximum number of lines that are listed in an answer. Further lines are only counted, and a few of them are
/// cited.
const MAX_LISTED: usize = 10;
/// The maximum number of listed definitions if the question also asks for something else.
const MAX_DEFINITIONS: usize = 3;
/// The maximum number of symbols that may share a plain word as their name, ignoring case. A more common word is not
/// treated as a name.
const MAX_SYMBOLS_OF_WORD: usize = 64;
/// The maximum number of lines that may contain a quoted string if the prompt asks for no known relation. A string that
/// occurs in more lines does not identify any of them.
const MAX_SITES_OF_UNASKED_TEXT: usize = 5;
const MAX_REST_CITATIONS: usize = 6;

/// What a line does with the subject of the question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    Defines,
    Calls,
    /// The subject calls `callee`, which is defined at `defined_at`.
    IsCaller {
        callee: String,
        defined_at: String,
    },
    Uses,
    Imports,
    Implements,
    Overrides {
        base: String,
    },
    Tests,
    Sets,
    Reads,
    Reports,
    Contains,
    /// The line contains a part of the quoted string, or another form of it.
    MatchesPart,
    /// The code at the line depends on the subject through another definition.
    DependsThrough {
        via: String,
    },
}

/// The lines that have a given relation to the subject but are not listed in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    pub kind: QuestionKind,
    pub n: usize,
    /// The locations of some of these lines, as `path:line`.
    pub citations: Vec<String>,
    /// Whether there may be more than `n` such lines, because the search was stopped.
    pub is_minimum: bool,
}

/// The answer to a direct question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionAnswer {
    /// The name or string that was asked about.
    pub subject: String,
    /// The lines, each with the confidence that it answers the question.
    pub findings: Vec<(Site, f32)>,
    pub rest: Vec<Rest>,
    /// The relations for which it is certain that the repository contains no matching line.
    pub absent: Vec<QuestionKind>,
}

/// Answers the first of the questions that has an answer. Returns `None` if no question has one. Without an index, searches
/// the files directly.
#[must_use]
pub fn answer_direct_question(
    view: Option<&View>,
    source: &Source<'_>,
    questions: &[DirectQuestion],
    deadline: Instant,
) -> Option<QuestionAnswer> {
    let corpus = &Corpus { view, source, deadline };
    questions.iter().find_map(|question| {
        let question = &*with_joined_name(corpus, question)?;
        let answer = list(corpus, question, sites(corpus, question));
        let is_empty = answer.findings.is_empty() && answer.absent.is_empty();
        (!is_empty).then_some(answer)
    })
}

/// If the subject is several plain words, returns the question about the symbol whose name joins them, otherwise the
/// question itself. Returns `None` if no symbol has such a name, if more than [`MAX_DEFINITIONS`] symbols have it, or if the
/// question asks where a function or a type is set, read or reported.
fn with_joined_name<'q>(
    corpus: &Corpus<'_>,
    question: &'q DirectQuestion,
) -> Option<Cow<'q, DirectQuestion>> {
    let Subject::Words(words) = &question.subject else { return Some(Cow::Borrowed(question)) };
    let view = corpus.view?;
    let found = joined_symbols(view, words);
    let best = view.symbol(*found.first()?);
    let n_definitions = found.iter().filter(|id| view.symbol(**id).name == best.name).count();
    let is_value = !best.kind.is_callable() && !best.kind.has_methods();
    let mut kinds = question.kinds.clone();
    kinds.retain(|kind| is_value || !is_found_by_text(*kind));
    let is_known = found.len() <= MAX_SYMBOLS_OF_WORD && n_definitions <= MAX_DEFINITIONS;
    (is_known && !kinds.is_empty())
        .then(|| Cow::Owned(DirectQuestion { subject: Subject::Name(best.name.to_owned()), kinds }))
}

fn sites(corpus: &Corpus<'_>, question: &DirectQuestion) -> Vec<Sites> {
    let (name, is_word) = match &question.subject {
        Subject::Name(name) => (name, false),
        Subject::Word(name) => (name, true),
        Subject::Words(_) => return Vec::new(),
        Subject::Text(_)
        | Subject::Phrase(_)
        | Subject::Message(_)
        | Subject::Flag(_)
        | Subject::Route(_) => {
            return vec![literal_sites(corpus, question)];
        }
    };
    if is_word && corpus.view.is_some_and(|view| is_common_name(view, name)) {
        return Vec::new();
    }
    let mut symbols = corpus.view.map(|view| exact_symbols(view, name)).unwrap_or_default();
    if let (Some(view), true) = (corpus.view, symbols.is_empty()) {
        symbols = inherited_symbols(view, name);
    }
    // If many definitions have this name, the prompt probably uses it as an ordinary word.
    if is_word && (symbols.is_empty() || symbols.len() > MAX_DEFINITIONS) {
        return Vec::new();
    }
    let is_text = symbols.is_empty() && (corpus.view.is_some() || !is_distinctive(name));
    if is_text {
        return vec![literal_sites(corpus, question)];
    }
    let general = [QuestionKind::Definition, QuestionKind::Callers];
    let kinds = if question.kinds.is_empty() { &general[..] } else { &question.kinds };
    let names = NameSites::new(*corpus, name, symbols, is_word);
    let is_asked = |kind: &&QuestionKind| !is_word || !is_found_by_text(**kind);
    let mut all: Vec<Sites> =
        kinds.iter().filter(is_asked).map(|kind| names.sites(*kind)).collect();
    if is_word {
        all.iter_mut().for_each(keep_certain);
    }
    // The subject's definition is shown after the answer.
    let has_sites = all.iter().any(|sites| !sites.sites.is_empty() || sites.is_absent);
    if has_sites && !kinds.contains(&QuestionKind::Definition) {
        let mut definition = names.sites(QuestionKind::Definition);
        definition.sites.truncate(1);
        all.push(definition);
    }
    all
}

/// Returns whether more than [`MAX_SYMBOLS_OF_WORD`] symbols have this name, ignoring case. Such a name does not
/// identify any of them.
fn is_common_name(view: &View, name: &str) -> bool {
    view.symbols_named_like(name).len() > MAX_SYMBOLS_OF_WORD
}

/// Returns whether the lines that have this relation can be found only by their text. Such relations are ignored if the
/// subject is a plain word, such as `cookie`, because lines that contain the word rarely refer to the symbol of that
/// name.
fn is_found_by_text(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Writes | QuestionKind::Reads | QuestionKind::Reports)
}

/// Removes the uncertain lines for a plain word, because the prompt may not refer to the symbol of that name.
fn keep_certain(sites: &mut Sites) {
    sites.sites.retain(|site| site.is_certain);
    sites.is_absent = false;
}

/// Builds the answer. For each relation, lists the best lines in full and summarises the remaining ones by their
/// number and a few locations.
fn list(corpus: &Corpus<'_>, question: &DirectQuestion, all: Vec<Sites>) -> QuestionAnswer {
    let mut answer = QuestionAnswer {
        subject: question.subject.text().to_owned(),
        findings: Vec::new(),
        rest: Vec::new(),
        absent: Vec::new(),
    };
    let n_asked = all.len();
    let mut n_left = MAX_LISTED;
    for mut sites in all {
        let is_extra = !question.kinds.is_empty()
            && sites.kind == QuestionKind::Definition
            && !question.kinds.contains(&sites.kind);
        if sites.is_absent {
            answer.absent.push(sites.kind);
        }
        sites.sites.sort_by(|a, b| order(a).cmp(&order(b)));
        if is_unasked_text(question) && sites.sites.len() > MAX_SITES_OF_UNASKED_TEXT {
            continue;
        }
        let is_definition = sites.kind == QuestionKind::Definition && n_asked > 1;
        let max = if is_definition { MAX_DEFINITIONS } else { n_left };
        let n_all = sites.sites.len();
        let mut rest = sites.sites.split_off(max.min(n_all)).into_iter();
        let listed: Vec<Site> = sites.sites;
        for site in listed {
            answer.findings.extend(finding(corpus, site, is_extra));
        }
        n_left = n_left.saturating_sub(if is_extra { 0 } else { n_all.min(max) });
        let citations: Vec<String> = rest
            .by_ref()
            .take(MAX_REST_CITATIONS)
            .map(|site| format!("{}:{}", site.path, site.line))
            .collect();
        let n = citations.len() + rest.count();
        if n > 0 && !is_extra {
            answer.rest.push(Rest {
                kind: sites.kind,
                n,
                citations,
                is_minimum: !sites.is_complete,
            });
        }
    }
    answer
}

/// Returns whether the subject is a quoted string or an error message, and the prompt asks for no known relation.
fn is_unasked_text(question: &DirectQuestion) -> bool {
    let is_text = matches!(question.subject, Subject::Text(_) | Subject::Message(_));
    is_text && question.kinds.is_empty()
}

/// Returns a sort key that orders certain lines before uncertain ones, and code before tests and documentation.
fn order(site: &Site) -> (bool, bool, u8, &str, u32) {
    (!site.is_certain, site.is_test, site.place, &site.path, site.line)
}

/// Returns a site with its text and its confidence, or `None` if the file may not be shown. `is_extra` must be true if the
/// site is a definition that the question does not ask for.
fn finding(corpus: &Corpus<'_>, site: Site, is_extra: bool) -> Option<(Site, f32)> {
    let text = match (corpus.source.to_quote)(Path::new(&site.path)) {
        ToQuote::Text(text) if site.verb == Verb::Defines => definition(&text, site.line),
        ToQuote::Text(text) => line(&text, site.line),
        ToQuote::Path => None,
        ToQuote::Nothing => return None,
    };
    let confidence = match (site.is_certain, site.is_test) {
        _ if is_extra => 0.92,
        (true, false) if site.place == place(Role::Source) => 0.97,
        (true, false) if site.place <= place(Role::Example) => 0.95,
        (true, true) => 0.94,
        (true, false) => 0.93,
        (false, _) => 0.6,
    };
    Some((Site { text: text.unwrap_or_default(), ..site }, confidence))
}
