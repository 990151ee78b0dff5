//! Fires the hooks of one moment of one call, one after the other, and puts their answers together.

use std::time::Instant;

use serde_json::{Map, Value};

use super::dialect::{Effect, Meaning, interpret};
use super::run::{Ran, Surroundings, run};
use super::{HookEvent, Moment};
use crate::lifecycle::Context;

/// What the hooks before a call decided together. The most severe one wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    #[default]
    Go,
    Allow,
    Ask,
    Block,
}

/// One hook that ran, for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookRun {
    /// The file and the number of the rule in it.
    pub hook: String,
    /// Below zero: killed, out of time, or not started.
    pub exit: i32,
    pub duration_ms: u64,
    pub bytes: usize,
    /// It printed more than is kept.
    pub cut: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Fired {
    pub(crate) verdict: Verdict,
    /// Why, for the verdict that won.
    pub(crate) reasons: Vec<String>,
    /// For the model.
    pub(crate) notes: Vec<String>,
    /// For the user.
    pub(crate) warnings: Vec<String>,
    /// The arguments as a hook changed them.
    pub(crate) updated: Option<Map<String, Value>>,
    pub(crate) replacement: Option<Value>,
    pub(crate) runs: Vec<HookRun>,
}

/// What becomes of arguments that a hook has changed: the same as of any others.
pub(crate) type Admit<'a> = &'a dyn Fn(Map<String, Value>) -> Result<Map<String, Value>, String>;

/// Whether there is anything to fire.
pub(crate) fn any_matches(context: &Context, moment: Moment, event: &HookEvent<'_>) -> bool {
    let mut files = context.hooks.of(moment.kind()).peekable();
    if files.peek().is_none() {
        return false;
    }
    let (names, object) = (event.names(), event.context(moment));
    files.any(|armed| {
        armed.file.rules.iter().any(|rule| {
            rule.actions.iter().any(|action| action.enabled)
                && rule.matcher.matches(&names, &object)
        })
    })
}

pub(crate) fn fire(
    context: &Context,
    moment: Moment,
    event: &mut HookEvent<'_>,
    deadline: Instant,
    admit: Admit<'_>,
) -> Fired {
    let mut fired = Fired::default();
    let mut object = event.context(moment);
    for armed in context.hooks.of(moment.kind()) {
        let trusted = context.hooks.is_still_trusted(armed);
        for (index, rule) in armed.file.rules.iter().enumerate() {
            if !rule.matcher.matches(&event.names(), &object) {
                continue;
            }
            for action in rule.actions.iter().filter(|action| action.enabled) {
                let stdin = event.stdin(moment, armed.file.dialect);
                let around = Surroundings {
                    environment: &context.environment,
                    directory: context.hooks.repository().to_owned(),
                    stdin: &stdin,
                    deadline,
                };
                let ran = if trusted {
                    run(action, &around)
                } else {
                    Ran::not_run("a script it names changed since it was trusted")
                };
                let meaning = interpret(armed.file.dialect, moment, &ran);
                let hook = context.hooks.label(&armed.file.path, index);
                fired.record(hook.clone(), &ran);
                if let Some(updated) = fired.take(&hook, meaning, admit) {
                    event.arguments = updated;
                    object = event.context(moment);
                }
                if fired.verdict == Verdict::Block {
                    return fired;
                }
            }
        }
    }
    fired
}

impl Fired {
    /// Puts one answer to the others; gives back arguments that were changed.
    fn take(
        &mut self,
        hook: &str,
        meaning: Meaning,
        admit: Admit<'_>,
    ) -> Option<Map<String, Value>> {
        let Meaning { effect, reason, note, updated_input, replacement } = meaning;
        let sentence = format!("{hook}: {reason}");
        match effect {
            Effect::Go => {}
            Effect::Warn => self.warnings.push(format!("hook warns, {sentence}")),
            Effect::Fail => self.warnings.push(format!("hook failed, {sentence}")),
            Effect::Allow => self.judge(Verdict::Allow, sentence),
            Effect::Ask => self.judge(Verdict::Ask, sentence),
            Effect::Block => self.judge(Verdict::Block, sentence),
            Effect::Tell => self.notes.push(reason),
            Effect::Replace => {}
        }
        self.notes.extend(note);
        if replacement.is_some() {
            self.replacement = replacement;
        }
        if self.verdict == Verdict::Block {
            return None;
        }
        match admit(updated_input?) {
            Ok(updated) => {
                self.updated = Some(updated.clone());
                Some(updated)
            }
            Err(error) => {
                self.judge(Verdict::Block, format!("{hook}: its arguments are refused: {error}"));
                None
            }
        }
    }

    fn judge(&mut self, verdict: Verdict, reason: String) {
        if verdict > self.verdict {
            self.reasons.clear();
            self.verdict = verdict;
        }
        if verdict == self.verdict {
            self.reasons.push(reason);
        }
    }

    fn record(&mut self, hook: String, ran: &Ran) {
        self.runs.push(HookRun {
            hook,
            exit: ran.code(),
            duration_ms: u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX),
            bytes: ran.bytes,
            cut: ran.cut,
        });
    }
}
