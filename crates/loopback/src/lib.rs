//! Serves HTTP on the loopback interface. Limits the number of connections and the size and time of request headers, so
//! that connections without a secret cannot block those that have sent it.

mod connections;

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderName;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};

pub use self::connections::Connection;
use self::connections::Connections;

const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_HEADER_BYTES: usize = 16 * 1024;

pub type HttpResponse = Response<BoxBody<Bytes, Infallible>>;

/// Listens on the loopback interface and runs `server` with the listener and its address. Port 0 selects a free port. An error
/// says whether the address or the server caused it.
pub fn run<T, F: Future<Output = io::Result<T>>>(
    port: u16,
    server: impl FnOnce(TcpListener, SocketAddr) -> F,
) -> io::Result<T> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let failed = |error| io::Error::other(format!("cannot start: {error}"));
    let refused = |error| io::Error::other(format!("cannot listen on `{address}`: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let bound = listener.local_addr().map_err(refused)?;
        server(listener, bound).await.map_err(failed)
    });
    runtime.shutdown_background();
    served
}

/// Accepts connections and answers their requests with `answer`. Runs until the future is dropped.
pub async fn serve<F: Future<Output = HttpResponse> + Send + 'static>(
    listener: TcpListener,
    answer: impl Fn(Request<Incoming>, Arc<Connection>) -> F + Clone + Send + 'static,
) {
    let connections = Connections::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve_connection(stream, connections.open(), answer.clone()));
            }
            // The error is temporary. For example, no file descriptor is free.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Answers the requests of one connection.
async fn serve_connection<F: Future<Output = HttpResponse> + Send + 'static>(
    stream: TcpStream,
    connection: Arc<Connection>,
    answer: impl Fn(Request<Incoming>, Arc<Connection>) -> F,
) {
    let ending = connection.ending.clone();
    let service = service_fn(move |request| {
        let answer = answer(request, Arc::clone(&connection));
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let mut server = http1::Builder::new();
    let server = server
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEADER_BYTES);
    tokio::select! {
        // The result is ignored: a client that closes the connection is not an error.
        ended = server.serve_connection(TokioIo::new(stream), service) => drop(ended),
        () = ending.cancelled() => {}
    }
}

/// Returns an answer without headers.
#[must_use]
pub fn plain(status: StatusCode, text: &'static str) -> HttpResponse {
    let mut answer = Response::new(Full::from(text).boxed());
    *answer.status_mut() = status;
    answer
}

/// Returns all values of a header. A value that is not a valid string is `None`.
pub fn values<B>(request: &Request<B>, name: HeaderName) -> Vec<Option<&str>> {
    request.headers().get_all(name).iter().map(|value| value.to_str().ok()).collect()
}

/// Returns whether two secrets are equal. The time that this takes does not depend on their content.
#[must_use]
pub fn is_same_secret(own: &[u8], shown: &[u8]) -> bool {
    let differs = own.iter().zip(shown).fold(0, |differs, (a, b)| differs | (a ^ b));
    !own.is_empty() && own.len() == shown.len() && differs == 0
}

/// Returns a future that completes after SIGINT, SIGTERM or SIGHUP. The handlers are installed when the function is
/// called, not when the future is first polled. If they cannot be installed, the future never completes and the signal
/// ends the process.
pub fn stop_signal() -> impl Future<Output = ()> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let signals = kinds.map(signal);
    async move {
        let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
