//! `cargo xtask bench fleet`: runs many tasks of the queue on each kind of store, while workers are killed and PostgreSQL is
//! restarted. Checks that every task has exactly one result, and compares the duration of a task with that of a direct start
//! of codex.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use queue::{
    NewTask, OnLost, Request, State, Store, StoreError, StoreLocation, TaskFilter, TaskLimits,
};
use testkit::{FakeCodex, Launch, PipedProgram, PostgresServer, Repository};

use super::hook;
use crate::output::{print_message, print_result};
use crate::root;

const DEFAULT_TASKS: usize = 1_000;
const N_WORKERS: usize = 4;
const SLOTS: &str = "2";
const N_DIRECT: usize = 20;
const PATIENCE: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(100);
/// The time without progress after which the benchmark fails.
const STALLED: Duration = Duration::from_secs(300);
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
    /// The folder of the programs to measure. If `None`, a new release build is measured.
    programs: Option<PathBuf>,
}

impl Options {
    fn parse(arguments: &[&str]) -> Option<Self> {
        let mut options = Self { n_tasks: DEFAULT_TASKS, programs: None };
        for pair in arguments.chunks(2) {
            match *pair {
                ["--tasks", number] => options.n_tasks = number.parse().ok()?,
                ["--programs", folder] => options.programs = Some(root().join(folder)),
                _ => return None,
            }
        }
        (options.n_tasks > 0).then_some(options)
    }
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let Some(Options { n_tasks, programs }) = Options::parse(arguments) else {
        print_message("error: usage: cargo xtask bench fleet [--tasks N] [--programs DIR]");
        return ExitCode::from(2);
    };
    if programs.is_none() && !hook::build() {
        return ExitCode::FAILURE;
    }
    let program = programs.unwrap_or_else(|| root().join("target/release")).join("adjutant");
    let measured = on_sqlite(&program, n_tasks).and_then(|()| on_postgresql(&program, n_tasks));
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
        if n_restarts < 2 && n_ended * 3 >= n_tasks * (n_restarts + 1) {
            n_restarts += 1;
            server.restart();
        }
    })
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

    fn start_worker(&self) -> PipedProgram {
        self.launch(&self.program)
            .arguments(["queue", "work", "--until-empty", "--slots", SLOTS])
            .start_piped()
    }

    /// Returns the mean duration of `codex exec` without the queue.
    fn direct(&self) -> Duration {
        let started = Instant::now();
        for _ in 0..N_DIRECT {
            let program = self.codex.program();
            self.launch(&program).arguments(["exec", "--json"]).input("x").run().expect_success();
        }
        started.elapsed() / u32::try_from(N_DIRECT).unwrap_or(1)
    }

    fn measure(
        &self,
        name: &str,
        n_tasks: usize,
        disturb: &mut dyn FnMut(usize),
    ) -> Result<(), String> {
        let text = |error: StoreError| error.to_string();
        let direct = self.direct();
        let mut store = Store::open(self.location.clone(), PATIENCE).map_err(text)?;
        for number in 0..n_tasks {
            store.add(&self.task(number), &random(number)).map_err(text)?;
        }
        let started = Instant::now();
        let n_kills = self.drive(&mut store, n_tasks, disturb)?;
        let wall = started.elapsed();
        let (n_lost, task_ms) = check(&mut store, n_tasks)?;
        self.launch(&self.program).arguments(["queue", "clean"]).run().expect_success();
        let known = self.repository.git(&["worktree", "list"]);
        if known.lines().count() != 1 {
            return Err(format!("worktrees were not removed:\n{known}"));
        }
        print_result(&format!("{name}: {n_tasks} tasks, {N_WORKERS} workers with {SLOTS} slots"));
        print_result(&format!("  workers killed              {n_kills:8}"));
        print_result(&format!("  attempts lost and repeated  {n_lost:8}"));
        print_result(&format!(
            "  tasks per second            {:8.1}",
            n_tasks as f64 / wall.as_secs_f64()
        ));
        print_result(&format!("  codex started directly      {:8.1} ms", hook::millis(direct)));
        print_result(&format!("  a task in its slot, median  {task_ms:8} ms"));
        Ok(())
    }

    /// Runs the workers until all tasks have ended. Kills a worker each time another 5 % of the tasks have ended. Returns the
    /// number of killed workers.
    fn drive(
        &self,
        store: &mut Store,
        n_tasks: usize,
        disturb: &mut dyn FnMut(usize),
    ) -> Result<usize, String> {
        let mut workers: Vec<PipedProgram> = (0..N_WORKERS).map(|_| self.start_worker()).collect();
        let filter = TaskFilter { states: vec![State::Finished], ..TaskFilter::default() };
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
            if n_ended * 20 >= n_tasks * (n_kills + 1) {
                // Dropping a worker kills it with SIGKILL.
                drop(workers.remove(n_kills % N_WORKERS));
                workers.push(self.start_worker());
                n_kills += 1;
            }
            std::thread::sleep(POLL);
        }
        for worker in &mut workers {
            if worker.exit_code(STALLED) != Some(0) {
                return Err(format!("a worker failed: {}", worker.stderr()));
            }
        }
        Ok(n_kills)
    }

    fn task(&self, number: usize) -> NewTask {
        let repository = self.repository.path().to_owned();
        NewTask {
            key: None,
            title: format!("number {number}"),
            repository: repository.clone(),
            request: Request {
                words: vec!["--context=off".to_owned(), format!("--task=number {number}")],
                here: repository.clone(),
                directory: repository,
                has_worktree: true,
                webhook: None,
            },
            priority: 0,
            max_parallel: None,
            max_retries: 0,
            retry_delay_ms: 0,
            on_lost: OnLost::Again,
            limits: TaskLimits::default(),
            after: Vec::new(),
        }
    }
}

/// Checks that every task has exactly one result. Returns the number of lost attempts and the median duration of an attempt.
fn check(store: &mut Store, n_tasks: usize) -> Result<(usize, i64), String> {
    let text = |error: StoreError| error.to_string();
    let tasks = store.tasks(&TaskFilter::default()).map_err(text)?;
    if tasks.len() != n_tasks {
        return Err(format!("{} tasks instead of {n_tasks}", tasks.len()));
    }
    let (mut n_lost, mut times) = (0, Vec::new());
    for task in &tasks {
        let attempts = store.attempts(&task.id).map_err(text)?;
        let is_finished = |result: &Option<String>| result.as_deref() == Some("finished");
        let n_finished = attempts.iter().filter(|attempt| is_finished(&attempt.result)).count();
        let n_notices = store.notices(&task.id).map_err(text)?.len();
        if n_finished != 1 || n_notices != 1 || task.state != State::Finished {
            return Err(format!(
                "task {} has {n_finished} results and {n_notices} notices",
                task.id
            ));
        }
        n_lost += attempts.len() - 1;
        let last = attempts.last().and_then(|last| Some(last.ended_at? - last.started_at));
        times.extend(last);
    }
    times.sort_unstable();
    Ok((n_lost, times.get(times.len() / 2).copied().unwrap_or_default()))
}

fn random(salt: usize) -> String {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_usize(salt);
    format!("{:016x}", hasher.finish())
}
