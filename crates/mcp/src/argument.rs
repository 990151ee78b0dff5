//! Checks arguments against a JSON schema, and reads them.

use serde_json::{Map, Value};

use crate::problem::Problem;

/// The number of schema errors that a message contains.
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
        .hint("`tools/list` and `codex.help` show what it takes"))
}

/// Arguments that match their schema.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Given<'a> {
    pub(crate) fn text(self, key: &str) -> Option<&'a str> {
        self.0.get(key)?.as_str()
    }

    pub(crate) fn is(self, key: &str, wanted: bool) -> bool {
        self.0.get(key).and_then(|value| value.as_bool()) == Some(wanted)
    }

    pub(crate) fn number(self, key: &str) -> Option<u64> {
        self.0.get(key)?.as_u64()
    }

    pub(crate) fn texts(self, key: &str) -> Vec<String> {
        let values = self.0.get(key).and_then(|value| value.as_array()).into_iter().flatten();
        values.filter_map(|value| value.as_str()).map(str::to_owned).collect()
    }

    pub(crate) fn object(self, key: &str) -> Option<&'a Map<String, Value>> {
        self.0.get(key)?.as_object()
    }
}
