//! Describes the answer to a direct question in words, as in "possibly calls `save`".

use contract::counted;

use super::answer::{QuestionAnswer, Rest, Verb};
use super::sites::Site;
use super::{DIRECT_ANSWER, QuestionKind};
use crate::ask::{Answer, Completeness, Item, Remainder};

const MAX_OTHER_LINES: usize = 5;

impl From<QuestionAnswer> for Answer {
    fn from(answer: QuestionAnswer) -> Self {
        let QuestionAnswer { subject, findings, rest, absent } = &answer;
        let n_found = findings.len() + rest.len() + absent.len();
        Self {
            items: findings.iter().map(|found| item(found, subject)).collect(),
            rest: rest.iter().map(|rest| remainder(rest, subject)).collect(),
            absent: absent
                .iter()
                .map(|kind| format!("no {} `{subject}`", noun(*kind, 0)))
                .collect(),
            completeness: Completeness::of(!rest.iter().any(|rest| rest.is_minimum)),
            summary: format!("{} to a direct question", counted(n_found, "answer")),
            ..Self::default()
        }
    }
}

fn item((found, confidence): &(Site, f32), subject: &str) -> Item {
    let title = if let Verb::IsCaller { callee, .. } = &found.verb { Some(callee) } else { None };
    let title = title.cloned();
    Item {
        path: found.path.clone(),
        line: Some(found.line),
        symbol: found.symbol.clone(),
        title,
        role: statement(&found.verb, found.is_certain, subject),
        quote: found.text.clone(),
        also: also(&found.other_lines),
        is_certain: found.is_certain,
        certainty: *confidence,
        source: DIRECT_ANSWER.to_owned(),
        ..Item::default()
    }
}

fn remainder(rest: &Rest, subject: &str) -> Remainder {
    let at_least = if rest.is_minimum { "at least " } else { "" };
    let title = format!("{at_least}{} more {} `{subject}`", rest.n, noun(rest.kind, rest.n));
    Remainder { title, n: rest.n, citations: rest.citations.clone() }
}

/// Describes what a line does with the subject, as in "calls `save`".
fn statement(verb: &Verb, is_certain: bool, subject: &str) -> String {
    let possibly = if is_certain { "" } else { "possibly " };
    let words = match verb {
        Verb::Defines => format!("defines `{subject}`"),
        Verb::Calls => format!("calls `{subject}`"),
        Verb::IsCaller { callee, defined_at } => {
            return format!("`{subject}` {possibly}calls `{callee}`, defined at {defined_at}");
        }
        Verb::Uses => format!("uses `{subject}`"),
        Verb::Imports => format!("imports `{subject}`"),
        Verb::Implements => format!("extends or implements `{subject}`"),
        Verb::Overrides { base } => format!("overrides `{base}`"),
        Verb::Tests => format!("tests `{subject}`"),
        Verb::Sets => format!("sets `{subject}`"),
        Verb::Reads => format!("reads `{subject}`"),
        Verb::Reports => format!("reports `{subject}`"),
        Verb::Contains => format!("contains `{subject}`"),
        Verb::MatchesPart => format!("matches a part of `{subject}`"),
        Verb::DependsThrough { via } => format!("depends on `{subject}` through `{via}`"),
    };
    format!("{possibly}{words}")
}

/// Returns the other lines of the same definition, as in " (also lines 4, 9)", or an empty string if there are none.
fn also(lines: &[u32]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = lines.iter().take(MAX_OTHER_LINES).map(u32::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let more = lines.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(" (also {word} {}{more})", shown.join(", "))
}

/// Returns a noun and a preposition for the counted locations, such as `callers of`. In the text, the subject's name
/// follows.
fn noun(kind: QuestionKind, n: usize) -> &'static str {
    let (one, many) = match kind {
        QuestionKind::Callers => ("caller of", "callers of"),
        QuestionKind::Callees => ("call in", "calls in"),
        QuestionKind::Uses => ("use of", "uses of"),
        QuestionKind::Implementations => ("implementation of", "implementations of"),
        QuestionKind::Overrides => ("override of", "overrides of"),
        QuestionKind::Tests => ("test of", "tests of"),
        QuestionKind::Writes => ("assignment of", "assignments of"),
        QuestionKind::Reads => ("read of", "reads of"),
        QuestionKind::Reports => ("report of", "reports of"),
        QuestionKind::Impact => ("dependent of", "dependents of"),
        QuestionKind::Definition => ("place of", "places of"),
    };
    if n == 1 { one } else { many }
}
