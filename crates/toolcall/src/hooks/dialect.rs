//! What an exit code means: one table, one interpreter, whoever calls.

use process::End;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::decision;
use super::run::Ran;

/// Which ancestor's meaning of exit codes a hook file was written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// 0 good, 1 a warning, anything else a failure.
    #[default]
    Seed,
    /// Like `seed`, but 1 blocks the call before it and replaces its result after it.
    Snow,
    /// 2 blocks, other codes warn, JSON on stdout decides.
    Claude,
}

impl Dialect {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Snow => "snow",
            Self::Claude => "claude",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    After,
}

/// The classes of exit codes that any dialect tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Zero,
    One,
    Two,
    More,
    /// By a signal, by its time-out, or it could not be started: a code below zero.
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

/// What a hook does to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The call goes on, the result stands.
    Go,
    /// It goes on, and the user is told.
    Warn,
    /// Before: nobody needs to be asked.
    Allow,
    /// Before: the user is asked.
    Ask,
    /// Before: the call never runs.
    Block,
    /// After: the hook's words take the place of the result.
    Replace,
    /// After: the result stands, and the model is told.
    Tell,
    /// After: the result stands, and the user is told that the hook failed.
    Fail,
}

/// The table.
pub(super) fn effect(dialect: Dialect, moment: Moment, exit: Exit) -> Effect {
    use Dialect::{Claude, Seed, Snow};
    use Moment::{After, Before};
    match (dialect, moment, exit) {
        (Seed | Snow | Claude, Before | After, Exit::Zero) => Effect::Go,
        (Seed, Before | After, Exit::One) => Effect::Warn,
        (Snow, Before, Exit::One) => Effect::Block,
        (Snow, After, Exit::One) => Effect::Replace,
        (Claude, Before | After, Exit::One | Exit::More) => Effect::Warn,
        (Claude, After, Exit::Two) => Effect::Tell,
        (Seed | Snow, Before, Exit::Two | Exit::More | Exit::Killed)
        | (Claude, Before, Exit::Two | Exit::Killed) => Effect::Block,
        (Seed | Snow, After, Exit::Two | Exit::More | Exit::Killed)
        | (Claude, After, Exit::Killed) => Effect::Fail,
    }
}

/// One hook's answer, understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Meaning {
    pub(super) effect: Effect,
    /// Why, in the hook's words.
    pub(super) reason: String,
    /// More for the model.
    pub(super) note: Option<String>,
    pub(super) updated_input: Option<Map<String, Value>>,
    pub(super) replacement: Option<Value>,
}

impl Meaning {
    pub(super) fn new(effect: Effect, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { effect, reason, note: None, updated_input: None, replacement: None }
    }
}

/// The interpreter.
pub(super) fn interpret(dialect: Dialect, moment: Moment, ran: &Ran) -> Meaning {
    let exit = Exit::of(ran.end);
    if dialect == Dialect::Claude && exit == Exit::Zero && ran.stdout.starts_with('{') {
        return decision::read(moment, &ran.stdout);
    }
    let effect = effect(dialect, moment, exit);
    let mut meaning = Meaning::new(effect, ran.words());
    if effect == Effect::Replace {
        meaning.replacement = Some(meaning.reason.clone().into());
    }
    meaning
}

#[cfg(test)]
mod tests;
