//! Calls the planned tools, or reads prepared results from a file in tests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use contract::{EnforcementSource, Request, ToolPlan, ToolResult};
use disk::Links;
use engine::ReadPrompt;
use policy::BriefingMode;
use process::{Environment, Program};
use toolcall::{BatchBounds, CallIdentity, CallOutcome, Caller, ToolCall, ToolContext};

use crate::activity;
use crate::brief::Host;
use crate::builtin::{self, SearchLimits, Shared};
use crate::knowledge::{Glance, IndexLocation, Refresh};
use crate::repo_context::RepoContext;

const FAKE_RESULTS: &str = "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE";
const MAX_FAKE_BYTES: u64 = 4 * 1024 * 1024;

/// Calls the tools of the plan. They search for `searched`. `index` is the index that the gate opened, if
/// there was one.
pub(crate) fn call(
    request: &Request,
    searched: Arc<ReadPrompt>,
    host: &Host,
    repo: &RepoContext,
    plan: &ToolPlan,
    index: Option<Glance>,
) -> Result<Vec<CallOutcome>, String> {
    let RepoContext { root, settings, .. } = repo;
    let context = || {
        let context = context(host, &root.path, searched.text.clone(), Caller::Kernel)?;
        let own_tools = settings.own_tools.iter().map(|tool| tool.name.clone()).collect();
        Ok::<_, String>(ToolContext { own_tools, ..context })
    };
    if let Some(path) = host.environment.text(FAKE_RESULTS) {
        let results = read_fake_results(path)
            .map_err(|error| format!("{FAKE_RESULTS}: `{path}`: {error}"))?;
        return Ok(toolcall::recorded(&context()?, results));
    }
    if settings.mode.value == BriefingMode::Plan || plan.tools.is_empty() {
        return Ok(Vec::new());
    }
    let session = activity::session_context(request, &root.path);
    let location = IndexLocation::of(host, root);
    let prompt = Arc::clone(&searched);
    let shared = Shared::new(location, prompt, session, SearchLimits::of(&plan.tools), index)
        .map_err(|error| error.to_string())?;
    let toolbox = builtin::toolbox(&shared, &host.environment, repo);
    let slowness = host.environment.slowness();
    let calls: Vec<ToolCall> = plan
        .tools
        .iter()
        .map(|tool| ToolCall {
            tool: tool.tool.clone(),
            arguments: tool.args.clone(),
            timeout: Duration::from_millis(tool.timeout_ms).saturating_mul(slowness),
            identity: CallIdentity {
                session_id: request.session_id.clone(),
                ..CallIdentity::default()
            },
        })
        .collect();
    let concurrency = match settings.enforcement {
        EnforcementSource::Legacy => 1,
        EnforcementSource::Orchestrator | EnforcementSource::Adapter => {
            settings.max_concurrency.value
        }
    };
    let bounds = BatchBounds {
        deadline: host.started
            + Duration::from_millis(settings.wall_ms.value).saturating_mul(slowness),
        max_concurrency: usize::try_from(concurrency).unwrap_or(1),
    };
    let outcomes = toolcall::call_all(&toolbox, &context()?, &calls, bounds);
    refresh_index(host, &shared);
    Ok(outcomes)
}

/// Starts an index build in the background if the calls found that the index is missing or outdated.
pub(crate) fn refresh_index(host: &Host, shared: &Shared) {
    if let Some(refresh) = shared.refresh() {
        index_in_background(host, shared.location(), &refresh);
    }
}

/// Reads the hook files and creates the context for tool calls in a repository.
pub(crate) fn context(
    host: &Host,
    root: &Path,
    prompt: String,
    caller: Caller,
) -> Result<ToolContext, String> {
    let (ledger, environment) = (host.ledger.clone(), host.environment.clone());
    let context = ToolContext::open(root, caller, &host.hooks, ledger, environment, host.now)?;
    Ok(ToolContext { prompt, ..context })
}

/// Starts a process that builds the index for later prompts. Returns whether the process was started. If several such
/// processes run at the same time, the first one gets the lock and the others exit.
pub(crate) fn index_in_background(
    host: &Host,
    location: &IndexLocation,
    refresh: &Refresh,
) -> bool {
    let Some(program) = host.program.as_ref().filter(|_| location.is_indexed_automatically())
    else {
        return false;
    };
    let environment = environment_of_build(host).with("CI_AUTO_TOOLS_REPO_ROOT", &location.root);
    let program = Program::new(program, environment)
        .arguments(["index", "--quiet", "--background", "--history-last"])
        .directory(&location.root);
    let program = match refresh {
        Refresh::Whole => program,
        // A path may start with `-`.
        Refresh::Changed(paths) => {
            program.arguments(paths.iter().map(|path| format!("--changed={path}")))
        }
    };
    // If the build fails, the next prompt also uses direct search.
    process::start_detached(&program).is_ok()
}

/// Returns the environment for an index build in the background. It contains no secrets, with one exception: if the
/// index store is a bucket, it contains the bucket's credentials. The build does not pass them to other programs.
fn environment_of_build(host: &Host) -> Environment {
    let environment = host.environment.without_secrets();
    let store = host.environment.text("ADJUTANT_INDEX_STORE");
    if !store.is_some_and(|store| store.starts_with("s3:")) {
        return environment;
    }
    let credentials = host.environment.names().filter(|name| name.starts_with("AWS_"));
    credentials.fold(environment, |environment, name| match host.environment.text(name) {
        Some(value) => environment.with(name, value),
        None => environment,
    })
}

fn read_fake_results(path: &str) -> Result<Vec<ToolResult>, String> {
    let text = disk::read_text(Path::new(path), Links::Follow, MAX_FAKE_BYTES)
        .map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}
