//! The request as words of a command line: for people, and to read the tasks of versions that stored such words.

use serde_json::{Map, Value, json};

use super::RunRequest;

/// The flags that had no effect.
const IGNORED: [&str; 5] =
    ["redact", "ack-patch-mode", "no-compress-context", "context-head", "context-grep"];
/// The flags whose value is a number.
const NUMBERS: [&str; 8] = [
    "max-tokens",
    "max-turns",
    "max-cost",
    "echo-limit",
    "max-runs",
    "sleep-seconds",
    "overflow-retries",
    "patch-preview-lines",
];
/// The flags whose order matters, because each is a part of the task.
const PIECES: [&str; 3] = ["file", "docs-dir", "task"];

impl RunRequest {
    /// Returns the flags of `adjutant run` that make this request, such as `--sandbox=read-only`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (name, value) in self.given() {
            match (name.as_str(), value) {
                ("version", _) => {}
                ("pieces", Value::Array(pieces)) => {
                    let pieces = pieces.iter().filter_map(Value::as_object).flatten();
                    words.extend(pieces.map(|(name, value)| word(name, value)));
                }
                (_, Value::Bool(_)) => words.push(format!("--{name}")),
                (_, Value::Array(values)) => {
                    words.extend(values.iter().map(|value| word(&name, value)));
                }
                (_, value) => words.push(word(&name, &value)),
            }
        }
        words
    }

    /// Reads the words that versions up to 0.2 stored: `--flag`, `--flag=value`, and codex's arguments after `--`.
    pub fn from_words(words: &[String]) -> Result<Self, String> {
        let unset = json!(Self::default());
        let mut fields = Map::new();
        let mut push = |name: &str, value: Value| {
            let list = fields.entry(name).or_insert_with(|| json!([]));
            list.as_array_mut().into_iter().for_each(|list| list.push(value.clone()));
        };
        let mut single = Map::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                words.by_ref().for_each(|word| push("codex-arg", json!(word)));
                break;
            }
            let flag = word.strip_prefix("--").ok_or_else(|| unknown(word))?;
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (flag, None),
            };
            match (name, &unset[name], value) {
                _ if IGNORED.contains(&name) => {}
                (_, _, Some(value)) if PIECES.contains(&name) => {
                    push("pieces", json!({ name: value }));
                }
                (_, Value::Array(_), Some(value)) => push(name, json!(value)),
                (_, Value::Bool(_), None) => drop(single.insert(name.to_owned(), json!(true))),
                (_, Value::Null | Value::Number(_) | Value::String(_), Some(value))
                    if unset.get(name).is_some() =>
                {
                    let value = match NUMBERS.contains(&name) {
                        true => number(value).ok_or_else(|| unknown(word))?,
                        false => json!(value),
                    };
                    single.insert(name.to_owned(), value);
                }
                _ => return Err(unknown(word)),
            }
        }
        fields.extend(single);
        serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())
    }
}

fn word(name: &str, value: &Value) -> String {
    match value.as_str() {
        Some(text) => format!("--{name}={text}"),
        None => format!("--{name}={value}"),
    }
}

fn number(text: &str) -> Option<Value> {
    let whole = text.parse::<u64>().ok().map(Value::from);
    whole.or_else(|| text.parse::<f64>().ok().map(Value::from))
}

fn unknown(word: &str) -> String {
    format!("`{word}` is not a flag of a run")
}
