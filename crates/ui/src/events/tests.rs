use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use process::Environment;
use queue::StoreLocation;
use runs::RunHost;

use super::*;
use crate::Options;

/// A page whose briefing log is different at every read.
fn app() -> Arc<App> {
    let looks = AtomicUsize::new(0);
    let host = RunHost {
        environment: Environment::default(),
        clock: || SystemTime::UNIX_EPOCH,
        entropy: || "0".to_owned(),
        sessions: PathBuf::from("/nonexistent"),
        cache: None,
        program: None,
        configuration: None,
        stdin: || Ok(Vec::new()),
        brief: |_, _, _| None,
    };
    let options = Options {
        port: 0,
        language: None,
        secret: || Ok("0".repeat(64)),
        folder: None,
        codex: host,
        queue: StoreLocation::File(PathBuf::from("/nonexistent/queue.db")),
        briefings: Box::new(
            move |_| serde_json::json!([{ "characters": looks.fetch_add(1, Ordering::Relaxed) }]),
        ),
        benefit: Box::new(|| serde_json::Value::Null),
    };
    Arc::new(App::new(4000, options).unwrap())
}

#[test]
fn a_browser_that_does_not_read_its_events_is_disconnected() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (app, ending) = (app(), CancellationToken::new());
        let body = open(Arc::clone(&app), Selected::Briefings, ending.clone()).unwrap();
        assert_eq!(app.streams.available_permits(), MAX_STREAMS - 1);
        ending.cancelled().await;
        assert_eq!(body.0.len(), MAX_LATE);
        while app.streams.available_permits() < MAX_STREAMS {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn a_closed_stream_no_longer_counts() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (app, ending) = (app(), CancellationToken::new());
        drop(open(Arc::clone(&app), Selected::Overview, ending.clone()).unwrap());
        while app.streams.available_permits() < MAX_STREAMS {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(!ending.is_cancelled());
    });
}
