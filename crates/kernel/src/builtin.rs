//! The engine's questions as tools of the tool channel.

use std::io;
use std::path::Path;
use std::sync::Arc;

use contract::{ErrorCode, Limit};
use engine::{Hit, LiveOptions, Source, index_status, live_search, terms};
use guard::Root;
use process::Environment;
use serde_json::{Value, json};
use toolcall::{Answer, BuiltinCall, Failure, Implementation, Toolbox};

const SNIPPETS: usize = 3;
const SNIPPET_LINES: usize = 20;

/// Every tool there is, some of them replaced by another program.
pub(crate) fn toolbox(root: &Path, environment: &Environment) -> io::Result<Toolbox> {
    let open = || Root::open(root).map(Arc::new).map_err(io::Error::other);
    let mut toolbox = Toolbox::default();
    let for_status = open()?;
    toolbox.put(
        "ci_index_status",
        Implementation::builtin(move |call| with_source(&for_status, call, status)),
    );
    let for_search = open()?;
    toolbox.put(
        "ci_search",
        Implementation::builtin(move |call| with_source(&for_search, call, search)),
    );
    for tool in &policy::TOOLS {
        if let Some(executable) = environment.text(&policy::runner_variable(tool.name)) {
            toolbox.put(tool.name, Implementation::command(executable));
        }
    }
    Ok(toolbox)
}

fn with_source(
    root: &Root,
    call: &BuiltinCall,
    question: fn(&Source<'_>, &BuiltinCall) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    let source = Source {
        root: root.path(),
        admits: &|path| !guard::is_sensitive(path),
        open: &|path| root.open_file(path).map_err(io::Error::other),
    };
    question(&source, call)
}

fn status(source: &Source<'_>, _: &BuiltinCall) -> Result<Answer, Failure> {
    let status = index_status(source);
    let summary = match status.state {
        engine::IndexState::Absent => "no index; answered by live search",
    };
    Ok(Answer {
        summary: summary.to_owned(),
        data: Some(json!({ "items": [], "state": "absent", "git": status.has_git })),
        ..Answer::default()
    })
}

fn search(source: &Source<'_>, call: &BuiltinCall) -> Result<Answer, Failure> {
    let limit = call.arguments.get("limit").and_then(Value::as_u64).unwrap_or(10);
    let query = call.arguments.get("query").and_then(Value::as_str).unwrap_or(&call.prompt);
    let options = LiveOptions {
        limit: usize::try_from(limit).unwrap_or(10),
        max_snippets: SNIPPETS,
        max_snippet_lines: SNIPPET_LINES,
        deadline: call.deadline,
    };
    let answer = live_search(source, &terms(query), &options);
    let mut limits = Vec::new();
    let truncated = match answer.end {
        engine::WalkEnd::Complete => false,
        engine::WalkEnd::OutOfTime | engine::WalkEnd::TooManyFiles => {
            if answer.hits.is_empty() {
                return Err(Failure {
                    code: ErrorCode::Timeout,
                    message: "nothing found in time".to_owned(),
                });
            }
            limits.push(Limit::Said(format!(
                "ci_search: only {} files were searched in the time there was",
                answer.n_files
            )));
            true
        }
    };
    let items: Vec<Value> = answer.hits.iter().map(item).collect();
    let summary = format!("{} of {} files match", answer.hits.len(), answer.n_files);
    Ok(Answer { summary, data: Some(json!({ "items": items })), truncated, limits })
}

fn item(hit: &Hit) -> Value {
    let mut item = json!({
        "path": hit.path,
        "line": hit.line,
        "title": hit.defines.as_deref().unwrap_or("match"),
        "summary": if hit.text.is_empty() { format!("path has {}", hit.matched.join(", ")) } else { hit.text.clone() },
        "confidence": hit.confidence,
        "source": "live search",
    });
    if let Some(name) = &hit.defines {
        item["symbol"] = name.as_str().into();
    }
    if let Some(snippet) = &hit.snippet {
        let lines = (snippet.first_line..)
            .zip(&snippet.lines)
            .map(|(number, line)| format!("{number}| {line}"));
        item["snippet"] = lines.collect::<Vec<_>>().join("\n").into();
    }
    item
}
