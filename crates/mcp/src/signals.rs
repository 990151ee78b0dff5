//! Signals that ask the server to end.

use tokio::signal::unix::{SignalKind, signal};

/// Returns when one arrives. Where handlers cannot be installed the default holds, and the signal ends us.
pub(crate) async fn asked_to_end() {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = kinds.map(signal) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}
