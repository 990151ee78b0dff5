//! Runs the lifecycle of a tool call: normalise, clamp, before hooks, run, after hooks, redact, record.
//!
//! Only [`run_lifecycle`] runs tools and hooks. A client that runs a tool itself reports the call before and after
//! running it. One process handles the first report and runs the steps up to the before hooks. Another process
//! handles the second report and runs the steps from the after hooks onwards.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

use contract::{
    Arguments, ErrorCode, Limit, Status, ToolData, ToolDecision, ToolError, ToolMoment, ToolResult,
    ToolVerdict,
};
use process::Environment;
use serde_json::{Value, json};

use crate::arguments::within_limits;
use crate::call::{Caller, ToolCall};
use crate::clean::{clean, clean_arguments, clean_json, clean_text};
use crate::ended::{CallStatus, Ended, Record};
use crate::execute::carry_out_tool;
use crate::hooks::{self, Fired, HookError, HookEvent, HookFolders, Hooks};
use crate::ledger::{Claim, Ledger, Side};
use crate::toolbox::{ToolOutput, Toolbox};

/// The time that the after hooks may take if the call's deadline has already passed.
const AFTER_HOOK_GRACE_PERIOD: Duration = Duration::from_millis(500);
/// The maximum nesting depth of hooks that call tools.
const MAX_DEPTH: u32 = 3;

/// The values that all tool calls of a briefing, command or server share.
pub struct ToolContext {
    pub prompt: String,
    pub root: guard::Root,
    pub environment: Environment,
    /// A function that returns the current time in RFC 3339 format.
    pub now: Box<dyn Fn() -> String + Send + Sync>,
    pub hooks: Hooks,
    pub caller: Caller,
    /// The tools that a trusted configuration defines. The kernel may call them in addition to the built-in tools.
    pub own_tools: Vec<String>,
    /// Prevents the client and the server from both running the hooks of a call. If `None`, both run them.
    pub ledger: Option<Ledger>,
}

impl ToolContext {
    /// Reads the hook files that apply to the repository or folder `root`, and creates the context of its tool calls.
    pub fn open(
        root: &Path,
        caller: Caller,
        folders: &HookFolders,
        ledger: Option<Ledger>,
        environment: Environment,
        now: fn() -> String,
    ) -> Result<Self, String> {
        // The hook files are at the top of the repository, even if the root is one of its subfolders.
        let top = policy::find_git_top(root).unwrap_or_else(|| root.to_owned());
        Ok(Self {
            prompt: String::new(),
            root: guard::Root::open(root).map_err(|error| format!("E_REPO_ROOT: {error}"))?,
            environment,
            now: Box::new(now),
            hooks: Hooks::read(folders, &top),
            caller,
            own_tools: Vec::new(),
            ledger,
        })
    }
}

/// The result of a call, and the record of the call. All strings are redacted.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOutcome {
    pub result: ToolResult,
    pub limits: Vec<Limit>,
    pub record: Record,
}

/// Determines which component runs the tool.
pub(crate) enum Executor<'a> {
    Toolbox(&'a Toolbox),
    /// The client will run the tool after the before hooks.
    Client,
    /// The client ran the tool. Contains the tool's response or error message.
    Done(Result<Value, String>),
}

/// A call after its lifecycle. All strings are redacted except [`ToolVerdict::updated_input`], which only the tool reads.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedCall {
    pub outcome: CallOutcome,
    /// What the hooks decided.
    pub verdict: ToolVerdict,
}

pub(crate) fn run_lifecycle(
    context: &ToolContext,
    call: &ToolCall,
    executor: Executor<'_>,
    wall: Instant,
) -> CompletedCall {
    let mut state = CallState::new(context, call, wall);
    let ended = state
        .admit(&executor)
        .and_then(|()| state.before(&executor))
        .and_then(|()| state.execute(executor));
    let ended = state.after(ended);
    state.record(ended)
}

struct CallState<'a> {
    context: &'a ToolContext,
    call: &'a ToolCall,
    wall: Instant,
    started_at: String,
    started: Instant,
    /// The current arguments of the call. They are passed to the hooks and the tool, and written to the record.
    arguments: Arguments,
    has_run: bool,
    limits: Vec<Limit>,
    fired: Fired,
}

impl<'a> CallState<'a> {
    fn new(context: &'a ToolContext, call: &'a ToolCall, wall: Instant) -> Self {
        Self {
            context,
            call,
            wall,
            started_at: (context.now)(),
            started: Instant::now(),
            arguments: Arguments::default(),
            has_run: false,
            limits: Vec::new(),
            fired: Fired::default(),
        }
    }

    /// Checks that the tool may be called, and normalises and clamps its arguments.
    fn admit(&mut self, executor: &Executor<'_>) -> Result<(), Ended> {
        self.limits.extend(self.untrusted(executor));
        let Executor::Toolbox(toolbox) = executor else {
            self.arguments = admitted_by_client(self.call);
            return Ok(());
        };
        let (arguments, clamped) =
            admitted(self.context, &self.call.tool, self.call.arguments.clone())
                .map_err(|message| Ended::skipped(ErrorCode::InvalidArgs, &message))?;
        self.arguments = arguments;
        self.limits.extend(clamped);
        if !toolbox.has(&self.call.tool) {
            return Err(Ended::unavailable());
        }
        self.has_time()
    }

    /// Returns the [`Limit`] message that names the untrusted hook files, or `None` if there are none. If the client
    /// runs the tool, the message is returned only before the call, and only once per session.
    fn untrusted(&self, executor: &Executor<'_>) -> Option<Limit> {
        let limit = self.context.hooks.limit()?;
        let should_show = match executor {
            Executor::Toolbox(_) => true,
            Executor::Done(_) => false,
            Executor::Client => self.context.ledger.as_ref().is_none_or(|ledger| {
                let session = self.call.identity.session_id.as_deref().unwrap_or_default();
                ledger.is_first(session, &limit.to_string())
            }),
        };
        should_show.then_some(limit)
    }

    fn has_time(&mut self) -> Result<(), Ended> {
        if Instant::now() < self.wall {
            return Ok(());
        }
        self.limits.push(Limit::BudgetExceeded);
        Err(Ended::skipped(ErrorCode::BudgetExceeded, "no time was left to start it"))
    }

    fn before(&mut self, executor: &Executor<'_>) -> Result<(), Ended> {
        if matches!(executor, Executor::Done(_)) {
            return Ok(());
        }
        let Some(claim) = self.claim(ToolMoment::Before) else { return Ok(()) };
        if hooks::depth(&self.context.environment) >= MAX_DEPTH {
            return Err(Ended::blocked("blocked: hooks that call tools are nested too deeply"));
        }
        if let Some(problem) = self.context.hooks.problems().first() {
            self.fired.decision = ToolDecision::Ask;
            self.fired.reasons.push(format!("a hook file cannot be used: {problem}"));
        } else {
            self.fire(ToolMoment::Before, None, self.wall);
            if let Some(updated) = &self.fired.updated {
                self.arguments.clone_from(updated);
            }
        }
        let reason = self.fired.reasons.join("; ");
        match (self.fired.decision, executor) {
            (ToolDecision::Go | ToolDecision::Allow, _) | (ToolDecision::Ask, Executor::Client) => {
                claim.settle();
                Ok(())
            }
            (ToolDecision::Block, _) => Err(Ended::blocked(format!("blocked by a hook: {reason}"))),
            (ToolDecision::Ask, _) if !self.context.hooks.problems().is_empty() => {
                Err(Ended::blocked(reason))
            }
            (ToolDecision::Ask, _) => Err(Ended::blocked(format!(
                "blocked: a hook requires confirmation by the user, which is not possible here: {reason}"
            ))),
        }
    }

    fn execute(&mut self, executor: Executor<'_>) -> Result<ToolOutput, Ended> {
        match executor {
            Executor::Client => Ok(ToolOutput::default()),
            Executor::Toolbox(toolbox) => {
                self.has_time()?;
                self.has_run = true;
                let limit = Instant::now().checked_add(self.call.timeout);
                let deadline = limit.map_or(self.wall, |limit| limit.min(self.wall));
                let arguments = self.arguments.clone();
                carry_out_tool(toolbox, self.context, &self.call.tool, arguments, deadline)
            }
            Executor::Done(result) => {
                self.has_run = true;
                let failed = |message: String| Ended::failed(ErrorCode::Unknown, &message);
                let answer = |response| ToolOutput {
                    data: Some(ToolData::Other(response)),
                    ..ToolOutput::default()
                };
                result.map(answer).map_err(failed)
            }
        }
    }

    /// Runs the after hooks, if the tool ran.
    fn after(&mut self, ended: Result<ToolOutput, Ended>) -> Result<ToolOutput, Ended> {
        // The MCP server claims the after hooks even if the tool did not run. Otherwise the client, which reports every
        // call that ended, would run the after hooks.
        if !self.has_run && self.context.caller != Caller::Mcp {
            return ended;
        }
        let Some(claim) = self.claim(ToolMoment::After) else { return ended };
        claim.settle();
        if !self.has_run {
            return ended;
        }
        if let Some(problem) = self.context.hooks.problems().first() {
            let text = format!("a hook file cannot be used: {problem}");
            self.limits.push(Limit::Said(clean_text(self.context, &self.call.tool, &text)));
        }
        let result = match &ended {
            Ok(answer) if answer.summary.is_empty() => Ok(json!(answer.data)),
            Ok(answer) => Ok(json!({ "summary": answer.summary, "data": answer.data })),
            Err(ended) => {
                Err(HookError { name: ended.error_name(), message: ended.message.clone() })
            }
        };
        let deadline = self.wall.max(Instant::now() + AFTER_HOOK_GRACE_PERIOD);
        self.fire(ToolMoment::After, Some(result), deadline);
        let Some(replacement) = self.fired.replacement.clone() else { return ended };
        Ok(match replacement.as_str() {
            Some(text) => ToolOutput { summary: text.to_owned(), ..ToolOutput::default() },
            None => ToolOutput {
                summary: "replaced by a hook".to_owned(),
                data: Some(replacement.into()),
                ..ToolOutput::default()
            },
        })
    }

    /// Claims the before hooks or the after hooks. Returns `None` if another process has already run the hooks, or if
    /// no hook matches and every hook file can be used.
    fn claim(&self, moment: ToolMoment) -> Option<Claim> {
        let hooks = &self.context.hooks;
        if hooks.is_empty() {
            return None;
        }
        let concerns = !hooks.problems().is_empty()
            || hooks::any_matches(self.context, moment, &self.event(None));
        if !concerns {
            return None;
        }
        let side = match &self.context.caller {
            Caller::Mcp => Side::Server,
            Caller::Client(_) => Side::Client,
            // No other process handles the calls of these callers.
            Caller::Kernel | Caller::Command | Caller::CodexRun => return Some(Claim::alone()),
        };
        match &self.context.ledger {
            Some(ledger) => ledger.claim(side, moment, self.call, &self.arguments),
            None => Some(Claim::alone()),
        }
    }

    fn fire(
        &mut self,
        moment: ToolMoment,
        result: Option<Result<Value, HookError>>,
        deadline: Instant,
    ) {
        let (context, call) = (self.context, self.call);
        let mut event = self.event(result);
        let is_clients_own =
            call.identity.client_tool_name.is_none() && matches!(context.caller, Caller::Client(_));
        let clamped = RefCell::new(Vec::new());
        let admit = |arguments| {
            if is_clients_own {
                return Ok(arguments);
            }
            let (arguments, limits) = admitted(context, &call.tool, arguments)?;
            clamped.borrow_mut().extend(limits);
            Ok(arguments)
        };
        hooks::fire(context, moment, &mut event, deadline, &admit, &mut self.fired);
        self.limits.append(&mut clamped.borrow_mut());
        for warning in self.fired.warnings.drain(..) {
            let text = clean_text(context, &call.tool, &warning);
            self.limits.push(Limit::Said(format!("{}: {text}", call.tool)));
        }
    }

    fn event(&self, result: Option<Result<Value, HookError>>) -> HookEvent<'a> {
        HookEvent {
            tool: &self.call.tool,
            identity: &self.call.identity,
            caller: &self.context.caller,
            cwd: self.context.root.path().to_string_lossy().into_owned(),
            arguments: self.arguments.clone(),
            result,
        }
    }

    /// Cleans the answer and builds the outcome and its record.
    fn record(mut self, ended: Result<ToolOutput, Ended>) -> CompletedCall {
        let (context, tool) = (self.context, self.call.tool.as_str());
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (status, published, answer, error) = match ended {
            Ok(answer) => (CallStatus::Ok, Status::Ok, answer, None),
            Err(mut ended) => {
                ended.message = clean_text(context, tool, &ended.message);
                self.limits.extend(ended.limit(tool));
                let published = ended.published();
                let error = ToolError { message: ended.message, code: ended.code };
                (ended.status, published, ToolOutput::default(), Some(error))
            }
        };
        self.limits.extend(answer.limits);
        let result = ToolResult {
            tool: tool.to_owned(),
            status: published,
            started_at: self.started_at,
            duration_ms,
            summary: if answer.summary.is_empty() { status.word().into() } else { answer.summary },
            data: answer.data,
            error,
            redactions: Vec::new(),
            truncated: answer.truncated,
        };
        let (result, limits) = clean(context, result);
        self.limits.extend(limits);
        let Fired { decision, reasons, notes, updated, replacement, runs, .. } = self.fired;
        let notes: Vec<String> = notes.iter().map(|note| clean_text(context, tool, note)).collect();
        let decision = if status == CallStatus::Blocked { ToolDecision::Block } else { decision };
        let reason = clean_text(context, tool, &reasons.join("; "));
        let error = result.error.as_ref().map(|error| error.message.clone());
        let verdict = ToolVerdict {
            decision,
            reason: if reason.is_empty() { error.unwrap_or_default() } else { reason },
            updated_input: updated.map(Into::into),
            replacement: replacement.map(|value| clean_json(context, tool, value)),
            context: notes.join("\n"),
            message: message(&self.limits, decision),
        };
        let arguments = clean_arguments(context, tool, self.arguments);
        let record = Record { status, arguments, hooks: runs, notes };
        CompletedCall { outcome: CallOutcome { result, limits: self.limits, record }, verdict }
    }
}

/// Formats the `[Limits]` messages as one message to the user. Returns `None` if there are no messages, and for a
/// blocked call, because its reason already contains them.
fn message(limits: &[Limit], decision: ToolDecision) -> Option<String> {
    let said: Vec<String> = limits.iter().map(ToString::to_string).collect();
    let is_shown = decision != ToolDecision::Block && !said.is_empty();
    is_shown.then(|| format!("Adjutant: {}", said.join(" · ")))
}

/// Checks that the caller may call the tool, and normalises and clamps the arguments. The kernel may call only
/// built-in tools and the tools that a trusted configuration defines.
fn admitted(
    context: &ToolContext,
    tool: &str,
    arguments: Arguments,
) -> Result<(Arguments, Vec<Limit>), String> {
    let is_known =
        || policy::tool(tool).is_some() || context.own_tools.iter().any(|own| own == tool);
    if context.caller == Caller::Kernel && !is_known() {
        return Err("not on the tool allow-list".to_owned());
    }
    let (arguments, clamped) = within_limits(tool, arguments)?;
    let asked = arguments.text("query").unwrap_or(&context.prompt);
    if asked.trim().is_empty() && policy::tool(tool).is_some_and(policy::Tool::needs_query) {
        return Err("`query` is missing".to_owned());
    }
    Ok((arguments, clamped))
}

/// Returns the arguments of a call that a client runs. Arguments of the client's own tools do not change. Arguments of an
/// Adjutant tool are normalised and clamped in the same way as in the MCP server.
fn admitted_by_client(call: &ToolCall) -> Arguments {
    if call.identity.client_tool_name.is_none() {
        return call.arguments.clone();
    }
    match within_limits(&call.tool, call.arguments.clone()) {
        Ok((arguments, _)) => arguments,
        // The MCP server will reject this call, so the tool will not run.
        Err(_) => call.arguments.clone(),
    }
}
