//! The JSON Schema of JSON 1.0, generated from the types. `docs/schema/briefing-1.0.json` is a copy.

use serde_json::Value;

use crate::Briefing;

#[must_use]
pub fn json_schema() -> Value {
    schemars::schema_for!(Briefing).to_value()
}
