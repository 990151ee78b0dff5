//! Runs the commands that a user types in the loop.

use super::super::command::{self, Control};
use super::super::screen::Report;
use super::{Conversation, Outcome};
use crate::failure::Failure;

impl Conversation {
    /// Shows the plan for a prompt, or for the previous prompt, without running it.
    pub(in super::super) fn plan(&mut self, prompt: Option<&str>) -> Result<Outcome, Failure> {
        let Some(prompt) = prompt.map(str::to_owned).or_else(|| self.last_prompt.clone()) else {
            self.screen.say("no prompt has been sent yet; use `/plan PROMPT`");
            return Ok(Outcome { exit: contract::ExitCode::Usage.number(), continues: true });
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
            if let Some(codex) = &self.codex {
                let command = codex.command(&self.settings.codex_arguments, self.thread.next());
                self.screen.say(&format!("would run: {}", command.join(" ")));
            }
        }
        Ok(Outcome { exit, continues: true })
    }

    pub(in super::super) fn control(&mut self, command: &Control) -> Result<Outcome, Failure> {
        let mut exit = 0;
        match command {
            Control::Limits => match &self.last_briefing {
                None => self.screen.say("no prompt has been briefed yet"),
                Some(briefed) if briefed.limits_text().is_empty() => self.screen.say("no limits"),
                Some(briefed) => self.screen.say(briefed.limits_text()),
            },
            Control::Off => {
                self.is_briefing = false;
                self.screen.say("prompts are sent without a briefing; /on enables briefings");
            }
            Control::On => {
                self.is_briefing = true;
                self.screen.say("prompts are sent with a briefing");
            }
            Control::New => {
                self.thread.forget();
                self.begin_session();
                self.last_briefing = None;
                self.screen.say("the next prompt starts a new session");
            }
            Control::Unknown { name, nearest } => {
                let nearest =
                    nearest.map(|name| format!(": did you mean `{name}`?")).unwrap_or_default();
                self.screen.say(&format!(
                    "unknown command `{name}`{nearest} (/help lists the commands; `/{name}` sends it as a prompt)"
                ));
                exit = contract::ExitCode::Usage.number();
            }
            Control::Help => self.screen.say(&command::help()),
        }
        Ok(Outcome { exit, continues: true })
    }
}
