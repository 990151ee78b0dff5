//! Serves one client over standard input and output. When the input ends, the server and its runs are stopped.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::server::{Server, ServerOptions, ServerState};

/// Serves one client until it disconnects or the process receives a stop signal.
pub fn serve_stdio(host: ServerOptions) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(host));
    // The client has disconnected, so calls that are still running are abandoned.
    runtime.shutdown_background();
    served
}

async fn serve(host: ServerOptions) -> io::Result<()> {
    let state = ServerState::open(host);
    let (stdin, stdout) = stdio();
    let input = Watched { inner: stdin, ended: state.closing().clone() };
    let served = async {
        match Server(state.clone()).serve((input, stdout)).await {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            // The client closed the input before the first message.
            Err(_) if state.closing().is_cancelled() => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    };
    let ended = tokio::select! {
        ended = served => ended,
        () = loopback::stop_signal() => Ok(()),
    };
    state.close().await;
    ended
}

/// A reader that cancels the token `ended` when the input ends. This stops the Codex runs; pending tool calls can still
/// return a result.
struct Watched<R> {
    inner: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) && buffer.filled().len() == before {
            self.ended.cancel();
        }
        read
    }
}
