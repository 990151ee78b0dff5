//! Checks the arguments of tool calls against JSON schemas.

use serde_json::{Map, Value};

use crate::problem::Problem;

/// The maximum number of schema errors in one error message.
const MAX_ERRORS: usize = 3;
const MAX_ERROR_CHARS: usize = 300;

/// Checks arguments against the schema that `tools/list` publishes.
pub(crate) fn check(schema: &Value, arguments: &Map<String, Value>) -> Result<(), Problem> {
    let validator = jsonschema::draft202012::new(schema)
        .map_err(|error| Problem::new("INTERNAL", format!("the schema is wrong: {error}")))?;
    let arguments = arguments.clone().into();
    let errors: Vec<String> = validator
        .iter_errors(&arguments)
        .take(MAX_ERRORS)
        .map(|error| {
            let place = error.instance_path().to_string();
            let message: String = error.to_string().chars().take(MAX_ERROR_CHARS).collect();
            if place.is_empty() { message } else { format!("`{place}`: {message}") }
        })
        .collect();
    if errors.is_empty() {
        return Ok(());
    }
    Err(Problem::arguments(errors.join("; "))
        .hint("`tools/list` and `codex.help` list its arguments"))
}
