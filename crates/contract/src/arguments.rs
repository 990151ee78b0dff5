//! The arguments of a tool call.

use std::fmt;
use std::ops::Index;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The arguments of a tool call: a JSON object whose fields depend on the tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Converts the input of a client's tool to arguments. An object is used unchanged, `null` becomes an empty
    /// object, and any other value becomes the argument `input`.
    #[must_use]
    pub fn from_client_input(input: Value) -> Self {
        if let Value::Object(fields) = input {
            Self(fields)
        } else if input.is_null() {
            Self::default()
        } else {
            Self(Map::from_iter([("input".to_owned(), input)]))
        }
    }

    /// Returns the argument `key` if it is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    /// Returns the argument `key` if it is a non-negative integer.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        self.0.get(key)?.as_u64()
    }

    pub fn insert(&mut self, key: &str, value: impl Into<Value>) {
        self.0.insert(key.to_owned(), value.into());
    }

    #[must_use]
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    pub fn as_map_mut(&mut self) -> &mut Map<String, Value> {
        &mut self.0
    }
}

impl From<Map<String, Value>> for Arguments {
    fn from(fields: Map<String, Value>) -> Self {
        Self(fields)
    }
}

impl From<Arguments> for Map<String, Value> {
    fn from(arguments: Arguments) -> Self {
        arguments.0
    }
}

/// Returns the value of an argument, or `null` if it is missing.
impl Index<&str> for Arguments {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }
}

/// Formats the arguments as JSON.
impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(&self.0).unwrap_or_default())
    }
}
