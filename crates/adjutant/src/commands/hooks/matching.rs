//! `adjutant hooks match`: shows which hooks a call would run, without running them.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use toolcall::{Found, HookKind, Preview, find_hook_files, preview};

use super::CallArguments;
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

pub(super) fn run(arguments: &CallArguments) -> Result<ExitCode, Failure> {
    let top = arguments.at.top()?;
    let folders = edge::hook_folders(&edge::environment());
    let found = find_hook_files(&folders, &top, &HookKind::OF_TOOLS);
    let previews = preview(&found, &top, &arguments.call()?);
    let problems: Vec<String> = found.iter().filter_map(problem).collect();
    if arguments.at.json {
        let hooks: Vec<Value> = previews.iter().map(as_json).collect();
        output::data(&json!({ "hooks": hooks, "problems": problems }).to_string());
    } else {
        output::data(&as_table(&previews, &top));
        for problem in &problems {
            output::talk(&format!("error: {problem}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn problem(found: &Found) -> Option<String> {
    found.file.as_ref().err().map(ToString::to_string)
}

fn as_json(preview: &Preview) -> Value {
    json!({
        "type": preview.kind.word(), "state": preview.fires.word(), "scope": preview.scope.word(),
        "dialect": preview.dialect.word(), "matcher": preview.matcher, "command": preview.command,
        "path": preview.path, "rule": preview.rule,
    })
}

fn as_table(previews: &[Preview], top: &Path) -> String {
    let mut table = Table::new(["type", "state", "dialect", "matcher", "command", "hook"]);
    for preview in previews {
        let matcher = if preview.matcher.is_empty() { "*" } else { &preview.matcher };
        table.row([
            preview.kind.word().to_owned(),
            preview.fires.word().to_owned(),
            preview.dialect.word().to_owned(),
            matcher.to_owned(),
            guard::neutralise(&preview.command).into_owned(),
            format!(
                "{} rule {}",
                preview.path.strip_prefix(top).unwrap_or(&preview.path).display(),
                preview.rule
            ),
        ]);
    }
    table.text("this call runs no hook")
}
