//! `cargo xtask campaign`: runs the hook in the same way as a client, for prompts and for tool calls that start a
//! sub-agent, and injects faults. A fault must not block a prompt or a call, produce output that a client cannot read, cause a hang, or leave processes or files behind.

mod fault;
mod launch;
mod leftovers;
mod random;
mod setup;
mod templates;
mod verdict;

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crate::output::{print_message, print_result};
use fault::Fault;
use setup::Setup;
use templates::Templates;
use verdict::Complaint;

const DEFAULT_RUNS: u64 = 200;
const DEFAULT_SEED: u64 = 20_261_116;
/// The number of runs in a group. Within each group, the runs whose positions are in [`AT_ONCE`] start at the same
/// time.
const ROUND: u64 = 1_000;
const AT_ONCE: Range<u64> = 100..200;
/// The number of concurrent runs outside of [`AT_ONCE`]. It exceeds the number of cores, because most runs are waiting.
const WORKERS: u64 = 16;
/// The maximum number of times that a run without a fault is repeated because it had no briefing.
const MAX_REPETITIONS: usize = 5;
/// The maximum number of failures that are printed in full, per fault and kind of failure.
const MAX_SHOWN: usize = 3;

struct Options {
    /// The folder that contains `adjutant-hook` and `adjutant`.
    programs: Option<PathBuf>,
    runs: Range<u64>,
    seed: u64,
    /// Whether to execute only one run and print its output.
    is_single: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { programs: None, runs: 0..DEFAULT_RUNS, seed: DEFAULT_SEED, is_single: false }
    }
}

/// A failed check of one run.
struct Failure {
    run: u64,
    fault: Fault,
    complaint: Complaint,
    detail: String,
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let Some(options) = read_options(arguments) else {
        print_message(
            "usage: cargo xtask campaign [--runs N] [--seed S] [--only RUN] [--programs DIR]",
        );
        return ExitCode::from(2);
    };
    finish(run_campaign(&options))
}

fn finish(ended: io::Result<Vec<Failure>>) -> ExitCode {
    match ended {
        Ok(failures) if failures.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            print_message(&format!("error: the campaign cannot be set up: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn read_options(arguments: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return None };
        let number = || value.parse::<u64>().ok();
        match *name {
            "--runs" => options.runs = 0..number()?,
            "--seed" => options.seed = number()?,
            "--only" => {
                let run = number()?;
                (options.runs, options.is_single) = (run..run.checked_add(1)?, true);
            }
            "--programs" => options.programs = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(options)
}

fn run_campaign(options: &Options) -> io::Result<Vec<Failure>> {
    let started = Instant::now();
    let templates = Templates::make(options.programs.as_deref())?;
    print_message(&format!(
        "{} runs of {}",
        options.runs.clone().count(),
        templates.programs.display()
    ));
    if templates.full_disk.is_none() {
        print_message(
            "note: mounting is not allowed here; `full disk` uses a file size limit of 0 instead",
        );
    }
    if !templates.is_root {
        print_message(
            "note: not root; the process limit also counts the other processes of this user",
        );
    }
    let mut failures = Vec::new();
    let mut first = options.runs.start;
    while first < options.runs.end {
        let position = first % ROUND;
        let (block_end, at_once) = match position {
            _ if position < AT_ONCE.start => (AT_ONCE.start, WORKERS),
            _ if position < AT_ONCE.end => (AT_ONCE.end, AT_ONCE.end - AT_ONCE.start),
            _ => (ROUND, WORKERS),
        };
        let end = (first - position + block_end).min(options.runs.end);
        failures.extend(run_block(&templates, options, first..end, at_once)?);
        first = end;
    }
    report(options, &failures);
    print_result(&format!("{} s", started.elapsed().as_secs()));
    Ok(failures)
}

/// Executes a block of runs, waits until their processes have ended, and checks for remaining processes and files.
fn run_block(
    templates: &Templates,
    options: &Options,
    runs: Range<u64>,
    at_once: u64,
) -> io::Result<Vec<Failure>> {
    let setups: io::Result<Vec<Setup>> =
        runs.map(|run| Setup::of_run(templates, options.seed, run)).collect();
    let setups: Vec<Mutex<Setup>> = setups?.into_iter().map(Mutex::new).collect();
    let failures = Mutex::new(Vec::new());
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..at_once.min(setups.len() as u64) {
            scope.spawn(|| {
                while let Some(setup) = usize::try_from(next.fetch_add(1, Ordering::Relaxed))
                    .ok()
                    .and_then(|at| setups.get(at))
                {
                    let found = run_one(options, &mut setup.lock().expect("one thread has it"));
                    failures.lock().expect("no thread panicked").extend(found);
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panicked");
    let mut setups: Vec<Setup> =
        setups.into_iter().map(|setup| setup.into_inner().expect("no thread panicked")).collect();
    for setup in &mut setups {
        let is_silent = |it: &Failure| it.run == setup.run && it.complaint == Complaint::NoBriefing;
        if failures.iter().any(is_silent) {
            failures.retain(|failure| !is_silent(failure));
            failures.extend(repeat_alone(options, setup));
        }
    }
    failures.extend(check_leftovers(templates, &setups));
    for setup in &setups {
        std::fs::remove_dir_all(&setup.folder)?;
    }
    Ok(failures)
}

/// Repeats a run that had no briefing although there was no fault. On a busy machine, the hook can reach its time
/// limit before the briefing is complete, and must then output nothing. Returns the failures of the last repetition
/// if none of the repetitions had a briefing.
fn repeat_alone(options: &Options, setup: &mut Setup) -> Vec<Failure> {
    let mut failures = Vec::new();
    for _ in 0..MAX_REPETITIONS {
        failures = run_one(options, setup);
        if failures.is_empty() {
            break;
        }
    }
    failures
}

fn run_one(options: &Options, setup: &mut Setup) -> Vec<Failure> {
    let (run, fault, event) = (setup.run, setup.fault, setup.event);
    let failure = |(complaint, detail)| Failure { run, fault, complaint, detail };
    let ended = match launch::launch(setup) {
        Ok(ended) => ended,
        Err(error) => {
            return vec![failure((Complaint::InvalidOutput, format!("not started: {error}")))];
        }
    };
    let stderr = String::from_utf8_lossy(&ended.stderr);
    if options.is_single {
        print_result(&format!("run {run}: {event:?}, {}\nexit code {}", fault.name(), ended.code));
        print_result(&format!(
            "stdout: {}\nstderr: {stderr}",
            String::from_utf8_lossy(&ended.stdout)
        ));
    }
    let talked: String = stderr.chars().take(200).collect();
    let with_stderr = |(complaint, detail): (Complaint, String)| {
        failure((complaint, format!("{detail}; stderr: {talked:?}")))
    };
    verdict::judge(fault, event, &ended).into_iter().map(with_stderr).collect()
}

fn check_leftovers(templates: &Templates, setups: &[Setup]) -> Vec<Failure> {
    let markers: Vec<String> = setups.iter().map(|setup| setup.marker.clone()).collect();
    let processes = leftovers::processes_left(&markers);
    let mut failures = Vec::new();
    for setup in setups {
        let Setup { run, fault, .. } = *setup;
        if let Some(commands) = processes.get(&setup.marker) {
            let (complaint, detail) = (Complaint::LeftProcess, commands.join("; "));
            failures.push(Failure { run, fault, complaint, detail });
        }
        let files = leftovers::files_left(templates, setup);
        if !files.is_empty() {
            let (complaint, detail) = (Complaint::LeftFile, files.join("; "));
            failures.push(Failure { run, fault, complaint, detail });
        }
    }
    failures
}

fn report(options: &Options, failures: &[Failure]) {
    let mut runs: BTreeMap<Fault, u64> = BTreeMap::new();
    for run in options.runs.clone() {
        *runs.entry(Fault::of_run(run)).or_default() += 1;
    }
    let row = |name: &str, n_runs: u64, of: &dyn Fn(&Failure) -> bool| {
        let count = |complaints: &[Complaint]| {
            let counted = |it: &&Failure| of(it) && complaints.contains(&it.complaint);
            failures.iter().filter(counted).count()
        };
        format!(
            "{name:<34} {n_runs:>6} {:>8} {:>8} {:>6} {:>10}",
            count(&[Complaint::Blocked]),
            count(&[Complaint::InvalidOutput, Complaint::NoBriefing]),
            count(&[Complaint::Hang]),
            count(&[Complaint::LeftProcess, Complaint::LeftFile]),
        )
    };
    print_result(&format!(
        "{:<34} {:>6} {:>8} {:>8} {:>6} {:>10}",
        "fault", "runs", "blocked", "invalid", "hangs", "leftovers"
    ));
    for (fault, n_runs) in &runs {
        print_result(&row(fault.name(), *n_runs, &|failure| failure.fault == *fault));
    }
    print_result(&row("all", runs.values().sum(), &|_| true));
    let mut shown: BTreeMap<(Fault, Complaint), usize> = BTreeMap::new();
    for Failure { run, fault, complaint, detail } in failures {
        let n_shown = shown.entry((*fault, *complaint)).or_default();
        *n_shown += 1;
        if *n_shown <= MAX_SHOWN {
            print_message(&format!("error: run {run} ({}): {complaint:?}: {detail}", fault.name()));
            print_message(&format!(
                "hint: `cargo xtask campaign --seed {} --only {run}`",
                options.seed
            ));
        }
    }
    let n_hidden: usize = shown.values().map(|n_shown| n_shown.saturating_sub(MAX_SHOWN)).sum();
    if n_hidden > 0 {
        print_message(&format!("{n_hidden} similar failures are not shown"));
    }
}
