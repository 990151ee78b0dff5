//! Words to the loop itself: what they do and say.

use super::super::command::{self, Word};
use super::super::screen::Report;
use super::{Conversation, Outcome};
use crate::failure::Failure;

impl Conversation {
    /// What would be asked and run; nothing is.
    pub(in super::super) fn plan(&mut self, prompt: Option<&str>) -> Result<Outcome, Failure> {
        let Some(prompt) = prompt.map(str::to_owned).or_else(|| self.last_prompt.clone()) else {
            self.screen.say("a plan for which prompt? `/plan PROMPT`");
            return Ok(Outcome { exit: contract::ExitCode::Usage.number(), goes_on: true });
        };
        let environment = self.settings.environment.clone().with("CI_AUTO_TOOLS_MODE", "plan");
        let briefed = self.brief(&prompt, &environment);
        let exit = briefed.exit;
        if self.screen.is_for_program() {
            self.screen.report(&Report {
                briefing: Some(&briefed),
                codex: None,
                limits: &[],
                exit,
            });
        } else {
            for part in [briefed.plan_text(), briefed.limits_text()] {
                if !part.is_empty() {
                    self.screen.say(part);
                }
            }
            if let Some(codex) = &mut self.codex {
                let command = codex.command(&self.settings.codex_arguments, self.thread.next());
                self.screen.say(&format!("would run: {}", command.join(" ")));
            }
        }
        Ok(Outcome { exit, goes_on: true })
    }

    /// Words to the loop itself that no prompt goes with.
    pub(in super::super) fn answer(&mut self, word: &Word) -> Result<Outcome, Failure> {
        let mut exit = 0;
        match word {
            Word::Limits => match &self.last_briefing {
                None => self.screen.say("nothing has been briefed yet"),
                Some(briefed) if briefed.limits_text().is_empty() => self.screen.say("no limits"),
                Some(briefed) => self.screen.say(briefed.limits_text()),
            },
            Word::Off => {
                self.is_briefing = false;
                self.screen.say("prompts are sent without a briefing; /on brings it back");
            }
            Word::On => {
                self.is_briefing = true;
                self.screen.say("prompts are briefed");
            }
            Word::New => {
                self.thread.forget();
                self.begin_session();
                self.last_briefing = None;
                self.screen.say("the next prompt begins a new session");
            }
            Word::Unknown { name, nearest } => {
                let nearest =
                    nearest.map(|name| format!(": did you mean `{name}`?")).unwrap_or_default();
                self.screen.say(&format!(
                    "unknown command `{name}`{nearest} (/help lists all; `/{name}` sends it as a prompt)"
                ));
                exit = contract::ExitCode::Usage.number();
            }
            Word::Help => self.screen.say(&command::help()),
        }
        Ok(Outcome { exit, goes_on: true })
    }
}
