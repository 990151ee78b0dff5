//! Fuzzes the MCP server with JSON-RPC messages.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime};

use mcp::ServerOptions;
use process::Environment;
use serde_json::Value;
use tempfile::TempDir;
use toolcall::HookFolders;

/// The handshake of a client.
const HANDSHAKE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","#,
    r#""capabilities":{},"clientInfo":{"name":"fuzz","version":"0"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

/// Sends the bytes to a server. If the first byte is even, a correct handshake is sent first. Codex is never started,
/// because the host refuses every run.
pub fn json_rpc(bytes: &[u8]) {
    let Some((first, messages)) = bytes.split_first() else { return };
    let mut input = if first % 2 == 0 { HANDSHAKE.as_bytes().to_vec() } else { Vec::new() };
    input.extend_from_slice(messages);
    let output = mcp::fuzzing::serve_bytes(host(repository()), input).expect("a runtime starts");
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let message: Value = serde_json::from_slice(line).expect("stdout carries JSON alone");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let is_answer = message.get("result").is_some() ^ message.get("error").is_some();
        assert!(is_answer || message["method"].is_string(), "{message}");
    }
}

/// Returns a small temporary folder with one source file. All fuzz inputs use the same one until the process ends.
fn repository() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let source = "/// Limits retries.\npub fn enforce_retry_budget() {}\n";
        std::fs::write(folder.path().join("retry.rs"), source).expect("a file can be written");
        folder
    });
    folder.path()
}

fn host(root: &'static Path) -> ServerOptions {
    ServerOptions {
        version: "0.0.0",
        root: root.to_owned(),
        look: Box::new(move || world(root)),
        codex: runs::RunHost {
            environment: Environment::default(),
            clock: || SystemTime::UNIX_EPOCH,
            entropy: || "0000000000000000".to_owned(),
            sessions: root.join(".sessions"),
            cache: None,
            program: None,
            configuration: None,
            stdin: || Ok(Vec::new()),
            brief: |_, _, _| None,
        },
        author: policy::Author::Model { may_bypass: false },
        parse_flags: |_| Err("codex is not started here".to_owned()),
        max_runs: 1,
        tools: mcp::ToolGroup::ALL.to_vec(),
        more_tools: Vec::new(),
    }
}

fn world(root: &Path) -> kernel::Host {
    kernel::Host {
        environment: Environment::default(),
        working_directory: root.to_owned(),
        started: Instant::now(),
        now: || "2026-01-01T00:00:00Z".to_owned(),
        clock: SystemTime::UNIX_EPOCH,
        entropy: "fuzz".to_owned(),
        cache: None,
        refused_folders: Vec::new(),
        hooks: HookFolders::default(),
        ledger: None,
        memory: None,
        program: None,
        parser: index::Parser::linked(),
        overrides: policy::Overrides::default(),
    }
}
