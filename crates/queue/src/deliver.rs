//! Delivers the notices in the store to a program that the user has configured, to the desktop, and to webhooks.
//!
//! If a receiver does not respond, delivery is retried later. Delivery never delays a run.

mod webhook;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Program};

use crate::outbox::Notice;
use crate::store::{StoreError, TaskStore};

pub use webhook::{InvalidWebhook, Webhook};

const PROGRAM_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a worker reserves a notice for delivery. This is longer than the timeouts of all receivers combined.
const NOTICE_LEASE_MS: i64 = 5 * 60 * 1000;
const FIRST_DELAY_MS: i64 = 5_000;
const MAX_DELAY_MS: i64 = 60 * 60 * 1000;
/// The maximum number of delivery attempts. With the delays between `FIRST_DELAY_MS` and `MAX_DELAY_MS`, delivery stops
/// after about 14 hours.
const MAX_TRIES: i64 = 24;

/// The receivers in the user's settings.
#[derive(Clone, Debug, Default)]
pub struct Receivers {
    pub all: Vec<Receiver>,
    /// The environment of the programs that receive notices.
    pub environment: Environment,
}

#[derive(Clone, Debug)]
pub enum Receiver {
    /// A program that reads one JSON object from standard input.
    Program(PathBuf),
    /// The desktop, which shows each notice with `notify-send`, if that program is installed.
    Desktop,
    Webhook(Webhook),
}

/// Delivers the notices that are due. Returns their number.
pub fn deliver_due(store: &mut TaskStore, receivers: &Receivers) -> Result<usize, StoreError> {
    let mut n_notices = 0;
    while let Some(notice) = store.claim_notice(NOTICE_LEASE_MS)? {
        n_notices += 1;
        let task = store.task(&notice.task)?;
        let (delivered_to, error) = deliver(receivers, task.request.webhook.as_deref(), &notice);
        let again = error.is_some() && notice.tries < MAX_TRIES;
        let delay = again.then(|| delay_ms(notice.tries));
        store.record_delivery(notice.number, &delivered_to, error.as_deref(), delay)?;
    }
    Ok(n_notices)
}

fn delay_ms(tries: i64) -> i64 {
    let doublings = u32::try_from(tries - 1).unwrap_or(0).min(30);
    FIRST_DELAY_MS.saturating_mul(1 << doublings).min(MAX_DELAY_MS)
}

/// Tries all receivers that have not accepted the notice yet. Returns the names of all receivers that have accepted it, and
/// the last error.
fn deliver(
    receivers: &Receivers,
    webhook: Option<&str>,
    notice: &Notice,
) -> (Vec<String>, Option<String>) {
    let mut delivered_to = notice.delivered_to.clone();
    let mut problem = None;
    let mut all = receivers.all.clone();
    match webhook.map(Webhook::parse) {
        Some(Ok(webhook)) => all.push(Receiver::Webhook(webhook)),
        Some(Err(error)) => problem = Some(error.to_string()),
        None => {}
    }
    for receiver in all {
        let name = receiver.name();
        if delivered_to.contains(&name) {
            continue;
        }
        match receiver.send(&receivers.environment, notice) {
            Ok(()) => delivered_to.push(name),
            Err(error) => problem = Some(format!("{name}: {error}")),
        }
    }
    (delivered_to, problem)
}

impl Receiver {
    fn name(&self) -> String {
        match self {
            Self::Program(path) => format!("program {}", path.display()),
            Self::Desktop => "desktop".to_owned(),
            Self::Webhook(webhook) => format!("webhook {webhook}"),
        }
    }

    fn send(&self, environment: &Environment, notice: &Notice) -> Result<(), String> {
        match self {
            Self::Program(path) => run(Program::new(path, environment.without_secrets())
                .directory("/")
                .stdin(notice.content.as_bytes())),
            Self::Desktop => run(desktop(environment, notice)),
            Self::Webhook(webhook) => webhook.post(&notice.content),
        }
    }
}

fn desktop(environment: &Environment, notice: &Notice) -> Program {
    #[derive(serde::Deserialize)]
    struct Shown {
        title: String,
        reason: Option<String>,
    }
    let shown = serde_json::from_str(&notice.content);
    let Shown { title, reason } =
        shown.unwrap_or_else(|_| Shown { title: notice.task.to_string(), reason: None });
    // Some desktops interpret markup in the body of a notification.
    let plain = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let heading = format!("Adjutant: {} {}", notice.task, notice.kind);
    let text = format!("{}\n{}", plain(&title), plain(&reason.unwrap_or_default()));
    Program::new("notify-send", environment.without_secrets().with_absolute_path())
        .directory("/")
        .arguments(["--app-name=Adjutant", "--"])
        .argument(heading)
        .argument(text)
}

fn run(program: Program) -> Result<(), String> {
    let bounds =
        Bounds { deadline: Instant::now() + PROGRAM_TIMEOUT, stdout_bytes: 0, stderr_bytes: 1024 };
    let finished = process::run(&program, &bounds).map_err(|error| error.to_string())?;
    match finished.end {
        End::Exited(0) => Ok(()),
        End::Exited(code) => Err(format!("exit code {code}: {}", finished.stderr.text().trim())),
        End::Signalled(signal) => Err(format!("killed by signal {signal}")),
        End::TimedOut => Err(format!("did not finish within {} s", PROGRAM_TIMEOUT.as_secs())),
    }
}
