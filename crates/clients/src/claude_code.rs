//! Claude Code reads `hookSpecificOutput.additionalContext` and shows `systemMessage` to the user.

use serde_json::json;

use crate::Envelope;
use crate::envelope::EVENT;

pub(crate) fn envelope(envelope: &Envelope) -> String {
    let mut object = json!({
        "hookSpecificOutput": { "hookEventName": EVENT, "additionalContext": envelope.context },
    });
    if let Some(message) = &envelope.message {
        object["systemMessage"] = message.as_str().into();
    }
    object.to_string()
}
