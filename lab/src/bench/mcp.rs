//! `cargo xtask bench mcp`: measures the time from the start of the MCP server to its first response, and the time of
//! one request to a running server. Also measures the hook and `/bin/true` for comparison.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::hook;
use crate::output::{print_message, print_result};
use crate::root;

const ROUNDS: usize = 20;
const QUESTIONS: u64 = 200;

pub(crate) fn run() -> ExitCode {
    if !hook::build() {
        return ExitCode::FAILURE;
    }
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn measure() -> io::Result<()> {
    let repository = hook::small_repository()?;
    let programs = root().join("target/release");
    let (mut best_true, mut best_hook, mut best_server) =
        (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        best_true = best_true.min(hook::time(Path::new("/bin/true"), repository.path(), "plan"));
        best_hook =
            best_hook.min(hook::time(&programs.join("adjutant-hook"), repository.path(), "run"));
        let started = Instant::now();
        let server = Server::start(&programs.join("adjutant"), repository.path())?;
        best_server = best_server.min(started.elapsed());
        drop(server);
    }
    let mut server = Server::start(&programs.join("adjutant"), repository.path())?;
    let mut times: Vec<Duration> = Vec::new();
    for number in 0..QUESTIONS {
        let arguments = json!({ "query": format!("enforce_budget_{}", number % 40) });
        let started = Instant::now();
        server.ask(
            number + 2,
            "tools/call",
            json!({ "name": "ci_search", "arguments": arguments }),
        )?;
        times.push(started.elapsed());
    }
    times.sort();
    let line = |name: &str, time: Duration| {
        print_result(&format!("{name:<44}{:8.3} ms", hook::millis(time)));
    };
    line("/bin/true, best", best_true);
    line("adjutant-hook with a live answer, best", best_hook);
    line("adjutant mcp, start to initialized, best", best_server);
    line("one ci_search over MCP, median", times[times.len() / 2]);
    line("one ci_search over MCP, slowest of 100", times[times.len() * 99 / 100]);
    Ok(())
}

struct Server {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Server {
    #[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
    fn start(program: &Path, directory: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg("mcp")
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = child.stdout.take().ok_or_else(|| io::Error::other("no stdout"))?;
        let mut server = Self { child, output: BufReader::new(output) };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "bench", "version": "1" },
        });
        server.ask(1, "initialize", hello)?;
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let stdin = self.child.stdin.as_mut().ok_or_else(|| io::Error::other("no stdin"))?;
        writeln!(stdin, "{message}")?;
        stdin.flush()
    }

    /// Sends a request and waits for the response.
    fn ask(&mut self, id: u64, method: &str, params: Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        let is_answer = answer["id"] == id && answer["error"].is_null();
        if is_answer { Ok(()) } else { Err(io::Error::other(line)) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}
