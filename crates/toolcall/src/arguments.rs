//! Reads the arguments that a model wrote and normalises them.

use contract::Arguments;

/// Keys whose values models often write as a JSON text instead of JSON.
const NORMALISED_KEYS: [&str; 6] = ["filePath", "files", "paths", "items", "options", "todoId"];

/// The maximum size of the arguments of an Adjutant tool, as JSON text.
pub(crate) const MAX_BYTES: usize = 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ArgumentsError {
    #[error("the arguments are not a JSON object")]
    NotAnObject,
    #[error("the arguments are not JSON: {0}")]
    NotJson(serde_json::Error),
}

/// Parses the first JSON object in `text`. Models write words before and after the object. An empty text is an empty object.
pub fn parse_arguments(text: &str) -> Result<Arguments, ArgumentsError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Arguments::default());
    }
    let error = match serde_json::from_str(text) {
        Ok(arguments) => return Ok(arguments),
        Err(error) if error.is_data() => return Err(ArgumentsError::NotAnObject),
        Err(error) => error,
    };
    let Some(start) = text.find('{') else { return Err(ArgumentsError::NotJson(error)) };
    let first = serde_json::Deserializer::from_str(&text[start..]).into_iter().next();
    first.unwrap_or(Err(error)).map_err(ArgumentsError::NotJson)
}

/// Replaces a text that contains a JSON list or object by that list or object, for the keys where models write such texts.
/// Nested values do not change.
#[must_use]
pub fn normalise(mut arguments: Arguments) -> Arguments {
    for key in NORMALISED_KEYS {
        let Some(value) = arguments.as_map_mut().get_mut(key) else { continue };
        let Some(text) = value.as_str().map(str::trim) else { continue };
        let looks_like_json = (text.starts_with('[') && text.ends_with(']'))
            || (text.starts_with('{') && text.ends_with('}'));
        if !looks_like_json {
            continue;
        }
        if let Ok(parsed) = serde_json::from_str(text) {
            *value = parsed;
        }
    }
    arguments
}

/// Whether the JSON text of the arguments is larger than [`MAX_BYTES`].
pub(crate) fn is_too_large(arguments: &Arguments) -> bool {
    arguments.to_string().len() > MAX_BYTES
}

#[cfg(test)]
mod tests;
