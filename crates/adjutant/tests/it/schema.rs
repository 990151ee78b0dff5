use crate::fixture::fixture;
use testkit::ShellScript;

fn check(briefing: &serde_json::Value) {
    let checked_in = include_str!("../../../../docs/schema/briefing-1.0.json");
    let schema: serde_json::Value = serde_json::from_str(checked_in).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let complaints: Vec<String> =
        validator.iter_errors(briefing).map(|error| error.to_string()).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn a30_every_kind_of_output_follows_the_published_schema() {
    let failing = ShellScript::new("exit 9");
    check(&fixture().json("explain enforce_retry_budget_zebra").0);
    check(&fixture().plan().json("explain auth").0);
    check(&fixture().json("weather in SF?").0);
    check(&fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/missing").json("explain auth").0);
    check(&fixture().env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", failing.path()).json("explain auth").0);
    check(&crate::fixture::fixture_with("mode: [\n").json("explain auth").0);
}

#[test]
fn a30_the_schema_rejects_a_missing_or_wrong_field() {
    let (mut briefing, _) = fixture().plan().json("explain auth");
    briefing["degraded"]["is_degraded"] = "no".into();
    let outcome = std::panic::catch_unwind(|| check(&briefing));
    assert!(outcome.is_err());
}
