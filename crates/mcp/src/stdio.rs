//! The server on stdin and stdout. The end of stdin is the end of the server and of every run it waits for.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

use crate::options::ServerOptions;
use crate::server::{Server, ServerState};
use crate::signals::asked_to_end;

/// Serves one client until it goes away or we are asked to end.
pub fn serve_stdio(host: ServerOptions) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(serve(host));
    // A question that is still being looked at has nobody to answer to.
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
            // Whoever leaves before the first word has nothing to be told.
            Err(_) if state.closing().is_cancelled() => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    };
    let ended = tokio::select! {
        ended = served => ended,
        () = asked_to_end() => Ok(()),
    };
    state.close().await;
    ended
}

/// Says when the input has ended: questions may still be answered then, but runs of codex are ended at once.
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
