//! Creates the briefing for a prompt in this process, for `adjutant run`, `adjutant job start`, the MCP server and
//! `codex-auto`.
//!
//! If the kernel fails, the briefing is empty and the caller continues.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clients::{Input, Payload};
use contract::{Briefing, ClientName, ExitCode, Limit, Limits, Request};
use entry::{Format, HookHost, Invocation};
use kernel::Briefed;
use policy::{RepositoryConfig, Settings};
use process::Environment;

use crate::commands::kernel_host;
use crate::{edge, run_log};

const WORKING_DIRECTORY: &str = "WORKING_DIRECTORY";
/// The time that the kernel may take beyond its budget.
const MARGIN: Duration = Duration::from_millis(1500);

/// A prompt and its conversation.
pub(crate) struct Prompt<'a> {
    pub(crate) text: &'a str,
    /// The id of the conversation, in which findings are not repeated. If it is `None`, findings may be repeated.
    pub(crate) session: Option<&'a str>,
    pub(crate) has_history: bool,
}

pub(crate) struct PromptBriefing {
    pub(crate) briefing: Briefing,
    /// The kernel's exit code.
    pub(crate) exit: u8,
}

/// Creates the briefing for a prompt about the repository that contains `directory`. The environment variable
/// `WORKING_DIRECTORY` takes precedence over `directory`.
pub(crate) fn brief(
    prompt: &Prompt<'_>,
    environment: &Environment,
    directory: Option<&Path>,
) -> PromptBriefing {
    if environment.text(policy::OTHER_KERNEL_VARIABLE).is_some() {
        return brief_in_other_kernel(prompt, environment, directory);
    }
    let named = environment.text(WORKING_DIRECTORY).map(PathBuf::from);
    let directory = named.or_else(|| directory.map(Path::to_owned));
    let directory = directory.unwrap_or_else(|| PathBuf::from("."));
    let environment = environment.clone().with(WORKING_DIRECTORY, directory.as_os_str());
    let request = Request {
        prompt: prompt.text.to_owned(),
        client: Some(ClientName::CODEX_CLI),
        event: Some("cli".to_owned()),
        session_id: prompt.session.map(str::to_owned),
        cwd: Some(directory.to_string_lossy().into_owned()),
        with_history: prompt.has_history,
        ..Request::default()
    };
    let timeout = timeout(&environment, &directory);
    match brief_within(request, &environment, directory, timeout) {
        Ok(briefed) => {
            run_log::add(&environment, &briefed);
            PromptBriefing { exit: briefed.exit.number(), briefing: briefed.briefing }
        }
        Err((why, exit)) => {
            empty(Limit::Said(format!("{} ({why})", Limit::OrchestratorUnavailable)), exit)
        }
    }
}

/// Runs the kernel on a thread, so that the caller continues after a panic or a timeout. The error contains a reason
/// and an exit code.
fn brief_within(
    request: Request,
    environment: &Environment,
    directory: PathBuf,
    timeout: Duration,
) -> Result<Briefed, (String, ExitCode)> {
    let host = kernel::Host { environment: environment.clone(), ..kernel_host(Some(directory)) };
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new().spawn(move || {
        let briefed = catch_unwind(AssertUnwindSafe(|| kernel::brief(&request, &host)));
        // Sending fails if the caller has timed out and continued without a briefing.
        let _late = sender.send(briefed);
    });
    if let Err(error) = started {
        return Err((error.to_string(), ExitCode::KernelUnavailable));
    }
    match receiver.recv_timeout(timeout) {
        Ok(Ok(briefed)) => Ok(briefed),
        Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
            Err(("the kernel panicked".to_owned(), ExitCode::KernelUnavailable))
        }
        Err(mpsc::RecvTimeoutError::Timeout) => {
            Err((format!("no answer in {} ms", timeout.as_millis()), ExitCode::BudgetExceeded))
        }
    }
}

fn timeout(environment: &Environment, directory: &Path) -> Duration {
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, directory).ok();
    let store = edge::trust_store(environment);
    let config = root.and_then(|root| RepositoryConfig::read(&root.path, &store).ok());
    let config = config.unwrap_or_default();
    let wall_ms = Settings::resolve(&lookup, &config.file, config.trust).wall_ms.value;
    (Duration::from_millis(wall_ms) + MARGIN).saturating_mul(environment.slowness())
}

fn empty(limit: Limit, exit: ExitCode) -> PromptBriefing {
    let mut limits = Limits::default();
    limits.add(limit);
    let client =
        contract::Client { name: ClientName::CODEX_CLI, event: "cli".to_owned(), session_id: None };
    let briefing = Briefing::empty(client, String::new(), edge::now(), &limits);
    PromptBriefing { briefing, exit: exit.number() }
}

fn brief_in_other_kernel(
    prompt: &Prompt<'_>,
    environment: &Environment,
    directory: Option<&Path>,
) -> PromptBriefing {
    let invocation = Invocation {
        format: Format::Json,
        prompt: Some(prompt.text.to_owned()),
        file: None,
        line: None,
        function: None,
        with_history: prompt.has_history,
        analyze_intent: false,
    };
    let payload = Payload {
        prompt: Some(prompt.text.to_owned()),
        session_id: prompt.session.map(str::to_owned),
        ..Payload::default()
    };
    let client = clients::client(&ClientName::CODEX_CLI);
    let input = Input { client, event: None, payload: Ok(payload) };
    let host = HookHost {
        working_directory: directory.map(Path::to_owned),
        ..edge::hook_host(environment.clone())
    };
    let emission = entry::run(&invocation, &input, &host);
    match serde_json::from_str(&emission.stdout) {
        Ok(briefing) => PromptBriefing { briefing, exit: emission.exit },
        Err(_) => empty(Limit::OrchestratorInvalid, ExitCode::KernelOutputInvalid),
    }
}
