//! Manages a conversation with codex: adds a briefing to each prompt, sends it and shows the answer.

mod sending;

use process::{Environment, StopSwitch};
use runs::TurnResult;

use super::arguments::{Continuity, Settings};
use super::briefing::Briefed;
use super::command::{self, Control};
use super::screen::Screen;
use super::thread::Thread;
use crate::failure::Failure;
use crate::prompt_briefing::Prompt;
use crate::signals::Interrupts;
use crate::{edge, output};
use sending::Installed;

const INTERRUPTED: u8 = 130;

pub(super) struct Conversation {
    settings: Settings,
    screen: Screen,
    interrupts: Interrupts,
    /// The installed codex, or `None` as long as only plans are printed, which do not need codex.
    codex: Option<Installed>,
    thread: Thread,
    /// The session id for the kernel, which does not repeat findings within a session. `None` if the prompts are
    /// independent.
    session: Option<String>,
    is_briefing: bool,
    last_prompt: Option<String>,
    last_briefing: Option<Briefed>,
}

pub(super) struct Outcome {
    pub(super) exit: u8,
    /// Whether the loop reads another prompt.
    pub(super) continues: bool,
}

/// The result of sending one prompt.
pub(super) struct Turn {
    pub(super) result: TurnResult,
    pub(super) command: Vec<String>,
    pub(super) limits: Vec<String>,
}

impl Conversation {
    /// Finds codex and starts to detect its flags in the background.
    pub(super) fn begin(
        settings: Settings,
        screen: Screen,
        interrupts: Interrupts,
    ) -> Result<Self, Failure> {
        let codex = if settings.is_plan { None } else { Some(Installed::find(&settings)?) };
        if codex.is_some() && runs::widens_sandbox(&settings.codex_arguments) {
            screen.aside(
                "note: the sandbox is wider than codex's default; codex records this repository as trusted (config.toml)",
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

    /// Starts a kernel session for several prompts. If a user types the prompts, also prints a short introduction.
    pub(super) fn open(&mut self) {
        self.begin_session();
        if self.screen.is_interactive() {
            let version = env!("CARGO_PKG_VERSION");
            self.screen
                .aside(&format!("codex-auto {version} · /help lists the commands · Ctrl-D quits"));
        }
    }

    /// Starts a new kernel session. Codex does not have the earlier findings, so the next briefing may contain them
    /// again.
    fn restart_session(&mut self) {
        if self.session.is_some() {
            self.begin_session();
        }
    }

    fn begin_session(&mut self) {
        let is_kept = self.settings.continuity != Continuity::None;
        let random: String = edge::entropy().chars().take(16).collect();
        self.session = is_kept.then(|| format!("codex-auto-{random}"));
    }

    pub(super) fn ask(&mut self, prompt: &str) -> Result<Outcome, Failure> {
        self.last_prompt = Some(prompt.to_owned());
        if self.settings.is_plan {
            return Ok(Outcome { exit: self.dry_run(prompt), continues: true });
        }
        let switch = self.interrupts.begin_turn();
        let exit = self.turn(prompt, &switch);
        self.interrupts.end_turn();
        self.screen.end_waiting();
        let exit = exit?;
        if let Some(exit) = self.interrupts.ending() {
            return Ok(Outcome { exit, continues: false });
        }
        Ok(Outcome { exit, continues: exit != INTERRUPTED || self.screen.is_interactive() })
    }

    /// Prints the briefing as JSON without starting codex (A61).
    fn dry_run(&mut self, prompt: &str) -> u8 {
        let briefed = self.brief(prompt, &self.settings.environment);
        output::data(&serde_json::to_string_pretty(&briefed.briefing).unwrap_or_default());
        let exit = briefed.exit;
        self.last_briefing = Some(briefed);
        exit
    }

    fn brief(&self, prompt: &str, environment: &Environment) -> Briefed {
        let has_history = self.thread.has_history();
        let prompt = Prompt { text: prompt, session: self.session.as_deref(), has_history };
        Briefed::new(&prompt, environment)
    }

    fn turn(&mut self, prompt: &str, switch: &StopSwitch) -> Result<u8, Failure> {
        let mut briefed = None;
        if self.is_briefing {
            self.screen.begin_waiting("briefing");
            briefed = Some(self.brief(prompt, &self.settings.environment));
            self.screen.end_waiting();
        }
        if switch.is_on() {
            self.restart_session();
            self.screen.aside("interrupted; the prompt was not sent");
            return Ok(INTERRUPTED);
        }
        if let Some(briefed) = briefed.as_ref().filter(|_| !self.screen.is_json()) {
            self.screen.briefing(briefed);
        }
        self.screen.begin_waiting("codex · Ctrl-C stops it");
        let turn = self.send(prompt, &mut briefed, switch);
        self.screen.end_waiting();
        let turn = turn?;
        let failure = briefed.as_ref().and_then(Briefed::failure);
        let exit = match turn.result.exit_code() {
            0 => failure.unwrap_or(0),
            code => code,
        };
        self.show(&turn, briefed.as_ref(), exit);
        self.last_briefing = briefed;
        Ok(exit)
    }

    fn show(&mut self, turn: &Turn, briefed: Option<&Briefed>, exit: u8) {
        let result = &turn.result;
        if let Some(answer) = &result.answer {
            self.screen.answer(answer);
        }
        if result.is_interrupted() {
            self.screen.aside("interrupted");
        } else if !result.is_success() {
            self.screen.limit(&format!("codex: {}", result.reason));
        }
        self.screen.report(briefed, Some(turn), exit);
    }

    /// Shows the plan for a prompt, or for the previous prompt, without running it. Returns the exit code.
    pub(super) fn plan(&mut self, prompt: Option<&str>) -> u8 {
        let Some(prompt) = prompt.map(str::to_owned).or_else(|| self.last_prompt.clone()) else {
            self.screen.say("no prompt has been sent yet; use `/plan PROMPT`");
            return contract::ExitCode::Usage.number();
        };
        let environment = self.settings.environment.clone().with("CI_AUTO_TOOLS_MODE", "plan");
        let briefed = self.brief(&prompt, &environment);
        let exit = briefed.exit;
        if self.screen.is_json() {
            self.screen.report(Some(&briefed), None, exit);
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
        exit
    }

    /// Runs a command and returns its exit code.
    pub(super) fn control(&mut self, command: &Control) -> u8 {
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
                return contract::ExitCode::Usage.number();
            }
            Control::Help => self.screen.say(&command::help()),
        }
        0
    }
}
