//! Implements the tools that measure code: `ci_complexity` and `ci_hotspot`.

use contract::{Finding, Limit, counted};
use engine::{ComplexityOptions, HotspotOptions, ReadPrompt};
use index::{HistoryState, View};
use policy::ToolId;
use toolcall::Answer;

use super::{Call, Shared, finding_at, number, rounded, search};

const MAX_FUNCTIONS: usize = 10;

/// Words and stems of words that occur in prompts about complexity but do not name a part of the code.
#[rustfmt::skip]
const REQUEST_WORDS: &[&str] = &[
    "class", "codebase", "cognitive", "complex", "complexity", "complicated", "cyclomatic", "difficult", "follow", "function", "hard",
    "hardest", "highest", "list", "method", "most", "part", "project", "read", "repo", "repository", "source", "ten", "top",
    "understand", "whole", "worst",
];
#[rustfmt::skip]
const REQUEST_WORDS_CHINESE: &[&str] = &[
    "复杂度", "复杂", "函数", "方法", "代码", "仓库", "项目", "哪些", "哪个", "什么", "整个", "这个", "列出", "分析", "一下", "圈", "认知", "最", "太", "高", "难",
    "懂", "的", "是", "里", "中", "有", "请", "在", "看",
];

/// Implements `ci_complexity`, which finds the most complex functions.
pub(super) fn complexity(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let path = measured_path(shared, view, call);
    let options = ComplexityOptions { path, top_k: MAX_FUNCTIONS, deadline: call.deadline };
    let report = engine::complexity(view, &options);
    let findings: Vec<Finding> = report
        .functions
        .iter()
        .map(|function| {
            let figures = function.figures;
            let summary = format!(
                "cyclomatic {}, cognitive {}, nesting {}, {}",
                figures.cyclomatic,
                figures.cognitive,
                figures.nesting,
                counted(function.lines as usize, "line")
            );
            finding_at(&function.location, 0, &summary, 0.5, "complexity")
        })
        .collect();
    let place = if options.path.is_empty() { "the repository" } else { &options.path };
    let summary = format!("{} in `{place}`", counted(findings.len(), "function"));
    super::answer(ToolId::Complexity, summary, findings, report.complete)
}

/// Returns the file or folder to measure: the one that the prompt names, or otherwise the best search result. If the
/// prompt names no part of the code, returns an empty path, which means the whole repository.
fn measured_path(shared: &Shared, view: &View, call: &Call<'_>) -> String {
    let mut named = call.searched.query.paths.iter().map(|mention| &mention.text);
    let exists = |path: &&String| {
        let folder = format!("{}/", path.trim_end_matches('/'));
        !view.files_with_suffix(path).is_empty()
            || view.files().any(|id| view.path(id).starts_with(&folder))
    };
    let found = || search::hits(shared, view, call, 1).into_iter().next().map(|hit| hit.path);
    named
        .find(exists)
        .cloned()
        .or_else(|| has_subject(call.searched).then(found).flatten())
        .unwrap_or_default()
}

/// Implements `ci_hotspot`, which finds the files that are complex and change often.
pub(super) fn hotspots(view: &View, call: &Call<'_>) -> Answer {
    let options = HotspotOptions {
        days: u32::try_from(number(call, "days", 30)).unwrap_or(30),
        top_k: number(call, "top", 20),
        deadline: call.deadline,
    };
    let report = engine::hotspots(view, &options);
    let findings: Vec<Finding> = report
        .hotspots
        .iter()
        .map(|hotspot| Finding {
            path: Some(hotspot.path.clone()),
            line: Some(1),
            title: Some("hotspot".to_owned()),
            summary: Some(format!(
                "{} in {}, cyclomatic {}, {}",
                counted(hotspot.commits as usize, "commit"),
                counted(options.days as usize, "day"),
                hotspot.cyclomatic,
                counted(hotspot.lines as usize, "line")
            )),
            confidence: Some(rounded(hotspot.score)),
            source: Some("git history × complexity".to_owned()),
            ..Finding::default()
        })
        .collect();
    let summary = format!(
        "{} changed in the {} before the newest commit",
        counted(findings.len(), "file"),
        counted(options.days as usize, "day")
    );
    let mut answer = super::answer(ToolId::Hotspot, summary, findings, report.complete);
    let missing = match report.history {
        HistoryState::Absent => Some("there is no git history"),
        HistoryState::Pending => Some("the git history is still being read"),
        HistoryState::Partial | HistoryState::Complete => None,
    };
    if let Some(missing) = missing {
        let text = format!("{}: {missing}", ToolId::Hotspot.name());
        answer.limits.push(Limit::Said(text));
    }
    answer
}

/// Returns whether a prompt names a part of the code.
fn has_subject(prompt: &ReadPrompt) -> bool {
    let is_chinese = |c: char| !c.is_ascii() && c.is_alphabetic();
    let chinese: String = prompt.text.chars().filter(|c| is_chinese(*c)).collect();
    let rest = REQUEST_WORDS_CHINESE.iter().fold(chinese, |rest, word| rest.replace(word, ""));
    let is_asking = |word: &str| !word.is_ascii() || REQUEST_WORDS.contains(&word);
    let mut terms = prompt.query.search_terms();
    !rest.is_empty() || terms.any(|term| !is_asking(&term.text) && !is_asking(&term.written))
}

#[cfg(test)]
mod tests {
    use engine::ReadPrompt;

    fn has_subject(prompt: &str) -> bool {
        super::has_subject(&ReadPrompt::new(prompt.to_owned()))
    }

    #[test]
    fn a25_a_request_for_the_most_complex_functions_has_no_subject() {
        for prompt in [
            "which functions are the most complex?",
            "list the top ten functions by cyclomatic complexity",
            "what is hardest to follow in this repository?",
            "哪些函数最复杂？",
            "分析一下这个项目的圈复杂度",
        ] {
            assert!(!has_subject(prompt), "{prompt}");
        }
        for prompt in
            ["how complex is the parser?", "is enforce_budget too complex?", "登录模块的复杂度"]
        {
            assert!(has_subject(prompt), "{prompt}");
        }
    }
}
