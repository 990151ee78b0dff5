//! Parses, normalises and clamps the arguments that a model wrote.

use contract::{Arguments, Limit};

/// Argument keys for which models often write a list or an object as a string that contains JSON.
const NORMALISED_KEYS: [&str; 6] = ["filePath", "files", "paths", "items", "options", "todoId"];

/// The maximum size of a tool call's arguments, serialized as JSON, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

/// Parses the first JSON object in `text`. Ignores text around the object, because models often add explanations. An
/// empty string is parsed as an empty object.
pub fn parse_arguments(text: &str) -> Result<Arguments, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Arguments::default());
    }
    let not_json = |error: serde_json::Error| format!("the arguments are not JSON: {error}");
    let error = match serde_json::from_str(text) {
        Ok(arguments) => return Ok(arguments),
        Err(error) if error.is_data() => return Err("the arguments are not a JSON object".into()),
        Err(error) => error,
    };
    let Some(start) = text.find('{') else { return Err(not_json(error)) };
    let first = serde_json::Deserializer::from_str(&text[start..]).into_iter().next();
    first.unwrap_or(Err(error)).map_err(not_json)
}

/// Replaces string values that contain a JSON list or object with the parsed value. Applies only to keys such as
/// `files`, for which models often write such strings. Strings inside nested values are not parsed.
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

/// Returns true if the arguments, serialized as JSON, are larger than [`MAX_BYTES`].
fn is_too_large(arguments: &Arguments) -> bool {
    arguments.to_string().len() > MAX_BYTES
}

/// Normalises the arguments and clamps them to the tool's maximum values. Returns the arguments and a [`Limit`] message for
/// each clamped value.
pub(crate) fn within_limits(
    tool: &str,
    arguments: Arguments,
) -> Result<(Arguments, Vec<Limit>), String> {
    if is_too_large(&arguments) {
        return Err(format!("the arguments are larger than {MAX_BYTES} bytes"));
    }
    let arguments = normalise(arguments);
    match policy::tool(tool) {
        Some(rule) => policy::clamp(rule, &arguments),
        None => Ok((arguments, Vec::new())),
    }
}

#[cfg(test)]
mod tests;
