//! Answers direct questions, such as "who calls `save`?". `ci_graph_rag` returns these answers instead of related
//! code.

use std::time::{Duration, Instant};

use engine::{DirectQuestion, QuestionAnswer, QuestionKind, ReadPrompt, Subject};
use index::View;
use policy::ToolId;
use toolcall::ToolOutput;

use super::findings::tool_answer;
use super::{Call, Comparison, Shared};

/// The time that is reserved before the deadline for the work after the answer.
const TIME_RESERVE: Duration = Duration::from_millis(300);

/// Answers the direct question in the prompt. Returns `None` if the prompt has no direct question. If there is no index,
/// the files themselves are searched.
pub(super) fn answer(shared: &Shared, view: Option<&View>, call: &Call<'_>) -> Option<ToolOutput> {
    let ReadPrompt { text, questions, .. } = call.searched;
    // Without an index, no code can be shown instead of an answer.
    let is_answered = |question: &&DirectQuestion| {
        !shared.is_briefing() || view.is_none() || question.is_the_point(text)
    };
    let questions: &[DirectQuestion] =
        &questions.iter().filter(is_answered).cloned().collect::<Vec<_>>();
    let deadline = call.deadline.checked_sub(TIME_RESERVE).unwrap_or_else(Instant::now);
    let ask = |view: Option<&View>| {
        shared
            .quotes
            .with_source(|source| engine::answer_direct_question(view, source, questions, deadline))
    };
    // It is certain that a name has no callers only if all files have been compared with the index.
    let is_incomplete = |view: &&View| !view.freshness().complete;
    let answer = ask(view).or_else(|| {
        let incomplete = view.filter(is_incomplete)?;
        can_be_unused(incomplete, questions)
            .then(|| ask(shared.opened(Comparison::Whole, call).view()))
            .flatten()
    })?;
    let answer = without_secret_subject(answer, text).into();
    Some(tool_answer(ToolId::GraphRag.tool(), &answer))
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
