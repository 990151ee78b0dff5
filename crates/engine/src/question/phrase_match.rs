//! Matches the question phrases in `phrases.txt` against a prompt.

use std::borrow::Cow;

use index::text::is_cjk;

use super::subjects::Span;
use super::{QuestionKind, Subject};
use crate::query::joinable_runs;

/// The phrases, in a section for each relation. The head of the file explains their form.
const PHRASES: &str = include_str!("phrases.txt");

/// Interrogatives by which a question without a question mark is recognised.
#[rustfmt::skip]
const INTERROGATIVES: &[&str] = &[
    "who", "what", "where", "which", "why", "how", "谁", "什么", "哪", "怎么", "如何", "为什么", "吗", "qué", "quién", "dónde", "cómo", "cuál", "qui",
    "où", "quoi", "quel*", "comment", "pourquoi", "wer", "wo", "was", "welche*", "warum", "wie", "quem", "onde", "qual", "por_que", "кто", "где",
    "что", "как", "почему", "какие", "какой", "đâu", "gì", "nào", "sao", "どこ", "誰", "何", "どの", "なぜ", "ですか", "ますか", "어디", "누가",
    "무엇", "뭐", "어떤", "왜", "어떻게",
];

/// Pronouns that refer to the subject of the question.
const PRONOUNS: &str =
    "it|them|this_function|this_method|它|该函数|该方法|这个函数|这个方法|それ|그것";

/// English words that say what kind of code a name is, as in "the `save` method".
#[rustfmt::skip]
const KINDS_OF_CODE: &[&str] = &[
    "class", "constant", "endpoint", "enum", "field", "flag", "function", "interface", "macro", "method", "module", "option", "package", "property",
    "setting", "struct", "trait", "type", "variable",
];

/// The placeholder for the subject in clauses and phrases.
const SUBJECT: char = '§';
/// The placeholder for other names and quoted strings in clauses.
const OTHER: char = '¤';
/// The maximum number of characters between two elements of a phrase.
const MAX_GAP: usize = 36;
/// Like [`MAX_GAP`], but for a gap next to a subject that is a plain word. There is just enough room for an article.
const MAX_WORD_GAP: usize = 5;

/// The phrases that may match a prompt, because the prompt contains the text of each of their elements.
///
/// Without this selection, each of several hundred phrases would have to be compared with every subject of the prompt,
/// although only a few phrases can match.
#[derive(Default)]
pub(super) struct PossiblePhrases {
    relations: Vec<(QuestionKind, Vec<&'static str>)>,
    places: Vec<&'static str>,
    impact: Vec<&'static str>,
}

impl PossiblePhrases {
    pub(super) fn new(prompt: &str) -> Self {
        let lower = prompt.to_lowercase();
        let mut sections: Vec<(&str, Vec<&'static str>)> = Vec::new();
        for line in PHRASES.split('\n') {
            if let Some(name) = line.strip_prefix('[') {
                sections.push((name, Vec::new()));
            } else if let Some((_, phrases)) = sections.last_mut()
                && !line.is_empty()
                && !line.starts_with('#')
                && has_text_of(&lower, line)
            {
                phrases.push(line);
            }
        }
        let mut possible = Self::default();
        for (name, phrases) in sections {
            match name.trim_end_matches(']') {
                "impact" => possible.impact = phrases,
                "places" => possible.places = phrases,
                name => possible.relations.extend(relation(name).map(|kind| (kind, phrases))),
            }
        }
        possible
    }

    /// Returns whether each occurrence of the subject, which consists of plain words, is followed by another word of a
    /// longer name, as `session` is in "where is the session cookie?". Words of the phrases are no such words, and neither
    /// is `method` in "who calls the save method?".
    fn is_part_of_longer_name(&self, masked: &str) -> bool {
        let mut after = masked.split(SUBJECT).skip(1);
        after.all(|rest| {
            let rest = rest.strip_prefix(' ').unwrap_or(rest);
            let next = joinable_runs(rest).swap_remove(0);
            next.first().is_some_and(|range| {
                let word = &rest[range.clone()];
                range.start == 0 && !KINDS_OF_CODE.contains(&word) && !self.contains(word)
            })
        })
    }

    /// Returns whether a phrase that may match contains the word.
    pub(super) fn contains(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let relations = self.relations.iter().flat_map(|(_, phrases)| phrases);
        let mut phrases = relations.chain(&self.places).chain(&self.impact);
        phrases.any(|phrase| find_element(&word, &phrase.replace(' ', "|"), 0).is_some())
    }
}

/// Returns the relation whose phrases are in the section `name`.
fn relation(name: &str) -> Option<QuestionKind> {
    Some(match name {
        "callers" => QuestionKind::Callers,
        "callees" => QuestionKind::Callees,
        "uses" => QuestionKind::Uses,
        "implementations" => QuestionKind::Implementations,
        "overrides" => QuestionKind::Overrides,
        "tests" => QuestionKind::Tests,
        "writes" => QuestionKind::Writes,
        "reads" => QuestionKind::Reads,
        "reports" => QuestionKind::Reports,
        "definition" => QuestionKind::Definition,
        _ => return None,
    })
}

/// Returns whether `lower` contains one alternative of each element of `phrase`. The subject placeholder counts as
/// contained.
fn has_text_of(lower: &str, phrase: &str) -> bool {
    phrase.split(' ').all(|element| {
        element.split('|').any(|alternative| {
            let (text, _) = read_alternative(alternative);
            text.contains(SUBJECT) || occurrences(lower, &text, 0).next().is_some()
        })
    })
}

/// Returns the relations to `subject` that the prompt asks for. `spans` are the prompt's subjects with their positions.
pub(super) fn kinds(
    prompt: &str,
    possible: &PossiblePhrases,
    spans: &[Span],
    subject: &Subject,
) -> Vec<QuestionKind> {
    let is_plain = matches!(subject, Subject::Word(_) | Subject::Words(_));
    let max_gap = if is_plain { MAX_WORD_GAP } else { MAX_GAP };
    let masked = mask(prompt, spans, subject);
    if is_plain && possible.is_part_of_longer_name(&masked) {
        return Vec::new();
    }
    // A statement such as "`save` is called twice" is not a question.
    let asks = is_question(&masked);
    let can_match = |phrase: &str| asks || !phrase.starts_with(SUBJECT);
    let mut kinds = Vec::new();
    let mut fallback = false;
    let mut is_known = false;
    for clause in masked.split(is_boundary) {
        let Some(clause) = with_subject(clause, &mut is_known) else { continue };
        for (kind, phrases) in &possible.relations {
            let mut phrases = phrases.iter().filter(|phrase| can_match(phrase));
            if phrases.any(|phrase| is_match(&clause, phrase, max_gap)) {
                kinds.push(*kind);
            }
        }
        fallback |= possible.places.iter().any(|phrase| is_match(&clause, phrase, max_gap));
    }
    // Whole sentences are compared, because a comma usually separates the clause that describes the change from the
    // question.
    let mut sentences = masked.split(is_sentence_end);
    if sentences.any(|sentence| {
        let mut phrases = possible.impact.iter().filter(|phrase| can_match(phrase));
        phrases.any(|phrase| is_match(sentence, phrase, max_gap))
    }) {
        kinds.push(QuestionKind::Impact);
    }
    without_contradictions(&mut kinds);
    if kinds.is_empty() && fallback {
        kinds.push(QuestionKind::Definition);
    }
    kinds
}

/// Removes duplicates, and relations that are implied by a more specific one. For example, `Uses` is removed if the
/// prompt also asks for callers.
fn without_contradictions(kinds: &mut Vec<QuestionKind>) {
    use QuestionKind::{
        Callees, Callers, Definition, Impact, Implementations, Overrides, Reads, Reports, Tests,
        Uses, Writes,
    };
    let mut seen = Vec::new();
    kinds.retain(|kind| {
        let is_new = !seen.contains(kind);
        seen.push(*kind);
        is_new
    });
    let has = |kind: QuestionKind| seen.contains(&kind);
    kinds.retain(|kind| match kind {
        Writes => !has(Impact),
        Definition => !has(Impact) && !has(Overrides),
        Overrides => !has(Tests),
        Uses => !has(Tests) && !has(Callers) && !has(Impact) && !has(Callees),
        Callers | Callees | Implementations | Tests | Reads | Reports | Impact => true,
    });
}

/// Returns whether the prompt contains a question mark or an interrogative.
pub(super) fn is_question(prompt: &str) -> bool {
    let lower = prompt.to_lowercase();
    lower.contains(['?', '？']) || INTERROGATIVES.iter().any(|word| is_match(&lower, word, MAX_GAP))
}

/// Returns the prompt in lower case. Each occurrence of `subject` is replaced by [`SUBJECT`] and each other subject by
/// [`OTHER`]. Other subjects that are plain words are not replaced.
fn mask(prompt: &str, spans: &[Span], subject: &Subject) -> String {
    let mut masked = String::with_capacity(prompt.len());
    let mut at = 0;
    for span in spans {
        let is_subject = span.subject == *subject;
        if span.range.start < at || (!is_subject && matches!(span.subject, Subject::Word(_))) {
            continue;
        }
        masked.push_str(&prompt[at..span.range.start].to_lowercase());
        // The placeholder has one space on each side, even if the prompt has none.
        masked.truncate(masked.trim_end_matches(' ').len());
        masked.push(' ');
        masked.push(if is_subject { SUBJECT } else { OTHER });
        masked.push(' ');
        at = span.range.end;
        at += prompt[at..].len() - prompt[at..].trim_start_matches(' ').len();
    }
    masked.push_str(&prompt[at..].to_lowercase());
    masked
}

/// Returns whether `c` ends a clause.
fn is_boundary(c: char) -> bool {
    is_sentence_end(c) || matches!(c, ',' | ';' | ':' | '，' | '、' | '；' | '：')
}

fn is_sentence_end(c: char) -> bool {
    matches!(c, '.' | '?' | '!' | '\n' | '。' | '？' | '！')
}

/// Replaces the pronouns in a clause with the subject placeholder. If the clause contains neither the subject nor a
/// pronoun, adds the placeholder, because the subject is implied, as in "`save` 在哪里定义，被谁调用". Returns `None` for the
/// clauses before the first mention of the subject. Sets `is_known` to true at the first mention.
fn with_subject(clause: &str, is_known: &mut bool) -> Option<String> {
    let first = clause.find(SUBJECT);
    if first.is_none() && !*is_known {
        return None;
    }
    *is_known = true;
    let start = first.unwrap_or(0);
    let (before, after) = clause.split_at(start);
    let mut after = after.to_owned();
    while let Some((start, end)) = find_element(&after, PRONOUNS, 0) {
        after.replace_range(start..end, "§");
    }
    let clause = format!("{before}{after}");
    Some(if clause.contains(SUBJECT) { clause } else { format!("{SUBJECT} {clause}") })
}

/// Returns whether the elements of `phrase` occur in `clause` in order. Elements are separated by spaces; each is a
/// list of alternatives that are separated by `|`. An alternative that ends with `*` matches the start of a word.
fn is_match(clause: &str, phrase: &str, max_gap: usize) -> bool {
    let elements: Vec<&str> = phrase.split(' ').collect();
    match_elements(clause, &elements, 0, None, max_gap)
}

fn match_elements(
    clause: &str,
    elements: &[&str],
    from: usize,
    before: Option<&str>,
    max_gap: usize,
) -> bool {
    let Some((element, rest)) = elements.split_first() else { return true };
    let is_near_subject = |other: Option<&str>| other.is_some_and(|text| text == "§");
    let allowed = match before {
        None => usize::MAX,
        Some(_) if is_near_subject(before) || is_near_subject(Some(element)) => max_gap,
        Some(_) => MAX_GAP,
    };
    let mut at = from;
    while let Some((start, end)) = find_element(clause, element, at) {
        if clause[from..start].trim().chars().count() > allowed {
            return false;
        }
        if match_elements(clause, rest, end, Some(element), max_gap) {
            return true;
        }
        at = start + clause[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

/// Returns the range of the first occurrence of any alternative of `element` in `clause`, at or after `from`.
fn find_element(clause: &str, element: &str, from: usize) -> Option<(usize, usize)> {
    let found = element.split('|').filter_map(|alternative| {
        let (text, is_prefix) = read_alternative(alternative);
        occurrences(clause, &text, from).find_map(|start| {
            let end = start + text.len();
            is_whole(clause, start, end, is_prefix).then_some((start, end))
        })
    });
    found.min_by_key(|(start, end)| (*start, usize::MAX - *end))
}

/// Returns the text of an alternative, and whether it only has to match the start of a word.
fn read_alternative(alternative: &str) -> (Cow<'_, str>, bool) {
    let (text, is_prefix) =
        alternative.strip_suffix('*').map_or((alternative, false), |text| (text, true));
    let text = if text.contains('_') { Cow::from(text.replace('_', " ")) } else { text.into() };
    (text, is_prefix)
}

/// Returns the positions of `text` in `clause`, starting at `from`.
///
/// Clauses are short, and each prompt is compared with thousands of strings, so the setup of [`str::match_indices`]
/// would take longer than these comparisons.
fn occurrences(clause: &str, text: &str, from: usize) -> impl Iterator<Item = usize> {
    let (clause, text) = (clause.as_bytes(), text.as_bytes());
    let first = text.first();
    let starts = clause.iter().enumerate().skip(from).filter(move |(_, byte)| Some(*byte) == first);
    starts.map(|(start, _)| start).filter(move |start| clause[*start..].starts_with(text))
}

/// Returns whether `start..end` is a whole word or, if `is_prefix` is true, the start of a word. CJK characters have
/// no word boundaries.
fn is_whole(clause: &str, start: usize, end: usize, is_prefix: bool) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_cjk(c);
    let text = &clause[start..end];
    let joins =
        |a: Option<char>, b: Option<char>| a.is_some_and(is_letter) && b.is_some_and(is_letter);
    let joined_before = joins(clause[..start].chars().next_back(), text.chars().next());
    let joined_after = joins(text.chars().next_back(), clause[end..].chars().next());
    !joined_before && (is_prefix || !joined_after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_phrases_is_used() {
        for name in PHRASES.lines().filter_map(|line| line.strip_prefix('[')) {
            let name = name.strip_suffix(']').unwrap();
            assert!(["impact", "places"].contains(&name) || relation(name).is_some(), "{name}");
        }
    }
}
