//! A scripted model on the loopback interface that serves all clients and records every request.
//!
//! The server implements the parts of Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and the Gemini
//! API that the clients use. It sends the scripted answers in order, and then a fixed sentence in reply to all
//! further requests.

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

mod anthropic;
mod chat;
mod gemini;
mod http;
mod recorded;
mod responses;
#[cfg(test)]
mod tests;

pub use recorded::{ConversationText, PassageRole, RecordedRequest};

use http::{HttpAnswer, HttpRequest};
use recorded::Api;

/// The maximum time for which an answer is delayed.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// A scripted answer to one request.
#[derive(Clone, Debug, PartialEq)]
pub enum ScriptedAnswer {
    Text(String),
    ToolCall {
        name: String,
        input: Value,
    },
    /// An HTTP error in the format of the API that the client uses.
    Status(u16),
    /// The reply of the service if the account has reached a usage limit. The limit is reset after `resets_in` seconds.
    UsageLimit {
        resets_in: u64,
    },
}

impl ScriptedAnswer {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn tool_call(name: impl Into<String>, input: Value) -> Self {
        Self::ToolCall { name: name.into(), input }
    }

    /// Returns the HTTP status of the answer.
    fn status(&self) -> u16 {
        match self {
            Self::Text(_) | Self::ToolCall { .. } => 200,
            Self::Status(status) => *status,
            Self::UsageLimit { .. } => 429,
        }
    }
}

/// A running loopback model. Dropping it stops the server.
pub struct LoopbackModel {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    requests: Vec<RecordedRequest>,
    script: VecDeque<ScriptedAnswer>,
    /// The scripts for other conversations, each with a word. A script is used if the prompt contains its word.
    side_scripts: Vec<(String, VecDeque<ScriptedAnswer>)>,
    /// A word that identifies a sub-agent's prompt, and the number of requests that the sub-agent must send before
    /// the main conversation continues.
    waits_for: Option<(String, usize)>,
    stopping: bool,
}

impl State {
    /// Returns whether this request has to wait for a sub-agent. The first request of the main conversation never waits.
    fn is_early(&self, request: &RecordedRequest) -> bool {
        let Some((word, wanted)) = &self.waits_for else { return false };
        let is_side = |request: &RecordedRequest| request.text_as(PassageRole::User).contains(word);
        let main = self.requests.iter().filter(|request| request.is_main());
        let (asked, above): (Vec<_>, Vec<_>) = main.partition(|request| is_side(request));
        request.is_main() && !is_side(request) && above.len() > 1 && asked.len() < *wanted
    }

    fn next_answer(&mut self, request: &RecordedRequest) -> Option<ScriptedAnswer> {
        let said = request.text_as(PassageRole::User);
        match self.side_scripts.iter_mut().find(|(word, _)| said.contains(word.as_str())) {
            Some((_, script)) => script.pop_front(),
            None => self.script.pop_front(),
        }
    }
}

impl Shared {
    /// Locks the state. Ignores poisoning, so that a panic in one connection does not hide the recorded requests.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoopbackModel {
    /// The answer to every request for which there is no scripted answer.
    pub const DEFAULT_ANSWER: &str = "The loopback model has nothing to add.";

    pub fn start() -> Self {
        Self::start_with([])
    }

    /// Starts a model in the same way as [`Self::bind`], for tests.
    ///
    /// # Panics
    /// If no port is free.
    pub fn start_with(script: impl IntoIterator<Item = ScriptedAnswer>) -> Self {
        Self::bind(script).expect("bind a loopback port")
    }

    /// Starts a model on a free port. Each request of the main conversation gets the next scripted answer. When all
    /// scripted answers have been used, the default answer is sent.
    pub fn bind(script: impl IntoIterator<Item = ScriptedAnswer>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        shared.state().script = script.into_iter().collect();
        let accepting = Arc::clone(&shared);
        thread::spawn(move || accept(&listener, &accepting));
        Ok(Self { address, shared })
    }

    /// Uses another script for conversations whose prompt contains `word`, such as those of a sub-agent.
    #[must_use]
    pub fn with_side_conversation(
        self,
        word: &str,
        script: impl IntoIterator<Item = ScriptedAnswer>,
    ) -> Self {
        self.shared.state().side_scripts.push((word.to_owned(), script.into_iter().collect()));
        self
    }

    /// Delays the answers of the main conversation, except the first, until the sub-agent whose prompt contains `word`
    /// has sent `n_requests` requests.
    #[must_use]
    pub fn waiting_for(self, word: &str, n_requests: usize) -> Self {
        self.shared.state().waits_for = Some((word.to_owned(), n_requests));
        self
    }

    /// Returns the URL of the server. The URL does not include the `/v1` with which the API paths start.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns all requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.state().requests.clone()
    }

    /// Returns the requests that are turns of a conversation. Probes, title requests and token counts are excluded.
    pub fn main_requests(&self) -> Vec<RecordedRequest> {
        self.requests().into_iter().filter(RecordedRequest::is_main).collect()
    }

    /// Returns the first request that is a turn of a conversation.
    pub fn first_main_request(&self) -> Option<RecordedRequest> {
        self.requests().into_iter().find(RecordedRequest::is_main)
    }
}

impl Drop for LoopbackModel {
    fn drop(&mut self) {
        self.shared.state().stopping = true;
        // `accept` has no timeout; a new connection makes it return and check the flag.
        drop(TcpStream::connect(self.address));
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for connection in listener.incoming() {
        if shared.state().stopping {
            return;
        }
        let Ok(connection) = connection else { continue };
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            // The error is ignored, because tests kill clients during a request.
            drop(serve(&connection, &shared));
        });
    }
}

fn serve(connection: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(connection);
    let mut writer = connection;
    while let Some(request) = HttpRequest::read(&mut reader)? {
        let without_body = request.method == "HEAD";
        answer(request, shared).write(&mut writer, without_body)?;
    }
    Ok(())
}

fn answer(request: HttpRequest, shared: &Shared) -> HttpAnswer {
    let request = RecordedRequest::new(request.method, request.target, &request.body);
    let (serial, scripted) = {
        let mut state = shared.state();
        let scripted = if request.is_main() { state.next_answer(&request) } else { None };
        state.requests.push(request.clone());
        shared.changed.notify_all();
        let serial = state.requests.len();
        let deadline = Instant::now() + MAX_WAIT;
        while state.is_early(&request) && !state.stopping && Instant::now() < deadline {
            let waited = shared.changed.wait_timeout(state, Duration::from_secs(1));
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        (serial, scripted)
    };
    let said = scripted.unwrap_or_else(|| ScriptedAnswer::text(LoopbackModel::DEFAULT_ANSWER));
    match request.api() {
        Api::Messages => anthropic::answer(&request.body, &said, serial),
        Api::CountTokens => {
            HttpAnswer::json(200, &json!({"input_tokens": token_estimate(&request.body)}))
        }
        Api::Responses => responses::answer(&request.body, &said, serial),
        Api::Chat => chat::answer(&request.body, &said, serial),
        Api::Gemini => gemini::answer(&request.path, &request.body, &said, serial),
        Api::Models => HttpAnswer::json(200, &model_list()),
        Api::Probe => HttpAnswer::json(200, &json!({})),
        Api::Unknown => HttpAnswer::json(
            404,
            &json!({"error": {"message": "no such path on the loopback model"}}),
        ),
    }
}

fn model_list() -> Value {
    json!({
        "object": "list",
        "has_more": false,
        "models": [],
        "data": [{"id": "loopback", "object": "model", "type": "model", "display_name": "loopback",
                  "created": 0, "owned_by": "loopback"}],
    })
}

/// Returns the time `seconds` from now, in seconds since the epoch.
#[expect(clippy::disallowed_methods, reason = "the model plays a service that has its own clock")]
fn seconds_from_now(seconds: u64) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() + seconds
}

fn token_estimate(body: &Value) -> usize {
    body.to_string().len() / 4 + 1
}

fn data_stream(events: &[String]) -> HttpAnswer {
    HttpAnswer::stream(events.iter().map(|event| format!("data: {event}\n\n")).collect())
}

fn event_stream(events: &[Value]) -> HttpAnswer {
    let mut stream = String::new();
    for event in events {
        let kind = event["type"].as_str().expect("every event of both APIs has a type");
        stream.push_str(&format!("event: {kind}\ndata: {event}\n\n"));
    }
    HttpAnswer::stream(stream)
}
