//! Runs one MCP tool call through the lifecycle and builds the reply.

use std::sync::Arc;
use std::time::Duration;

use contract::{Arguments, ErrorCode, Request};
use guard::Fence;
use kernel::{Briefed, RepoTools};
use policy::{Argument, Tool};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use toolcall::{Answer, BuiltinCall, Caller, Failure, Identity, Implementation, ToolCall};

use crate::argument;
use crate::catalogue::{Definition, Kind};
use crate::context::CallContext;
use crate::problem::Problem;
use crate::reply;

/// The timeout of the `ci_*` tools and of `brief`. It is longer than the tool timeout in a briefing, because the model
/// waits for this single result.
const CODE_TOOL_TIMEOUT: Duration = Duration::from_secs(30);
/// The timeout of all other tools except `codex.exec`. It is long because stopping a run includes its grace period, and
/// starting a run includes determining the version of codex.
const RUN_TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// The timeout of `codex.exec`. It is practically unlimited, because a codex run has its own time limits, but small
/// enough that adding it to the current time does not overflow.
const WHOLE_RUN_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(crate) struct CallRequest {
    pub(crate) definition: Arc<Definition>,
    pub(crate) arguments: Arguments,
    pub(crate) identity: Identity,
}

pub(crate) fn carry_out(request: CallRequest, context: &Arc<CallContext>) -> CallToolResult {
    try_carry_out(request, context).unwrap_or_else(|problem| reply::refused(&problem))
}

fn try_carry_out(
    request: CallRequest,
    context: &Arc<CallContext>,
) -> Result<CallToolResult, Problem> {
    let CallRequest { definition, arguments, identity } = request;
    if let Kind::Code(tool) = definition.kind {
        check_texts(tool, &arguments)?;
    }
    let host = (context.host.look)();
    let fence = Fence::new(&host.entropy);
    let outside = |message: String| {
        let clean = guard::redact(&message).text.into_owned();
        Problem::new("E_REPO_ROOT", clean)
            .hint("start the server in a repository, or select one with `-C`")
    };
    let mut tools = RepoTools::open(host, Caller::Mcp).map_err(outside)?;
    if let Some(implementation) = implementation(&definition, context) {
        tools.add(definition.name, implementation);
    }
    let timeout = match definition.kind {
        Kind::Code(_) | Kind::Brief => CODE_TOOL_TIMEOUT,
        Kind::Run(_) => RUN_TIMEOUT,
        Kind::WholeRun(_) => WHOLE_RUN_TIMEOUT,
    };
    let call = ToolCall { tool: definition.name.to_owned(), arguments, timeout, identity };
    let outcome = tools.call(&call, String::new(), timeout).map_err(outside)?;
    Ok(match definition.kind {
        Kind::Code(_) | Kind::Brief => reply::of_findings(&outcome, context, &fence),
        Kind::Run(_) | Kind::WholeRun(_) => reply::of_run(&outcome, context),
    })
}

/// Returns this crate's implementation of a tool, or `None` if the kernel implements the tool.
fn implementation(
    definition: &Arc<Definition>,
    context: &Arc<CallContext>,
) -> Option<Implementation> {
    let context = Arc::clone(context);
    let input = definition.input.clone();
    Some(match definition.kind.clone() {
        Kind::Code(_) => return None,
        Kind::Brief => Implementation::builtin(move |call| {
            checked(&context, &input, call, |context| Ok(brief(context, &call.arguments)))
        }),
        Kind::Run(work) | Kind::WholeRun(work) => Implementation::builtin(move |call| {
            checked(&context, &input, call, |context| {
                work(context, call.arguments.as_map()).map(answer)
            })
        }),
    })
}

/// Checks the arguments against the schema and runs the tool. The arguments are checked here, and not earlier,
/// because a before hook may change them.
fn checked(
    context: &CallContext,
    schema: &Value,
    call: &BuiltinCall,
    work: impl FnOnce(&CallContext) -> Result<Answer, Problem>,
) -> Result<Answer, Failure> {
    let done = argument::check(schema, call.arguments.as_map()).and_then(|()| work(context));
    done.map_err(|problem| {
        let message = problem.message.clone();
        let code = if problem.code.starts_with("INVALID") {
            ErrorCode::InvalidArgs
        } else {
            ErrorCode::Unknown
        };
        // A context is used for one call only, so the problem cannot have been set before.
        drop(context.problem.set(problem));
        Failure { code, message }
    })
}

fn answer(data: Value) -> Answer {
    Answer { data: Some(data.into()), ..Answer::default() }
}

/// Checks the string arguments. Rejects a missing or empty query and values that are not among the choices. Numbers are not
/// checked, because the lifecycle clamps them.
fn check_texts(tool: &Tool, arguments: &Arguments) -> Result<(), Problem> {
    for argument in tool.arguments {
        let Argument::Text { key, choices } = *argument else { continue };
        let value = &arguments[key];
        let is_blank = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
        if choices.is_empty() && is_blank {
            return Err(Problem::arguments(format!("`{key}` is missing"))
                .hint("describe in `query` what to look for"));
        }
        let is_choice = value.as_str().is_some_and(|text| choices.contains(&text));
        if !choices.is_empty() && arguments.as_map().contains_key(key) && !is_choice {
            let message = format!("`{key}` must be one of {}", json!(choices));
            return Err(
                Problem::arguments(message).hint("`tools/list` lists the arguments of the tool")
            );
        }
    }
    Ok(())
}

fn brief(context: &CallContext, arguments: &Arguments) -> Answer {
    let prompt = arguments.text("prompt").unwrap_or_default();
    let request =
        Request { prompt: prompt.to_owned(), event: Some("mcp".to_owned()), ..Request::default() };
    let Briefed { briefing, limits, .. } = kernel::brief(&request, &(context.host.look)());
    let fused = briefing.fused_context;
    let structured = fused.for_model.structured;
    let text = if fused.for_model.additional_context.is_empty() {
        let parts = [
            &fused.for_user.tool_plan_text,
            &fused.for_user.results_text,
            &fused.for_user.limits_text,
        ];
        parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n")
    } else {
        fused.for_model.additional_context
    };
    // The kernel has already redacted and fenced the text. Fencing it again would break the fence.
    drop(context.text.set(text));
    let data = json!({
        "run_id": briefing.run_id,
        "intent": structured.intent,
        "items": structured.items,
        "conflicts": structured.conflicts,
        "hints": structured.hints,
        "degraded": briefing.degraded,
    });
    Answer {
        summary: format!(
            "{}, {}",
            contract::counted(structured.items.len(), "finding"),
            structured.intent
        ),
        data: Some(data.into()),
        truncated: false,
        limits: limits.iter().cloned().collect(),
    }
}
