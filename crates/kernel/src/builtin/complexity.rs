//! `ci_complexity`: the functions that are hardest to follow.

use engine::{ComplexityOptions, Query, complexity};
use index::View;
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, query, search};

const MOST: usize = 10;

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let named = Query::read(query(call)).paths.into_iter().map(|mention| mention.text);
    let named = named.into_iter().find(|path| !view.files_with_suffix(path).is_empty());
    let path = named.or_else(|| search::hits(view, call, 1).into_iter().next().map(|hit| hit.path));
    let options =
        ComplexityOptions { path: path.unwrap_or_default(), top_k: MOST, deadline: call.deadline };
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
            item::at(&function.spot, 0, &summary, 0.5, "complexity")
        })
        .collect();
    let summary = format!("{} functions in `{}`", items.len(), options.path);
    Ok(super::answer("ci_complexity", summary, items, report.complete))
}
