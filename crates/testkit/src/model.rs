//! A model on the loopback interface that both clients can talk to, and that remembers every request.
//!
//! It speaks the parts of Anthropic Messages and OpenAI Responses that the clients use. It thinks
//! nothing: it says what the test scripted, and otherwise one fixed sentence.

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

mod anthropic;
mod http;
mod recorded;
mod responses;
#[cfg(test)]
mod tests;

pub use recorded::{Passage, RecordedRequest, Role};

use http::{HttpAnswer, HttpRequest};
use recorded::Api;

use crate::PATIENCE;

/// What the model says to one main request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Text(String),
    ToolCall {
        name: String,
        input: Value,
    },
    /// An HTTP error in the API's own shape.
    Status(u16),
}

impl Answer {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn tool_call(name: impl Into<String>, input: Value) -> Self {
        Self::ToolCall { name: name.into(), input }
    }
}

/// A running loopback model; dropping it stops it.
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
    script: VecDeque<Answer>,
    /// Scripts of conversations that are told apart by a word of their prompt.
    asides: Vec<(String, VecDeque<Answer>)>,
    /// Which aside must have asked how often before the main conversation goes on.
    awaited: Option<(String, usize)>,
    stopping: bool,
}

impl State {
    /// Whether a request of the main conversation, not its first, comes before the aside it has to wait for.
    fn is_early(&self, request: &RecordedRequest) -> bool {
        let Some((word, wanted)) = &self.awaited else { return false };
        let is_aside = |request: &RecordedRequest| request.text_as(Role::User).contains(word);
        let main = self.requests.iter().filter(|request| request.is_main());
        let (asked, above): (Vec<_>, Vec<_>) = main.partition(|request| is_aside(request));
        request.is_main() && !is_aside(request) && above.len() > 1 && asked.len() < *wanted
    }

    fn next_answer(&mut self, request: &RecordedRequest) -> Option<Answer> {
        let said = request.text_as(Role::User);
        match self.asides.iter_mut().find(|(word, _)| said.contains(word.as_str())) {
            Some((_, script)) => script.pop_front(),
            None => self.script.pop_front(),
        }
    }
}

impl Shared {
    /// A panicking connection must not hide from the test what was recorded before it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LoopbackModel {
    /// What it says to every request that no script covers.
    pub const DEFAULT_ANSWER: &str = "The loopback model has nothing to add.";

    pub fn start() -> Self {
        Self::start_with([])
    }

    /// One scripted answer is used up per main request; after the last one the default follows.
    pub fn start_with(script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("bind a loopback port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared::default());
        shared.state().script = script.into_iter().collect();
        let accepting = Arc::clone(&shared);
        thread::spawn(move || accept(&listener, &accepting));
        Self { address, shared }
    }

    /// Conversations in which somebody said `word` have a script of their own: a sub-agent's, next to the main one.
    #[must_use]
    pub fn with_aside(self, word: &str, script: impl IntoIterator<Item = Answer>) -> Self {
        self.shared.state().asides.push((word.to_owned(), script.into_iter().collect()));
        self
    }

    /// After its first answer the main conversation gets the next one only when the aside of this word has asked so often:
    /// a sub-agent at work, however slow it is.
    #[must_use]
    pub fn awaiting(self, word: &str, n_requests: usize) -> Self {
        self.shared.state().awaited = Some((word.to_owned(), n_requests));
        self
    }

    /// Without the `/v1` that the APIs put in front of their paths.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything received so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.shared.state().requests.clone()
    }

    /// The requests that carry a conversation: not probes, titles or token counts.
    pub fn main_requests(&self) -> Vec<RecordedRequest> {
        self.requests().into_iter().filter(RecordedRequest::is_main).collect()
    }

    /// The first turn, as the model got it.
    pub fn first_main_request(&self) -> Option<RecordedRequest> {
        self.requests().into_iter().find(RecordedRequest::is_main)
    }

    /// Waits for the first turn of a client that is still running.
    pub fn wait_for_model_request(&self, at_most: Duration) -> Option<RecordedRequest> {
        let deadline = Instant::now() + at_most;
        let mut state = self.shared.state();
        loop {
            if let Some(request) = state.requests.iter().find(|request| request.is_main()) {
                return Some(request.clone());
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            (state, _) = self
                .shared
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for LoopbackModel {
    fn drop(&mut self) {
        self.shared.state().stopping = true;
        // `accept` has no deadline of its own; one more connection wakes it up to look at the flag.
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
            // A client that is killed in the middle of a request is part of the tests.
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
        let deadline = Instant::now() + PATIENCE;
        while state.is_early(&request) && !state.stopping && Instant::now() < deadline {
            let waited = shared.changed.wait_timeout(state, Duration::from_secs(1));
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        (serial, scripted)
    };
    let said = scripted.unwrap_or_else(|| Answer::text(LoopbackModel::DEFAULT_ANSWER));
    match request.api() {
        Api::Messages => anthropic::answer(&request.body, &said, serial),
        Api::CountTokens => {
            HttpAnswer::json(200, &json!({"input_tokens": token_estimate(&request.body)}))
        }
        Api::Responses => responses::answer(&request.body, &said, serial),
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

fn token_estimate(body: &Value) -> usize {
    body.to_string().len() / 4 + 1
}

fn event_stream(events: &[Value]) -> HttpAnswer {
    let mut stream = String::new();
    for event in events {
        let kind = event["type"].as_str().expect("every event of both APIs has a type");
        stream.push_str(&format!("event: {kind}\ndata: {event}\n\n"));
    }
    HttpAnswer {
        status: 200,
        content_type: "text/event-stream; charset=utf-8",
        body: stream.into_bytes(),
    }
}
