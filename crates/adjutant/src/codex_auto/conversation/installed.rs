//! The installed codex. A background thread detects its flags.

use std::cell::{Cell, OnceCell};
use std::path::PathBuf;
use std::thread::{self, JoinHandle};

use process::Environment;
use runs::{Abilities, Continuation, Dialect, TurnRequest};

use super::super::arguments::Settings;
use crate::edge;
use crate::failure::Failure;

const MISSING: u8 = 127;

pub(super) struct Installed {
    program: PathBuf,
    environment: Environment,
    asking: Cell<Option<JoinHandle<Abilities>>>,
    abilities: OnceCell<Abilities>,
    can_resume_last: OnceCell<bool>,
}

impl Installed {
    pub(super) fn find(settings: &Settings) -> Result<Self, Failure> {
        let environment = settings.environment.clone();
        let program =
            runs::find_codex(&environment).map_err(|error| missing(&error.to_string()))?;
        let cache = edge::cache_directory(&environment);
        let (asked, variables) = (program.clone(), environment.clone());
        let asking = thread::spawn(move || Abilities::of(&asked, &variables, cache.as_deref()));
        Ok(Self {
            program,
            environment,
            asking: Cell::new(Some(asking)),
            abilities: OnceCell::new(),
            can_resume_last: OnceCell::new(),
        })
    }

    /// Waits for the background thread and returns the detected flags. If the thread panicked, codex is treated as an
    /// old version.
    fn abilities(&self) -> &Abilities {
        let wait = || self.asking.take().and_then(|asking| asking.join().ok());
        self.abilities.get_or_init(|| wait().unwrap_or_default())
    }

    pub(super) fn has_events(&self) -> bool {
        self.abilities().dialect() == Dialect::Events
    }

    pub(super) fn can_resume_last(&self) -> bool {
        let ask = || runs::can_resume_last(&self.program, self.abilities(), &self.environment);
        *self.can_resume_last.get_or_init(ask)
    }

    /// Returns the command line for the next turn.
    pub(super) fn command(
        &self,
        arguments: &[String],
        continuation: Continuation<'_>,
    ) -> Vec<String> {
        let mut words = vec!["codex".to_owned()];
        words.extend(runs::turn_arguments(self.abilities(), arguments, continuation));
        words
    }

    pub(super) fn request<'a>(
        &'a self,
        environment: &'a Environment,
        arguments: &'a [String],
        continuation: Continuation<'a>,
        prompt: &'a str,
    ) -> TurnRequest<'a> {
        TurnRequest {
            program: &self.program,
            abilities: self.abilities(),
            environment,
            arguments,
            continuation,
            prompt,
            clock: edge::clock(),
        }
    }
}

pub(super) fn missing(reason: &str) -> Failure {
    let mut failure = Failure::new(reason, contract::ExitCode::ToolFailed).hint(
        "install codex, or set ADJUTANT_CODEX to its path; `codex-auto --dry-run` prints the briefing without codex",
    );
    failure.exit = MISSING;
    failure
}
