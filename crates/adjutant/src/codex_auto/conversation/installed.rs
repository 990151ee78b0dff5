//! The installed codex. A background thread detects its flags.

use std::cell::{LazyCell, OnceCell};
use std::path::PathBuf;
use std::thread;

use process::Environment;
use runs::{Abilities, Continuation, Dialect, TurnRequest};

use super::super::arguments::Settings;
use crate::edge;
use crate::failure::Failure;

const MISSING: u8 = 127;

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
        let program =
            runs::find_codex(&environment).map_err(|error| missing(&error.to_string()))?;
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

    pub(super) fn has_events(&self) -> bool {
        self.abilities.dialect() == Dialect::Events
    }

    pub(super) fn can_resume_last(&self) -> bool {
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

    pub(super) fn request<'a>(
        &'a self,
        environment: &'a Environment,
        arguments: &'a [String],
        continuation: Continuation<'a>,
        prompt: &'a str,
    ) -> TurnRequest<'a> {
        TurnRequest {
            program: &self.program,
            abilities: &self.abilities,
            environment,
            arguments,
            continuation,
            prompt,
            clock: edge::clock(),
        }
    }
}

pub(super) fn missing(reason: &str) -> Failure {
    let mut failure = Failure::tool_failed(reason).hint(
        "install codex, or set ADJUTANT_CODEX to its path; `codex-auto --dry-run` prints the briefing without codex",
    );
    failure.exit = MISSING;
    failure
}
