//! Runs the hook and the program in a temporary repository.

use std::path::{Path, PathBuf};

use serde_json::Value;
use testkit::{Finished, Launch, Repository};

pub(crate) const HOOK: &str = env!("CARGO_BIN_EXE_adjutant-hook");
pub(crate) const ADJUTANT: &str = env!("CARGO_BIN_EXE_adjutant");

pub(crate) struct Fixture {
    pub(crate) repository: Repository,
    directory: PathBuf,
    environment: Vec<(String, String)>,
    arguments: Vec<String>,
}

/// A repository with a symbol that appears nowhere else.
pub(crate) fn fixture() -> Fixture {
    fixture_with("")
}

/// The same repository with a configuration file.
pub(crate) fn fixture_with(yaml: &str) -> Fixture {
    let mut builder = Repository::builder()
        .file(
            "src/billing/retry_budget.rs",
            "// money\npub fn enforce_retry_budget_zebra(limit: u32) -> u32 {\n    limit\n}\n",
        )
        .file("src/main.rs", "fn main() {\n    enforce_retry_budget_zebra(3);\n}\n")
        .file("src/登录.py", "# 用户登录校验\ndef verify_login():\n    pass\n");
    if !yaml.is_empty() {
        builder = builder.file("config/auto-tools.yaml", yaml);
    }
    on(builder.commit("init").build())
}

pub(crate) fn on(repository: Repository) -> Fixture {
    let directory = repository.path().to_owned();
    Fixture { repository, directory, environment: Vec::new(), arguments: Vec::new() }
}

impl Fixture {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<Path>) -> Self {
        self.environment.push((name.to_owned(), value.as_ref().to_string_lossy().into_owned()));
        self
    }

    pub(crate) fn plan(self) -> Self {
        self.env("CI_AUTO_TOOLS_MODE", "plan")
    }

    pub(crate) fn within(mut self, directory: &str) -> Self {
        self.directory = self.directory.join(directory);
        self
    }

    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        self
    }

    pub(crate) fn launch(&self, program: &str) -> Launch {
        self.launch_in(program, &self.directory)
    }

    pub(crate) fn launch_in(&self, program: &str, directory: &Path) -> Launch {
        // Timeouts are longer, because the machine may be busy. Tests of a budget override this.
        let launch = Launch::new(program, directory).arguments(&self.arguments);
        let launch = launch.env("ADJUTANT_TEST_SLOWNESS", "40");
        self.environment.iter().fold(launch, |launch, (name, value)| launch.env(name, value))
    }

    pub(crate) fn run_on(&self, input: impl Into<Vec<u8>>) -> Finished {
        self.launch(HOOK).input(input).run()
    }

    pub(crate) fn ask(&self, prompt: &str) -> Finished {
        self.run_on(serde_json::json!({ "prompt": prompt }).to_string())
    }

    /// Returns the briefing of `--format json`, and the exit code.
    #[track_caller]
    pub(crate) fn json(self, prompt: &str) -> (Value, i32) {
        let finished = self.arguments(&["--format", "json"]).ask(prompt);
        let code = finished.exit_code.unwrap_or(-1);
        let json = serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("not one JSON object ({error}): {finished:#?}"));
        (json, code)
    }

    /// Returns the hook's envelope. In hook mode the exit code is always 0.
    #[track_caller]
    pub(crate) fn hook(self, prompt: &str) -> Value {
        let finished = self.ask(prompt).expect_success();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
    }
}

pub(crate) fn limits(briefing: &Value) -> &str {
    briefing["fused_context"]["for_user"]["limits_text"].as_str().expect("limits_text")
}

pub(crate) fn context(briefing: &Value) -> &str {
    briefing["fused_context"]["for_model"]["additional_context"]
        .as_str()
        .expect("additional_context")
}

pub(crate) fn tools(briefing: &Value) -> Vec<&str> {
    let tools = briefing["tool_plan"]["tools"].as_array().expect("tools");
    tools.iter().filter_map(|tool| tool["tool"].as_str()).collect()
}

/// Returns the status and the error code of a tool's result.
pub(crate) fn result<'a>(briefing: &'a Value, tool: &str) -> (&'a str, Option<&'a str>) {
    let results = briefing["tool_results"].as_array().expect("tool_results");
    let result =
        results.iter().find(|result| result["tool"] == tool).expect("a result of that tool");
    (result["status"].as_str().unwrap_or_default(), result["error"]["code"].as_str())
}
