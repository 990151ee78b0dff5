//! Sends progress messages from a tool call's thread to the client. A slow client does not delay the call.

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The maximum number of queued messages. Further messages are dropped; the session log still contains them.
const MAX_WAITING: usize = 64;
const MAX_MESSAGE_CHARS: usize = 400;

pub(crate) struct ProgressSender(Option<Sender<String>>);

impl ProgressSender {
    pub(crate) fn tell(&self, line: &str) {
        let Some(sender) = &self.0 else { return };
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let clean = guard::redact(line);
        let shown: String =
            guard::neutralise(&clean.text).chars().take(MAX_MESSAGE_CHARS).collect();
        // If the client reads slowly, the channel is full and the message is dropped.
        drop(sender.try_send(shown));
    }
}

/// Receives progress messages and sends them to the client.
pub(crate) struct ProgressReceiver {
    lines: Receiver<String>,
    token: Option<ProgressToken>,
    count: f64,
}

pub(crate) fn pair(token: Option<ProgressToken>) -> (ProgressSender, ProgressReceiver) {
    let (sender, lines) = channel(MAX_WAITING);
    (
        ProgressSender(token.is_some().then_some(sender)),
        ProgressReceiver { lines, token, count: 0.0 },
    )
}

impl ProgressReceiver {
    /// Returns the next message, or `None` once the sender has been dropped.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    pub(crate) async fn pass_on(&mut self, line: String, peer: &Peer<RoleServer>) {
        let Some(token) = &self.token else { return };
        self.count += 1.0;
        let message = ProgressNotificationParam::new(token.clone(), self.count).with_message(line);
        // Errors are ignored: the transport reports that the client disconnected.
        drop(peer.notify_progress(message).await);
    }

    pub(crate) async fn pass_on_rest(&mut self, peer: &Peer<RoleServer>) {
        while let Ok(line) = self.lines.try_recv() {
            self.pass_on(line, peer).await;
        }
    }
}
