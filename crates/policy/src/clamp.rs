//! Clamps the arguments of a tool call to their maxima.

use contract::{Arguments, Limit};

use crate::{Argument, Tool};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidArguments {
    #[error("`{key}` is not an argument of this tool")]
    Unknown { key: String },
    #[error("`{key}` must be a number from 1 to {max}, not `{value}`")]
    NotANumber { key: &'static str, max: u64, value: String },
    #[error("`{key}` must be text, not `{value}`")]
    NotText { key: &'static str, value: String },
}

/// Returns the clamped arguments, and one [`Limit`] for each argument that was reduced. Fails if an argument is unknown
/// or has the wrong type.
pub fn clamp(
    tool: &Tool,
    arguments: &Arguments,
) -> Result<(Arguments, Vec<Limit>), InvalidArguments> {
    let mut clamped = Arguments::default();
    let mut limits = Vec::new();
    for (key, value) in arguments.as_map() {
        let Some(argument) = tool.arguments.iter().find(|argument| argument.key() == key) else {
            return Err(InvalidArguments::Unknown { key: key.clone() });
        };
        let within = match *argument {
            Argument::Text { key, .. } if !value.is_string() => {
                return Err(InvalidArguments::NotText { key, value: value.to_string() });
            }
            Argument::Text { .. } => value.clone(),
            Argument::Number { key, max, .. } => match value.as_u64() {
                None | Some(0) => {
                    return Err(InvalidArguments::NotANumber {
                        key,
                        max,
                        value: value.to_string(),
                    });
                }
                Some(number) if number > max => {
                    limits.push(Limit::Clamped { tool: tool.name.into(), key: key.into(), max });
                    max.into()
                }
                Some(number) => number.into(),
            },
        };
        clamped.insert(key, within);
    }
    Ok((clamped, limits))
}

#[cfg(test)]
mod tests;
