//! The signals that stop the server.

use tokio::signal::unix::{SignalKind, signal};

/// Returns when SIGINT, SIGTERM or SIGHUP arrives. If no handler can be installed, the signal ends the process.
pub(crate) async fn stop_signal() {
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
