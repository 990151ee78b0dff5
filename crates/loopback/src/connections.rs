//! Limits the number of open connections. Connections that have sent the server's secret, a token or a cookie, are counted
//! separately from those that have not.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

/// The maximum number of connections that have not sent the secret. If there are more, the oldest of them is closed.
const MAX_UNKNOWN: usize = 128;
/// The maximum number of connections that have sent the secret.
const MAX_KNOWN: usize = 128;

#[derive(Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    next: u64,
    /// Connections that have not sent the secret, oldest first.
    unknown: VecDeque<(u64, CancellationToken)>,
    n_known: usize,
}

/// One open connection. On drop, it no longer counts towards the maximum.
pub struct Connection {
    all: Connections,
    number: u64,
    is_known: Mutex<bool>,
    /// Closes the connection when it is cancelled, for example to make room for a newer one.
    pub ending: CancellationToken,
}

impl Connections {
    pub(crate) fn open(&self) -> Arc<Connection> {
        let mut state = self.state();
        if state.unknown.len() >= MAX_UNKNOWN
            && let Some((_, oldest)) = state.unknown.pop_front()
        {
            oldest.cancel();
        }
        let number = state.next;
        state.next += 1;
        let ending = CancellationToken::new();
        state.unknown.push_back((number, ending.clone()));
        let all = self.clone();
        Arc::new(Connection { all, number, is_known: Mutex::default(), ending })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Records that a request contained the secret. Returns `false` if too many connections have sent the secret.
    pub fn has_shown_secret(&self) -> bool {
        let mut is_known = self.is_known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.all.state();
        if !*is_known && state.n_known < MAX_KNOWN {
            *is_known = true;
            state.n_known += 1;
            state.unknown.retain(|(number, _)| *number != self.number);
        }
        *is_known
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let is_known = *self.is_known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.all.state();
        if is_known {
            state.n_known -= 1;
        } else {
            state.unknown.retain(|(number, _)| *number != self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c4_a_new_connection_closes_the_oldest_one_without_the_secret() {
        let all = Connections::default();
        let known = all.open();
        assert!(known.has_shown_secret());
        let silent: Vec<_> = (0..MAX_UNKNOWN).map(|_| all.open()).collect();
        assert!(silent.iter().all(|connection| !connection.ending.is_cancelled()));
        let new = all.open();
        assert!(silent[0].ending.is_cancelled() && !silent[1].ending.is_cancelled());
        assert!(new.has_shown_secret() && !new.ending.is_cancelled());
        assert!(!known.ending.is_cancelled());
    }

    #[test]
    fn c4_a_closed_connection_no_longer_counts() {
        let all = Connections::default();
        let known: Vec<_> = (0..MAX_KNOWN).map(|_| all.open()).collect();
        assert!(known.iter().all(|connection| connection.has_shown_secret()));
        let one_more = all.open();
        assert!(!one_more.has_shown_secret());
        drop(known);
        assert!(one_more.has_shown_secret());
        drop(one_more);
        let state = all.state();
        assert_eq!((state.unknown.len(), state.n_known), (0, 0));
    }
}
