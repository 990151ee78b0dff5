//! Creates the briefing for a request. A failure never blocks the prompt. Instead, the briefing contains fewer
//! findings and a `[Limits]` message.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use contract::{
    Briefing, Degraded, DegradedTo, Enforcement, ErrorCode, ExitCode, ForModel, FusedContext,
    Limit, Limits, RepoRootSource, Request, SCHEMA_VERSION, Safety, Status, Structured, ToolError,
    ToolResult,
};
use guard::Fence;
use index::Parser;
use policy::{BriefingMode, ConfigFile, Overrides, Settings, ToolId, Trust};
use process::Environment;
use toolcall::{CallOutcome, HookFolders, Ledger};

use crate::evidence_gate::{EarlierSubject, Gated, Looked};
use crate::fusion::{BriefingSize, Fused};
use crate::gate::{Amount, Decision};
use crate::memory::Memory;
use crate::model_text::{LaidOut, TextFrame};
use crate::plan::{Planned, Subject};
use crate::repo_context::{RepoContext, RepoProblem};
use crate::session::Session;
use crate::signals::Reading;
use crate::user_text::{UserLine, UserText};
use crate::{
    activity, calls, evidence, evidence_gate, fusion, inputs, model_text, plan, repo_context,
    run_id, signals, user_text,
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
    /// The settings that the flags of the command set.
    pub overrides: Overrides,
}

/// A briefing, with the values from which its texts were composed.
#[derive(Clone, Debug, PartialEq)]
pub struct Briefed {
    pub briefing: Briefing,
    pub exit: ExitCode,
    /// The gate's decision, or `None` if the settings decide how much evidence the prompt gets.
    pub decision: Option<Decision>,
    /// The number of words in the prompt that are names in the repository. 0 if the gate made no decision.
    pub n_names: usize,
    /// The `[Limits]` messages, without secrets.
    pub limits: Limits,
    /// The text for the user in `briefing`, as lines.
    pub user_text: UserText,
    /// The reason why the repository could not be used, if there is one. The briefing then has no findings.
    pub problem: Option<RepoProblem>,
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
            limits.add(Limit::Said(problem.to_string()));
            brief_without_repository(&request, host, reading, &limits, problem)
        }
    }
}

impl Briefed {
    /// Creates the result for a request that cannot be read. `limits` contains the reason.
    #[must_use]
    pub fn without_request(briefing: Briefing, limits: Limits) -> Self {
        Self {
            briefing,
            exit: ExitCode::Configuration,
            decision: None,
            n_names: 0,
            user_text: UserText { limits: UserLine::limits(&limits), ..UserText::default() },
            limits,
            problem: None,
            is_undecided: false,
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
        if context.settings.mode.value == BriefingMode::Plan {
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
    let is_lost = session.as_ref().is_some_and(Session::has_lost_subject);
    let earlier = EarlierSubject { text: follow_up, is_lost };
    let mut gated = evidence_gate::decide(&mut reading, request, earlier, host, context);
    limits.extend(gated.limits.iter().cloned());
    let subject = Subject {
        intent: &reading.intent,
        has_terms: searched.query.is_searchable(),
        is_for_the_client: inputs::is_for_the_client(&request.prompt),
    };
    let planned = plan::plan(settings, &subject);
    limits.extend(planned.limits.iter().cloned());
    let identity = Identity::new(request, host, context, &planned);

    // Call the tools, merge their findings, and remove the findings that the session has already shown.
    let called = calls::call(request, searched, host, context, &planned.plan, gated.index.take());
    let is_invalid = called.is_err();
    let mut results = take_results(called, &mut limits);
    let mut fused = fusion::fuse(evidence::gather(&results), size(gated.amount(), request));
    let looked = gated.look(request, &mut reading, &mut fused);
    fused.drop_snippets_of(&activity::files_in_context(request, &context.root.path));
    limits.extend(session.as_mut().and_then(|session| session.without_repeats(&mut fused)));
    limits.extend(fused.limit());
    if looked == Looked::Kept(Amount::Pointers) {
        fit_pointers(&mut fused, &limits, &identity);
    }

    // Compose the text for the model and the text for the user, and store which findings the model has read.
    let Identity { run_id, fence, .. } = &identity;
    let frame = text_frame(request, session.as_ref(), host, settings);
    let laid_out = LaidOut::new(&fused, &mut limits, run_id, fence, frame);
    mark_truncated(&laid_out, &fused, &mut results);
    let additional_context = model_context(looked, laid_out.text, request, context, frame);
    if let Some(session) = session {
        let is_briefed = !additional_context.is_empty();
        session.remember(request, &fused, laid_out.n_items, is_briefed);
    }
    let exit = if is_invalid { ExitCode::KernelOutputInvalid } else { exit_code(&results) };
    let degraded = degraded(&results, exit, !additional_context.is_empty());
    let limits = model_text::safe_limits(&limits);
    let user_text = user_text::compose(&planned.plan, &planned.hints, &results, &fused, &limits);

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
            for_user: user_text.published(),
        },
        degraded,
        enforcement: Enforcement { single_tool_entry: true, source: settings.enforcement },
    };
    let Gated { decision, n_names, is_undecided, .. } = gated;
    Briefed { briefing, exit, decision, n_names, limits, user_text, problem: None, is_undecided }
}

/// Returns the limits of the text for the model. The first briefing of a session begins with a hint, if the agent can run
/// `adjutant explore`: the program is on `PATH`, and the settings do not disable the tool.
fn text_frame(
    request: &Request,
    session: Option<&Session<'_>>,
    host: &Host,
    settings: &Settings,
) -> TextFrame {
    let is_enabled = !settings.disabled.contains(&ToolId::GraphRag.name());
    let is_first = session.is_some_and(Session::is_first);
    let can_run = is_first && is_enabled && host.environment.find_program("adjutant").is_some();
    TextFrame {
        hint: can_run.then_some(model_text::EXPLORE_HINT),
        max_chars: settings.max_injected_chars.value,
        of_client: request.context_limit,
    }
}

/// Returns the text for the model. `findings` is the text with the findings.
fn model_context(
    looked: Looked,
    findings: String,
    request: &Request,
    context: &RepoContext,
    frame: TextFrame,
) -> String {
    let hint = || frame.hint.map(|hint| frame.fitting(hint.to_owned())).unwrap_or_default();
    match looked {
        Looked::Withdrawn { names_explore: true } => hint(),
        Looked::Withdrawn { names_explore: false } => String::new(),
        Looked::Kept(Amount::SessionFiles) => {
            let files = activity::recent_files(request, &context.root.path);
            frame.fitting(model_text::session_files(&files))
        }
        Looked::Kept(_) => findings,
    }
}

/// Returns the maximum size of the briefing. A sub-agent gets a small one.
fn size(amount: Amount, request: &Request) -> BriefingSize {
    match amount {
        Amount::Pointers => BriefingSize::POINTERS,
        _ if request.agent_id.is_some() => BriefingSize::SMALL,
        Amount::Briefing | Amount::SessionFiles | Amount::Silent => BriefingSize::WHOLE,
    }
}

/// Returns the results of the calls and adds their `[Limits]` messages to `limits`. If the calls could not be made, returns
/// no results and adds the problem to `limits`.
fn take_results(called: Result<Vec<CallOutcome>, String>, limits: &mut Limits) -> Vec<ToolResult> {
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

/// Marks the results of the tools whose findings exceed the character budget as truncated.
fn mark_truncated(laid_out: &LaidOut, fused: &Fused, results: &mut [ToolResult]) {
    let left_out = fusion::strongest_first(&fused.items).into_iter().skip(laid_out.n_in_budget);
    let lost: Vec<&str> = left_out.map(|item| item.tool.as_str()).collect();
    for result in results.iter_mut().filter(|result| lost.contains(&result.tool.as_str())) {
        result.truncated = true;
        result.error.get_or_insert_with(|| ToolError {
            message: "max_injected_chars exceeded".to_owned(),
            code: Some(ErrorCode::BudgetExceeded),
        });
    }
}

/// Returns the exit code of a briefing with these tool results.
fn exit_code(results: &[ToolResult]) -> ExitCode {
    let has = |code: ErrorCode| {
        results
            .iter()
            .any(|result| result.error.as_ref().is_some_and(|error| error.code == Some(code)))
    };
    if has(ErrorCode::Timeout) || has(ErrorCode::BudgetExceeded) {
        ExitCode::BudgetExceeded
    } else if results.iter().any(|result| result.status == Status::Error) {
        ExitCode::ToolFailed
    } else {
        ExitCode::Success
    }
}

/// Returns the field `degraded` of a briefing with these tool results.
fn degraded(results: &[ToolResult], exit: ExitCode, has_context: bool) -> Degraded {
    let mut reasons: Vec<String> = results
        .iter()
        .filter(|result| result.status != Status::Ok)
        .map(|result| {
            format!("{}: {}", result.tool, result.error.as_ref().map_or("", |error| &error.message))
        })
        .collect();
    if reasons.is_empty() && exit == ExitCode::KernelOutputInvalid {
        reasons.push(Limit::OrchestratorInvalid.to_string());
    } else if reasons.is_empty() && exit != ExitCode::Success {
        reasons.push(Limit::BudgetExceeded.to_string());
    }
    let degraded_to = match (reasons.is_empty(), has_context) {
        (true, _) => DegradedTo::Nothing,
        (false, true) => DegradedTo::Partial,
        (false, false) if exit == ExitCode::KernelOutputInvalid => DegradedTo::Empty,
        (false, false) => DegradedTo::Plan,
    };
    Degraded { is_degraded: !reasons.is_empty(), reason: reasons.join("; "), degraded_to }
}

/// Creates the briefing if there is no repository root or no usable configuration. The briefing has no findings, and
/// its `[Limits]` messages give the reason.
fn brief_without_repository(
    request: &Request,
    host: &Host,
    reading: Reading,
    limits: &Limits,
    problem: RepoProblem,
) -> Briefed {
    let lookup = |name: &str| host.environment.text(name).map(str::to_owned);
    let overrides = repo_context::overrides(request, host);
    let settings = Settings::resolve_with(overrides, &lookup, &ConfigFile::default(), Trust::Never);
    let created_at =
        if settings.mode.value == BriefingMode::Plan { PLAN_TIME.to_owned() } else { (host.now)() };
    let safe = model_text::safe_limits(limits);
    let mut briefing = Briefing::empty(inputs::client(request), String::new(), created_at, &safe);
    briefing.inputs = inputs::published(request, reading, String::new(), RepoRootSource::NoGitRoot);
    briefing.tool_plan.tier_max = settings.tier_max.value;
    briefing.tool_plan.planned_codex_command =
        Some(settings.session_mode.value.command().to_owned());
    briefing.tool_plan.budget = settings.budget();
    briefing.enforcement.source = settings.enforcement;
    Briefed { problem: Some(problem), ..Briefed::without_request(briefing, safe) }
}

#[cfg(test)]
mod tests;
