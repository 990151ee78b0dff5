//! Runs the before hooks or the after hooks of a call, one after another, and combines their effects.

use std::time::Instant;

use contract::{Arguments, ToolDecision, ToolMoment};
use serde_json::Value;

use super::dialect::{Effect, Meaning, interpret};
use super::run::{HookOutput, RunInput, run};
use super::{HookEvent, HookKind};
use crate::lifecycle::ToolContext;

/// The record of one hook that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRun {
    /// The hook file's path and the rule's position in the file.
    pub hook: String,
    /// The exit code, or -1 if the hook did not exit normally.
    pub exit: i32,
    pub duration_ms: u64,
    pub bytes: usize,
    /// Whether the hook's output was truncated.
    pub cut: bool,
}

/// The combined effects of the hooks of a call.
#[derive(Debug, Default)]
pub(crate) struct Fired {
    pub(crate) decision: ToolDecision,
    /// The reasons for the decision.
    pub(crate) reasons: Vec<String>,
    /// Messages for the model.
    pub(crate) notes: Vec<String>,
    /// Messages for the user.
    pub(crate) warnings: Vec<String>,
    /// The changed arguments, if a hook changed them.
    pub(crate) updated: Option<Arguments>,
    /// The new result, if a hook replaced the tool's result.
    pub(crate) replacement: Option<Value>,
    pub(crate) runs: Vec<HookRun>,
}

/// A function that normalises and clamps the arguments that a hook changed.
pub(crate) type Admit<'a> = &'a dyn Fn(Arguments) -> Result<Arguments, String>;

/// Returns true if at least one hook matches the event.
pub(crate) fn any_matches(
    context: &ToolContext,
    moment: ToolMoment,
    event: &HookEvent<'_>,
) -> bool {
    let mut files = context.hooks.of(HookKind::of(moment)).peekable();
    if files.peek().is_none() {
        return false;
    }
    let (names, input) = (event.names(), event.input(moment));
    files.any(|active| {
        active.file.rules.iter().any(|rule| {
            rule.actions.iter().any(|action| action.enabled) && rule.matcher.matches(&names, &input)
        })
    })
}

/// Runs the hooks that match the event, and adds their effects to `fired`.
pub(crate) fn fire(
    context: &ToolContext,
    moment: ToolMoment,
    event: &mut HookEvent<'_>,
    deadline: Instant,
    admit: Admit<'_>,
    fired: &mut Fired,
) {
    let mut input = event.input(moment);
    for active in context.hooks.of(HookKind::of(moment)) {
        let verify = |command| context.hooks.verify(active, command);
        for (index, rule) in active.file.rules.iter().enumerate() {
            if !rule.matcher.matches(&event.names(), &input) {
                continue;
            }
            for action in rule.actions.iter().filter(|action| action.enabled) {
                let stdin = event.stdin(moment, active.file.dialect);
                let run_input = RunInput {
                    environment: &context.environment,
                    directory: context.hooks.repository().to_owned(),
                    scope: active.scope,
                    verify: &verify,
                    stdin: &stdin,
                    arguments: &event.arguments,
                    deadline,
                };
                let output = run(action, &run_input);
                let meaning = interpret(active.file.dialect, moment, &output);
                let hook = context.hooks.label(&active.path, index);
                fired.record(hook.clone(), &output);
                if let Some(updated) = fired.add(&hook, meaning, admit) {
                    event.arguments = updated;
                    input = event.input(moment);
                }
                if fired.decision == ToolDecision::Block {
                    return;
                }
            }
        }
    }
}

impl Fired {
    /// Adds the effect of one hook. Returns the new arguments if the hook changed them.
    fn add(&mut self, hook: &str, meaning: Meaning, admit: Admit<'_>) -> Option<Arguments> {
        let Meaning { effect, reason, note, updated_input, replacement } = meaning;
        let sentence = format!("{hook}: {reason}");
        match effect {
            Effect::Go | Effect::Replace => {}
            Effect::Warn => self.warnings.push(format!("hook warns, {sentence}")),
            Effect::Fail => self.warnings.push(format!("hook failed, {sentence}")),
            Effect::Allow => self.decide(ToolDecision::Allow, sentence),
            Effect::Ask => self.decide(ToolDecision::Ask, sentence),
            Effect::Block => self.decide(ToolDecision::Block, sentence),
            Effect::Tell => self.notes.push(reason),
        }
        self.notes.extend(note);
        if replacement.is_some() {
            self.replacement = replacement;
        }
        if self.decision == ToolDecision::Block {
            return None;
        }
        match admit(updated_input?) {
            Ok(updated) => {
                self.updated = Some(updated.clone());
                Some(updated)
            }
            Err(error) => {
                self.decide(
                    ToolDecision::Block,
                    format!("{hook}: its arguments are refused: {error}"),
                );
                None
            }
        }
    }

    fn decide(&mut self, decision: ToolDecision, reason: String) {
        if decision > self.decision {
            self.reasons.clear();
            self.decision = decision;
        }
        if decision == self.decision {
            self.reasons.push(reason);
        }
    }

    fn record(&mut self, hook: String, output: &HookOutput) {
        self.runs.push(HookRun {
            hook,
            exit: output.code(),
            duration_ms: u64::try_from(output.duration.as_millis()).unwrap_or(u64::MAX),
            bytes: output.bytes,
            cut: output.cut,
        });
    }
}
