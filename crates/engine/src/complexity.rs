//! `ci_complexity`: finds the most complex functions and files.

use std::time::Instant;

use contract::counted;
use index::{Complexity, FileId, Node, Role, View};
use serde_json::json;

use crate::ask::ReadPrompt;
use crate::ask::{Answer, Asking, COMPLEXITY, Completeness, Item, UnknownName};
use crate::location::Location;

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

pub(crate) struct FunctionComplexity {
    location: Location,
    figures: Complexity,
    lines: u32,
}

pub(crate) struct FileComplexity {
    pub(crate) path: String,
    functions: u32,
    pub(crate) lines: u32,
    /// The total cyclomatic complexity of all functions in the file.
    pub(crate) cyclomatic: u32,
    /// The total cognitive complexity of all functions in the file.
    pub(crate) cognitive: u32,
}

/// Answers `ci_complexity`: the most complex functions and files under a path, most complex first.
pub fn ask_complexity(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let (view, limit) = (asking.view, asking.number("limit", 10));
    let path = asking.arguments.text("path").map_or_else(|| measured_path(asking), str::to_owned);
    let prefix = path.trim_matches('/');
    let (mut functions, mut files, mut is_complete) = (Vec::new(), Vec::new(), true);
    for id in view.files() {
        if Instant::now() >= asking.deadline {
            is_complete = false;
            break;
        }
        let is_below = view
            .path(id)
            .strip_prefix(prefix)
            .is_some_and(|rest| prefix.is_empty() || rest.is_empty() || rest.starts_with('/'));
        // Without a path, only source, test and example files are included.
        let is_included = !prefix.is_empty()
            || matches!(view.role(id), Role::Source | Role::Test | Role::Example);
        if is_below && is_included {
            files.extend(file_complexity(view, id, &mut functions));
        }
    }
    functions.sort_by(|a, b| {
        rank(&b.figures, b.lines)
            .cmp(&rank(&a.figures, a.lines))
            .then_with(|| a.location.path.cmp(&b.location.path))
    });
    functions.truncate(limit);
    files.sort_by(|a, b| {
        (b.cognitive, b.cyclomatic, b.lines)
            .cmp(&(a.cognitive, a.cyclomatic, a.lines))
            .then_with(|| a.path.cmp(&b.path))
    });
    let files = files.iter().take(limit).map(|file| {
        json!({
            "cognitive": file.cognitive, "cyclomatic": file.cyclomatic, "functions": file.functions,
            "lines": file.lines, "path": file.path,
        })
    });
    let place = if path.is_empty() { "the repository" } else { &path };
    Ok(Answer {
        items: functions.iter().map(item).collect(),
        completeness: Completeness::of(is_complete),
        summary: format!("{} in `{place}`", counted(functions.len(), "function")),
        nothing: "no functions found".to_owned(),
        lists: &["functions"],
        more: [("files".to_owned(), files.collect())].into_iter().collect(),
        ..Answer::default()
    })
}

fn item(function: &FunctionComplexity) -> Item {
    let FunctionComplexity { location, figures, lines } = function;
    let Complexity { cyclomatic, cognitive, nesting } = *figures;
    let item = Item {
        role: format!(
            "cyclomatic {cyclomatic}, cognitive {cognitive}, nesting {nesting}, {}",
            counted(*lines as usize, "line")
        ),
        relevance: Some(0.5),
        source: COMPLEXITY.to_owned(),
        list: "functions",
        ..Item::at(location, 0)
    };
    item.with_fields(json!({
        "cognitive": cognitive, "cyclomatic": cyclomatic, "line": location.lines.start(), "lines": lines,
        "nesting": nesting, "path": location.path, "symbol": location.symbol,
    }))
}

/// Returns the file or folder to measure: the one that the prompt names, or otherwise the best search result. If the
/// prompt names no part of the code, returns an empty path, which means the whole repository.
fn measured_path(asking: &Asking<'_>) -> String {
    let view = asking.view;
    let mut named = asking.prompt.query.paths.iter().map(|mention| &mention.text);
    let exists = |path: &&String| {
        let folder = format!("{}/", path.trim_end_matches('/'));
        !view.files_with_suffix(path).is_empty()
            || view.files().any(|id| view.path(id).starts_with(&folder))
    };
    let found = || (asking.search)().into_iter().next().map(|hit| hit.path);
    let named = named.find(exists).cloned();
    named.or_else(|| has_subject(asking.prompt).then(found).flatten()).unwrap_or_default()
}

fn rank(figures: &Complexity, lines: u32) -> (u16, u16, u32) {
    (figures.cognitive, figures.cyclomatic, lines)
}

/// Appends the complexity of each function in the file to `functions`. Returns the file's totals, or `None` if the file
/// has no functions.
pub(crate) fn file_complexity(
    view: &View,
    id: FileId,
    functions: &mut Vec<FunctionComplexity>,
) -> Option<FileComplexity> {
    let file = view.file(id);
    let mut sum = FileComplexity {
        path: file.path.to_owned(),
        functions: 0,
        lines: file.lines,
        cyclomatic: 0,
        cognitive: 0,
    };
    for symbol in view.symbols_in(id) {
        let Some(figures) = symbol.complexity else { continue };
        sum.functions += 1;
        sum.cyclomatic += u32::from(figures.cyclomatic);
        sum.cognitive += u32::from(figures.cognitive);
        let lines = symbol.lines.end().saturating_sub(*symbol.lines.start()) + 1;
        functions.push(FunctionComplexity {
            location: Location::of(view, Node::Symbol(symbol.id)),
            figures,
            lines,
        });
    }
    (sum.functions > 0).then_some(sum)
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
    use crate::ask::ReadPrompt;

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
