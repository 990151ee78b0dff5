//! The way of a prompt, from request to briefing. Nothing that goes wrong here stops it: each failure makes
//! the briefing smaller and is said in [Limits].

use std::path::PathBuf;
use std::time::{Duration, Instant};

use contract::{
    Briefing, Client, Degraded, DegradedTo, Enforcement, EnforcementSource, ErrorCode, ExitCode,
    ForModel, FusedContext, Inputs, Limit, Limits, RepoRootSource, Request, SCHEMA_VERSION, Safety,
    Status, Structured, ToolError, ToolResult,
};
use guard::{Fence, Root};
use policy::{ConfigFile, Mode, RepositoryRoot, Settings};
use process::Environment;
use toolcall::{BatchBounds, Context, Outcome, ToolCall};

use crate::plan::{Planned, Subject};
use crate::signals::Reading;
use crate::{builtin, evidence, fusion, model_text, plan, run_id, signals, user_text};

/// A longer prompt is read at both ends.
const PROMPT_CHARS: usize = 64 * 1024;
/// In plan mode time stands still, so that a plan can be compared byte for byte.
const NO_TIME: &str = "1970-01-01T00:00:00Z";
const FAKE_RESULTS: &str = "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE";
const MOST_FAKE_BYTES: u64 = 4 * 1024 * 1024;

/// What the edge hands in: where we are, what is set, what time it is, and something nobody can guess.
pub struct World {
    pub environment: Environment,
    pub working_directory: PathBuf,
    pub started: Instant,
    pub now: fn() -> String,
    pub entropy: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Briefed {
    pub briefing: Briefing,
    pub exit: ExitCode,
}

#[must_use]
pub fn brief(request: &Request, world: &World) -> Briefed {
    let mut limits = Limits::default();
    let request = shortened(request, &mut limits);
    let reading = signals::read_signals(&request);
    match Ground::find(&request, world) {
        Ok(ground) => on_ground(&request, world, ground, reading, limits),
        Err(problem) => {
            limits.add(Limit::Said(problem));
            nowhere(&request, world, reading, &limits)
        }
    }
}

/// Where the prompt was asked, and under which rules.
struct Ground {
    root: RepositoryRoot,
    settings: Settings,
    limits: Vec<Limit>,
}

impl Ground {
    fn find(request: &Request, world: &World) -> Result<Self, String> {
        let lookup = |name: &str| world.environment.text(name).map(str::to_owned);
        let directory =
            request.cwd.as_ref().map_or_else(|| world.working_directory.clone(), PathBuf::from);
        let root = policy::resolve_root(&lookup, &directory)
            .map_err(|error| format!("E_REPO_ROOT: {error}"))?;
        let file = ConfigFile::read(&root.path).map_err(|error| error.to_string())?;
        let mut limits: Vec<Limit> = policy::misplaced_settings(&root.path).into_iter().collect();
        let root = root.narrowed(&file).map_err(|error| format!("E_REPO_ROOT: {error}"))?;
        if root.source == RepoRootSource::NoGitRoot {
            limits.push(Limit::NoGitRoot);
        }
        Ok(Self { root, settings: Settings::resolve(&lookup, &file), limits })
    }
}

fn on_ground(
    request: &Request,
    world: &World,
    ground: Ground,
    reading: Reading,
    mut limits: Limits,
) -> Briefed {
    let Ground { root, settings, limits: ground_limits } = ground;
    limits.extend(ground_limits);
    limits.extend(settings.limits.iter().cloned());
    let subject = Subject {
        intent: &reading.intent,
        has_terms: !engine::terms(&searched(request)).is_empty(),
    };
    let planned = if is_for_the_client(&request.prompt) {
        plan::plan(
            &Settings {
                switch: policy::Sourced { value: policy::Switch::Off, ..settings.switch },
                ..settings.clone()
            },
            &subject,
        )
    } else {
        plan::plan(&settings, &subject)
    };
    limits.extend(planned.limits.iter().cloned());

    let is_plan = settings.mode.value == Mode::Plan;
    let root_text = root.path.to_string_lossy().into_owned();
    let created_at = if is_plan { NO_TIME.to_owned() } else { (world.now)() };
    let run_id = if is_plan {
        run_id::of_plan(&request.prompt, &root_text, &planned.plan)
    } else {
        run_id::of_run(&request.prompt, &root_text, &created_at)
    };
    let fence = if is_plan { Fence::new(&run_id) } else { Fence::new(&world.entropy) };

    let called = call(request, world, &root, &settings, &planned);
    let mut invalid = None;
    let outcomes = called.unwrap_or_else(|problem| {
        limits.add(Limit::OrchestratorInvalid);
        limits.add(Limit::Said(problem));
        invalid = Some(ExitCode::KernelOutputInvalid);
        Vec::new()
    });
    for outcome in &outcomes {
        limits.extend(outcome.limits.iter().cloned());
    }
    let mut results: Vec<ToolResult> = outcomes.into_iter().map(|outcome| outcome.result).collect();
    let fused = fusion::fuse(evidence::gather(&results));
    if fused.n_cut > 0 {
        limits.add(Limit::Said(format!(
            "results truncated: {} weaker findings left out",
            fused.n_cut
        )));
    }
    let additional_context = fit_context(
        &fused,
        &mut limits,
        &run_id,
        &fence,
        settings.max_injected_chars.value,
        &mut results,
    );

    let exit = invalid.unwrap_or_else(|| exit_code(&results));
    let degraded = degraded(&results, exit, !additional_context.is_empty());
    let structured = Structured {
        intent: reading.intent.word().to_owned(),
        items: fused.items.clone(),
        conflicts: fused.conflicts.clone(),
        hints: planned.hints.clone(),
    };
    let for_user = user_text::compose(&planned.plan, &planned.hints, &results, &fused, &limits);
    let briefing = Briefing {
        schema_version: SCHEMA_VERSION.to_owned(),
        run_id,
        created_at,
        client: client(request),
        inputs: inputs(request, reading, root_text, root.source),
        tool_plan: planned.plan,
        tool_results: results,
        fused_context: FusedContext {
            for_model: ForModel { additional_context, structured, safety: Safety::default() },
            for_user,
        },
        degraded,
        enforcement: Enforcement { single_tool_entry: true, source: settings.enforcement },
    };
    Briefed { briefing, exit }
}

/// Calls the planned tools, or takes the results a test has prepared.
fn call(
    request: &Request,
    world: &World,
    root: &RepositoryRoot,
    settings: &Settings,
    planned: &Planned,
) -> Result<Vec<Outcome>, String> {
    let context = || -> Result<Context, String> {
        Ok(Context {
            prompt: searched(request),
            root: Root::open(&root.path).map_err(|error| format!("E_REPO_ROOT: {error}"))?,
            environment: world.environment.clone(),
            now: Box::new(world.now),
        })
    };
    if let Some(path) = world.environment.text(FAKE_RESULTS) {
        let results = read_fake_results(path)
            .map_err(|error| format!("{FAKE_RESULTS}: `{path}`: {error}"))?;
        return Ok(toolcall::recorded(&context()?, results));
    }
    if settings.mode.value == Mode::Plan || planned.plan.tools.is_empty() {
        return Ok(Vec::new());
    }
    let toolbox =
        builtin::toolbox(&root.path, &world.environment).map_err(|error| error.to_string())?;
    let calls: Vec<ToolCall> = planned
        .plan
        .tools
        .iter()
        .map(|tool| ToolCall {
            tool: tool.tool.clone(),
            arguments: tool.args.clone(),
            timeout: Duration::from_millis(tool.timeout_ms),
        })
        .collect();
    let concurrency = match settings.enforcement {
        EnforcementSource::Legacy => 1,
        EnforcementSource::Orchestrator | EnforcementSource::Adapter => {
            settings.max_concurrency.value
        }
    };
    let bounds = BatchBounds {
        deadline: world.started + Duration::from_millis(settings.wall_ms.value),
        max_concurrency: usize::try_from(concurrency).unwrap_or(1),
    };
    Ok(toolcall::call_all(&toolbox, &context()?, &calls, bounds))
}

fn read_fake_results(path: &str) -> Result<Vec<ToolResult>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_FAKE_BYTES {
        return Err(format!("larger than {MOST_FAKE_BYTES} bytes"));
    }
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// The model's text within the budget. A result that lost a finding is marked.
fn fit_context(
    fused: &fusion::Fused,
    limits: &mut Limits,
    run_id: &str,
    fence: &Fence,
    max_chars: u64,
    results: &mut [ToolResult],
) -> String {
    if fused.items.is_empty() && fused.conflicts.is_empty() {
        return String::new();
    }
    let max_chars = usize::try_from(max_chars).unwrap_or(usize::MAX);
    let fits = |text: &str| text.chars().count() <= max_chars;
    let fitted = model_text::compose(fused, limits, run_id, fence).fit(fits);
    if !fitted.truncated {
        return fitted.text;
    }
    limits.add(Limit::BudgetExceeded);
    let fitted = model_text::compose(fused, limits, run_id, fence).fit(fits);
    let n_items = fitted.n_findings.saturating_sub(fused.conflicts.len());
    let lost: Vec<&str> = fusion::strongest_first(&fused.items)
        .iter()
        .skip(n_items)
        .map(|item| item.tool.as_str())
        .collect();
    for result in results.iter_mut().filter(|result| lost.contains(&result.tool.as_str())) {
        result.truncated = true;
        result.error.get_or_insert_with(|| ToolError {
            message: "max_injected_chars exceeded".to_owned(),
            code: Some(ErrorCode::BudgetExceeded),
        });
    }
    fitted.text
}

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

fn degraded(results: &[ToolResult], exit: ExitCode, has_context: bool) -> Degraded {
    let mut reasons: Vec<String> = results
        .iter()
        .filter(|result| result.status != Status::Ok)
        .map(|result| {
            format!("{}: {}", result.tool, result.error.as_ref().map_or("", |error| &error.message))
        })
        .collect();
    if reasons.is_empty() && exit != ExitCode::Success {
        reasons.push(match exit {
            ExitCode::KernelOutputInvalid => Limit::OrchestratorInvalid.to_string(),
            _ => Limit::BudgetExceeded.to_string(),
        });
    }
    let degraded_to = match (reasons.is_empty(), has_context) {
        (true, _) => DegradedTo::Nothing,
        (false, true) => DegradedTo::Partial,
        (false, false) if exit == ExitCode::KernelOutputInvalid => DegradedTo::Empty,
        (false, false) => DegradedTo::Plan,
    };
    Degraded { is_degraded: !reasons.is_empty(), reason: reasons.join("; "), degraded_to }
}

/// There is no root or no usable configuration: an empty briefing that says why.
fn nowhere(request: &Request, world: &World, reading: Reading, limits: &Limits) -> Briefed {
    let settings = Settings::resolve(
        &|name| world.environment.text(name).map(str::to_owned),
        &ConfigFile::default(),
    );
    let created_at =
        if settings.mode.value == Mode::Plan { NO_TIME.to_owned() } else { (world.now)() };
    let mut safe = Limits::default();
    safe.extend(limits.iter().map(|limit| Limit::Said(model_text::safe(&limit.to_string()))));
    let mut briefing = Briefing::empty(client(request), String::new(), created_at, &safe);
    briefing.inputs = inputs(request, reading, String::new(), RepoRootSource::NoGitRoot);
    briefing.tool_plan.tier_max = settings.tier_max.value;
    briefing.tool_plan.planned_codex_command =
        Some(settings.session_mode.value.command().to_owned());
    briefing.tool_plan.budget = settings.budget();
    briefing.enforcement.source = settings.enforcement;
    Briefed { briefing, exit: ExitCode::Configuration }
}

fn client(request: &Request) -> Client {
    Client {
        name: request.client.unwrap_or_default(),
        event: request.event.clone().unwrap_or_else(|| "cli".to_owned()),
        session_id: request.session_id.clone(),
    }
}

fn inputs(
    request: &Request,
    reading: Reading,
    repo_root: String,
    repo_root_source: RepoRootSource,
) -> Inputs {
    let mut signals = reading.signals;
    for signal in &mut signals {
        signal.matched = guard::redact(&signal.matched).text.into_owned();
    }
    Inputs {
        prompt: guard::redact(&request.prompt).text.into_owned(),
        signals,
        repo_root,
        repo_root_source,
    }
}

/// The prompt and the place it was asked at, as one text to search with.
fn searched(request: &Request) -> String {
    let place = [request.function.as_deref(), request.file.as_deref()];
    let mut text = request.prompt.clone();
    for part in place.into_iter().flatten() {
        text.push('\n');
        text.push_str(part);
    }
    text
}

/// Commands of the client and its notices about background work are not questions about code.
fn is_for_the_client(prompt: &str) -> bool {
    let first = prompt.trim_start().split_whitespace().next().unwrap_or_default();
    let is_command = first.strip_prefix('/').is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['/', '.'])
    });
    is_command || first.starts_with("<task-notification>")
}

fn shortened(request: &Request, limits: &mut Limits) -> Request {
    let n_chars = request.prompt.chars().count();
    if n_chars <= PROMPT_CHARS {
        return request.clone();
    }
    limits.add(Limit::Said(format!(
        "prompt of {n_chars} characters: only its first and last {} were read",
        PROMPT_CHARS / 2
    )));
    let head: String = request.prompt.chars().take(PROMPT_CHARS / 2).collect();
    let tail: String = request.prompt.chars().skip(n_chars - PROMPT_CHARS / 2).collect();
    Request { prompt: format!("{head}\n…\n{tail}"), ..request.clone() }
}

#[cfg(test)]
mod tests;
