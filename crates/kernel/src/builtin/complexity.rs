//! `ci_complexity`: the functions that are hardest to follow.

use engine::{ComplexityOptions, Query, complexity};
use index::View;
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, query, search};

const MOST: usize = 10;

/// Words or their stems that ask for complexity and name nothing it could be the complexity of.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "class", "codebase", "cognitive", "complex", "complexity", "complicated", "cyclomatic", "difficult", "follow", "function", "hard",
    "hardest", "highest", "list", "method", "most", "part", "project", "read", "repo", "repository", "source", "ten", "top",
    "understand", "whole", "worst",
];
#[rustfmt::skip]
const ASKING_CHINESE: &[&str] = &[
    "复杂度", "复杂", "函数", "方法", "代码", "仓库", "项目", "哪些", "哪个", "什么", "整个", "这个", "列出", "分析", "一下", "圈", "认知", "最", "太", "高", "难",
    "懂", "的", "是", "里", "中", "有", "请", "在", "看",
];

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let path = place(view, call);
    let options = ComplexityOptions { path, top_k: MOST, deadline: call.deadline };
    let report = complexity(view, &options);
    let items: Vec<Value> = report
        .functions
        .iter()
        .map(|function| {
            let figures = function.figures;
            let summary = format!(
                "cyclomatic {}, cognitive {}, nesting {}, {} lines",
                figures.cyclomatic, figures.cognitive, figures.nesting, function.lines
            );
            item::at(&function.location, 0, &summary, 0.5, "complexity")
        })
        .collect();
    let place = if options.path.is_empty() { "the repository" } else { &options.path };
    let summary = format!("{} functions in `{place}`", items.len());
    Ok(super::answer("ci_complexity", summary, items, report.complete))
}

/// The file or folder the prompt names; nothing, for all of them, if it has no subject; else the file a search finds.
fn place(view: &View, call: &BuiltinCall) -> String {
    let named = Query::read(query(call)).paths.into_iter().map(|mention| mention.text);
    let exists = |path: &String| {
        let folder = format!("{}/", path.trim_end_matches('/'));
        !view.files_with_suffix(path).is_empty()
            || view.files().any(|id| view.path(id).starts_with(&folder))
    };
    let found = || search::hits(view, call, 1).into_iter().next().map(|hit| hit.path);
    let mut named = named;
    named
        .find(exists)
        .or_else(|| has_subject(query(call)).then(found).flatten())
        .unwrap_or_default()
}

fn has_subject(prompt: &str) -> bool {
    let is_chinese = |c: char| !c.is_ascii() && c.is_alphabetic();
    let chinese: String = prompt.chars().filter(|c| is_chinese(*c)).collect();
    let rest = ASKING_CHINESE.iter().fold(chinese, |rest, word| rest.replace(word, ""));
    let query = Query::read(prompt);
    let is_asking = |word: &str| !word.is_ascii() || ASKING.contains(&word);
    let mut terms = query.search_terms();
    !rest.is_empty() || terms.any(|term| !is_asking(&term.text) && !is_asking(&term.written))
}

#[cfg(test)]
mod tests {
    use super::has_subject;

    #[test]
    fn a25_asking_for_the_most_complex_functions_names_no_subject() {
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
