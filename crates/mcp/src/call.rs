//! Runs one MCP tool call through the lifecycle and builds the reply.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use boon::{CompileError, Compiler, SchemaIndex, Schemas, ValidationError};
use contract::{Arguments, ErrorCode, Request};
use guard::Fence;
use kernel::{Briefed, RepoTools};
use policy::{Argument, Tool};
use process::StopSwitch;
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};
use toolcall::{
    BuiltinCall, CallIdentity, Caller, Implementation, ToolCall, ToolFailure, ToolOutput,
};

use crate::catalogue::{ToolDefinition, ToolImplementation};
use crate::problem::Problem;
use crate::progress::ProgressSender;
use crate::reply;
use crate::server::ServerOptions;
use crate::slots::RunSlots;

/// The timeout of the `ci_*` tools and of `brief`. It is longer than the tool timeout in a briefing, because the model
/// waits for this single result.
const CODE_TOOL_TIMEOUT: Duration = Duration::from_secs(30);
/// The timeout of all other tools except `codex.exec`. It is long because stopping a run includes its grace period, and
/// starting a run includes determining the version of codex.
const RUN_TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// The timeout of `codex.exec`. It is practically unlimited, because a codex run has its own time limits, but small
/// enough that adding it to the current time does not overflow.
const WHOLE_RUN_TIMEOUT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The maximum number of schema errors in one error message.
const MAX_ERRORS: usize = 3;
const MAX_ERROR_CHARS: usize = 300;
/// The URI under which the schema is registered with the schema compiler. It is only a name, and nothing is loaded
/// from it.
const SCHEMA: &str = "urn:adjutant:arguments";

/// The state of one MCP tool call.
pub struct CallContext {
    pub(crate) host: Arc<ServerOptions>,
    pub(crate) slots: Arc<RunSlots>,
    /// The stop switch of a codex run. It is set when the client cancels the call of `codex.exec`, or when the server stops.
    pub(crate) switch: StopSwitch,
    pub(crate) progress: ProgressSender,
    /// The error of a failed call. Its code is more specific than the error codes of the lifecycle.
    pub(crate) problem: OnceLock<Problem>,
    /// The text for the model, if it differs from the structured result.
    pub(crate) text: OnceLock<String>,
}

impl CallContext {
    /// Sends a progress message to the client, if the client requested progress.
    pub fn tell(&self, line: &str) {
        self.progress.tell(line);
    }
}

pub(crate) fn carry_out(
    definition: &ToolDefinition,
    arguments: Arguments,
    identity: CallIdentity,
    context: &Arc<CallContext>,
) -> Result<CallToolResult, Problem> {
    if let ToolImplementation::Code(tool) = definition.kind {
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
    if let Some(implementation) = implementation(definition, context) {
        tools.add(definition.name, implementation);
    }
    let timeout = match definition.kind {
        ToolImplementation::Code(_) | ToolImplementation::Brief => CODE_TOOL_TIMEOUT,
        ToolImplementation::Run(_) => RUN_TIMEOUT,
        ToolImplementation::WholeRun(_) => WHOLE_RUN_TIMEOUT,
    };
    let call = ToolCall { tool: definition.name.to_owned(), arguments, timeout, identity };
    let outcome = tools.call(&call, String::new(), timeout).map_err(outside)?;
    Ok(match definition.kind {
        ToolImplementation::Code(_) | ToolImplementation::Brief => {
            reply::of_findings(&outcome, context, &fence)
        }
        ToolImplementation::Run(_) | ToolImplementation::WholeRun(_) => {
            reply::of_run(&outcome, context)
        }
    })
}

type OwnWork = dyn Fn(&CallContext, &Arguments) -> Result<ToolOutput, Problem> + Send + Sync;

/// Returns this crate's implementation of a tool, or `None` if the kernel implements the tool.
fn implementation(
    definition: &ToolDefinition,
    context: &Arc<CallContext>,
) -> Option<Implementation> {
    let work: Box<OwnWork> = match definition.kind.clone() {
        ToolImplementation::Code(_) => return None,
        ToolImplementation::Brief => Box::new(|context, arguments| Ok(brief(context, arguments))),
        ToolImplementation::Run(work) | ToolImplementation::WholeRun(work) => {
            Box::new(move |context, arguments| {
                let data = work(context, arguments.as_map())?;
                Ok(ToolOutput { data: Some(data.into()), ..ToolOutput::default() })
            })
        }
    };
    let context = Arc::clone(context);
    let schema = definition.input.clone();
    Some(Implementation::builtin(move |BuiltinCall { arguments, .. }| {
        // The arguments are checked here, and not earlier, because a before hook may change them.
        let checked = check_schema(&schema, arguments.as_map());
        checked.and_then(|()| work(&context, arguments)).map_err(|problem| {
            let message = problem.message.clone();
            let is_invalid = problem.code.starts_with("INVALID");
            let code = if is_invalid { ErrorCode::InvalidArgs } else { ErrorCode::Unknown };
            // A context is used for one call only, so the problem cannot have been set before.
            drop(context.problem.set(problem));
            ToolFailure { code, message }
        })
    }))
}

/// Checks arguments against the schema that `tools/list` publishes.
pub(crate) fn check_schema(schema: &Value, arguments: &Map<String, Value>) -> Result<(), Problem> {
    let mut schemas = Schemas::new();
    let schema = compile(schema, &mut schemas)
        .map_err(|error| Problem::new("INTERNAL", format!("the schema is wrong: {error}")))?;
    let arguments = arguments.clone().into();
    let Err(error) = schemas.validate(&arguments, schema) else { return Ok(()) };
    let mut messages = Vec::new();
    add_messages(&error, &mut messages);
    messages.truncate(MAX_ERRORS);
    Err(Problem::arguments(messages.join("; "))
        .hint("`tools/list` and `codex.help` list its arguments"))
}

fn compile(schema: &Value, schemas: &mut Schemas) -> Result<SchemaIndex, Box<CompileError>> {
    let mut compiler = Compiler::new();
    compiler.add_resource(SCHEMA, schema.clone())?;
    Ok(compiler.compile(SCHEMA, schemas)?)
}

/// Adds a message for each invalid value. An error that has causes gets no message of its own, because it only groups
/// them.
fn add_messages(error: &ValidationError<'_, '_>, messages: &mut Vec<String>) {
    for cause in &error.causes {
        add_messages(cause, messages);
    }
    if error.causes.is_empty() {
        let message: String = error.kind.to_string().chars().take(MAX_ERROR_CHARS).collect();
        let place = error.instance_location.to_string();
        messages.push(if place.is_empty() { message } else { format!("`{place}`: {message}") });
    }
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

fn brief(context: &CallContext, arguments: &Arguments) -> ToolOutput {
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
    ToolOutput {
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
