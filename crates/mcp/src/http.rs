//! The same server over streamable HTTP, on loopback only: a token, a Host and an Origin of this machine, one path.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::host::Host;
use crate::server::{House, Server};
use crate::signals::asked_to_end;
use crate::token::Token;

const PATH: &str = "/mcp";
const MOST_CONNECTIONS: usize = 128;
const MOST_BODY_BYTES: usize = 16 * 1024 * 1024;
const HEADER_TIME: Duration = Duration::from_secs(10);
const ORIGINS: [&str; 6] = [
    "http://localhost:*",
    "http://127.0.0.1:*",
    "http://[::1]:*",
    "https://localhost:*",
    "https://127.0.0.1:*",
    "https://[::1]:*",
];

#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("`{0}` can be reached from outside this machine")]
    NotLoopback(SocketAddr),
    #[error("cannot listen on `{address}`: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("cannot start: {0}")]
    Start(io::Error),
}

pub struct HttpOptions {
    pub address: SocketAddr,
    pub token: Token,
}

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Serves until we are asked to end. `listening` hears where, which matters for port 0.
pub fn serve_http(
    host: Host,
    options: HttpOptions,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), HttpError> {
    let address = options.address;
    if !address.ip().is_loopback() {
        return Err(HttpError::NotLoopback(address));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(HttpError::Start)?;
    let served = runtime.block_on(async {
        let refused = |source| HttpError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        listening(listener.local_addr().map_err(refused)?);
        serve(host, options.token, listener).await;
        Ok(())
    });
    runtime.shutdown_background();
    served
}

async fn serve(host: Host, token: Token, listener: TcpListener) {
    let house = House::open(host);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(ORIGINS)
        .with_max_request_body_bytes(MOST_BODY_BYTES)
        .with_cancellation_token(house.closing().child_token());
    let for_each = Arc::clone(&house);
    let service = StreamableHttpService::new(
        move || Ok(Server(Arc::clone(&for_each))),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let door = Door { service, token };
    let accepting = async {
        while let Ok(permit) = Arc::clone(&connections).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, _)) => door.clone().open(stream, permit),
                // Out of file descriptors, for instance: it passes.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = asked_to_end() => {}
    }
    house.close().await;
}

#[derive(Clone)]
struct Door {
    service: Service,
    token: Token,
}

impl Door {
    fn open(self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        let answer = service_fn(move |request| {
            let door = self.clone();
            async move { Ok::<_, Infallible>(door.answer(request).await) }
        });
        tokio::spawn(async move {
            let mut server = http1::Builder::new();
            let server = server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME);
            // A client that breaks the connection is its own affair.
            drop(server.serve_connection(TokioIo::new(stream), answer).await);
            drop(permit);
        });
    }

    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let shown = request.headers().get(AUTHORIZATION).map(|value| value.as_bytes());
        if !self.token.is_shown_by(shown) {
            let text = "401: show the token that `adjutant mcp --http` printed: `Authorization: Bearer …`\n";
            let mut answer = plain(StatusCode::UNAUTHORIZED, text);
            answer
                .headers_mut()
                .insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
            return answer;
        }
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "404: the server answers at /mcp\n");
        }
        self.service.handle(request).await
    }
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}
