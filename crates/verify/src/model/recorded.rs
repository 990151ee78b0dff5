//! A recorded request and the text in it that a model would read.

use serde_json::Value;

/// A request as it was received.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub method: String,
    /// The path with its query string.
    pub path: String,
    /// The JSON body. A body that is not JSON is a string, and an empty body is null.
    pub body: Value,
}

/// The role of a passage in the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageRole {
    System,
    Developer,
    User,
    Assistant,
    /// The result of a tool.
    Tool,
}

/// A piece of text in a conversation, with its role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationText {
    pub role: PassageRole,
    pub text: String,
}

impl ConversationText {
    /// Returns whether the passage was written by the client itself. For older models, Claude Code sends such
    /// passages with the user's role.
    pub fn is_system_reminder(&self) -> bool {
        self.text.starts_with("<system-reminder>")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    Messages,
    CountTokens,
    Responses,
    Chat,
    Gemini,
    Models,
    /// A request that only checks whether the server is reachable.
    Probe,
    Unknown,
}

impl RecordedRequest {
    pub(super) fn new(method: String, path: String, body: &[u8]) -> Self {
        let body = match serde_json::from_slice(body) {
            Ok(json) => json,
            Err(_) if body.is_empty() => Value::Null,
            Err(_) => Value::String(String::from_utf8_lossy(body).into_owned()),
        };
        Self { method, path, body }
    }

    pub(super) fn api(&self) -> Api {
        let path = self.path.split('?').next().unwrap_or_default();
        match (self.method.as_str(), path) {
            ("POST", "/v1/messages") => Api::Messages,
            ("POST", "/v1/messages/count_tokens") => Api::CountTokens,
            ("POST", "/v1/responses") => Api::Responses,
            ("POST", "/v1/chat/completions") => Api::Chat,
            ("POST", path) if path.starts_with("/v1beta/models/") => Api::Gemini,
            ("GET", "/v1/models") => Api::Models,
            ("HEAD" | "GET", "/") => Api::Probe,
            _ => Api::Unknown,
        }
    }

    /// Returns whether the request is a turn of a conversation. Such a request offers tools; probes and title requests
    /// do not.
    pub fn is_main(&self) -> bool {
        matches!(self.api(), Api::Messages | Api::Responses | Api::Chat | Api::Gemini)
            && !list(&self.body["tools"]).is_empty()
    }

    /// Returns all passages of the conversation, in the order in which the model reads them.
    pub fn passages(&self) -> Vec<ConversationText> {
        let mut passages = Passages(Vec::new());
        passages.add_content(PassageRole::System, &self.body["system"]);
        passages.add_content(PassageRole::System, &self.body["instructions"]);
        for message in list(&self.body["messages"]) {
            passages.add_message(message);
        }
        passages.add_content(PassageRole::User, &self.body["input"]);
        for content in list(&self.body["contents"]) {
            passages.add_gemini(content);
        }
        passages.0
    }

    /// Returns the text of all passages, joined.
    pub fn model_text(&self) -> String {
        join(self.passages().into_iter())
    }

    /// Returns the text of all passages with this role, joined.
    pub fn text_as(&self, role: PassageRole) -> String {
        join(self.passages().into_iter().filter(|passage| passage.role == role))
    }
}

struct Passages(Vec<ConversationText>);

impl Passages {
    fn add_message(&mut self, message: &Value) {
        let role = match message["role"].as_str() {
            Some("system") => PassageRole::System,
            Some("developer") => PassageRole::Developer,
            Some("assistant") => PassageRole::Assistant,
            Some("tool") => PassageRole::Tool,
            _ => PassageRole::User,
        };
        self.add_content(role, &message["content"]);
    }

    /// Adds a message of the Gemini API, whose parts have no type.
    fn add_gemini(&mut self, content: &Value) {
        let role =
            if content["role"] == "model" { PassageRole::Assistant } else { PassageRole::User };
        for part in list(&content["parts"]) {
            self.add_content(role, &part["text"]);
            if let Some(response) = part["functionResponse"]["response"].as_object() {
                let text = response.values().map(Value::to_string).collect::<Vec<_>>().join("\n");
                self.0.push(ConversationText { role: PassageRole::Tool, text });
            }
        }
    }

    /// Adds a message's content, which is a string or a list of blocks. In the Responses API, a list can contain both
    /// messages and blocks.
    fn add_content(&mut self, role: PassageRole, content: &Value) {
        if let Some(text) = content.as_str() {
            self.0.push(ConversationText { role, text: text.to_owned() });
        }
        for block in list(content) {
            match block["type"].as_str() {
                Some("text" | "input_text" | "output_text") => {
                    self.add_content(role, &block["text"]);
                }
                Some("tool_result") => self.add_content(PassageRole::Tool, &block["content"]),
                Some("function_call_output" | "custom_tool_call_output") => {
                    self.add_content(PassageRole::Tool, &block["output"]);
                }
                Some("message") => self.add_message(block),
                None if block["role"].is_string() => self.add_message(block),
                _ => {}
            }
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn join(passages: impl Iterator<Item = ConversationText>) -> String {
    passages.map(|passage| passage.text).collect::<Vec<_>>().join("\n")
}
