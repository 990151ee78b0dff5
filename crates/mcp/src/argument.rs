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

/// Arguments that fit their schema.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a>(pub(crate) &'a Map<String, Value>);

impl<'a> Given<'a> {
    pub(crate) fn text(self, key: &str) -> Option<&'a str> {
        self.0.get(key).and_then(Value::as_str)
    }

    pub(crate) fn is(self, key: &str, wanted: bool) -> bool {
        self.0.get(key).and_then(Value::as_bool) == Some(wanted)
    }

    pub(crate) fn number(self, key: &str) -> Option<u64> {
        self.0.get(key).and_then(Value::as_u64)
    }

    pub(crate) fn texts(self, key: &str) -> Vec<String> {
        let values = self.0.get(key).and_then(Value::as_array).into_iter().flatten();
        values.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    pub(crate) fn object(self, key: &str) -> Option<&'a Map<String, Value>> {
        self.0.get(key).and_then(Value::as_object)
    }
}
