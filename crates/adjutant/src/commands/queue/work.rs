//! `queue work`: takes tasks and runs them until a stop is requested or the queue is empty.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use clap::Args;
use process::{Environment, Program, StartError, Tether};
use queue::{
    AgentRunner, GRACE_OF_DEAD_WORKERS, Owner, Receivers, StoreLocation, TaskStore, WorkEvent,
    WorkOptions, deliver_due,
};

use super::settings::{QueuePlaces, QueueSettings, STORE_VARIABLE};
use super::{STORE_TIMEOUT, StoreArguments};
use crate::commands::run::{directory, run_host_at, sessions_root};
use crate::failure::Failure;
use crate::{edge, output, signals};

/// The interval at which a worker looks for notices that are due.
const NOTICE_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Args)]
pub(crate) struct Arguments {
    /// Run at most this many tasks at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    slots: u16,
    /// Exit when no remaining task can start without user action
    #[arg(long)]
    until_empty: bool,
    /// Take only tasks of this repository (repeatable)
    #[arg(long, value_name = "DIR")]
    repository: Vec<PathBuf>,
    /// Give up a task after this many seconds without a connection to the store
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86400))]
    lease: u64,
    #[command(flatten)]
    store: StoreArguments,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let environment = edge::environment();
    let places = QueuePlaces::find(&environment)?;
    let receivers = QueueSettings::read(&environment)?.receivers(&environment)?;
    let repositories = arguments.repository.iter().map(|named| directory(Some(named)));
    let options = WorkOptions {
        slots: usize::from(arguments.slots),
        lease: Duration::from_secs(arguments.lease),
        is_until_empty: arguments.until_empty,
        repositories: repositories.collect::<Result<_, Failure>>()?,
        spool: places.spool(),
    };
    let stop = signals::stop_on_signals();
    let location = arguments.store.location()?;
    // If the first connection fails, the command fails. Later, the worker waits until the store can be reached again.
    let mut store = TaskStore::open(location.clone(), STORE_TIMEOUT)?;
    store.set_timeout(Duration::ZERO);
    let owner = Owner::this_process(edge::entropy());
    // The URL of the store may contain a password.
    let for_agents = environment.clone().without(STORE_VARIABLE);
    let host = run_host_at(&for_agents, sessions_root(&environment, None)?);
    let runner = AgentRunner::new(host, &owner, places.worktrees(&for_agents));
    let _watchdog = start_watchdog(&environment, &owner).map_err(|error| {
        let message = format!("cannot start the worker watchdog: {error}");
        Failure::configuration(message)
    })?;
    if !arguments.until_empty {
        output::talk(
            "waiting for tasks; Ctrl-C stops the worker and puts its tasks back into the queue",
        );
    }
    let mut n_events = 0;
    let notices = NoticeThread::start(location, receivers);
    let worked = queue::work(&mut store, &owner, &runner, &options, &stop, &mut |event| {
        n_events += 1;
        output::talk(&line(&event));
        if matches!(event, WorkEvent::Ended { .. }) {
            notices.wake();
        }
    });
    notices.finish();
    worked?;
    if arguments.until_empty && n_events == 0 {
        output::talk("no task can start");
    }
    Ok(ExitCode::SUCCESS)
}

fn line(event: &WorkEvent<'_>) -> String {
    match event {
        WorkEvent::Started(claim) => {
            let is_again = !claim.previous.is_empty();
            let again = if is_again { " again, after its worker died" } else { "" };
            format!("{}  started{again}: {}", claim.task.id, claim.task.title)
        }
        WorkEvent::Ended { task, report } => {
            format!("{task}  {}: {}", report.result.word(), report.reason)
        }
        WorkEvent::LeaseLost(task) => {
            format!("{task}  another worker has taken it; the result is not stored")
        }
        WorkEvent::Released(task) => format!("{task}  put back"),
        WorkEvent::Unreachable(reason) => {
            format!("the store cannot be reached: {reason}; trying again")
        }
        WorkEvent::Reachable => "the store can be reached again".to_owned(),
        WorkEvent::DayLimit { until } => {
            let until = jiff::Timestamp::from_millisecond(*until).unwrap_or_default();
            format!("a daily limit has been reached; no task starts before {until}")
        }
    }
}

/// Starts the process that stops this worker's agents if the worker is killed.
fn start_watchdog(environment: &Environment, owner: &Owner) -> Result<Tether, StartError> {
    let program = edge::program_directory().unwrap_or_default().join("adjutant");
    let environment = environment.clone().without(STORE_VARIABLE);
    let program = Program::new(program, environment)
        .arguments(["queue", "watch"])
        .directory("/")
        .stdin(format!("{}\n", owner.worker));
    process::start_tethered(&program)
}

/// Runs the worker watchdog, which waits until the worker has exited, and then stops all processes of its tasks.
pub(super) fn watch() -> Result<ExitCode, Failure> {
    let mut input = io::stdin().lock();
    let mut worker = String::new();
    input.read_line(&mut worker).map_err(Failure::usage)?;
    // Blocks until the worker closes the pipe or dies.
    io::copy(&mut input, &mut io::sink()).map_err(Failure::usage)?;
    let worker = worker.trim_end();
    let has_ended = worker.is_empty() || queue::end_processes(worker, GRACE_OF_DEAD_WORKERS);
    Ok(if has_ended { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A thread that delivers notices over its own connection to the store.
struct NoticeThread {
    wake: Sender<()>,
    thread: JoinHandle<()>,
}

impl NoticeThread {
    fn start(location: StoreLocation, receivers: Receivers) -> Self {
        let (wake, woken) = channel();
        let thread = std::thread::spawn(move || {
            let mut store = None;
            loop {
                let is_over = matches!(
                    woken.recv_timeout(NOTICE_INTERVAL),
                    Err(RecvTimeoutError::Disconnected)
                );
                if store.is_none() {
                    store = TaskStore::open(location.clone(), STORE_TIMEOUT).ok();
                }
                let delivered = store.as_mut().map(|store| deliver_due(store, &receivers));
                // A notice whose delivery cannot be recorded remains in the store.
                if let Some(Err(error)) = delivered {
                    output::talk(&format!("notices: {error}"));
                    store = None;
                }
                if is_over {
                    return;
                }
            }
        });
        Self { wake, thread }
    }

    fn wake(&self) {
        // The thread runs until the sender is dropped.
        let _sent = self.wake.send(());
    }

    /// Delivers all notices that are due now, and ends the thread.
    fn finish(self) {
        drop(self.wake);
        drop(self.thread.join());
    }
}
