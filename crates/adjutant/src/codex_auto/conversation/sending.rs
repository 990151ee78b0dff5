//! Sends a prompt to codex in the current session, or in a new session if the current one is lost.

use std::cell::{LazyCell, OnceCell};
use std::fmt::Display;
use std::path::PathBuf;
use std::thread;

use clients::hook::{BRIEFED, NOBODY};
use contract::Limit;
use process::{Environment, StopSwitch};
use runs::{Abilities, Continuation, Dialect, Interruption, TurnRequest};

use super::super::arguments::Settings;
use super::super::briefing::Briefed;
use super::super::thread::{Continued, continued};
use super::{Conversation, Turn};
use crate::edge;
use crate::failure::Failure;

impl Conversation {
    /// Sends a prompt in the current session if there is one. If that fails, starts a new session.
    pub(super) fn send(
        &mut self,
        prompt: &str,
        briefed: &mut Option<Briefed>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        let thread = self.thread.clone();
        let wanted = thread.next();
        let text = with_briefing(briefed.as_ref(), prompt);
        let turn = if wanted == Continuation::New {
            self.start(&text, wanted, switch)?
        } else {
            match self.resume(&text, wanted, switch)? {
                Some((turn, Continued::Yes)) => turn,
                Some((turn, Continued::InNewSession)) => self.report_lost_session(turn),
                Some((_, Continued::No)) | None => {
                    self.start_new_session(prompt, briefed, switch)?
                }
            }
        };
        self.thread.add(&turn.result);
        Ok(turn)
    }

    /// Adds a `[Limits]` message to the turn and prints it. The message says that the answer comes from a new session,
    /// which does not contain the earlier prompts.
    fn report_lost_session(&mut self, mut turn: Turn) -> Turn {
        self.restart_session();
        self.screen.limit(&format!("[Limits] {}", Limit::SessionUnavailable));
        turn.limits.push(Limit::SessionUnavailable.to_string());
        turn
    }

    fn start_new_session(
        &mut self,
        prompt: &str,
        briefed: &mut Option<Briefed>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        self.restart_session();
        // The briefing omitted findings that the lost session contained, so a new briefing is created for the prompt.
        if self.session.is_some() && briefed.is_some() {
            *briefed = Some(self.brief(prompt, &self.settings.environment));
        }
        let text = with_briefing(briefed.as_ref(), prompt);
        let text = format!("{text}\n[Limits] {}", Limit::SessionUnavailable);
        let turn = self.start(&text, Continuation::New, switch)?;
        Ok(self.report_lost_session(turn))
    }

    /// Sends the prompt in an existing session. Returns `None` if this version of codex cannot continue the session.
    fn resume(
        &mut self,
        text: &str,
        wanted: Continuation<'_>,
        switch: &StopSwitch,
    ) -> Result<Option<(Turn, Continued)>, Failure> {
        let Some(codex) = &self.codex else { return Ok(None) };
        let has_events = codex.has_events();
        if wanted == Continuation::Last && !codex.can_resume_last() {
            return Ok(None);
        }
        let turn = self.start(text, wanted, switch)?;
        let Some(Interruption::SubAgentOf(root)) = turn.result.interruption.clone() else {
            let continued = continued(wanted, &turn.result, has_events);
            return Ok(Some((turn, continued)));
        };
        self.screen
            .aside("codex selected a sub-agent's session; continuing the session that started it");
        let turn = self.start(text, Continuation::Thread(&root), switch)?;
        let continued = continued(Continuation::Thread(&root), &turn.result, has_events);
        Ok(Some((turn, continued)))
    }

    fn start(
        &mut self,
        text: &str,
        continuation: Continuation<'_>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        let codex = match &self.codex {
            Some(codex) => codex,
            None => self.codex.insert(Installed::find(&self.settings)?),
        };
        // The variable prevents the hook from adding a second briefing.
        let briefed = if self.is_briefing { "1" } else { NOBODY };
        let environment = self.settings.environment.clone().with(BRIEFED, briefed);
        let command = codex.command(&self.settings.codex_arguments, continuation);
        let request = TurnRequest {
            program: &codex.program,
            abilities: &codex.abilities,
            environment: &environment,
            arguments: &self.settings.codex_arguments,
            continuation,
            prompt: text,
            clock: edge::clock(),
        };
        let screen = &mut self.screen;
        let result = runs::run_turn(&request, switch, &mut |output| screen.output(output));
        let result = result.map_err(|error| missing(error.to_string()))?;
        Ok(Turn { result, command, limits: Vec::new() })
    }
}

/// Returns the input for codex: the prompt, preceded by its briefing if there is one.
fn with_briefing(briefed: Option<&Briefed>, prompt: &str) -> String {
    briefed.map_or_else(|| prompt.to_owned(), |briefed| briefed.before(prompt))
}

const MISSING: u8 = 127;

/// The installed codex. A background thread detects its flags.
pub(super) struct Installed {
    program: PathBuf,
    environment: Environment,
    /// Waits for the background thread. If the thread panicked, codex is treated as an old version.
    abilities: LazyCell<Abilities, Box<dyn FnOnce() -> Abilities>>,
    can_resume_last: OnceCell<bool>,
}

impl Installed {
    pub(super) fn find(settings: &Settings) -> Result<Self, Failure> {
        let environment = settings.environment.clone();
        let program = runs::find_codex(&environment).map_err(missing)?;
        let cache = edge::cache_directory(&environment);
        let (asked, variables) = (program.clone(), environment.clone());
        let asking = thread::spawn(move || Abilities::of(&asked, &variables, cache.as_deref()));
        Ok(Self {
            program,
            environment,
            abilities: LazyCell::new(Box::new(|| asking.join().unwrap_or_default())),
            can_resume_last: OnceCell::new(),
        })
    }

    fn has_events(&self) -> bool {
        self.abilities.dialect() == Dialect::Events
    }

    fn can_resume_last(&self) -> bool {
        let ask = || runs::can_resume_last(&self.program, &self.abilities, &self.environment);
        *self.can_resume_last.get_or_init(ask)
    }

    /// Returns the command line for the next turn.
    pub(super) fn command(
        &self,
        arguments: &[String],
        continuation: Continuation<'_>,
    ) -> Vec<String> {
        let mut words = vec!["codex".to_owned()];
        words.extend(runs::turn_arguments(&self.abilities, arguments, continuation));
        words
    }
}

fn missing(reason: impl Display) -> Failure {
    let failure = Failure::tool_failed(reason).hint(
        "install codex, or set ADJUTANT_CODEX to its path; `codex-auto --dry-run` prints the briefing without codex",
    );
    Failure { exit: MISSING, ..failure }
}
