//! Sends the page's content as server-sent events whenever it changes.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::body::{Body, Bytes, Frame};
use queue::TaskId;
use runs::SessionId;
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio_util::sync::CancellationToken;

use crate::server::App;

/// The maximum number of open streams.
pub(crate) const MAX_STREAMS: usize = 8;
/// The maximum number of events waiting to be read by a browser. If more are waiting, the browser is disconnected.
const MAX_LATE: usize = 8;
/// The minimum pause between two reads of the data that the page shows.
const INTERVAL: Duration = Duration::from_millis(700);
/// The pause after a read is this many times as long as the read, but at least [`INTERVAL`].
const PAUSE_FACTOR: u32 = 8;
/// If nothing has changed for this long, a comment is sent to find out whether the connection is still open.
const MAX_SILENCE: Duration = Duration::from_secs(15);
const MAX_BRIEFINGS: usize = 50;

/// The item that a page shows in addition to the overview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    Overview,
    Job(SessionId),
    Task(TaskId),
    Briefings,
}

impl Selected {
    /// Parses the query parameter that selects an item, such as `job:cdx-…`. Without the parameter, the overview is
    /// selected. Returns `None` if the parameter is invalid.
    pub(crate) fn parse(word: Option<&str>) -> Option<Self> {
        let Some(word) = word else { return Some(Self::Overview) };
        match word.split_once(':') {
            Some(("job", id)) => SessionId::new(id).ok().map(Self::Job),
            Some(("task", id)) => TaskId::new(id).ok().map(Self::Task),
            _ => (word == "briefings").then_some(Self::Briefings),
        }
    }
}

/// Starts a stream. Returns `None` if too many are open. If the browser does not read its events, `ending` is cancelled
/// and the connection is closed.
pub(crate) fn open(
    app: Arc<App>,
    selected: Selected,
    ending: CancellationToken,
) -> Option<EventBody> {
    let place = Arc::clone(&app.streams).try_acquire_owned().ok()?;
    let (sender, receiver) = mpsc::channel(MAX_LATE);
    tokio::spawn(follow(app, selected, sender, ending, place));
    Some(EventBody(receiver))
}

/// A response body that ends when its sender is dropped.
pub(crate) struct EventBody(Receiver<Bytes>);

impl Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}

/// The name of an event and its data as JSON.
type Event = (&'static str, String);

/// Sends events until the browser closes the stream. `_place` is kept until then.
async fn follow(
    app: Arc<App>,
    selected: Selected,
    sender: Sender<Bytes>,
    ending: CancellationToken,
    _place: OwnedSemaphorePermit,
) {
    let mut sent: Vec<Event> = Vec::new();
    let mut last_sent = Instant::now();
    loop {
        let started = Instant::now();
        let (for_look, shown) = (Arc::clone(&app), selected.clone());
        let looked = tokio::task::spawn_blocking(move || look(&for_look, &shown)).await;
        let Ok(found) = looked else {
            return;
        };
        let mut new: Vec<Bytes> = found
            .iter()
            .filter(|event| !sent.contains(event))
            .map(|(name, data)| Bytes::from(format!("event: {name}\ndata: {data}\n\n")))
            .collect();
        if new.is_empty() && last_sent.elapsed() > MAX_SILENCE {
            new.push(Bytes::from_static(b":\n\n"));
        }
        for event in new {
            last_sent = Instant::now();
            match sender.try_send(event) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => return ending.cancel(),
                Err(TrySendError::Closed(_)) => return,
            }
        }
        sent = found;
        let pause = started.elapsed().saturating_mul(PAUSE_FACTOR).max(INTERVAL);
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = sender.closed() => return,
        }
    }
}

/// Reads everything that a page shows.
fn look(app: &App, selected: &Selected) -> Vec<Event> {
    let work = &app.work;
    let mut events = vec![event("work", &work.overview())];
    match selected {
        Selected::Overview => {}
        Selected::Job(id) => {
            events.push(event("job", &work.job(id)));
            let log = work.agent_log(id);
            events.push(event("log", &log.unwrap_or_default()));
        }
        Selected::Task(id) => {
            events.push(event("task", &work.task(id)));
            events.push(event("log", &work.task_log(id)));
        }
        Selected::Briefings => {
            events.push(event("benefit", &(app.options.benefit)()));
            events.push(event("briefings", &(app.options.briefings)(MAX_BRIEFINGS)));
        }
    }
    events
}

fn event(name: &'static str, value: &impl Serialize) -> Event {
    // A path that is not UTF-8 cannot be written as JSON.
    (name, serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()))
}

#[cfg(test)]
mod tests;
