//! Fuzzes the reader of hook files, with their rules, matchers and actions.

use std::time::Duration;

use serde_json::{Map, Value};
use toolcall::{HookAction, HookFile, HookInput, HookKind, Rule, Run};

/// The longest timeout that a hook file can set.
const MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// Reads the bytes as a hook file of every kind, and matches each rule against a call.
pub fn hook_files(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for kind in HookKind::ALL {
        let Ok(file) = HookFile::parse(kind, text) else { continue };
        let mut context = Map::new();
        context.insert("args".to_owned(), serde_json::from_str(text).unwrap_or_default());
        context.insert("path".to_owned(), Value::from(text));
        let input = HookInput::new(context);
        for rule in &file.rules {
            check_rule(rule, kind, &input);
        }
    }
}

fn check_rule(rule: &Rule, kind: HookKind, input: &HookInput) {
    let matches = rule.matcher.matches(&["Bash", "ci_search"], input);
    if rule.matcher.text().trim().is_empty() {
        assert!(matches, "a rule without a matcher is for every call");
    }
    for action in &rule.actions {
        check_action(action, kind);
    }
}

/// Checks an action that the reader accepted. The reader must refuse an enabled plain-text action in a hook that
/// Adjutant runs, because such an action cannot decide about a call.
fn check_action(action: &HookAction, kind: HookKind) {
    assert!(action.timeout > Duration::ZERO && action.timeout <= MAX_TIMEOUT, "{action:?}");
    let is_text = matches!(action.run, Run::Text(_));
    assert!(!(is_text && action.enabled && kind.runs_here()), "{action:?}");
    assert!(is_text || !action.run.text().is_empty(), "an empty command: {action:?}");
}
