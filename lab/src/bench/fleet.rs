//! `cargo xtask bench fleet`: runs many queue tasks on each store, while workers are killed and PostgreSQL restarts.
//! Checks that every task has exactly one result and that no processes or files are left behind, and compares the time
//! per task with a direct start of codex.

mod check;
mod limit;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use queue::{NewTask, StoreError, StoreLocation, TaskFilter, TaskRequest, TaskState, TaskStore};
use runs::RunRequest;
use testkit::{FakeCodex, Launch, PipedProgram, PostgresServer, Repository};

use super::hook;
use crate::output::{print_message, print_result};
use crate::root;

const DEFAULT_TASKS: usize = 1_000;
const N_WORKERS: usize = 4;
const SLOTS: &str = "2";
/// The number of direct starts of codex, and of tasks in a single slot without other load. The difference of their
/// times is the overhead of a task.
const N_ALONE: usize = 20;
/// Limits the number of tasks that finish between two kills of a worker. The number is random, and at most the number
/// of all tasks divided by this value.
const MAX_PART_BETWEEN_KILLS: usize = 20;
const N_RESTARTS: usize = 2;
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(250);
/// The time without progress after which the benchmark fails.
const STALLED: Duration = Duration::from_secs(300);
const CLEAN_TIMEOUT: Duration = Duration::from_secs(1200);
const SCENARIO: &str = "thread; echo changed > result.txt; message 'Done.'; completed";

struct Fleet {
    /// The path of `adjutant`.
    program: PathBuf,
    home: tempfile::TempDir,
    repository: Repository,
    codex: FakeCodex,
    location: StoreLocation,
    /// The value of `ADJUTANT_QUEUE_STORE`.
    store: String,
}

struct Options {
    n_tasks: usize,
    /// The folder that contains the programs to measure. If `None`, a new release build is measured.
    programs: Option<PathBuf>,
    /// The store to measure: `sqlite` or `postgresql`. If `None`, both are measured.
    store: Option<String>,
}

impl Options {
    fn parse(arguments: &[&str]) -> Option<Self> {
        let mut options = Self { n_tasks: DEFAULT_TASKS, programs: None, store: None };
        for pair in arguments.chunks(2) {
            match *pair {
                ["--tasks", number] => options.n_tasks = number.parse().ok()?,
                ["--programs", folder] => options.programs = Some(root().join(folder)),
                ["--store", name @ ("sqlite" | "postgresql")] => {
                    options.store = Some(name.to_owned());
                }
                _ => return None,
            }
        }
        (options.n_tasks > 0).then_some(options)
    }
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let Some(Options { n_tasks, programs, store }) = Options::parse(arguments) else {
        print_message(
            "error: usage: cargo xtask bench fleet [--tasks N] [--programs DIR] [--store sqlite|postgresql]",
        );
        return ExitCode::from(2);
    };
    if programs.is_none() && !hook::build() {
        return ExitCode::FAILURE;
    }
    let program = programs.unwrap_or_else(|| root().join("target/release")).join("adjutant");
    let is_measured = |name: &str| store.as_deref().is_none_or(|store| store == name);
    let mut measured = limit::measure(&program);
    if is_measured("sqlite") {
        measured = measured.and_then(|()| on_sqlite(&program, n_tasks));
    }
    if is_measured("postgresql") {
        measured = measured.and_then(|()| on_postgresql(&program, n_tasks));
    }
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            print_message(&format!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

fn on_sqlite(program: &Path, n_tasks: usize) -> Result<(), String> {
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = home.path().join("store/queue.db");
    let fleet = Fleet::new(program, home, &path.to_string_lossy())?;
    fleet.measure("SQLite", n_tasks, &mut |_| ())
}

fn on_postgresql(program: &Path, n_tasks: usize) -> Result<(), String> {
    let mut server = PostgresServer::start();
    let home = tempfile::tempdir().map_err(|error| error.to_string())?;
    let fleet = Fleet::new(program, home, &server.url())?;
    let mut n_restarts = 0;
    fleet.measure("PostgreSQL, restarted twice", n_tasks, &mut |n_ended| {
        if n_restarts < N_RESTARTS && n_ended * (N_RESTARTS + 1) >= n_tasks * (n_restarts + 1) {
            n_restarts += 1;
            server.restart();
        }
    })?;
    match n_restarts {
        N_RESTARTS => Ok(()),
        _ => Err(format!("PostgreSQL was restarted {n_restarts} times")),
    }
}

impl Fleet {
    fn new(program: &Path, home: tempfile::TempDir, store: &str) -> Result<Self, String> {
        let location =
            StoreLocation::parse(store, Path::new("/")).map_err(|error| error.to_string())?;
        let repository = Repository::builder().file("a.txt", "a\n").commit("one").build();
        let codex = FakeCodex::doing(SCENARIO);
        let program = program.to_owned();
        Ok(Self { program, home, repository, codex, location, store: store.to_owned() })
    }

    fn launch(&self, program: &Path) -> Launch {
        Launch::new(program, self.repository.path())
            .first_on_path(self.codex.folder())
            .env("HOME", self.home.path())
            .env("ADJUTANT_STATE_DIR", self.home.path().join("state"))
            .env("ADJUTANT_QUEUE_STORE", &self.store)
    }

    fn start_worker(&self, slots: &str) -> PipedProgram {
        self.launch(&self.program)
            .arguments(["queue", "work", "--until-empty", "--slots", slots])
            .start_piped()
    }

    /// Returns the mean duration of `codex exec` without the queue.
    fn direct(&self) -> Duration {
        let started = Instant::now();
        for _ in 0..N_ALONE {
            let program = self.codex.program();
            self.launch(&program).arguments(["exec", "--json"]).input("x").run().expect_success();
        }
        started.elapsed() / u32::try_from(N_ALONE).unwrap_or(1)
    }

    fn add(&self, store: &mut TaskStore, n_tasks: usize) -> Result<(), StoreError> {
        (0..n_tasks).try_for_each(|number| store.add(&self.task(number), &random()).map(drop))
    }

    fn measure(
        &self,
        name: &str,
        n_tasks: usize,
        disturb: &mut dyn FnMut(usize),
    ) -> Result<(), String> {
        let text = |error: StoreError| error.to_string();
        let mut store = TaskStore::open(self.location.clone(), PATIENCE).map_err(text)?;
        let direct = self.direct();
        self.add(&mut store, N_ALONE).map_err(text)?;
        end(&mut self.start_worker("1"))?;
        let alone = self.check(&mut store, N_ALONE)?;
        self.add(&mut store, n_tasks).map_err(text)?;
        let started = Instant::now();
        let n_kills = self.drive(&mut store, N_ALONE + n_tasks, disturb)?;
        let wall = started.elapsed();
        let fleet = self.check(&mut store, N_ALONE + n_tasks)?;
        let clean = self.launch(&self.program).arguments(["queue", "clean"]).limit(CLEAN_TIMEOUT);
        let cleaned = clean.run().expect_success().wall;
        self.check_nothing_is_left()?;
        let per_second = n_tasks as f64 / wall.as_secs_f64();
        let direct = hook::millis(direct);
        print_result(&format!("{name}: {n_tasks} tasks, {N_WORKERS} workers with {SLOTS} slots"));
        print_result(&format!("  workers killed                    {n_kills:8}"));
        print_result(&format!("  attempts lost and repeated        {:8}", fleet.n_lost));
        print_result(&format!("  tasks per second                  {per_second:8.1}"));
        print_result(&format!(
            "  clean                             {:8.1} s",
            cleaned.as_secs_f64()
        ));
        print_result(&format!("  a task of the fleet, median       {:8} ms", fleet.median_ms));
        print_result(&format!("  a task in one slot alone, median  {:8} ms", alone.median_ms));
        print_result(&format!("  codex started directly, mean      {direct:8.1} ms"));
        let overhead = alone.median_ms as f64 - direct;
        print_result(&format!("  overhead of a task                {overhead:8.1} ms"));
        Ok(())
    }

    /// Runs the workers until all tasks have finished. Repeatedly kills one of them after a random number of tasks
    /// and starts another. Returns the number of killed workers.
    fn drive(
        &self,
        store: &mut TaskStore,
        n_tasks: usize,
        disturb: &mut dyn FnMut(usize),
    ) -> Result<usize, String> {
        let mut workers: Vec<PipedProgram> =
            (0..N_WORKERS).map(|_| self.start_worker(SLOTS)).collect();
        let filter = TaskFilter { states: vec![TaskState::Finished], ..TaskFilter::default() };
        let between_kills = || 1 + random_below(n_tasks.div_ceil(MAX_PART_BETWEEN_KILLS));
        let mut next_kill = N_ALONE + between_kills();
        let (mut n_kills, mut progress) = (0, (0, Instant::now()));
        loop {
            let n_ended = store.tasks(&filter).map_err(|error| error.to_string())?.len();
            if n_ended == n_tasks {
                break;
            }
            if n_ended != progress.0 {
                progress = (n_ended, Instant::now());
            }
            if progress.1.elapsed() > STALLED {
                return Err(format!("only {n_ended} of {n_tasks} tasks have finished"));
            }
            disturb(n_ended);
            if n_ended >= next_kill {
                // Dropping a worker kills it with SIGKILL.
                drop(workers.remove(random_below(workers.len())));
                workers.push(self.start_worker(SLOTS));
                n_kills += 1;
                next_kill = n_ended + between_kills();
            }
            std::thread::sleep(POLL);
        }
        workers.iter_mut().try_for_each(end)?;
        Ok(n_kills)
    }

    fn task(&self, number: usize) -> NewTask {
        let repository = self.repository.path().to_owned();
        let run = RunRequest::task(format!("number {number}")).without_briefing();
        let request = TaskRequest::in_worktree(run, repository.clone());
        NewTask::new(format!("number {number}"), repository, request)
    }
}

/// Waits until a worker has ended. Fails if the worker fails or does not end within [`STALLED`].
fn end(worker: &mut PipedProgram) -> Result<(), String> {
    match worker.exit_code(STALLED) {
        Some(0) => Ok(()),
        _ => Err(format!("a worker failed: {}", worker.stderr())),
    }
}

fn random_number() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish()
}

fn random() -> String {
    format!("{:016x}", random_number())
}

fn random_below(bound: usize) -> usize {
    usize::try_from(random_number() % bound as u64).unwrap_or_default()
}
