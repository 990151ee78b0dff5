//! One conversation: a prompt is briefed, sent and answered, again and again.

mod installed;

use codex::{CutShort, GoesOn, Talked};
use contract::Limit;
use entry::{BRIEFED, NOBODY};
use process::{Environment, StopSwitch};

use super::arguments::Settings;
use super::briefing::{Briefed, Place, brief};
use super::command::{self, Word};
use super::interrupts::Interrupts;
use super::screen::{Report, Screen};
use super::thread::{Continued, Thread, continued};
use crate::failure::Failure;
use crate::{edge, output};
use installed::Installed;

const INTERRUPTED: u8 = 130;

pub(super) struct Conversation {
    settings: Settings,
    screen: Screen,
    interrupts: Interrupts,
    /// None where nothing is to be run.
    codex: Option<Installed>,
    thread: Thread,
    /// What the kernel knows the conversation by.
    session: String,
    is_briefing: bool,
    last_prompt: Option<String>,
    last_briefing: Option<Briefed>,
}

pub(super) struct Outcome {
    pub(super) exit: u8,
    /// Whether the loop does.
    pub(super) goes_on: bool,
}

/// What one prompt came to.
struct Turn {
    talked: Talked,
    command: Vec<String>,
    limits: Vec<String>,
}

impl Conversation {
    /// Codex is looked for at once, and asked what it accepts while the first prompt is being typed.
    pub(super) fn begin(
        settings: Settings,
        screen: Screen,
        interrupts: Interrupts,
    ) -> Result<Self, Failure> {
        let codex = if settings.is_plan { None } else { Some(Installed::find(&settings)?) };
        if codex.is_some() && codex::widens_sandbox(&settings.codex_arguments) {
            screen.aside(
                "note: the sandbox is wider than codex's own; codex remembers this repository as trusted from now on (config.toml)",
            );
        }
        let thread = Thread::new(settings.continuity);
        Ok(Self {
            settings,
            screen,
            interrupts,
            codex,
            thread,
            session: new_session(),
            is_briefing: true,
            last_prompt: None,
            last_briefing: None,
        })
    }

    pub(super) fn is_briefing(&self) -> bool {
        self.is_briefing
    }

    pub(super) fn greet(&self) {
        if self.screen.is_interactive() {
            let version = env!("CARGO_PKG_VERSION");
            self.screen.aside(&format!(
                "codex-auto {version} · /help lists what can be typed · Ctrl-D ends"
            ));
        }
    }

    pub(super) fn ask(&mut self, prompt: &str) -> Result<Outcome, Failure> {
        self.last_prompt = Some(prompt.to_owned());
        if self.settings.is_plan {
            return Ok(self.dry_run(prompt));
        }
        let switch = self.interrupts.begin_turn();
        let exit = self.turn(prompt, &switch);
        self.interrupts.end_turn();
        self.screen.end_waiting();
        let exit = exit?;
        if let Some(exit) = self.interrupts.ending() {
            return Ok(Outcome { exit, goes_on: false });
        }
        Ok(Outcome { exit, goes_on: exit != INTERRUPTED || self.screen.is_interactive() })
    }

    /// A61: the briefing's JSON and nothing else.
    fn dry_run(&mut self, prompt: &str) -> Outcome {
        let briefed = self.brief(prompt, &self.settings.environment.clone());
        output::data(&serde_json::to_string_pretty(&briefed.json).unwrap_or_default());
        let exit = briefed.exit;
        self.last_briefing = Some(briefed);
        Outcome { exit, goes_on: true }
    }

    fn brief(&self, prompt: &str, environment: &Environment) -> Briefed {
        let is_alone = self.settings.continuity == super::arguments::Continuity::None;
        let session = (!is_alone).then_some(self.session.as_str());
        brief(prompt, environment, Place { session, has_history: self.thread.has_history() })
    }

    fn turn(&mut self, prompt: &str, switch: &StopSwitch) -> Result<u8, Failure> {
        let mut briefed = None;
        if self.is_briefing {
            self.screen.begin_waiting("briefing");
            briefed = Some(self.brief(prompt, &self.settings.environment.clone()));
            self.screen.end_waiting();
        }
        if switch.is_on() {
            self.screen.aside("interrupted; nothing was sent");
            return Ok(INTERRUPTED);
        }
        if let Some(briefed) = briefed.as_ref().filter(|_| !self.screen.is_for_program()) {
            self.screen.briefing(briefed);
        }
        let text =
            briefed.as_ref().map_or_else(|| prompt.to_owned(), |briefed| briefed.before(prompt));
        self.screen.begin_waiting("codex · Ctrl-C stops it");
        let turn = self.send(&text, switch);
        self.screen.end_waiting();
        let turn = turn?;
        let failure = briefed.as_ref().and_then(Briefed::failure);
        let exit = match turn.talked.exit_code() {
            0 => failure.unwrap_or(0),
            code => code,
        };
        self.show(&turn, briefed.as_ref(), exit);
        self.last_briefing = briefed;
        Ok(exit)
    }

    fn show(&mut self, turn: &Turn, briefed: Option<&Briefed>, exit: u8) {
        let talked = &turn.talked;
        if let Some(answer) = &talked.answer {
            self.screen.answer(answer);
        }
        if talked.is_interrupted() {
            self.screen.aside("interrupted");
        } else if !talked.is_good() {
            self.screen.limit(&format!("codex: {}", talked.reason));
        }
        let codex = Some((turn.command.as_slice(), talked));
        self.screen.report(&Report { briefing: briefed, codex, limits: &turn.limits, exit });
    }

    /// Goes on with the session if there is one, and begins another if that fails.
    fn send(&mut self, text: &str, switch: &StopSwitch) -> Result<Turn, Failure> {
        let thread = self.thread.id().map(str::to_owned);
        let wanted = match self.thread.next() {
            GoesOn::Thread(_) => GoesOn::Thread(thread.as_deref().unwrap_or_default()),
            GoesOn::Last => GoesOn::Last,
            GoesOn::Nothing => GoesOn::Nothing,
        };
        let mut answered = None;
        let mut is_lost = false;
        if wanted != GoesOn::Nothing {
            let attempt = self.go_on(text, wanted, switch)?;
            is_lost = attempt.as_ref().is_none_or(|(_, continued)| *continued != Continued::Yes);
            answered =
                attempt.filter(|(_, continued)| *continued != Continued::No).map(|(turn, _)| turn);
        }
        let sentence = format!("[Limits] {}", Limit::SessionUnavailable);
        if is_lost {
            self.screen.limit(&sentence);
        }
        let mut turn = match answered {
            Some(turn) => turn,
            None if is_lost => {
                self.start(&format!("{text}\n{sentence}"), GoesOn::Nothing, switch)?
            }
            None => self.start(text, GoesOn::Nothing, switch)?,
        };
        if is_lost {
            turn.limits.push(Limit::SessionUnavailable.to_string());
        }
        self.thread.took(&turn.talked);
        Ok(turn)
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

    /// What would be asked and run; nothing is.
    pub(super) fn plan(&mut self, prompt: Option<&str>) -> Result<Outcome, Failure> {
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
    pub(super) fn answer(&mut self, word: &Word) -> Result<Outcome, Failure> {
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
                self.session = new_session();
                self.last_briefing = None;
                self.screen.say("the next prompt begins a new session");
            }
            Word::Unknown { name, nearest } => {
                let nearest =
                    nearest.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
                self.screen.say(&format!("unknown command `{name}`; {nearest}/help lists them, and a prompt that begins with a slash is written with two"));
                exit = contract::ExitCode::Usage.number();
            }
            Word::Help => self.screen.say(&command::help()),
        }
        Ok(Outcome { exit, goes_on: true })
    }
}

fn new_session() -> String {
    let chance: String = edge::entropy().chars().take(16).collect();
    format!("codex-auto-{chance}")
}
