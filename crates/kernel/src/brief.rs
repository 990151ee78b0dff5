//! Creates the briefing for a request. A failure never blocks the prompt. Instead, the briefing contains fewer
//! findings and a `[Limits]` message.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use contract::{
    Briefing, ContextLimit, Enforcement, ErrorCode, ExitCode, FittedText, ForModel, FusedContext,
    Limit, Limits, RepoRootSource, Request, SCHEMA_VERSION, Safety, Structured, ToolError,
    ToolResult,
};
use guard::Fence;
use index::Parser;
use policy::{ConfigFile, Mode, Settings, Trust};
use process::Environment;
use toolcall::{HookFolders, Ledger, Outcome};

use crate::fusion::{BriefingSize, Fused};
use crate::gate::Amount;
use crate::memory::Memory;
use crate::plan::{Planned, Subject};
use crate::repo_context::RepoContext;
use crate::session::Session;
use crate::signals::Reading;
use crate::{
    activity, calls, evidence, evidence_gate, fusion, inputs, model_text, plan, run_id, signals,
    user_text, verdict,
};

/// The creation time of every briefing in plan mode, where the same prompt must produce the same bytes.
const PLAN_TIME: &str = "1970-01-01T00:00:00Z";

/// The maximum length of the text for the model if it consists only of pointers (locations without code).
const MAX_POINTER_CHARS: usize = 600;

/// Everything that the kernel needs to know about its environment, such as the clock, the folders and the environment
/// variables.
pub struct Host {
    pub environment: Environment,
    pub working_directory: PathBuf,
    pub started: Instant,
    /// Returns the current time in RFC 3339 format.
    pub now: fn() -> String,
    pub clock: SystemTime,
    /// A random string that makes the fence around quoted text unpredictable.
    pub entropy: String,
    /// Messages about the user's folders that cannot be used, one per folder.
    pub refused_folders: Vec<String>,
    /// The folder where indexes are stored. If `None`, indexes are not stored.
    pub cache: Option<PathBuf>,
    /// The folders that contain the user's hook files.
    pub hooks: HookFolders,
    /// The record of calls whose hooks have run. It prevents a client and the MCP server from both running the hooks
    /// for the same call.
    pub ledger: Option<Ledger>,
    /// The session memory. If `None`, each prompt is treated as the first of its session.
    pub memory: Option<Memory>,
    /// The path of the program `adjutant`, which is started to build an index in the background.
    pub program: Option<PathBuf>,
    /// The parser for files that need a grammar.
    pub parser: Parser,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Briefed {
    pub briefing: Briefing,
    pub exit: ExitCode,
    /// Whether the kernel could not decide if the prompt is about the repository, because there is no index yet.
    pub is_undecided: bool,
}

/// Creates the briefing for a prompt.
#[must_use]
pub fn brief(request: &Request, host: &Host) -> Briefed {
    brief_and_announce(request, host, &drop)
}

/// Creates the briefing for a prompt. Calls `announce` with the time budget as soon as the settings have been read.
pub(crate) fn brief_and_announce(
    request: &Request,
    host: &Host,
    announce: &dyn Fn(Duration),
) -> Briefed {
    let mut limits = Limits::default();
    let request = inputs::shortened(request, &mut limits);
    limits.extend(host.refused_folders.iter().cloned().map(Limit::Said));
    let reading = signals::read_signals(&request);
    match RepoContext::find(&request, host) {
        Ok(context) => {
            announce(Duration::from_millis(context.settings.wall_ms.value));
            brief_repository(&request, host, &context, reading, limits)
        }
        Err(problem) => {
            limits.add(Limit::Said(problem));
            brief_without_repository(&request, host, reading, &limits)
        }
    }
}

/// A briefing's id, creation time and fence (the delimiters around quoted text).
struct Identity {
    run_id: String,
    created_at: String,
    fence: Fence,
}

impl Identity {
    fn new(request: &Request, host: &Host, context: &RepoContext, planned: &Planned) -> Self {
        let root = context.root.path.to_string_lossy();
        if context.settings.mode.value == Mode::Plan {
            let run_id = run_id::of_plan(&request.prompt, &root, &planned.plan);
            return Self { created_at: PLAN_TIME.to_owned(), fence: Fence::new(&run_id), run_id };
        }
        let created_at = (host.now)();
        let run_id = run_id::of_run(&request.prompt, &root, &created_at);
        Self { run_id, created_at, fence: Fence::new(&host.entropy) }
    }
}

fn brief_repository(
    request: &Request,
    host: &Host,
    context: &RepoContext,
    mut reading: Reading,
    mut limits: Limits,
) -> Briefed {
    let settings = &context.settings;
    limits.extend(context.limits.iter().cloned());

    // Read the session. A follow-up such as "fix it" gets the subject of the previous prompt.
    let memory = host.memory.as_ref();
    let mut session = Session::recall(memory, request, &context.root.path, settings);
    let follow_up = session.as_mut().and_then(|session| session.follow_up(&mut reading));
    let follow_up = follow_up.as_deref();
    let searched = inputs::searched(request, &reading.prompt, follow_up);

    // Decide how much evidence the prompt gets, and plan the tools.
    let gated = evidence_gate::decide(&mut reading, request, follow_up, host, context);
    limits.extend(gated.limits);
    let subject = Subject {
        intent: &reading.intent,
        has_terms: searched.query.is_searchable(),
        is_for_the_client: inputs::is_for_the_client(&request.prompt),
    };
    let planned = plan::plan(settings, &subject);
    limits.extend(planned.limits.iter().cloned());
    let identity = Identity::new(request, host, context, &planned);

    // Call the tools, merge their findings, and remove the findings that the session has already shown.
    let called = calls::call(request, searched, host, context, &planned.plan, gated.building);
    let is_invalid = called.is_err();
    let mut results = take_results(called, &mut limits);
    let size = match gated.amount {
        Amount::Pointers => BriefingSize::POINTERS,
        _ if request.agent_id.is_some() => BriefingSize::SMALL,
        Amount::Briefing | Amount::Silent => BriefingSize::WHOLE,
    };
    let mut fused = fusion::fuse(evidence::gather(&results), size);
    fused.drop_snippets_of(&activity::files_in_context(request, &context.root.path));
    if gated.amount == Amount::Pointers {
        fused.reduce_to_pointers();
    }
    limits.extend(session.as_mut().and_then(|session| session.without_repeats(&mut fused)));
    limits.extend(fused.limit());
    if gated.amount == Amount::Pointers {
        fit_pointers(&mut fused, &limits, &identity);
    }

    // Compose the text for the model and the text for the user, and store which findings the model has read.
    let max_chars = settings.max_injected_chars.value;
    let text_limit = TextLimit { max_chars, of_client: request.context_limit };
    let fitted = fit_context(&fused, &mut limits, &identity, text_limit, &mut results);
    if let Some(session) = session {
        session.remember(request, &fused, fitted.n_findings);
    }
    let additional_context = fitted.text;
    let exit =
        if is_invalid { ExitCode::KernelOutputInvalid } else { verdict::exit_code(&results) };
    let degraded = verdict::degraded(&results, exit, !additional_context.is_empty());
    let for_user = user_text::compose(&planned.plan, &planned.hints, &results, &fused, &limits);

    let structured = Structured {
        intent: reading.intent.word().to_owned(),
        items: fused.items,
        conflicts: fused.conflicts,
        hints: planned.hints,
    };
    let root_text = context.root.path.to_string_lossy().into_owned();
    let briefing = Briefing {
        schema_version: SCHEMA_VERSION.to_owned(),
        run_id: identity.run_id,
        created_at: identity.created_at,
        client: inputs::client(request),
        inputs: inputs::published(request, reading, root_text, context.root.source),
        tool_plan: planned.plan,
        tool_results: results,
        fused_context: FusedContext {
            for_model: ForModel { additional_context, structured, safety: Safety::default() },
            for_user,
        },
        degraded,
        enforcement: Enforcement { single_tool_entry: true, source: settings.enforcement },
    };
    Briefed { briefing, exit, is_undecided: gated.is_undecided }
}

/// Returns the results of the calls and adds their `[Limits]` messages to `limits`. If the calls could not be made, returns
/// no results and adds the problem to `limits`.
fn take_results(called: Result<Vec<Outcome>, String>, limits: &mut Limits) -> Vec<ToolResult> {
    match called {
        Ok(outcomes) => {
            outcomes.iter().for_each(|outcome| limits.extend(outcome.limits.iter().cloned()));
            outcomes.into_iter().map(|outcome| outcome.result).collect()
        }
        Err(problem) => {
            limits.add(Limit::OrchestratorInvalid);
            limits.add(Limit::Said(problem));
            Vec::new()
        }
    }
}

/// Removes the weakest pointers until the text for the model has at most [`MAX_POINTER_CHARS`] characters or only one
/// pointer is left.
fn fit_pointers(fused: &mut Fused, limits: &Limits, identity: &Identity) {
    let n_chars = |fused: &Fused| {
        let text = model_text::compose(fused, limits, &identity.run_id, &identity.fence);
        text.fit(|_| true).text.chars().count()
    };
    while n_chars(fused) > MAX_POINTER_CHARS && fused.drop_weakest() {}
}

/// The maximum length of the text for the model.
#[derive(Clone, Copy)]
struct TextLimit {
    /// The character budget of the settings.
    max_chars: u64,
    of_client: Option<ContextLimit>,
}

/// Composes the text for the model within the limit, or an empty text if there are no findings. Marks the tool results
/// whose findings exceed the character budget as truncated.
fn fit_context(
    fused: &Fused,
    limits: &mut Limits,
    identity: &Identity,
    limit: TextLimit,
    results: &mut [ToolResult],
) -> FittedText {
    if fused.items.is_empty() && fused.conflicts.is_empty() {
        return FittedText::default();
    }
    let max_chars = usize::try_from(limit.max_chars).unwrap_or(usize::MAX);
    let is_within_budget = |text: &str| text.chars().count() <= max_chars;
    let is_accepted = |text: &str| limit.of_client.is_none_or(|client| client.fits(text));
    let compose =
        |limits: &Limits| model_text::compose(fused, limits, &identity.run_id, &identity.fence);
    let composed = compose(limits);
    if !composed.fit(is_within_budget).truncated {
        return composed.fit(is_accepted);
    }
    limits.add(Limit::BudgetExceeded);
    let composed = compose(limits);
    let fitted = composed.fit(is_within_budget);
    let n_items = fitted.n_findings.saturating_sub(fused.conflicts.len());
    let strongest = fusion::strongest_first(&fused.items);
    let lost: Vec<&str> = strongest.iter().skip(n_items).map(|item| item.tool.as_str()).collect();
    for result in results.iter_mut().filter(|result| lost.contains(&result.tool.as_str())) {
        result.truncated = true;
        result.error.get_or_insert_with(|| ToolError {
            message: "max_injected_chars exceeded".to_owned(),
            code: Some(ErrorCode::BudgetExceeded),
        });
    }
    composed.fit(|text| is_within_budget(text) && is_accepted(text))
}

/// Creates the briefing if there is no repository root or no usable configuration. The briefing has no findings, and
/// its `[Limits]` messages give the reason.
fn brief_without_repository(
    request: &Request,
    host: &Host,
    reading: Reading,
    limits: &Limits,
) -> Briefed {
    let lookup = |name: &str| host.environment.text(name).map(str::to_owned);
    let settings = Settings::resolve(&lookup, &ConfigFile::default(), Trust::Never);
    let is_plan = request.plan_only || settings.mode.value == Mode::Plan;
    let created_at = if is_plan { PLAN_TIME.to_owned() } else { (host.now)() };
    let safe = model_text::safe_limits(limits);
    let mut briefing = Briefing::empty(inputs::client(request), String::new(), created_at, &safe);
    briefing.inputs = inputs::published(request, reading, String::new(), RepoRootSource::NoGitRoot);
    briefing.tool_plan.tier_max = settings.tier_max.value;
    briefing.tool_plan.planned_codex_command =
        Some(settings.session_mode.value.command().to_owned());
    briefing.tool_plan.budget = settings.budget();
    briefing.enforcement.source = settings.enforcement;
    Briefed { briefing, exit: ExitCode::Configuration, is_undecided: false }
}

#[cfg(test)]
mod tests;
