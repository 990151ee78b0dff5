//! A test repository with the user's folders, a tool that counts its calls, and hooks that are shell scripts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use contract::Arguments;
use process::Environment;
use serde_json::{Value, json};
use toolcall::{
    CallIdentity, CallOutcome, Caller, HookFolders, Hooks, Implementation, Ledger, ToolCall,
    ToolContext, ToolOutput, Toolbox,
};

pub(crate) struct Fixture {
    folder: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) toolbox: Toolbox,
    pub(crate) caller: Caller,
    pub(crate) environment: Environment,
    pub(crate) wall: Duration,
    /// The arguments of all `ci_search` calls, in order.
    seen: Arc<Mutex<Vec<Arguments>>>,
    ran: Arc<AtomicUsize>,
}

/// Returns a shell command that appends a line to a file of the fixture and then runs `then`.
pub(crate) fn counting(file: &str, then: &str) -> String {
    format!("echo x >> \"$NOTES/{file}\"; {then}")
}

pub(crate) fn action(command: &str) -> Value {
    json!({"type": "command", "command": command, "enabled": true, "timeout": 60000})
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["repository", "home", "configuration", "notes"] {
            fs::create_dir(base.join(name)).unwrap();
        }
        let seen: Arc<Mutex<Vec<Arguments>>> = Arc::default();
        let ran = Arc::new(AtomicUsize::new(0));
        let mut toolbox = Toolbox::default();
        let (log, count) = (Arc::clone(&seen), Arc::clone(&ran));
        let search = Implementation::builtin(move |call| {
            log.lock().unwrap().push(call.arguments.clone());
            count.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput {
                summary: "found".into(),
                data: Some(json!({"items": []}).into()),
                ..ToolOutput::default()
            })
        });
        toolbox.put("ci_search", search.clone());
        toolbox.put("free", search);
        let environment = Environment::default()
            .with("PATH", "/usr/bin:/bin")
            .with("NOTES", base.join("notes"))
            .with("API_KEY", "hunter2");
        Self {
            root: base.join("repository"),
            folder,
            toolbox,
            caller: Caller::Command,
            environment,
            wall: Duration::from_secs(120),
            seen,
            ran,
        }
    }

    pub(crate) fn folders(&self) -> HookFolders {
        let base = self.folder.path().canonicalize().unwrap();
        HookFolders {
            home: Some(base.join("home")),
            configuration: Some(base.join("configuration")),
            copies: Some(base.join("state/copies")),
        }
    }

    pub(crate) fn write(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the path of the user's hook file for a hook type.
    pub(crate) fn user_file(&self, kind: &str) -> PathBuf {
        self.folders().configuration.unwrap().join(format!("hooks/{kind}.json"))
    }

    /// Writes a user's hook file with one rule that matches every call.
    pub(crate) fn hook(&self, kind: &str, dialect: &str, actions: &[Value]) {
        let file = json!({"dialect": dialect, kind: [{"description": "", "hooks": actions}]});
        self.write(&self.user_file(kind), &file.to_string());
    }

    pub(crate) fn before(&self, command: &str) {
        self.hook("beforeToolCall", "seed", &[action(command)]);
    }

    pub(crate) fn after(&self, command: &str) {
        self.hook("afterToolCall", "seed", &[action(command)]);
    }

    /// Adds a before hook and an after hook that count their runs.
    pub(crate) fn count_both(&self) {
        self.before(&counting("before", "exit 0"));
        self.after(&counting("after", "exit 0"));
    }

    /// Returns how often the counting hooks ran: before, after.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let lines = |name: &str| self.note(name).lines().count();
        (lines("before"), lines("after"))
    }

    pub(crate) fn note(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join("notes").join(name)).unwrap_or_default()
    }

    #[expect(clippy::disallowed_methods, reason = "the ledger looks at the age of files")]
    pub(crate) fn context(&self) -> ToolContext {
        ToolContext {
            prompt: "explain auth".to_owned(),
            root: guard::Root::open(&self.root).unwrap(),
            environment: self.environment.clone(),
            now: Box::new(|| "2026-01-01T00:00:00Z".into()),
            hooks: Hooks::read(&self.folders(), &self.root),
            caller: self.caller.clone(),
            own_tools: Vec::new(),
            ledger: Some(Ledger::in_folder(
                self.folder.path().join("ledger"),
                std::time::SystemTime::now(),
            )),
        }
    }

    pub(crate) fn tool_call(&self, tool: &str, arguments: Value) -> ToolCall {
        ToolCall {
            tool: tool.into(),
            arguments: Arguments::from_client_input(arguments),
            timeout: Duration::from_secs(60),
            identity: CallIdentity::default(),
        }
    }

    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.wall
    }

    pub(crate) fn call_with(&self, tool: &str, arguments: Value) -> CallOutcome {
        let call = self.tool_call(tool, arguments);
        toolcall::call(&self.toolbox, &self.context(), &call, self.deadline())
    }

    pub(crate) fn call(&self) -> CallOutcome {
        self.call_with("ci_search", json!({"query": "x"}))
    }

    pub(crate) fn ran(&self) -> usize {
        self.ran.load(Ordering::SeqCst)
    }

    pub(crate) fn seen(&self) -> Vec<Arguments> {
        self.seen.lock().unwrap().clone()
    }
}

pub(crate) fn limits(outcome: &CallOutcome) -> Vec<String> {
    outcome.limits.iter().map(ToString::to_string).collect()
}
