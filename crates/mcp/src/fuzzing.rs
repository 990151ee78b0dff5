//! Runs the server with in-memory input and output, for the crate `fuzz-targets`.

use std::io::{self, Cursor};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use tokio::io::AsyncWrite;

use crate::server::{Server, ServerOptions, ServerState};

/// Serves a client that writes `input` and then disconnects. Returns the server's output.
pub fn serve_bytes(host: ServerOptions, input: Vec<u8>) -> io::Result<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let output = Written::default();
    runtime.block_on(async {
        let state = ServerState::open(host);
        // The server may refuse a client whose first message is invalid.
        if let Ok(running) =
            Server(Arc::clone(&state)).serve((Cursor::new(input), output.clone())).await
        {
            drop(running.waiting().await);
        }
        state.close().await;
    });
    // Dropping the runtime waits for the threads that run tool calls.
    drop(runtime);
    Ok(std::mem::take(&mut *output.0.lock().unwrap_or_else(PoisonError::into_inner)))
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Written {
    fn poll_write(
        self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
