//! The server over bytes in memory, for the crate `fuzz-targets` alone.

use std::io::{self, Cursor};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use tokio::io::AsyncWrite;

use crate::options::ServerOptions;
use crate::server::{Server, ServerState};

/// Serves one client that wrote `input` and went away. Returns what the server wrote.
pub fn serve_bytes(host: ServerOptions, input: Vec<u8>) -> io::Result<Vec<u8>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let output = Written::default();
    runtime.block_on(async {
        let state = ServerState::open(host);
        // A client that never says a correct first word is refused: that is an answer too.
        if let Ok(running) =
            Server(Arc::clone(&state)).serve((Cursor::new(input), output.clone())).await
        {
            drop(running.waiting().await);
        }
        state.close().await;
    });
    // Waits for the threads of the calls.
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
