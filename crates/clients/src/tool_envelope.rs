//! A verdict about a tool call in each client's own words. What a client cannot do becomes the nearest stricter thing it can.

use contract::{ToolDecision, ToolMoment, ToolVerdict};
use serde_json::{Map, Value, json};

use crate::{Client, Envelope};

const MAX_REASON: usize = 4000;

/// `response` is what the tool answered, as the client told us.
pub(crate) fn tool_envelope(
    client: Client,
    moment: ToolMoment,
    response: &Value,
    verdict: &ToolVerdict,
) -> String {
    // The same care for sizes as for a briefing.
    let Envelope { context, message } = Envelope::new(&verdict.context, verdict.message.clone());
    let mut answer = Answer { specific: Map::new(), whole: Map::new(), context, message };
    match (moment, client) {
        (ToolMoment::Before, Client::ClaudeCode) => before_claude_code(&mut answer, verdict),
        (ToolMoment::Before, Client::Codex) => before_codex(&mut answer, verdict),
        (ToolMoment::After | ToolMoment::Failed, Client::ClaudeCode) => {
            after_claude_code(&mut answer, response, verdict);
        }
        (ToolMoment::After | ToolMoment::Failed, Client::Codex) => {
            after_codex(&mut answer, verdict);
        }
    }
    answer.text(match moment {
        ToolMoment::Before => "PreToolUse",
        ToolMoment::After => "PostToolUse",
        ToolMoment::Failed => "PostToolUseFailure",
    })
}

struct Answer {
    specific: Map<String, Value>,
    whole: Map<String, Value>,
    context: String,
    message: Option<String>,
}

impl Answer {
    fn decide(&mut self, word: &str, reason: &str) {
        self.specific.insert("permissionDecision".to_owned(), word.into());
        self.specific.insert("permissionDecisionReason".to_owned(), shortened(reason).into());
    }

    /// Nothing to say is an empty object: the client goes on as if there were no hook.
    fn text(mut self, event: &str) -> String {
        if !self.context.is_empty() {
            self.specific.insert("additionalContext".to_owned(), self.context.into());
        }
        if !self.specific.is_empty() {
            self.specific.insert("hookEventName".to_owned(), event.into());
            self.whole.insert("hookSpecificOutput".to_owned(), Value::Object(self.specific));
        }
        if let Some(message) = self.message {
            self.whole.insert("systemMessage".to_owned(), message.into());
        }
        Value::Object(self.whole).to_string()
    }
}

fn before_claude_code(answer: &mut Answer, verdict: &ToolVerdict) {
    match verdict.decision {
        ToolDecision::Go => {}
        ToolDecision::Allow => answer.decide("allow", &verdict.reason),
        ToolDecision::Ask => answer.decide("ask", &verdict.reason),
        ToolDecision::Block => answer.decide("deny", &verdict.reason),
    }
    if let Some(input) = &verdict.updated_input {
        answer.specific.insert("updatedInput".to_owned(), Value::Object(input.clone()));
    }
}

/// Codex knows no `ask` here, and `allow` only to change the input; either alone would be dropped and the call would run.
fn before_codex(answer: &mut Answer, verdict: &ToolVerdict) {
    match (verdict.decision, &verdict.updated_input) {
        (ToolDecision::Go | ToolDecision::Allow, None) => {}
        (ToolDecision::Go | ToolDecision::Allow, Some(input)) => {
            answer.specific.insert("permissionDecision".to_owned(), "allow".into());
            answer.specific.insert("updatedInput".to_owned(), Value::Object(input.clone()));
        }
        (ToolDecision::Ask, _) => {
            let reason =
                format!("{} (Codex cannot ask you here, so the call does not run)", verdict.reason);
            answer.decide("deny", &reason);
        }
        (ToolDecision::Block, _) => answer.decide("deny", &verdict.reason),
    }
}

/// Claude Code takes a new result only in the shape of the old one, and drops any other without a word.
fn after_claude_code(answer: &mut Answer, response: &Value, verdict: &ToolVerdict) {
    let Some(replacement) = &verdict.replacement else { return };
    let shaped = match (response, replacement) {
        (Value::Object(old), Value::String(text)) if old.contains_key("stdout") => {
            let mut new = old.clone();
            new.insert("stdout".to_owned(), text.as_str().into());
            new.insert("stderr".to_owned(), "".into());
            Some(Value::Object(new))
        }
        (Value::Object(_), Value::String(_)) => None,
        (_, replacement) => Some(replacement.clone()),
    };
    match shaped {
        Some(shaped) => {
            answer.specific.insert("updatedToolOutput".to_owned(), shaped);
        }
        None => {
            let text = format!("A hook replaces the result above with: {}", plain(replacement));
            answer.context = [answer.context.as_str(), &text].join("\n").trim().to_owned();
        }
    }
}

/// To Codex the reason of a block is the new result.
fn after_codex(answer: &mut Answer, verdict: &ToolVerdict) {
    if let Some(replacement) = &verdict.replacement {
        let text = shortened(&plain(replacement));
        let text = if text.trim().is_empty() { "(empty)".to_owned() } else { text };
        answer.whole = Map::from_iter([
            ("decision".to_owned(), json!("block")),
            ("reason".to_owned(), text.into()),
        ]);
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn shortened(reason: &str) -> String {
    let reason = if reason.trim().is_empty() { "a hook decided so" } else { reason };
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests;
