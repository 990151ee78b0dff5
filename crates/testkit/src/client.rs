//! A real client with its own home folder, connected to the loopback model, with or without a hook.
//!
//! The modules `claude_code` and `codex` contain the differences between the clients. All runs are headless.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Finished, Launch, LoopbackModel, clients};

mod claude_code;
mod codex;

const PROMPT: &str = "UserPromptSubmit";
/// The timeout of installed hooks. It is longer than every timeout of adjutant, so that the client never ends a hanging
/// hook.
const HOOK_TIMEOUT_SECONDS: u32 = 240;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientKind {
    ClaudeCode,
    Codex,
}

/// An installed client with its own home folder, which is deleted on drop.
pub struct Client {
    kind: ClientKind,
    program: PathBuf,
    /// Contains both `home` and the folder for temporary files. They are siblings, because Codex refuses a home below
    /// `TMPDIR`.
    _folder: TempDir,
    home: PathBuf,
    environment: Vec<(OsString, OsString)>,
    arguments: Vec<OsString>,
    programs: Option<PathBuf>,
}

impl Client {
    /// Creates a home folder for the installed client and connects the client to `model`.
    ///
    /// # Panics
    /// Panics if the client is not installed.
    #[track_caller]
    pub fn new(kind: ClientKind, model: &LoopbackModel) -> Self {
        let installed = clients();
        let program = match kind {
            ClientKind::ClaudeCode => installed.claude,
            ClientKind::Codex => installed.codex,
        };
        let folder = tempfile::tempdir().expect("a folder for the client");
        let root = folder.path().canonicalize().expect("the folder exists");
        let (home, temporary) = (root.join("home"), root.join("tmp"));
        fs::create_dir(&home).expect("make the client's home");
        fs::create_dir(&temporary).expect("make the client's temporary folder");
        let environment = vec![
            ("HOME".into(), home.clone().into()),
            ("TMPDIR".into(), temporary.into()),
            // Timeouts are multiplied, because the tests do not measure how fast a client starts.
            ("ADJUTANT_TEST_SLOWNESS".into(), "8".into()),
        ];
        let client = Self {
            kind,
            program,
            _folder: folder,
            home,
            environment,
            arguments: Vec::new(),
            programs: None,
        };
        match kind {
            ClientKind::ClaudeCode => claude_code::prepare(client, model),
            ClientKind::Codex => codex::prepare(client, model),
        }
    }

    pub fn kind(&self) -> ClientKind {
        self.kind
    }

    /// Returns the client's `HOME`, which is also Codex's `CODEX_HOME`.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Installs a shell command that runs before and after every tool call, and marks it as trusted if the client
    /// requires that. Other hooks stay installed.
    #[must_use]
    pub fn with_tool_hooks(self, command: &str) -> Self {
        match self.kind {
            ClientKind::ClaudeCode => {
                for event in ["PreToolUse", "PostToolUse", "PostToolUseFailure"] {
                    claude_code::install(&self.home, event, command);
                }
            }
            ClientKind::Codex => {
                for event in ["PreToolUse", "PostToolUse"] {
                    codex::install(&self.home, event, command);
                    codex::trust(&self.home, event, command);
                }
            }
        }
        self
    }

    /// Installs a shell command that runs when a prompt is submitted, and marks it as trusted if the client requires
    /// that.
    #[must_use]
    pub fn with_hook(self, command: &str) -> Self {
        let client = self.with_untrusted_hook(command);
        if client.kind == ClientKind::Codex {
            codex::trust(&client.home, PROMPT, command);
        }
        client
    }

    /// Installs a prompt hook by writing the file, without marking the hook as trusted. Claude Code runs such a hook;
    /// Codex must not.
    #[must_use]
    pub fn with_untrusted_hook(self, command: &str) -> Self {
        match self.kind {
            ClientKind::ClaudeCode => claude_code::install(&self.home, PROMPT, command),
            ClientKind::Codex => codex::install(&self.home, PROMPT, command),
        }
        self
    }

    /// Configures an MCP server that the client starts.
    #[must_use]
    pub fn with_mcp_server(self, name: &str, program: &Path, arguments: &[&str]) -> Self {
        match self.kind {
            ClientKind::ClaudeCode => {
                let server = json!({ "command": program, "args": arguments });
                self.with_argument("--strict-mcp-config")
                    .with_argument("--mcp-config")
                    .with_argument(json!({ "mcpServers": { name: server } }).to_string())
            }
            ClientKind::Codex => {
                codex::add_mcp_server(&self.home, name, program, arguments);
                self
            }
        }
    }

    /// Sets an environment variable for the client and its hooks.
    #[must_use]
    pub fn with_env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Adds a folder of programs to the client's `PATH`.
    #[must_use]
    pub fn with_programs(mut self, folder: &Path) -> Self {
        self.programs = Some(folder.to_owned());
        self
    }

    /// Adds a command-line flag that the client gets before the prompt.
    #[must_use]
    pub fn with_argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Runs one headless prompt and waits until the client exits.
    pub fn prompt(&self, directory: &Path, prompt: &str) -> Finished {
        let launch = self.launch(&self.program, directory).arguments(&self.arguments);
        match self.kind {
            ClientKind::ClaudeCode => launch.arguments(["-p", "--", prompt]).run(),
            ClientKind::Codex => launch.arguments(["--", prompt]).run(),
        }
    }

    /// Runs a command of the client, such as `plugin install`.
    pub fn command(&self, directory: &Path, arguments: &[&str]) -> Finished {
        self.launch(&self.program, directory).arguments(arguments).run()
    }

    /// Prepares another program, such as a wrapper, to run in the client's environment. `PATH` is set so that this
    /// client is found first.
    pub fn launch(&self, program: &Path, directory: &Path) -> Launch {
        let folder = self.program.parent().expect("an installed program is in a folder");
        let launch = Launch::new(program, directory).first_on_path(folder);
        let programs = self.programs.iter();
        let launch = programs.fold(launch, |launch, folder| launch.first_on_path(folder));
        self.environment.iter().fold(launch, |launch, (name, value)| launch.env(name, value))
    }
}

/// Replaces the hooks of an event in a hook file with one hook. Hooks of other events are unchanged. The file has the
/// same format in both clients.
fn set_hook(file: &Path, event: &str, handler: &Value) {
    let text = fs::read_to_string(file).unwrap_or_else(|_| "{}".to_owned());
    let mut settings: Value = serde_json::from_str(&text).expect("hooks are JSON");
    settings["hooks"][event] = json!([{ "hooks": [handler] }]);
    fs::write(file, settings.to_string()).expect("write the client's hooks");
}
