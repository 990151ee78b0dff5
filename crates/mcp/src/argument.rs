//! Arguments held against their schema, and read.

use serde_json::{Map, Value};

use crate::problem::Problem;

/// More would not help anybody to put them right.
const MAX_ERRORS: usize = 3;

/// Every call is held against the schema that was published for it.
pub(crate) fn check(schema: &Value, arguments: &Map<String, Value>) -> Result<(), Problem> {
    let validator = jsonschema::draft202012::new(schema)
        .map_err(|error| Problem::new("INTERNAL", format!("the schema is wrong: {error}")))?;
    let arguments = Value::Object(arguments.clone());
    let wrong: Vec<String> = validator
        .iter_errors(&arguments)
        .take(MAX_ERRORS)
        .map(|error| {
            let place = error.instance_path().to_string();
            let message: String = error.to_string().chars().take(300).collect();
            if place.is_empty() { message } else { format!("`{place}`: {message}") }
        })
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Problem::arguments(wrong.join("; "))
        .hint("`tools/list` and `codex.help` show what it takes"))
}
