//! From a working thread to the client: what codex says, as progress. A client that does not listen slows nothing down.

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// What does not fit is not told; progress is not the record.
const IN_FLIGHT: usize = 64;
const LONGEST: usize = 400;

pub(crate) struct ProgressSender(Option<Sender<String>>);

impl ProgressSender {
    pub(crate) fn tell(&self, line: &str) {
        let Some(sender) = &self.0 else { return };
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        let clean = guard::redact(line);
        let shown: String = guard::neutralise(&clean.text).chars().take(LONGEST).collect();
        // A full channel means that the client is behind.
        drop(sender.try_send(shown));
    }
}

/// The client's side of it.
pub(crate) struct Told {
    lines: Receiver<String>,
    token: Option<ProgressToken>,
    count: f64,
}

pub(crate) fn pair(token: Option<ProgressToken>) -> (ProgressSender, Told) {
    let (sender, lines) = channel(IN_FLIGHT);
    (ProgressSender(token.is_some().then_some(sender)), Told { lines, token, count: 0.0 })
}

impl Told {
    /// The next line; never, if nobody wants to know or nothing is left to be said.
    pub(crate) async fn next(&mut self) -> String {
        match self.lines.recv().await {
            Some(line) => line,
            None => std::future::pending().await,
        }
    }

    pub(crate) async fn pass_on(&mut self, line: String, peer: &Peer<RoleServer>) {
        let Some(token) = &self.token else { return };
        self.count += 1.0;
        let told = ProgressNotificationParam::new(token.clone(), self.count).with_message(line);
        // A client that is gone is noticed elsewhere.
        drop(peer.notify_progress(told).await);
    }

    pub(crate) async fn pass_on_rest(&mut self, peer: &Peer<RoleServer>) {
        while let Ok(line) = self.lines.try_recv() {
            self.pass_on(line, peer).await;
        }
    }
}
