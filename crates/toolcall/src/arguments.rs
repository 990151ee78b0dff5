//! From what a model wrote to the one object that hooks, tool and record see.

use serde_json::{Map, Value};

/// Keys under which models write a list or an object as a text.
const NORMALISED: [&str; 6] = ["filePath", "files", "paths", "items", "options", "todoId"];

/// No tool of ours takes more; a client's own tools may.
pub(crate) const MAX_BYTES: usize = 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ArgumentsError {
    #[error("the arguments are not a JSON object")]
    NotAnObject,
    #[error("the arguments are not JSON: {0}")]
    NotJson(serde_json::Error),
}

/// The first object in a text: models put words before and after it.
pub fn parse_arguments(text: &str) -> Result<Map<String, Value>, ArgumentsError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Map::new());
    }
    let whole = match serde_json::from_str(text) {
        Ok(Value::Object(map)) => return Ok(map),
        Ok(_) => return Err(ArgumentsError::NotAnObject),
        Err(error) => error,
    };
    let Some(start) = text.find('{') else { return Err(ArgumentsError::NotJson(whole)) };
    let mut objects = serde_json::Deserializer::from_str(&text[start..]).into_iter();
    match objects.next() {
        Some(Ok(Value::Object(map))) => Ok(map),
        Some(Ok(_)) | None => Err(ArgumentsError::NotAnObject),
        Some(Err(error)) => Err(ArgumentsError::NotJson(error)),
    }
}

/// A text that holds a JSON list or object becomes that, under the keys where models do this. The top level only.
#[must_use]
pub fn normalise(mut arguments: Map<String, Value>) -> Map<String, Value> {
    for key in NORMALISED {
        let Some(value) = arguments.get_mut(key) else { continue };
        let Some(text) = value.as_str().map(str::trim) else { continue };
        let looks_like_json = (text.starts_with('[') && text.ends_with(']'))
            || (text.starts_with('{') && text.ends_with('}'));
        if !looks_like_json {
            continue;
        }
        if let Ok(parsed @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text) {
            *value = parsed;
        }
    }
    arguments
}

/// About as many bytes as it has in JSON, counted no further than needed.
pub(crate) fn is_too_large(arguments: &Map<String, Value>) -> bool {
    let mut left = MAX_BYTES;
    !arguments.iter().all(|(key, value)| take(&mut left, key.len()) && fits(value, &mut left))
}

fn fits(value: &Value, left: &mut usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => take(left, 4),
        Value::String(text) => take(left, text.len() + 2),
        Value::Array(values) => take(left, 2) && values.iter().all(|value| fits(value, left)),
        Value::Object(map) => {
            take(left, 2)
                && map.iter().all(|(key, value)| take(left, key.len() + 3) && fits(value, left))
        }
    }
}

fn take(left: &mut usize, bytes: usize) -> bool {
    let rest = left.checked_sub(bytes);
    *left = rest.unwrap_or_default();
    rest.is_some()
}

#[cfg(test)]
mod tests;
