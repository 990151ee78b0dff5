//! A prompt on its way to codex: in the session it belongs to, or, if that is gone, in a new one.

use codex::{CutShort, GoesOn};
use contract::Limit;
use entry::{BRIEFED, NOBODY};
use process::StopSwitch;

use super::super::briefing::Briefed;
use super::super::thread::{Continued, continued};
use super::installed::{self, Installed};
use super::{Conversation, Turn};
use crate::failure::Failure;

impl Conversation {
    /// Goes on with the session if there is one, and begins another if that fails.
    pub(super) fn send(
        &mut self,
        prompt: &str,
        briefed: &mut Option<Briefed>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        let thread = self.thread.id().map(str::to_owned);
        let wanted = match self.thread.next() {
            GoesOn::Thread(_) => GoesOn::Thread(thread.as_deref().unwrap_or_default()),
            GoesOn::Last => GoesOn::Last,
            GoesOn::Nothing => GoesOn::Nothing,
        };
        let turn = match wanted {
            GoesOn::Nothing => self.start(&with(briefed.as_ref(), prompt), wanted, switch)?,
            GoesOn::Last | GoesOn::Thread(_) => {
                let text = with(briefed.as_ref(), prompt);
                match self.go_on(&text, wanted, switch)? {
                    Some((turn, Continued::Yes)) => turn,
                    Some((turn, Continued::Anew)) => self.lost(turn),
                    Some((_, Continued::No)) | None => self.begin_anew(prompt, briefed, switch)?,
                }
            }
        };
        self.thread.took(&turn.talked);
        Ok(turn)
    }

    /// The prompt was answered, but by somebody who does not know what was said before.
    fn lost(&mut self, mut turn: Turn) -> Turn {
        self.begin_session_again();
        self.screen.limit(&format!("[Limits] {}", Limit::SessionUnavailable));
        turn.limits.push(Limit::SessionUnavailable.to_string());
        turn
    }

    fn begin_anew(
        &mut self,
        prompt: &str,
        briefed: &mut Option<Briefed>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        self.begin_session_again();
        // What had been left out as known is not known to the new session.
        if self.session.is_some() && briefed.is_some() {
            *briefed = Some(self.brief(prompt, &self.settings.environment.clone()));
        }
        let text = with(briefed.as_ref(), prompt);
        let text = format!("{text}\n[Limits] {}", Limit::SessionUnavailable);
        let turn = self.start(&text, GoesOn::Nothing, switch)?;
        Ok(self.lost(turn))
    }

    /// None: this codex cannot go on with anything.
    fn go_on(
        &mut self,
        text: &str,
        wanted: GoesOn<'_>,
        switch: &StopSwitch,
    ) -> Result<Option<(Turn, Continued)>, Failure> {
        let Some(codex) = &mut self.codex else { return Ok(None) };
        let has_events = codex.has_events();
        if wanted == GoesOn::Last && !codex.can_resume_last() {
            return Ok(None);
        }
        let turn = self.start(text, wanted, switch)?;
        let Some(CutShort::SubAgentOf(root)) = turn.talked.cut_short.clone() else {
            let continued = continued(wanted, &turn.talked, has_events);
            return Ok(Some((turn, continued)));
        };
        self.screen.aside("codex took a sub-agent's session for the last one; going on with the one it belongs to");
        let turn = self.start(text, GoesOn::Thread(&root), switch)?;
        let continued = continued(GoesOn::Thread(&root), &turn.talked, has_events);
        Ok(Some((turn, continued)))
    }

    fn start(
        &mut self,
        text: &str,
        goes_on: GoesOn<'_>,
        switch: &StopSwitch,
    ) -> Result<Turn, Failure> {
        let codex = match &mut self.codex {
            Some(codex) => codex,
            None => self.codex.insert(Installed::find(&self.settings)?),
        };
        // The hook stays silent: what it would say is in the prompt, or is not wanted.
        let briefed = if self.is_briefing { "1" } else { NOBODY };
        let environment = self.settings.environment.clone().with(BRIEFED, briefed);
        let command = codex.command(&self.settings.codex_arguments, goes_on);
        let ask = codex.ask(&environment, &self.settings.codex_arguments, goes_on, text);
        let screen = &mut self.screen;
        let talked = codex::talk(&ask, switch, &mut |told| screen.told(told));
        let talked =
            talked.map_err(|error| installed::missing(&format!("{error}: {}", error.source)))?;
        Ok(Turn { talked, command, limits: Vec::new() })
    }
}

/// The prompt as codex gets it.
fn with(briefed: Option<&Briefed>, prompt: &str) -> String {
    briefed.map_or_else(|| prompt.to_owned(), |briefed| briefed.before(prompt))
}
