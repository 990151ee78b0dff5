//! One call, from its name and arguments to its reply, through the lifecycle.

use std::sync::Arc;
use std::time::Duration;

use contract::{ErrorCode, Limit, Request};
use guard::Fence;
use kernel::RepoTools;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};
use toolcall::{Answer, BuiltinCall, Caller, Failure, Identity, Implementation, ToolCall};

use crate::argument;
use crate::catalogue::{Definition, Kind};
use crate::context::CallContext;
use crate::problem::Problem;
use crate::reply;
use crate::text;

/// Longer than in a hook: the model asked and waits.
const QUESTION_TIME: Duration = Duration::from_secs(30);
/// Stopping waits for the grace period, starting asks codex what it can do.
const RUN_TIME: Duration = Duration::from_secs(5 * 60);
/// A run has limits of its own; this only keeps the arithmetic of clocks within bounds.
const WHOLE_RUN_TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

pub(crate) struct CallRequest {
    pub(crate) definition: Arc<Definition>,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) identity: Identity,
}

pub(crate) fn carry_out(asked: CallRequest, context: &Arc<CallContext>) -> CallToolResult {
    try_carry_out(asked, context).unwrap_or_else(|problem| reply::refused(&problem))
}

fn try_carry_out(
    asked: CallRequest,
    context: &Arc<CallContext>,
) -> Result<CallToolResult, Problem> {
    let CallRequest { definition, arguments, identity } = asked;
    if matches!(definition.kind, Kind::Question) {
        has_query(&definition, &arguments)?;
        has_known_words(&definition, &arguments)?;
    }
    let world = (context.host.look)();
    let fence = Fence::new(&world.entropy);
    let outside = |message: String| {
        let clean = guard::redact(&message).text.into_owned();
        Problem::new("E_REPO_ROOT", clean)
            .hint("start the server in a repository, or name one with -C")
    };
    let mut tools = RepoTools::open(world, Caller::Mcp).map_err(outside)?;
    if let Some(implementation) = implementation(&definition, context) {
        tools.add(definition.name, implementation);
    }
    let timeout = match definition.kind {
        Kind::Question | Kind::Brief => QUESTION_TIME,
        Kind::Run(_) | Kind::More(_) => RUN_TIME,
        Kind::WholeRun(_) => WHOLE_RUN_TIME,
    };
    let call = ToolCall { tool: definition.name.to_owned(), arguments, timeout, identity };
    let outcome = tools.call(&call, String::new(), timeout).map_err(outside)?;
    Ok(match definition.kind {
        Kind::Question => {
            let text = text::of_question(&outcome, &fence);
            reply::of_question(&outcome, context, text)
        }
        Kind::Brief => {
            let is_own =
                outcome.result.data.as_ref().is_some_and(|data| data["run_id"].is_string());
            let own = context.text.get().filter(|_| is_own).cloned();
            let text = own.unwrap_or_else(|| text::of_question(&outcome, &fence));
            reply::of_question(&outcome, context, text)
        }
        Kind::Run(_) | Kind::WholeRun(_) | Kind::More(_) => reply::of_run(&outcome, context),
    })
}

/// None: the kernel has it already.
fn implementation(
    definition: &Arc<Definition>,
    context: &Arc<CallContext>,
) -> Option<Implementation> {
    let context = Arc::clone(context);
    let input = definition.input.clone();
    Some(match definition.kind.clone() {
        Kind::Question => return None,
        Kind::Brief => Implementation::builtin(move |call| {
            checked(&context, &input, call, |context, arguments| Ok(brief(context, arguments)))
        }),
        Kind::Run(work) | Kind::WholeRun(work) => Implementation::builtin(move |call| {
            checked(&context, &input, call, |context, arguments| {
                work(context, arguments).map(answer)
            })
        }),
        Kind::More(tool) => Implementation::builtin(move |call| {
            checked(&context, &input, call, |context, arguments| {
                (tool.run)(context, arguments).map(answer)
            })
        }),
    })
}

/// Held against the schema here and not earlier: a hook may have changed the arguments.
fn checked(
    context: &CallContext,
    input: &Value,
    call: &BuiltinCall,
    work: impl FnOnce(&CallContext, &Map<String, Value>) -> Result<Answer, Problem>,
) -> Result<Answer, Failure> {
    let done =
        argument::check(input, &call.arguments).and_then(|()| work(context, &call.arguments));
    done.map_err(|problem| {
        let message = problem.message.clone();
        let code = if problem.code.starts_with("INVALID") {
            ErrorCode::InvalidArgs
        } else {
            ErrorCode::Unknown
        };
        // There is one call for each context, so nobody was here before.
        drop(context.problem.set(problem));
        Failure { code, message }
    })
}

fn answer(data: Value) -> Answer {
    Answer { data: Some(data), ..Answer::default() }
}

fn has_query(definition: &Definition, arguments: &Map<String, Value>) -> Result<(), Problem> {
    let needs_one = definition.input["properties"]["query"].is_object();
    let query = arguments.get("query").unwrap_or(&Value::Null);
    let is_blank = query.is_null() || query.as_str().is_some_and(|query| query.trim().is_empty());
    if needs_one && is_blank {
        return Err(
            Problem::arguments("`query` is missing").hint("say in `query` what to look for")
        );
    }
    Ok(())
}

/// What has a list of words must be one of them; numbers beyond their limit are cut by the lifecycle, and said.
fn has_known_words(definition: &Definition, arguments: &Map<String, Value>) -> Result<(), Problem> {
    for (key, value) in arguments {
        let words = &definition.input["properties"][key]["enum"];
        if words.as_array().is_some_and(|words| !words.contains(value)) {
            let message = format!("`{key}` must be one of {words}");
            return Err(Problem::arguments(message).hint("`tools/list` shows what the tool takes"));
        }
    }
    Ok(())
}

fn brief(context: &CallContext, arguments: &Map<String, Value>) -> Answer {
    let prompt = arguments.get("prompt").and_then(Value::as_str).unwrap_or_default();
    let request =
        Request { prompt: prompt.to_owned(), event: Some("mcp".to_owned()), ..Request::default() };
    let briefing = kernel::brief(&request, &(context.host.look)()).briefing;
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
    // What a model reads went through the guard already; once more would break its fence.
    drop(context.text.set(text));
    let limits = fused.for_user.limits_text.lines();
    let limits = limits.map(|line| Limit::Said(line.trim_start_matches("[Limits] ").to_owned()));
    Answer {
        summary: format!("{} findings, {}", structured.items.len(), structured.intent),
        data: Some(json!({
            "run_id": briefing.run_id,
            "intent": structured.intent,
            "items": structured.items,
            "conflicts": structured.conflicts,
            "hints": structured.hints,
            "degraded": briefing.degraded,
        })),
        truncated: false,
        limits: limits.collect(),
    }
}
