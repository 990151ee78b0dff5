//! Codex takes the same object as Claude Code, but one field it does not know makes it drop everything, and an
//! empty context would become an empty message to the model: nothing to say is an object without it.

use serde_json::{Map, Value, json};

use crate::Envelope;
use crate::envelope::EVENT;

pub(crate) fn envelope(envelope: &Envelope) -> String {
    let mut object = Map::new();
    if !envelope.context.is_empty() {
        let output = json!({ "hookEventName": EVENT, "additionalContext": envelope.context });
        object.insert("hookSpecificOutput".to_owned(), output);
    }
    if let Some(message) = &envelope.message {
        object.insert("systemMessage".to_owned(), message.as_str().into());
    }
    Value::Object(object).to_string()
}
