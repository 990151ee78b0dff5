//! Checks the arguments of tool calls against JSON schemas.

use boon::{CompileError, Compiler, SchemaIndex, Schemas, ValidationError};
use serde_json::{Map, Value};

use crate::problem::Problem;

/// The maximum number of schema errors in one error message.
const MAX_ERRORS: usize = 3;
const MAX_ERROR_CHARS: usize = 300;
/// The URI under which the schema is registered with the schema compiler. It is only a name, and nothing is loaded
/// from it.
const SCHEMA: &str = "urn:adjutant:arguments";

/// Checks arguments against the schema that `tools/list` publishes.
pub(crate) fn check(schema: &Value, arguments: &Map<String, Value>) -> Result<(), Problem> {
    let mut schemas = Schemas::new();
    let schema = compile(schema, &mut schemas)
        .map_err(|error| Problem::new("INTERNAL", format!("the schema is wrong: {error}")))?;
    let arguments = arguments.clone().into();
    let Err(error) = schemas.validate(&arguments, schema) else { return Ok(()) };
    let mut messages = Vec::new();
    add_messages(&error, &mut messages);
    messages.truncate(MAX_ERRORS);
    Err(Problem::arguments(messages.join("; "))
        .hint("`tools/list` and `codex.help` list its arguments"))
}

fn compile(schema: &Value, schemas: &mut Schemas) -> Result<SchemaIndex, Box<CompileError>> {
    let mut compiler = Compiler::new();
    compiler.add_resource(SCHEMA, schema.clone())?;
    Ok(compiler.compile(SCHEMA, schemas)?)
}

/// Adds a message for each invalid value. An error that has causes gets no message of its own, because it only groups
/// them.
fn add_messages(error: &ValidationError<'_, '_>, messages: &mut Vec<String>) {
    for cause in &error.causes {
        add_messages(cause, messages);
    }
    if error.causes.is_empty() {
        let message: String = error.kind.to_string().chars().take(MAX_ERROR_CHARS).collect();
        let place = error.instance_location.to_string();
        messages.push(if place.is_empty() { message } else { format!("`{place}`: {message}") });
    }
}
