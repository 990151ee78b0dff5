//! Reads a prompt, and creates its briefing in this process, for `adjutant run`, `adjutant job start`, the MCP server and
//! `codex-auto`.
//!
//! If the kernel fails, the briefing is empty and the caller continues.

use std::path::{Path, PathBuf};

use clients::hook::{self, Format, WORKING_DIRECTORY};
use contract::{Briefing, ClientName, ExitCode, Limit, Request};
use process::Environment;

use crate::commands::orchestrate::{empty as empty_briefing, host as kernel_host};
use crate::failure::Failure;
use crate::{edge, run_log};

/// A prompt and its conversation.
pub(crate) struct Prompt<'a> {
    pub(crate) text: &'a str,
    /// The id of the conversation, in which findings are not repeated. If it is `None`, findings may be repeated.
    pub(crate) session: Option<&'a str>,
    pub(crate) has_history: bool,
}

/// Returns the prompt on the command line or, if there is none or it is `-`, on standard input.
pub(crate) fn read_prompt(words: &[String]) -> Result<String, Failure> {
    let usage = |message: &str| {
        Failure::usage(message).hint("pass the prompt as arguments, or on stdin with `-`")
    };
    let text = if words.is_empty() || words == ["-"] {
        let input =
            edge::read_stdin().map_err(|error| usage(&format!("cannot read stdin: {error}")))?;
        String::from_utf8(input).map_err(|_| usage("the prompt on stdin is not UTF-8"))?
    } else {
        words.join(" ")
    };
    if text.trim().is_empty() { Err(usage("the prompt is missing")) } else { Ok(text) }
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
    directory: &Path,
) -> PromptBriefing {
    let named = environment.text(WORKING_DIRECTORY).map(PathBuf::from);
    let directory = named.unwrap_or_else(|| directory.to_owned());
    let request = Request {
        prompt: prompt.text.to_owned(),
        client: Some(ClientName::CODEX_CLI),
        event: Some("cli".to_owned()),
        session_id: prompt.session.map(str::to_owned),
        cwd: Some(directory.to_string_lossy().into_owned()),
        with_history: prompt.has_history,
        ..Request::default()
    };
    if environment.text(policy::OTHER_KERNEL_VARIABLE).is_some() {
        return match hook::ask(&request, Format::Json, &edge::hook_host(environment.clone())) {
            Ok(answer) => PromptBriefing { briefing: answer.briefing, exit: answer.exit },
            Err(failure) => empty(failure.limit, failure.exit),
        };
    }
    let host = kernel::Host { environment: environment.clone(), ..kernel_host(Some(directory)) };
    match kernel::brief_within_budget(request, host) {
        Ok(briefed) => {
            run_log::add(environment, &briefed);
            PromptBriefing { exit: briefed.exit.number(), briefing: briefed.briefing }
        }
        Err(missing) => empty(missing.limit(), missing.exit()),
    }
}

/// Creates the briefing for the task of an unattended run. Returns the text for the model, or `None` if it is empty. The
/// briefing is part of the instructions because `codex exec` cancels MCP tool calls.
pub(crate) fn brief_task(
    task: &str,
    directory: &Path,
    environment: &Environment,
) -> Option<String> {
    let prompt = Prompt { text: task, session: None, has_history: false };
    let briefing = brief(&prompt, environment, directory).briefing;
    let context = briefing.fused_context.for_model.additional_context;
    (!context.trim().is_empty()).then_some(context)
}

fn empty(limit: Limit, exit: ExitCode) -> PromptBriefing {
    let briefing = empty_briefing(ClientName::CODEX_CLI, limit, exit).briefing;
    PromptBriefing { briefing, exit: exit.number() }
}
