//! Tests of the arguments and schemas of the `codex.*` tools.

use runs::RunRequest;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::run_request::{RunFields, toml};
use super::scope::SessionArguments;
use super::{FIELDS, about, definitions, jobs, logs, start};
use crate::call::check_schema;

fn fields(arguments: Value) -> RunFields {
    serde_json::from_value(arguments).unwrap()
}

#[test]
fn c4_omitted_fields_are_not_set() {
    assert_eq!(fields(json!({})), RunFields::default());
    let said = json!({"sandbox": "read-only", "dangerouslyBypass": true, "args": ["--task", "x"]});
    let expected = RunFields {
        sandbox: Some(policy::Sandbox::ReadOnly),
        dangerously_bypass: true,
        args: vec!["--task".to_owned(), "x".to_owned()],
        ..RunFields::default()
    };
    assert_eq!(fields(said), expected);
}

#[test]
fn c4_configuration_values_become_toml() {
    let config = json!({"codexConfig": {"a.b": {"c": ["x", 1, true, null]}, "d": "e\n"}});
    let config = fields(config).codex_config;
    let entries: Vec<String> =
        config.iter().map(|(key, value)| format!("{key}={}", toml(value))).collect();
    assert_eq!(entries, ["a.b={ \"c\" = [\"x\", 1, true, \"\"] }", "d=\"e\\n\""]);
}

fn asked() -> RunFields {
    fields(json!({
        "task": "--fix it", "sandbox": "read-only", "dangerouslyBypass": true, "timeout": 60, "carryContext": false,
    }))
}

#[test]
fn c4_the_fields_of_a_request_are_added_to_its_flags() {
    let mut request = RunRequest { network: true, ..RunRequest::task("second") };
    asked().add_to(&mut request).unwrap();
    let expected = RunRequest {
        pieces: ["--fix it", "second"].map(|text| runs::Piece::Text(text.to_owned())).to_vec(),
        sandbox: Some(policy::Sandbox::ReadOnly),
        dangerously_bypass_approvals_and_sandbox: true,
        network: true,
        timeout: Some(runs::TimeLimit::from_seconds(60)),
        no_carry_context: true,
        ..RunRequest::default()
    };
    assert_eq!(request, expected);
}

#[test]
fn c4_a_value_in_a_field_and_in_args_is_refused() {
    let sandbox = Some(policy::Sandbox::WorkspaceWrite);
    let timeout = Some(runs::TimeLimit::from_seconds(5));
    for mut request in [
        RunRequest { sandbox, ..RunRequest::default() },
        RunRequest { timeout, ..RunRequest::default() },
    ] {
        assert!(asked().add_to(&mut request).is_err(), "{request:?}");
    }
}

#[test]
fn c6_the_record_names_each_given_field() {
    let request = json!({"task": "fix it", "network": true, "timeout": 60, "args": ["--tag", "x"]});
    let words = fields(request).words();
    assert_eq!(words, ["network=true", "task=fix it", "timeout=60", "--tag", "x"]);
}

#[test]
fn c5_schemas_are_enforced() {
    let input = |name: &str| {
        let tool = definitions().into_iter().find(|tool| tool.name == name).unwrap();
        move |arguments: Value| check_schema(&tool.input, arguments.as_object().unwrap()).is_ok()
    };
    let exec = input("codex.exec");
    assert!(exec(json!({ "task": "x", "sandbox": "read-only" })));
    for wrong in [
        json!({ "approvalPolicy": "bogus" }),
        json!({ "sandbox": "none" }),
        json!({ "unknown": 1 }),
        json!({ "args": "--task x" }),
        json!({ "network": "yes" }),
        json!({ "timeout": runs::MAX_MODEL_TIMEOUT_SECONDS + 1 }),
    ] {
        assert!(!exec(wrong.clone()), "{wrong}");
    }
    assert!(exec(json!({ "timeout": runs::MAX_MODEL_TIMEOUT_SECONDS })));
    let status = input("codex.status");
    for id in ["../../etc", "a/b", "", ".hidden", "a\0b", "-rf"] {
        assert!(!status(json!({ "jobId": id })), "{id}");
    }
}

#[test]
fn c5_arguments_are_read_from_a_map() {
    fn read<T: DeserializeOwned>(arguments: &Value) -> bool {
        T::deserialize(arguments.as_object().unwrap()).is_ok()
    }
    let job = json!({ "jobId": "cdx-1", "cwd": "src" });
    assert!(read::<RunFields>(&json!({ "task": "x", "timeout": 5, "codexConfig": { "a": 1 } })));
    assert!(read::<start::Resume>(&json!({ "jobId": "cdx-1", "timeout": 5, "resumeFromStep": 2 })));
    assert!(read::<start::Reply>(&json!({ "jobId": "cdx-1", "message": "x", "network": true })));
    assert!(read::<jobs::Stop>(&job) && read::<jobs::Clean>(&json!({ "olderThanHours": 1 })));
    assert!(read::<SessionArguments>(&job) && read::<jobs::List>(&json!({ "state": ["lost"] })));
    assert!(read::<jobs::Metrics>(&json!({})) && read::<IgnoredAny>(&json!({})));
    assert!(read::<logs::Logs>(&json!({ "jobId": "cdx-1", "limitLines": 5000, "view": "debug" })));
    assert!(read::<about::Help>(&json!({ "tool": "codex.exec" })));
}

#[test]
fn every_group_of_fields_exists() {
    for row in &super::ROWS {
        for group in row.input.iter().chain([&row.output]) {
            assert!(FIELDS.contains_key(*group), "{}: {group}", row.name);
        }
    }
}
