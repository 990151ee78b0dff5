//! Determines a hook's effect from its exit code. Dialects interpret exit codes differently.

use contract::{Arguments, ToolMoment};
use process::End;
use serde::Deserialize;
use serde_json::Value;

use super::decision;
use super::run::HookOutput;

/// The exit-code convention that the hooks of a file follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HookDialect {
    /// Exit code 0 is success, 1 is a warning, and other codes are failures.
    #[default]
    Seed,
    /// Like `Seed`, but exit code 1 blocks the call in a before hook and replaces the result in an after hook.
    Snow,
    /// Exit code 2 blocks the call in a before hook and sends a message to the model in an after hook. Exit code 1 and
    /// codes above 2 are warnings. With exit code 0, a JSON object on standard output is parsed as a decision.
    Claude,
}

impl HookDialect {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Snow => "snow",
            Self::Claude => "claude",
        }
    }
}

/// The classes of exit codes that the dialects distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Zero,
    One,
    Two,
    More,
    /// The hook was killed by a signal or at its timeout, or could not be started.
    Killed,
}

impl Exit {
    pub(super) fn of(end: Option<End>) -> Self {
        match end {
            Some(End::Exited(0)) => Self::Zero,
            Some(End::Exited(1)) => Self::One,
            Some(End::Exited(2)) => Self::Two,
            Some(End::Exited(code)) if code > 2 => Self::More,
            Some(End::Exited(_) | End::Signalled(_) | End::TimedOut) | None => Self::Killed,
        }
    }
}

/// The effect of a hook on a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The call continues, and the result does not change.
    Go,
    /// The call continues, and the user sees a warning.
    Warn,
    /// Before a call: the client does not have to ask the user for permission.
    Allow,
    /// Before a call: the client asks the user for permission.
    Ask,
    /// Before a call: the tool does not run.
    Block,
    /// After a call: the hook's output replaces the tool's result.
    Replace,
    /// After a call: the result does not change, and the model gets a message.
    Tell,
    /// After a call: the result does not change, and the user sees that the hook failed.
    Fail,
}

/// Returns the effect of a hook's exit code. `docs/design/toolcall.md` and `docs/guide/hooks.md` contain a copy of this
/// table.
pub(super) fn effect(dialect: HookDialect, moment: ToolMoment, exit: Exit) -> Effect {
    use HookDialect::{Claude, Seed, Snow};
    use ToolMoment::{After, Before, Failed};
    match (dialect, moment, exit) {
        (Seed | Snow | Claude, Before | After | Failed, Exit::Zero) => Effect::Go,
        (Seed, Before | After | Failed, Exit::One) => Effect::Warn,
        (Snow, Before, Exit::One) => Effect::Block,
        (Snow, After | Failed, Exit::One) => Effect::Replace,
        (Claude, Before | After | Failed, Exit::One | Exit::More) => Effect::Warn,
        (Claude, After | Failed, Exit::Two) => Effect::Tell,
        (Seed | Snow, Before, Exit::Two | Exit::More | Exit::Killed)
        | (Claude, Before, Exit::Two | Exit::Killed) => Effect::Block,
        (Seed | Snow, After | Failed, Exit::Two | Exit::More | Exit::Killed)
        | (Claude, After | Failed, Exit::Killed) => Effect::Fail,
    }
}

/// The interpreted output of a hook.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meaning {
    pub(super) effect: Effect,
    /// The reason that the hook gave.
    pub(super) reason: String,
    /// Additional context for the model.
    pub(super) note: Option<String>,
    pub(super) updated_input: Option<Arguments>,
    pub(super) replacement: Option<Value>,
}

impl Meaning {
    pub(super) fn new(effect: Effect, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { effect, reason, note: None, updated_input: None, replacement: None }
    }
}

pub(super) fn interpret(dialect: HookDialect, moment: ToolMoment, output: &HookOutput) -> Meaning {
    let exit = Exit::of(output.end);
    if dialect == HookDialect::Claude && exit == Exit::Zero && output.stdout.starts_with('{') {
        return decision::read(moment, &output.stdout);
    }
    let effect = effect(dialect, moment, exit);
    let mut meaning = Meaning::new(effect, output.message());
    if effect == Effect::Replace {
        meaning.replacement = Some(meaning.reason.clone().into());
    }
    meaning
}

#[cfg(test)]
mod tests;
