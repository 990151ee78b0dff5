//! `cargo xtask bench toolcall`: measures the overhead of a tool call's lifecycle, compared with calling the tool directly.

use std::io;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use process::{Bounds, Environment, Program};
use serde_json::{Map, json};
use toolcall::{
    CallIdentity, Caller, HookFolders, Hooks, Implementation, ToolCall, ToolContext, ToolOutput,
    Toolbox,
};

use crate::output::{print_message, print_result};

const CALLS: usize = 10_000;
const PROGRAMS: usize = 400;
const ROUNDS: usize = 20;
/// The maximum overhead of a call without hooks, in microseconds.
const MAX_MICROSECONDS: f64 = 50.0;

pub(crate) fn run() -> ExitCode {
    if cfg!(debug_assertions) {
        print_message(
            "note: this is a debug build; `cargo run --release -p xtask -- bench toolcall` gives the relevant figures",
        );
    }
    match measure() {
        Ok(overhead) if overhead <= MAX_MICROSECONDS => ExitCode::SUCCESS,
        Ok(overhead) => {
            print_message(&format!(
                "error: {overhead:.1} µs per call, more than {MAX_MICROSECONDS}"
            ));
            ExitCode::FAILURE
        }
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn answer() -> ToolOutput {
    let item = json!({"path": "src/charge.rs", "line": 4, "title": "charge", "summary": "pub fn charge(cents: u64)"});
    ToolOutput {
        summary: "1 of 3 files answer".to_owned(),
        data: Some(json!({ "items": [item] }).into()),
        ..ToolOutput::default()
    }
}

/// Returns the overhead of the lifecycle without hooks, in microseconds.
fn measure() -> io::Result<f64> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    std::fs::create_dir_all(root.join("src"))?;
    std::fs::write(root.join("src/charge.rs"), "x")?;
    let folders = HookFolders {
        home: Some(root.join("home")),
        configuration: Some(root.join("configuration")),
        copies: Some(root.join("copies")),
    };
    let mut toolbox = Toolbox::default();
    toolbox.put("ci_search", Implementation::builtin(|_| Ok(answer())));
    let call = ToolCall {
        tool: "ci_search".to_owned(),
        arguments: Map::from_iter([
            ("query".to_owned(), json!("charge")),
            ("limit".to_owned(), json!(10)),
        ])
        .into(),
        timeout: Duration::from_secs(60),
        identity: CallIdentity::default(),
    };
    let context = context(&root, Hooks::default())?;
    let live = |context: &ToolContext| {
        toolcall::call(&toolbox, context, &call, Instant::now() + Duration::from_secs(60))
    };

    let alone = times(CALLS, || drop(std::hint::black_box(answer())));
    let on_a_thread = times(CALLS, || {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || sender.send(answer()));
        drop(receiver.recv_timeout(Duration::from_secs(60)));
    });
    let whole = times(CALLS, || drop(live(&context)));
    let reading = times(CALLS, || drop(Hooks::read(&folders, &root)));
    print_result("                                            median      p99");
    show("the tool alone", &alone);
    show("the tool on a thread with a deadline", &on_a_thread);
    show("the whole lifecycle, no hooks", &whole);
    show("searching for hook files, none exist", &reading);

    let hooks = root.join("configuration/hooks");
    std::fs::create_dir_all(&hooks)?;
    let rule = json!([{"hooks": [{"argv": ["/bin/true"], "enabled": true}]}]);
    std::fs::write(hooks.join("beforeToolCall.json"), rule.to_string())?;
    let hooked = self::context(&root, Hooks::read(&folders, &root))?;
    let program = Program::new("/bin/true", Environment::default());
    let bare = times(PROGRAMS, || {
        let deadline = Instant::now() + Duration::from_secs(60);
        drop(process::run(&program, &Bounds { deadline, stdout_bytes: 1000, stderr_bytes: 1000 }));
    });
    show("/bin/true", &bare);
    show("the lifecycle, /bin/true as before hook", &times(PROGRAMS, || drop(live(&hooked))));

    let overhead = median(&whole) - median(&alone);
    print_result(&format!(
        "overhead without hooks: {overhead:.1} µs per call (at most {MAX_MICROSECONDS})"
    ));
    Ok(overhead)
}

fn context(root: &std::path::Path, hooks: Hooks) -> io::Result<ToolContext> {
    Ok(ToolContext {
        prompt: "where is charge defined?".to_owned(),
        root: guard::Root::open(root).map_err(io::Error::other)?,
        environment: Environment::default().with("PATH", "/usr/bin:/bin"),
        now: Box::new(|| "2026-01-01T00:00:00Z".to_owned()),
        hooks,
        caller: Caller::Kernel,
        own_tools: Vec::new(),
        ledger: None,
    })
}

/// Returns the sorted times of the fastest round, in microseconds. On a busy machine, the times of other rounds
/// depend mostly on the scheduler.
fn times(n: usize, mut run: impl FnMut()) -> Vec<f64> {
    let mut round = || {
        let timed = |_| {
            let started = Instant::now();
            run();
            started.elapsed().as_secs_f64() * 1e6
        };
        let mut times: Vec<f64> = (0..n / ROUNDS).map(timed).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    round();
    let rounds: Vec<Vec<f64>> = (0..ROUNDS).map(|_| round()).collect();
    rounds.into_iter().min_by(|a, b| median(a).total_cmp(&median(b))).unwrap_or_default()
}

fn median(times: &[f64]) -> f64 {
    times[times.len() / 2]
}

fn show(what: &str, times: &[f64]) {
    let p99 = times[times.len() * 99 / 100];
    print_result(&format!("{what:<42}{:>7.1} µs{p99:>8.1} µs", median(times)));
}
