//! `adjutant hooks list`: prints one row per action, and one per file that cannot be used.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Value, json};
use toolcall::{Found, HookAction, HookKind, Rule, find_hook_files};

use super::shown_matcher;
use crate::commands::repository::{At, relative};
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::output::visible;
use crate::{edge, output};

pub(super) fn run(at: &At) -> Result<ExitCode, Failure> {
    let top = at.top()?;
    let found = find_hook_files(&edge::hook_folders(&edge::environment()), &top, &HookKind::ALL);
    if at.json {
        return output::json(&found.iter().map(FileRow::new).collect::<Vec<_>>());
    }
    as_table(&found, &top).print("no hook files");
    Ok(ExitCode::SUCCESS)
}

/// Returns the state of a hook's action for display. Adjutant runs only hooks for tool calls; a hook file can also
/// contain hooks that only other programs run.
fn state(found: &Found, enabled: bool) -> &'static str {
    match (found.kind.runs_here(), enabled) {
        (false, _) => "not run here",
        (true, false) => "off",
        (true, true) => found.trust.word(),
    }
}

#[derive(Serialize)]
struct FileRow<'a> {
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    path: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Value>>,
    scope: &'static str,
    trust: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl<'a> FileRow<'a> {
    fn new(found: &'a Found) -> Self {
        let file = found.file.as_ref();
        Self {
            content: found.content.as_ref().map(|content| content.text()),
            dialect: file.ok().map(|file| file.dialect.word()),
            path: &found.path,
            problem: file.err().map(ToString::to_string),
            rules: file.ok().map(|file| file.rules.iter().map(rule_row).collect()),
            scope: found.scope.word(),
            trust: found.trust.word(),
            kind: found.kind.word(),
        }
    }
}

fn rule_row(rule: &Rule) -> Value {
    let action = |action: &HookAction| {
        let timeout_ms = u64::try_from(action.timeout.as_millis()).unwrap_or(u64::MAX);
        json!({
            "command": action.run.text(), "enabled": action.enabled, "timeout_ms": timeout_ms,
        })
    };
    let actions: Vec<Value> = rule.actions.iter().map(action).collect();
    json!({ "actions": actions, "description": rule.description, "matcher": rule.matcher.text() })
}

fn as_table(found: &[Found], top: &Path) -> Table {
    let mut table = Table::new(["type", "scope", "state", "dialect", "matcher", "command", "file"])
        .optional(&["dialect", "scope"]);
    for found in found {
        let mut row = |state: &str, dialect: &str, matcher: &str, command: &str| {
            table.row([
                found.kind.word().to_owned(),
                found.scope.word().to_owned(),
                state.to_owned(),
                dialect.to_owned(),
                visible(matcher),
                visible(command),
                relative(&found.path, top),
            ]);
        };
        let file = match &found.file {
            Ok(file) => file,
            Err(problem) => {
                row("unreadable", "-", "-", &problem.reason);
                continue;
            }
        };
        for rule in &file.rules {
            let matcher = shown_matcher(rule.matcher.text());
            for action in &rule.actions {
                let state = state(found, action.enabled);
                row(state, file.dialect.word(), matcher, &action.run.text());
            }
        }
    }
    table
}
