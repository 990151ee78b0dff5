//! Prints what an installation changed, or would change.

use clients::{Action, Client, Step};
use serde_json::{Value, json};
use similar::TextDiff;

use crate::output;

fn word(action: Action) -> &'static str {
    match action {
        Action::Create => "create",
        Action::Change => "change",
        Action::Remove => "remove",
        Action::Keep => "keep",
    }
}

/// Prints one line for each file. In a dry run, prints the difference as well.
pub(super) fn as_text(steps: &[Step], is_dry: bool) {
    for step in steps {
        let backup = step.backup.as_ref().map(|path| format!(" (before: {})", path.display()));
        let path = step.path.display();
        output::data(&format!("{:6} {path}{}", word(step.action), backup.unwrap_or_default()));
        if is_dry && step.action != Action::Keep {
            output::data(&difference(step));
        }
    }
}

/// Returns the change to a file as a unified diff, which `patch` accepts.
fn difference(step: &Step) -> String {
    let old = step.old_text.as_deref().unwrap_or_default();
    let new = step.text.as_deref().unwrap_or_default();
    let path = step.path.display().to_string();
    let name = |text: &Option<String>| match text {
        Some(_) => path.clone(),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().header(&name(&step.old_text), &name(&step.text)).to_string();
    text.trim_end().to_owned()
}

/// Prints a JSON object: the files of one client, or several clients with their files.
pub(super) fn as_json(results: &[(&'static dyn Client, Vec<Step>)], is_dry: bool) {
    let files = |steps: &[Step]| -> Vec<Value> {
        let file = |step: &Step| json!({ "path": step.path, "action": word(step.action), "backup": step.backup });
        steps.iter().map(file).collect()
    };
    let object = match results {
        [(_, steps)] => json!({ "dry_run": is_dry, "files": files(steps) }),
        _ => {
            let clients: Vec<Value> = results
                .iter()
                .map(|(client, steps)| {
                    json!({ "client": client.names().word, "files": files(steps) })
                })
                .collect();
            json!({ "dry_run": is_dry, "clients": clients })
        }
    };
    output::data(&object.to_string());
}
