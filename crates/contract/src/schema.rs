//! JSON 1.0 as a JSON Schema, generated from the types; `docs/schema/briefing-1.0.json` is its checked-in copy.

use serde_json::Value;

use crate::Briefing;

#[must_use]
pub fn json_schema() -> Value {
    schemars::schema_for!(Briefing).to_value()
}
