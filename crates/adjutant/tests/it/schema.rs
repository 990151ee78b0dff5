use crate::fixture::fixture;
use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;
use testkit::ShellScript;

pub(crate) struct CompiledSchema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl CompiledSchema {
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        const NAME: &str = "urn:adjutant:schema";
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.add_resource(NAME, schema.clone()).map_err(|error| error.to_string())?;
        let index = compiler.compile(NAME, &mut schemas).map_err(|error| error.to_string())?;
        Ok(Self { schemas, index })
    }

    /// Returns every difference between the value and the schema as the error.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.index).map_err(|error| format!("{error:#}"))
    }
}

pub(crate) fn published() -> Value {
    serde_json::from_str(include_str!("../../../../docs/schema/briefing-1.0.json")).unwrap()
}

fn check(briefing: &Value) {
    CompiledSchema::new(&published()).unwrap().check(briefing).unwrap();
}

#[test]
fn a30_every_kind_of_output_follows_the_published_schema() {
    let failing = ShellScript::new("exit 9");
    check(&fixture().json("explain enforce_retry_budget_zebra").0);
    let (mut plan, _) = fixture().plan().json("explain auth");
    check(&plan);
    plan["degraded"]["is_degraded"] = "no".into();
    assert!(CompiledSchema::new(&published()).unwrap().check(&plan).is_err());
    check(&fixture().json("weather in SF?").0);
    check(&fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/missing").json("explain auth").0);
    check(&fixture().env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", failing.path()).json("explain auth").0);
    check(&crate::fixture::fixture_with("mode: [\n").json("explain auth").0);
}
