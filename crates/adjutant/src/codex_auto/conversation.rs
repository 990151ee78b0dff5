//! One conversation: a prompt is briefed, sent and answered, again and again.

mod installed;
mod sending;
mod words;

use codex::Talked;
use process::{Environment, StopSwitch};

use super::arguments::{Continuity, Settings};
use super::briefing::{Briefed, Place, brief};
use super::interrupts::Interrupts;
use super::screen::{Report, Screen};
use super::thread::Thread;
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
    /// What the kernel knows the conversation by: what it was told once is not told again. None: each prompt stands alone.
    session: Option<String>,
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
            session: None,
            is_briefing: true,
            last_prompt: None,
            last_briefing: None,
        })
    }

    pub(super) fn is_briefing(&self) -> bool {
        self.is_briefing
    }

    /// More prompts than one will come.
    pub(super) fn open(&mut self) {
        self.begin_session();
        if self.screen.is_interactive() {
            let version = env!("CARGO_PKG_VERSION");
            self.screen.aside(&format!(
                "codex-auto {version} · /help lists what can be typed · Ctrl-D ends"
            ));
        }
    }

    /// What codex does not know any more may be told again.
    fn begin_session_again(&mut self) {
        if self.session.is_some() {
            self.begin_session();
        }
    }

    fn begin_session(&mut self) {
        let is_kept = self.settings.continuity != Continuity::None;
        let chance: String = edge::entropy().chars().take(16).collect();
        self.session = is_kept.then(|| format!("codex-auto-{chance}"));
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
        let has_history = self.thread.has_history();
        brief(prompt, environment, Place { session: self.session.as_deref(), has_history })
    }

    fn turn(&mut self, prompt: &str, switch: &StopSwitch) -> Result<u8, Failure> {
        let mut briefed = None;
        if self.is_briefing {
            self.screen.begin_waiting("briefing");
            briefed = Some(self.brief(prompt, &self.settings.environment.clone()));
            self.screen.end_waiting();
        }
        if switch.is_on() {
            self.begin_session_again();
            self.screen.aside("interrupted; nothing was sent");
            return Ok(INTERRUPTED);
        }
        if let Some(briefed) = briefed.as_ref().filter(|_| !self.screen.is_for_program()) {
            self.screen.briefing(briefed);
        }
        self.screen.begin_waiting("codex · Ctrl-C stops it");
        let turn = self.send(prompt, &mut briefed, switch);
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
}
