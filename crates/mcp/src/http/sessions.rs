//! Ends HTTP sessions that have had no open request for [`IDLE_TIMEOUT`].
//!
//! The rmcp session timeout is not used for this, because it also ends sessions with a running call, and codex may
//! run for hours without sending a message.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

/// The time after which a session without an open request ends.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10 * 60);
/// The maximum number of sessions. If there are more, the session that has been idle for the longest time is ended. Each
/// session uses about 50 KB.
const MAX_SESSIONS: usize = 64;
/// The maximum length of a session id. The ids of rmcp are UUIDs.
const MAX_ID_BYTES: usize = 128;
const CHECK_INTERVAL: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    uses: Uses,
}

/// Maps each session id to the number of open requests and the time of the last request.
#[derive(Clone, Default)]
struct Uses(Arc<Mutex<HashMap<String, Use>>>);

struct Use {
    n_open: usize,
    last: Instant,
}

/// An open request in a session. On drop, the request counts as finished.
pub(super) struct OpenRequest {
    uses: Uses,
    id: String,
}

impl Sessions {
    pub(super) fn new(manager: Arc<LocalSessionManager>) -> Self {
        Self { manager, uses: Uses::default() }
    }

    /// Marks a session as in use. Returns `None` if there is no such session.
    pub(super) async fn open_request(&self, id: &str) -> Option<OpenRequest> {
        self.exists(id).await.then(|| self.uses.open(id))
    }

    /// Forgets the session of a request if the request ended it.
    pub(super) async fn forget_if_ended(&self, request: &OpenRequest) {
        if !self.exists(&request.id).await {
            self.uses.forget(&request.id);
        }
    }

    async fn exists(&self, id: &str) -> bool {
        id.len() <= MAX_ID_BYTES && self.manager.sessions.read().await.contains_key(id)
    }

    /// Ends idle sessions until there is room for a new session. Returns `false` if every session has an open request.
    pub(super) async fn make_room(&self) -> bool {
        while self.manager.sessions.read().await.len() >= MAX_SESSIONS {
            let Some(id) = self.uses.longest_idle() else { return false };
            self.close(&id).await;
        }
        true
    }

    /// Ends idle sessions periodically. Never returns.
    pub(super) async fn expire(&self) {
        loop {
            tokio::time::sleep(CHECK_INTERVAL).await;
            for id in self.uses.idle_since(Instant::now(), IDLE_TIMEOUT) {
                self.close(&id).await;
            }
        }
    }

    async fn close(&self, id: &str) {
        self.uses.forget(id);
        // The session may already have ended.
        drop(self.manager.close_session(&Arc::from(id)).await);
    }
}

impl Uses {
    fn open(&self, id: &str) -> OpenRequest {
        let mut uses = self.lock();
        let now = Instant::now();
        uses.entry(id.to_owned()).or_insert(Use { n_open: 0, last: now }).n_open += 1;
        OpenRequest { uses: self.clone(), id: id.to_owned() }
    }

    fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    fn longest_idle(&self) -> Option<String> {
        let uses = self.lock();
        let idle = uses.iter().filter(|(_, entry)| entry.n_open == 0);
        idle.min_by_key(|(_, entry)| entry.last).map(|(id, _)| id.clone())
    }

    fn idle_since(&self, now: Instant, timeout: Duration) -> Vec<String> {
        let is_over =
            |entry: &Use| entry.n_open == 0 && now.saturating_duration_since(entry.last) >= timeout;
        let uses = self.lock();
        uses.iter().filter(|(_, entry)| is_over(entry)).map(|(id, _)| id.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Use>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        if let Some(entry) = self.uses.lock().get_mut(&self.id) {
            entry.n_open = entry.n_open.saturating_sub(1);
            entry.last = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn c4_nothing_is_stored_for_an_unknown_session() {
        let sessions = Sessions::new(Arc::default());
        for n in 0..1000 {
            assert!(sessions.open_request(&format!("{n}{}", "q".repeat(200))).await.is_none());
            assert!(sessions.open_request(&n.to_string()).await.is_none());
        }
        assert_eq!(sessions.uses.lock().len(), 0);
        let (id, _transport) = sessions.manager.create_session().await.unwrap();
        let open = sessions.open_request(&id).await.unwrap();
        sessions.forget_if_ended(&open).await;
        assert_eq!(sessions.uses.lock().len(), 1);
        sessions.manager.close_session(&id).await.unwrap();
        sessions.forget_if_ended(&open).await;
        assert_eq!(sessions.uses.lock().len(), 0);
    }

    #[test]
    fn c4_a_session_ends_when_it_is_idle_and_not_while_a_request_is_open() {
        let uses = Uses::default();
        drop(uses.open("idle"));
        let open = uses.open("busy");
        let later = Instant::now() + IDLE_TIMEOUT;
        assert_eq!(uses.idle_since(later, IDLE_TIMEOUT), ["idle"]);
        assert!(uses.idle_since(Instant::now(), IDLE_TIMEOUT).is_empty());
        assert_eq!(uses.longest_idle().as_deref(), Some("idle"));
        uses.forget("idle");
        assert_eq!(uses.longest_idle(), None);
        drop(open);
        assert_eq!(uses.longest_idle().as_deref(), Some("busy"));
    }
}
