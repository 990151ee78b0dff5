//! Answers direct questions, such as "who calls `save`?". `ci_graph_rag` returns these answers instead of related
//! code.

use std::time::{Duration, Instant};

use contract::Finding;
use engine::{
    DirectFinding, DirectQuestion, QuestionAnswer, QuestionKind, ReadPrompt, Rest, Subject, Verb,
};
use index::View;

use super::{Call, Shared, rounded};
use crate::evidence::DIRECT_ANSWER;

/// The time that is reserved before the deadline for the work after the answer.
const TIME_RESERVE: Duration = Duration::from_millis(300);
/// The confidence of a finding that says that a name has no callers, uses or tests. The statement is certain, but it
/// cites no line.
const ABSENT_CONFIDENCE: f32 = 0.6;
const REST_CONFIDENCE: f32 = 0.91;
const MAX_OTHER_LINES: usize = 5;

/// Answers the direct question in the prompt. Returns no findings if the prompt has no direct question. If there is no
/// index, the files themselves are searched.
pub(super) fn findings(shared: &Shared, view: Option<&View>, call: &Call<'_>) -> Vec<Finding> {
    let ReadPrompt { text, questions, .. } = call.searched;
    let deadline = call.deadline.checked_sub(TIME_RESERVE).unwrap_or_else(Instant::now);
    let answer = |view: Option<&View>| {
        shared.with_source(|source| match view {
            Some(view) => engine::answer_from_index(view, source, questions, deadline),
            None => engine::answer_from_files(source, questions, deadline),
        })
    };
    let all = |answer: QuestionAnswer| all_findings(&without_secret_subject(answer, text));
    let mut found = answer(view).map(all).unwrap_or_default();
    // It is certain that a name has no callers only if all files have been compared with the index.
    let is_incomplete = |view: &&View| !view.freshness().complete;
    let incomplete = view.filter(is_incomplete).filter(|_| found.is_empty());
    if incomplete.is_some_and(|view| can_be_unused(view, questions)) {
        found = answer(shared.compared(call).view()).map(all).unwrap_or_default();
    }
    found
}

/// Returns whether the prompt asks for the callers, uses or tests of a name, and "there are none" is a possible answer.
/// It is not possible if the search covers only some of the files that contain the name.
fn can_be_unused(view: &View, questions: &[DirectQuestion]) -> bool {
    let can_be_absent = |kind: &QuestionKind| {
        matches!(kind, QuestionKind::Callers | QuestionKind::Uses | QuestionKind::Tests)
    };
    questions.first().is_some_and(|question| {
        let Subject::Name(name) = &question.subject else { return false };
        question.kinds.iter().any(can_be_absent) && engine::is_searched_everywhere(view, name)
    })
}

/// Replaces the subject if it is a secret in the prompt. The lines that are quoted contain no secret any more by which the
/// subject could be recognised.
fn without_secret_subject(mut answer: QuestionAnswer, prompt: &str) -> QuestionAnswer {
    if prompt.contains(&answer.subject) && !guard::redact(prompt).text.contains(&answer.subject) {
        guard::MARK.clone_into(&mut answer.subject);
    }
    answer
}

fn all_findings(answer: &QuestionAnswer) -> Vec<Finding> {
    let subject = &answer.subject;
    let mut findings: Vec<Finding> =
        answer.findings.iter().map(|found| finding(found, subject)).collect();
    findings.extend(answer.rest.iter().map(|rest| rest_finding(rest, subject)));
    findings.extend(answer.absent.iter().map(|kind| absent(*kind, subject)));
    findings
}

fn finding(found: &DirectFinding, subject: &str) -> Finding {
    let mut summary = statement(found, subject);
    if !found.text.is_empty() {
        summary = format!("{summary}: {}", found.text);
    }
    if !found.other_lines.is_empty() {
        summary = format!("{summary} (also {})", lines(&found.other_lines));
    }
    let title = if let Verb::IsCaller { callee, .. } = &found.verb {
        callee.clone()
    } else {
        found.symbol.clone().unwrap_or_else(|| "file".to_owned())
    };
    Finding {
        path: Some(found.path.clone()),
        line: Some(found.line.into()),
        title: Some(title),
        summary: Some(summary),
        confidence: Some(rounded(found.confidence)),
        source: Some(DIRECT_ANSWER.to_owned()),
        symbol: found.symbol.clone(),
        ..Finding::default()
    }
}

/// Describes what a line does with the subject, as in "calls `save`".
fn statement(found: &DirectFinding, subject: &str) -> String {
    let possibly = if found.is_certain { "" } else { "possibly " };
    let words = match &found.verb {
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

fn lines(lines: &[u32]) -> String {
    let shown: Vec<String> = lines.iter().take(MAX_OTHER_LINES).map(u32::to_string).collect();
    let word = if lines.len() == 1 { "line" } else { "lines" };
    let more = lines.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{more}", shown.join(", "))
}

/// Creates a finding that states how many locations are not listed in full, as in "12 more callers".
fn rest_finding(rest: &Rest, subject: &str) -> Finding {
    let at_least = if rest.is_minimum { "at least " } else { "" };
    let title = format!("{at_least}{} more {} `{subject}`", rest.n, noun(rest.kind, rest.n));
    let others = if rest.n > rest.citations.len() { " and others" } else { "" };
    let summary = format!("at {}{others}", rest.citations.join(", "));
    Finding {
        title: Some(title),
        summary: Some(summary),
        confidence: Some(rounded(REST_CONFIDENCE)),
        source: Some(DIRECT_ANSWER.to_owned()),
        ..Finding::default()
    }
}

fn absent(kind: QuestionKind, subject: &str) -> Finding {
    Finding {
        title: Some(format!("no {} `{subject}`", noun(kind, 0))),
        summary: Some("the name occurs only in its definition and in comments".to_owned()),
        confidence: Some(rounded(ABSENT_CONFIDENCE)),
        source: Some(DIRECT_ANSWER.to_owned()),
        ..Finding::default()
    }
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
