//! Clamps the arguments of a tool call to their maxima.

use contract::{Arguments, Limit};

use crate::{Argument, Tool};

/// Returns the clamped arguments, and one [`Limit`] for each argument that was reduced. Fails with a message if an
/// argument is unknown or has the wrong type.
pub fn clamp(tool: &Tool, arguments: &Arguments) -> Result<(Arguments, Vec<Limit>), String> {
    let mut clamped = Arguments::default();
    let mut limits = Vec::new();
    for (key, value) in arguments.as_map() {
        let argument = tool.arguments.iter().find(|argument| argument.key() == key);
        let argument =
            argument.ok_or_else(|| format!("`{key}` is not an argument of this tool"))?;
        let number = value.as_u64().filter(|number| *number > 0);
        let within = match (*argument, number) {
            (Argument::Text { .. }, _) if value.is_string() => value.clone(),
            (Argument::Text { .. }, _) => {
                return Err(format!("`{key}` must be text, not `{value}`"));
            }
            (Argument::Number { max, .. }, None) => {
                return Err(format!("`{key}` must be a number from 1 to {max}, not `{value}`"));
            }
            (Argument::Number { max, .. }, Some(number)) => {
                if number > max {
                    let (tool, key) = (tool.name.to_owned(), key.clone());
                    limits.push(Limit::Clamped { tool, key, max });
                }
                number.min(max).into()
            }
        };
        clamped.insert(key, within);
    }
    Ok((clamped, limits))
}

#[cfg(test)]
mod tests;
