//! Briefs prompts in a temporary repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use contract::{ErrorCode, Request, Status};
use index::Parser;
use kernel::{Briefed, Host, Memory, brief};
use process::Environment;
use testkit::{Repository, RepositoryBuilder};
use toolcall::HookFolders;

pub(crate) const NOW: &str = "2026-01-24T00:00:00Z";

pub(crate) struct Fixture {
    pub(crate) repository: Repository,
    directory: PathBuf,
    environment: Environment,
    /// The user's folder for hooks, trust and the session memory.
    home: tempfile::TempDir,
    has_memory: bool,
    entropy: &'static str,
}

/// A repository with a symbol that appears nowhere else.
pub(crate) fn files() -> RepositoryBuilder {
    Repository::builder()
        .file(
            "src/billing/retry_budget.rs",
            "// money\npub fn enforce_retry_budget_zebra(limit: u32) -> u32 {\n    limit\n}\n",
        )
        .file("src/main.rs", "fn main() {\n    enforce_retry_budget_zebra(3);\n}\n")
        .file("src/登录.py", "# 用户登录校验\ndef verify_login():\n    pass\n")
}

pub(crate) fn fixture() -> Fixture {
    on(files())
}

/// The same repository with a configuration file.
pub(crate) fn with_config(yaml: &str) -> Fixture {
    on(files().file("config/auto-tools.yaml", yaml))
}

/// A repository without commits. The prompt does not need the history.
pub(crate) fn on(files: RepositoryBuilder) -> Fixture {
    let repository = files.build();
    let variables = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("ADJUTANT_TEST_SLOWNESS", "40")];
    let variables = variables.map(|(name, value)| (name.into(), value.into()));
    Fixture {
        directory: repository.path().to_owned(),
        repository,
        environment: Environment::new(variables),
        home: tempfile::tempdir().unwrap(),
        has_memory: false,
        entropy: "0123456789abcdef",
    }
}

impl Fixture {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<Path>) -> Self {
        self.environment = self.environment.with(name, value.as_ref().as_os_str());
        self
    }

    pub(crate) fn plan(self) -> Self {
        self.env("CI_AUTO_TOOLS_MODE", "plan")
    }

    pub(crate) fn within(mut self, directory: impl AsRef<Path>) -> Self {
        self.directory = self.directory.join(directory);
        self
    }

    pub(crate) fn with_memory(mut self) -> Self {
        self.has_memory = true;
        self
    }

    pub(crate) fn with_entropy(mut self, entropy: &'static str) -> Self {
        self.entropy = entropy;
        self
    }

    /// Replaces the tool calls with prepared results.
    pub(crate) fn with_results(self, results: &serde_json::Value) -> Self {
        let path = self.home.path().join("results.json");
        fs::write(&path, results.to_string()).unwrap();
        self.env("CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE", path)
    }

    pub(crate) fn memory_folder(&self) -> PathBuf {
        self.home.path().join("memory")
    }

    /// The folder that contains the trust store.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.home.path().join("config")
    }

    #[expect(clippy::disallowed_methods, reason = "the index compares the clock with the files")]
    fn host(&self) -> Host {
        let clock = SystemTime::now();
        let memory = || Memory { folder: self.memory_folder(), now: clock };
        Host {
            environment: self.environment.clone(),
            working_directory: self.directory.clone(),
            started: Instant::now(),
            now: || NOW.to_owned(),
            clock,
            entropy: self.entropy.to_owned(),
            refused_folders: Vec::new(),
            cache: None,
            hooks: HookFolders {
                configuration: Some(self.configuration()),
                home: None,
                copies: Some(self.home.path().join("copies")),
            },
            ledger: None,
            memory: self.has_memory.then(memory),
            program: None,
            parser: Parser::linked(),
            overrides: policy::Overrides::default(),
        }
    }

    pub(crate) fn brief(&self, prompt: &str) -> Briefed {
        self.brief_request(&Request { prompt: prompt.to_owned(), ..Request::default() })
    }

    pub(crate) fn brief_in_session(&self, session: &str, prompt: &str) -> Briefed {
        self.brief_request(&Request {
            prompt: prompt.to_owned(),
            session_id: Some(session.to_owned()),
            ..Request::default()
        })
    }

    pub(crate) fn brief_request(&self, request: &Request) -> Briefed {
        brief(request, &self.host())
    }
}

pub(crate) fn limits(briefed: &Briefed) -> &str {
    &briefed.briefing.fused_context.for_user.limits_text
}

#[track_caller]
pub(crate) fn expect_limit(briefed: &Briefed, sentence: &str) {
    assert!(limits(briefed).contains(sentence), "{sentence}: {}", limits(briefed));
}

pub(crate) fn context(briefed: &Briefed) -> &str {
    &briefed.briefing.fused_context.for_model.additional_context
}

pub(crate) fn tools(briefed: &Briefed) -> Vec<&str> {
    briefed.briefing.tool_plan.tools.iter().map(|tool| tool.tool.as_str()).collect()
}

/// Returns the status and the error code of a tool's result.
#[track_caller]
pub(crate) fn result(briefed: &Briefed, tool: &str) -> (Status, Option<ErrorCode>) {
    let mut results = briefed.briefing.tool_results.iter();
    let result = results.find(|result| result.tool == tool).expect("a result of that tool");
    (result.status, result.error.as_ref().and_then(|error| error.code))
}
