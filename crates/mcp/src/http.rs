//! Serves clients over streamable HTTP on the loopback interface. Checks the token, the `Host` and `Origin` headers,
//! and the path of each request.

mod address;
mod sessions;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use hyper::{Request, StatusCode};
use loopback::{Connection, HttpResponse, plain, stop_signal};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use self::sessions::Sessions;
use crate::server::{Server, ServerOptions, ServerState};

const PATH: &str = "/mcp";
const MAX_BODY_BYTES: usize = 16 * 1024 * 1024;
/// The maximum lifetime of an rmcp session, including running calls. [`sessions`] ends idle sessions much earlier.
const MAX_SESSION_TIME: Duration = Duration::from_secs(24 * 60 * 60);
const SESSION_ID: &str = "mcp-session-id";
/// The minimum length of a token. A token is ASCII, so a character is a byte.
const MIN_CHARS: usize = 16;

/// The bearer token that HTTP clients must send.
#[derive(Clone)]
pub struct Token(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token has {0} characters; at least {MIN_CHARS} are required")]
    TooShort(usize),
    #[error("the token may have visible ASCII characters only")]
    NotVisible,
}

impl Token {
    pub fn new(text: &str) -> Result<Self, BadToken> {
        let text = text.trim();
        if text.len() < MIN_CHARS {
            return Err(BadToken::TooShort(text.len()));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadToken::NotVisible);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns true if the `Authorization` header contains this token. The comparison takes constant time.
    pub(crate) fn is_shown_by(&self, header: Option<&[u8]>) -> bool {
        let Some((scheme, shown)) = header.and_then(|header| header.split_at_checked(7)) else {
            return false;
        };
        let is_same = loopback::is_same_secret(self.0.as_bytes(), shown);
        scheme.eq_ignore_ascii_case(b"bearer ") && is_same
    }
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// Serves clients until the process receives a stop signal. Calls `listening` with the bound address, which contains the
/// actual port if the requested port was 0.
pub fn serve_http(
    host: ServerOptions,
    port: u16,
    token: Token,
    listening: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    loopback::run(port, |listener, address| async move {
        listening(address);
        serve(host, token, listener).await;
        Ok(())
    })
}

async fn serve(host: ServerOptions, token: Token, listener: TcpListener) {
    let state = ServerState::open(host);
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .with_cancellation_token(state.closing().child_token());
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(MAX_SESSION_TIME);
    let sessions = Arc::new(sessions);
    let for_each = Arc::clone(&state);
    let service = StreamableHttpService::new(
        move || Ok(Server(Arc::clone(&for_each))),
        Arc::clone(&sessions),
        config,
    );
    let endpoint = HttpEndpoint { service, token, sessions: Sessions::new(sessions) };
    let answering = endpoint.clone();
    let answer = move |request, connection: Arc<Connection>| {
        let endpoint = answering.clone();
        async move { endpoint.answer(request, &connection).await }
    };
    tokio::select! {
        () = loopback::serve(listener, answer) => {}
        () = endpoint.sessions.expire() => {}
        () = stop_signal() => {}
    }
    state.close().await;
}

#[derive(Clone)]
struct HttpEndpoint {
    service: Service,
    token: Token,
    sessions: Sessions,
}

impl HttpEndpoint {
    async fn answer(&self, request: Request<Incoming>, connection: &Connection) -> HttpResponse {
        let shown = request.headers().get(AUTHORIZATION).map(|value| value.as_bytes());
        if !self.token.is_shown_by(shown) {
            let text = "401: send the token that `adjutant mcp --http` printed: `Authorization: Bearer …`\n";
            let mut answer = plain(StatusCode::UNAUTHORIZED, text);
            answer
                .headers_mut()
                .insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
            return answer;
        }
        if !connection.has_shown_secret() {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "503: too many connections\n");
        }
        if let Some(text) = address::refusal(&request) {
            return plain(StatusCode::FORBIDDEN, text);
        }
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "404: the server answers at /mcp\n");
        }
        self.answer_in_session(request).await
    }

    /// Handles a request and marks its session as in use until the whole response is sent.
    async fn answer_in_session(&self, request: Request<Incoming>) -> HttpResponse {
        let named = session_id(request.headers());
        let open = match &named {
            Some(id) => self.sessions.open_request(id).await,
            None => None,
        };
        // rmcp creates no session for a request that names one, even if that session does not exist.
        if named.is_none() && !self.sessions.make_room().await {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "503: too many sessions are in use\n");
        }
        let answer = self.service.handle(request).await;
        if let Some(open) = &open {
            self.sessions.forget_if_ended(open).await;
        }
        let new = match session_id(answer.headers()) {
            Some(id) => self.sessions.open_request(&id).await,
            None => None,
        };
        answer.map(|body| {
            body.map_frame(move |frame| {
                let _until_the_body_is_dropped = (&open, &new);
                frame
            })
            .boxed()
        })
    }
}

fn session_id(headers: &hyper::HeaderMap) -> Option<String> {
    headers.get(SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
