//! `adjutant hooks match`: shows which hooks a call would run, without running them.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use toolcall::{Found, HookKind, HookPreview, find_hook_files, preview};

use super::CallArguments;
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::output::visible;
use crate::{edge, output, style};

pub(super) fn run(arguments: &CallArguments) -> Result<ExitCode, Failure> {
    let top = arguments.at.top()?;
    let folders = edge::hook_folders(&edge::environment());
    let found = find_hook_files(&folders, &top, &HookKind::OF_TOOLS);
    let previews = preview(&found, &top, &arguments.call()?);
    let problems: Vec<String> = found.iter().filter_map(problem).collect();
    if arguments.at.json {
        return output::json(&Matches { hooks: previews.iter().map(Row::new).collect(), problems });
    }
    as_table(&previews, &top).print("this call runs no hook");
    for problem in &problems {
        output::talk(&format!("{} {}", style::paint(style::BAD, "error:"), visible(problem)));
    }
    Ok(ExitCode::SUCCESS)
}

fn problem(found: &Found) -> Option<String> {
    found.file.as_ref().err().map(ToString::to_string)
}

#[derive(Serialize)]
struct Matches<'a> {
    hooks: Vec<Row<'a>>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct Row<'a> {
    command: &'a str,
    dialect: &'static str,
    matcher: &'a str,
    path: &'a Path,
    rule: usize,
    scope: &'static str,
    state: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl<'a> Row<'a> {
    fn new(preview: &'a HookPreview) -> Self {
        Self {
            command: &preview.command,
            dialect: preview.dialect.word(),
            matcher: &preview.matcher,
            path: &preview.path,
            rule: preview.rule,
            scope: preview.scope.word(),
            state: preview.fires.word(),
            kind: preview.kind.word(),
        }
    }
}

fn as_table(previews: &[HookPreview], top: &Path) -> Table {
    let mut table = Table::new(["type", "state", "dialect", "matcher", "command", "hook"])
        .optional(&["dialect"]);
    for preview in previews {
        let matcher = if preview.matcher.is_empty() { "*" } else { &preview.matcher };
        table.row([
            preview.kind.word().to_owned(),
            preview.fires.word().to_owned(),
            preview.dialect.word().to_owned(),
            visible(matcher),
            visible(&preview.command),
            format!(
                "{} rule {}",
                preview.path.strip_prefix(top).unwrap_or(&preview.path).display(),
                preview.rule
            ),
        ]);
    }
    table
}
