//! The one life of a tool call: parse, normalise, clamp, before hooks, run, after hooks, redact, record.
//!
//! [`live`] is the only function that runs a tool and the only one that fires hooks. A client that runs a call itself tells us
//! before and after: then the first half and the second half of the same function are lived in two processes.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use contract::{ErrorCode, Limit, Status, ToolError, ToolResult};
use process::Environment;
use serde_json::{Map, Value, json};

use crate::arguments::{MAX_BYTES, is_too_large, normalise};
use crate::call::{Caller, ToolCall};
use crate::clean::{clean, clean_text, clean_value};
use crate::ended::Ended;
use crate::execute::carry_out_tool;
use crate::hooks::{self, Fired, HookEvent, HookRun, Hooks, Moment, Verdict};
use crate::ledger::{Claim, Ledger, Side};
use crate::recorded::{CallStatus, Record};
use crate::toolbox::{Answer, Toolbox};

/// When the wall clock of a batch has run out, the hooks after a call still have this long.
const GRACE: Duration = Duration::from_millis(500);
/// A hook may call a tool whose hooks call a tool; somewhere it ends.
const MAX_DEPTH: u32 = 3;

/// What all calls of one run share.
pub struct Context {
    pub prompt: String,
    pub root: guard::Root,
    pub environment: Environment,
    /// The time of day, as text; the edge owns the clock.
    pub now: Box<dyn Fn() -> String + Send + Sync>,
    pub hooks: Hooks,
    pub caller: Caller,
    /// Tools beside those of the allow-list that may be called automatically: a trusted configuration's.
    pub own_tools: Vec<String>,
    /// Where two who see the same call find out about each other; without one, both fire.
    pub ledger: Option<Ledger>,
}

/// How a call ended, ready to be published: nothing unredacted is left in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub result: ToolResult,
    pub limits: Vec<Limit>,
    pub record: Record,
}

/// Who carries the call out.
pub(crate) enum Executor<'a> {
    Toolbox(&'a Toolbox),
    /// The client, as soon as we have said yes.
    HandOver,
    /// The client, already: what came of it.
    Done(Result<Value, String>),
}

/// A life at its end.
pub(crate) struct CompletedCall {
    pub(crate) outcome: Outcome,
    pub(crate) verdict: Verdict,
    /// Why, for a verdict that is not simply yes.
    pub(crate) reason: String,
    /// The arguments if a hook changed them.
    pub(crate) updated: Option<Map<String, Value>>,
    /// The result if a hook changed it.
    pub(crate) replacement: Option<Value>,
}

pub(crate) fn run_lifecycle(
    context: &Context,
    call: &ToolCall,
    executor: Executor<'_>,
    wall: Instant,
) -> CompletedCall {
    let mut life = CallState::begin(context, call, wall);
    let ended = life
        .admit(&executor)
        .and_then(|()| life.before(&executor))
        .and_then(|()| life.execute(executor));
    let ended = life.after(ended);
    life.record(ended)
}

struct CallState<'a> {
    context: &'a Context,
    call: &'a ToolCall,
    wall: Instant,
    started_at: String,
    started: Instant,
    /// The one object that hooks, tool and record see.
    arguments: Map<String, Value>,
    has_run: bool,
    limits: Vec<Limit>,
    runs: Vec<HookRun>,
    notes: Vec<String>,
    verdict: Verdict,
    reasons: Vec<String>,
    updated: Option<Map<String, Value>>,
    replacement: Option<Value>,
}

impl<'a> CallState<'a> {
    fn begin(context: &'a Context, call: &'a ToolCall, wall: Instant) -> Self {
        Self {
            context,
            call,
            wall,
            started_at: (context.now)(),
            started: Instant::now(),
            arguments: Map::new(),
            has_run: false,
            limits: Vec::new(),
            runs: Vec::new(),
            notes: Vec::new(),
            verdict: Verdict::Go,
            reasons: Vec::new(),
            updated: None,
            replacement: None,
        }
    }

    /// Only tools that may be called, only with arguments within their limits.
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
            return Err(Ended::skipped(ErrorCode::ToolUnavailable, "tool unavailable; skipped"));
        }
        self.has_time()
    }

    /// Hooks that do not run for want of trust are said; to a client's user once in a session, not with every call.
    fn untrusted(&self, executor: &Executor<'_>) -> Option<Limit> {
        let limit = self.context.hooks.limit()?;
        let is_to_be_said = match executor {
            Executor::Toolbox(_) => true,
            Executor::Done(_) => false,
            Executor::HandOver => self.context.ledger.as_ref().is_none_or(|ledger| {
                let session = self.call.identity.session_id.as_deref().unwrap_or_default();
                ledger.is_first(session, &limit.to_string())
            }),
        };
        is_to_be_said.then_some(limit)
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
        let Some(claim) = self.claim(Moment::Before) else { return Ok(()) };
        if hooks::depth(&self.context.environment) >= MAX_DEPTH {
            return Err(Ended::blocked("blocked: hooks call tools whose hooks call tools"));
        }
        if let Some(problem) = self.context.hooks.problems().first() {
            self.verdict = Verdict::Ask;
            self.reasons.push(format!("a hook file cannot be used: {problem}"));
        } else {
            let fired = self.fire(Moment::Before, Ok(Value::Null), self.wall);
            (self.verdict, self.reasons) = (fired.verdict, fired.reasons);
            if let Some(updated) = fired.updated {
                self.arguments.clone_from(&updated);
                self.updated = Some(updated);
            }
        }
        let reason = self.reasons.join("; ");
        match (self.verdict, executor) {
            (Verdict::Go | Verdict::Allow, _) | (Verdict::Ask, Executor::HandOver) => {
                claim.settle();
                Ok(())
            }
            (Verdict::Block, _) => Err(Ended::blocked(format!("blocked by a hook: {reason}"))),
            (Verdict::Ask, _) if !self.context.hooks.problems().is_empty() => {
                Err(Ended::blocked(reason))
            }
            (Verdict::Ask, _) => Err(Ended::blocked(format!(
                "blocked: a hook wants the user to be asked, and nobody can be asked here: {reason}"
            ))),
        }
    }

    fn execute(&mut self, executor: Executor<'_>) -> Result<Answer, Ended> {
        match executor {
            Executor::HandOver => Ok(Answer::default()),
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
                result.map(|data| Answer { data: Some(data), ..Answer::default() }).map_err(failed)
            }
        }
    }

    /// Not for a call that never ran, however it was stopped.
    fn after(&mut self, ended: Result<Answer, Ended>) -> Result<Answer, Ended> {
        // A call of our server that never ran is claimed all the same: the client will report how it went, and must not
        // take it for one that ran.
        if !self.has_run && self.context.caller != Caller::Mcp {
            return ended;
        }
        let Some(claim) = self.claim(Moment::After) else { return ended };
        claim.settle();
        if !self.has_run {
            return ended;
        }
        if let Some(problem) = self.context.hooks.problems().first() {
            let text = format!("a hook file cannot be used: {problem}");
            self.limits.push(Limit::Said(clean_text(self.context, &self.call.tool, &text)));
        }
        let result = match &ended {
            Ok(answer) if answer.summary.is_empty() => Ok(answer.data.clone().unwrap_or_default()),
            Ok(answer) => Ok(json!({ "summary": answer.summary, "data": answer.data })),
            Err(ended) => Err((ended.name().to_owned(), ended.message.clone())),
        };
        let fired = self.fire(Moment::After, result, self.wall.max(Instant::now() + GRACE));
        let Some(replacement) = fired.replacement else { return ended };
        self.replacement = Some(replacement.clone());
        Ok(match replacement.as_str() {
            Some(text) => Answer { summary: text.to_owned(), ..Answer::default() },
            None => Answer {
                summary: "replaced by a hook".to_owned(),
                data: Some(replacement),
                ..Answer::default()
            },
        })
    }

    /// The right to fire, if there are hooks for this moment and nobody else who sees the call has fired them.
    fn claim(&self, moment: Moment) -> Option<Claim> {
        let hooks = &self.context.hooks;
        if hooks.is_empty() {
            return None;
        }
        let concerns = !hooks.problems().is_empty()
            || hooks::any_matches(self.context, moment, &self.event(Ok(Value::Null)));
        if !concerns {
            return None;
        }
        let side = match self.context.caller {
            Caller::Mcp => Side::Server,
            Caller::ClaudeCode | Caller::CodexCli => Side::Client,
            // Nobody else sees these.
            Caller::Kernel | Caller::Command | Caller::CodexRun => return Some(Claim::alone()),
        };
        match &self.context.ledger {
            Some(ledger) => ledger.claim(side, moment, self.call, &self.arguments),
            None => Some(Claim::alone()),
        }
    }

    fn fire(
        &mut self,
        moment: Moment,
        result: Result<Value, (String, String)>,
        deadline: Instant,
    ) -> Fired {
        let (context, call) = (self.context, self.call);
        let mut event = self.event(result);
        let is_clients_own = call.identity.seen_as.is_none()
            && matches!(context.caller, Caller::ClaudeCode | Caller::CodexCli);
        let clamped = RefCell::new(Vec::new());
        let admit = |arguments| {
            if is_clients_own {
                return Ok(arguments);
            }
            let (arguments, limits) = admitted(context, &call.tool, arguments)?;
            clamped.borrow_mut().extend(limits);
            Ok(arguments)
        };
        let mut fired = hooks::fire(context, moment, &mut event, deadline, &admit);
        self.limits.append(&mut clamped.borrow_mut());
        self.runs.append(&mut fired.runs);
        self.notes.append(&mut fired.notes);
        let said = fired.warnings.iter().map(|warning| clean_text(context, &call.tool, warning));
        self.limits.extend(said.map(|text| Limit::Said(format!("{}: {text}", call.tool))));
        fired
    }

    fn event(&self, result: Result<Value, (String, String)>) -> HookEvent<'a> {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        HookEvent {
            tool: &self.call.tool,
            identity: &self.call.identity,
            caller: self.context.caller,
            cwd: self.context.root.path().to_string_lossy().into_owned(),
            arguments: self.arguments.clone(),
            result,
            error,
        }
    }

    /// Redact, then keep.
    fn record(mut self, ended: Result<Answer, Ended>) -> CompletedCall {
        let (context, tool) = (self.context, self.call.tool.as_str());
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (status, published, answer, error) = match ended {
            Ok(answer) => (CallStatus::Ok, Status::Ok, answer, None),
            Err(mut ended) => {
                ended.message = clean_text(context, tool, &ended.message);
                self.limits.extend(ended.limit(tool));
                let published = ended.published();
                let error = ToolError { message: ended.message, code: ended.code };
                (ended.status, published, Answer::default(), Some(error))
            }
        };
        self.limits.extend(answer.limits);
        let word = if status == CallStatus::Blocked { status.word() } else { published.word() };
        let result = ToolResult {
            tool: tool.to_owned(),
            status: published,
            started_at: self.started_at,
            duration_ms,
            summary: if answer.summary.is_empty() { word.to_owned() } else { answer.summary },
            data: answer.data,
            error,
            redactions: Vec::new(),
            truncated: answer.truncated,
        };
        let cleaned = clean(context, result);
        self.limits.extend(cleaned.limits);
        let notes: Vec<String> =
            self.notes.iter().map(|note| clean_text(context, tool, note)).collect();
        let arguments = match clean_value(context, tool, Value::Object(self.arguments)) {
            Value::Object(map) => map,
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Map::new(),
        };
        let record = Record { status, arguments, hooks: self.runs, notes };
        CompletedCall {
            outcome: Outcome { result: cleaned.result, limits: self.limits, record },
            verdict: if status == CallStatus::Blocked { Verdict::Block } else { self.verdict },
            reason: clean_text(context, tool, &self.reasons.join("; ")),
            updated: self.updated,
            replacement: self.replacement.map(|value| clean_value(context, tool, value)),
        }
    }
}

/// Automatic calls are for tools of the allow-list alone, and those the user added to it.
fn admitted(
    context: &Context,
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<(Map<String, Value>, Vec<Limit>), String> {
    let is_known =
        || policy::tool(tool).is_some() || context.own_tools.iter().any(|own| own == tool);
    if context.caller == Caller::Kernel && !is_known() {
        return Err("not a tool of the allow-list".to_owned());
    }
    within_limits(tool, arguments)
}

/// Normalised and within limits.
pub(crate) fn within_limits(
    tool: &str,
    arguments: Map<String, Value>,
) -> Result<(Map<String, Value>, Vec<Limit>), String> {
    if is_too_large(&arguments) {
        return Err(format!("the arguments are larger than {MAX_BYTES} bytes"));
    }
    let arguments = normalise(arguments);
    match policy::tool(tool) {
        Some(rule) => policy::clamp(rule, &arguments).map_err(|error| error.to_string()),
        None => Ok((arguments, Vec::new())),
    }
}

/// A client's own tools get what the model wrote, so hooks see the same. A call of ours is seen as our server will see it.
fn admitted_by_client(call: &ToolCall) -> Map<String, Value> {
    if call.identity.seen_as.is_none() {
        return call.arguments.clone();
    }
    match within_limits(&call.tool, call.arguments.clone()) {
        Ok((arguments, _)) => arguments,
        // Our server will refuse it; it never runs.
        Err(_) => call.arguments.clone(),
    }
}
