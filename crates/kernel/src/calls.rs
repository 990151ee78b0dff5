//! The planned tools are called, or the results a test has prepared are taken.

use std::time::Duration;

use contract::{EnforcementSource, Request, ToolPlan, ToolResult};
use guard::Root;
use policy::{Mode, RepositoryRoot, Settings};
use toolcall::{BatchBounds, Context, Outcome, ToolCall};

use crate::brief::World;
use crate::builtin;
use crate::inputs::searched;

const FAKE_RESULTS: &str = "CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE";
const MOST_FAKE_BYTES: u64 = 4 * 1024 * 1024;

pub(crate) fn call(
    request: &Request,
    world: &World,
    root: &RepositoryRoot,
    settings: &Settings,
    plan: &ToolPlan,
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
    if settings.mode.value == Mode::Plan || plan.tools.is_empty() {
        return Ok(Vec::new());
    }
    let toolbox =
        builtin::toolbox(&root.path, &world.environment).map_err(|error| error.to_string())?;
    let calls: Vec<ToolCall> = plan
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
