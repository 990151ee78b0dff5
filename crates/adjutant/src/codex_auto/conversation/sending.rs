//! Sends a prompt to codex in the current session, or in a new session if the current one is lost.

use clients::hook::{BRIEFED, NOBODY};
use contract::Limit;
use process::StopSwitch;
use runs::{Continuation, Interruption};

use super::super::briefing::Briefed;
use super::super::thread::{Continued, continued};
use super::installed::{self, Installed};
use super::{Conversation, Turn};
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
            *briefed = Some(self.brief(prompt, &self.settings.environment.clone()));
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
        let arguments = &self.settings.codex_arguments;
        let request = codex.request(&environment, arguments, continuation, text);
        let screen = &mut self.screen;
        let result = runs::run_turn(&request, switch, &mut |output| screen.output(output));
        let result =
            result.map_err(|error| installed::missing(&format!("{error}: {}", error.source)))?;
        Ok(Turn { result, command, limits: Vec::new() })
    }
}

/// Returns the input for codex: the prompt, preceded by its briefing if there is one.
fn with_briefing(briefed: Option<&Briefed>, prompt: &str) -> String {
    briefed.map_or_else(|| prompt.to_owned(), |briefed| briefed.before(prompt))
}
