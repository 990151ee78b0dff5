//! `adjutant hooks list`: prints one row per action, and one per file that cannot be used.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use toolcall::{Found, HookKind, find_hook_files};

use crate::commands::repository::At;
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

pub(super) fn run(at: &At) -> Result<ExitCode, Failure> {
    let top = at.top()?;
    let found = find_hook_files(&edge::hook_folders(&edge::environment()), &top, &HookKind::ALL);
    output::data(&if at.json { as_json(&found) } else { as_table(&found, &top) });
    Ok(ExitCode::SUCCESS)
}

/// Hooks of other types than those of tool calls belong to other programs.
fn state(found: &Found, enabled: bool) -> &'static str {
    match (found.kind.runs_here(), enabled) {
        (false, _) => "not run here",
        (true, false) => "off",
        (true, true) => found.trust.word(),
    }
}

fn as_json(found: &[Found]) -> String {
    let files: Vec<Value> = found
        .iter()
        .map(|found| {
            let head = json!({
                "type": found.kind.word(), "scope": found.scope.word(), "path": found.path,
                "trust": found.trust.word(), "content": found.content.as_ref().map(|content| content.text()),
            });
            let Value::Object(mut object) = head else { return Value::Null };
            match &found.file {
                Err(problem) => {
                    object.insert("problem".to_owned(), problem.to_string().into());
                }
                Ok(file) => {
                    object.insert("dialect".to_owned(), file.dialect.word().into());
                    let rules = file.rules.iter().map(|rule| {
                        let actions = rule.actions.iter().map(|action| {
                            json!({
                                "command": action.run.text(), "enabled": action.enabled,
                                "timeout_ms": u64::try_from(action.timeout.as_millis()).unwrap_or(u64::MAX),
                            })
                        });
                        json!({
                            "matcher": rule.matcher.text(), "description": rule.description,
                            "actions": actions.collect::<Vec<_>>(),
                        })
                    });
                    object.insert("rules".to_owned(), rules.collect());
                }
            }
            Value::Object(object)
        })
        .collect();
    Value::from(files).to_string()
}

fn as_table(found: &[Found], top: &Path) -> String {
    let mut table = Table::new(["type", "scope", "state", "dialect", "matcher", "command", "file"]);
    for found in found {
        let mut row = |state: &str, dialect: &str, matcher: &str, command: &str| {
            table.row([
                found.kind.word().to_owned(),
                found.scope.word().to_owned(),
                state.to_owned(),
                dialect.to_owned(),
                matcher.to_owned(),
                guard::neutralise(command).into_owned(),
                found.path.strip_prefix(top).unwrap_or(&found.path).display().to_string(),
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
            let matcher = if rule.matcher.text().is_empty() { "*" } else { rule.matcher.text() };
            for action in &rule.actions {
                let state = state(found, action.enabled);
                row(state, file.dialect.word(), matcher, &action.run.text());
            }
        }
    }
    table.text("no hook files")
}
