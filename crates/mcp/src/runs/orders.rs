//! From the fields of a call to the words of `adjutant run`. What the caller said is never overridden; what nobody said
//! becomes workspace-write (C4).

use serde_json::{Map, Value};

use crate::argument::Given;

const BYPASS: &str = "--dangerously-bypass-approvals-and-sandbox";

/// Our fields first: what comes after `--` in `args` is codex's own.
pub(super) fn command_line(given: Given<'_>, is_new: bool) -> Vec<String> {
    let args = given.texts("args");
    let names = |flag: &str| {
        let with_value = format!("{flag}=");
        args.iter().any(|word| word == flag || word.starts_with(&with_value))
    };
    let names_sandbox = names("--sandbox")
        || args.iter().any(|word| word.contains("sandbox_mode") || word.starts_with("-s"))
        || given.object("codexConfig").is_some_and(|config| config.contains_key("sandbox_mode"));
    let bypass_in_args = names(BYPASS) || names("--yolo");
    let bypasses = bypass_in_args || given.is("dangerouslyBypass", true);
    let mut words = Vec::new();
    match given.text("sandbox") {
        Some(sandbox) => words.push(format!("--sandbox={sandbox}")),
        None if names_sandbox => {}
        None if bypasses => words.push("--sandbox=danger-full-access".to_owned()),
        None if is_new && !says_otherwise(given, &names) => {
            words.push("--sandbox=workspace-write".to_owned());
        }
        None => {}
    }
    if given.is("dangerouslyBypass", true) && !bypass_in_args {
        words.push(BYPASS.to_owned());
    }
    if !bypasses {
        words.extend(given.text("approvalPolicy").map(|word| format!("--ask-for-approval={word}")));
        words.extend(given.is("fullAuto", true).then(|| "--full-auto".to_owned()));
    }
    words.extend(values(given));
    words.extend(flags(given));
    words.extend(config(given.object("codexConfig")));
    words.extend(args);
    words
}

/// A patch needs nothing writable, and full-auto is a sandbox by another name.
fn says_otherwise(given: Given<'_>, names: &dyn Fn(&str) -> bool) -> bool {
    given.is("patchMode", true)
        || given.is("fullAuto", true)
        || given.text("preset") == Some("sprint")
        || ["--patch-mode", "--full-auto", "--preset=sprint"].iter().any(|flag| names(flag))
}

fn values(given: Given<'_>) -> Vec<String> {
    let texts = [
        ("task", "--task"),
        ("tag", "--tag"),
        ("model", "--model"),
        ("profile", "--profile"),
        ("preset", "--preset"),
        ("autoCommitMessage", "--auto-commit-message"),
    ];
    let numbers = [("timeout", "--timeout"), ("contextHead", "--context-head")];
    let texts = texts.iter().filter_map(|(key, flag)| Some(format!("{flag}={}", given.text(key)?)));
    let numbers =
        numbers.iter().filter_map(|(key, flag)| Some(format!("{flag}={}", given.number(key)?)));
    let changes = given.texts("requireChangeIn");
    let changes = changes.iter().map(|glob| format!("--require-change-in={glob}"));
    texts.chain(numbers).chain(changes).collect()
}

fn flags(given: Given<'_>) -> Vec<String> {
    let flags = [
        ("network", true, "--network"),
        ("carryContext", false, "--no-carry-context"),
        ("compressContext", false, "--no-compress-context"),
        ("patchMode", true, "--patch-mode"),
        ("requireGitCommit", true, "--require-git-commit"),
        ("autoCommitOnDone", true, "--auto-commit-on-done"),
    ];
    let said = flags.iter().filter(|(key, wanted, _)| given.is(key, *wanted));
    said.map(|(_, _, flag)| (*flag).to_owned()).collect()
}

fn config(values: Option<&Map<String, Value>>) -> Vec<String> {
    let values = values.into_iter().flatten();
    values.map(|(key, value)| format!("--codex-config={key}={}", toml(value))).collect()
}

/// A value as codex's configuration writes it.
fn toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(toml).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) => {
            let field = |(key, value): (&String, &Value)| {
                format!("{} = {}", Value::String(key.clone()), toml(value))
            };
            format!("{{ {} }}", map.iter().map(field).collect::<Vec<_>>().join(", "))
        }
    }
}
