//! Turns a request into the complete description of a run: applies the defaults, the user's settings and the
//! environment, and composes the instructions.

use std::path::{Path, PathBuf};

use policy::Author;
use process::Environment;

use super::{BriefingChoice, Preset, RequestVersion, RunRequest, VERSION};
use crate::agents::AgentKind;
use crate::agents::codex::arguments::{CodexOptions, model_and_effort};
use crate::agents::codex::rollout::codex_home;
use crate::bounds::TimeLimit;
use crate::checks::RunError;
use crate::directory::DirectoryError;
use crate::instructions::{Base, Instructions, Piece, SourceContext, read_sources};
use crate::redaction::RedactionRules;
use crate::run_host::RunHost;
use crate::session::sanitised_tag;
use crate::settings::UnattendedSettings;
use crate::spec::{
    Aggregate, CONTINUE_PROMPT, Conditions, Continues, Echo, LogPlace, LogSpec, Origin, PatchSpec,
    Repeat, Spec, TimeLimitsSpec,
};
use crate::state::SessionState;
use crate::usage::{Caps, SessionBudget};
use crate::usage_limit::OnUsageLimit;

/// The maximum number of characters of the task that are used for the briefing. The rest is ignored.
const MAX_BRIEFED_CHARACTERS: usize = 4_000;
/// The maximum number of runs if a condition is given without `--max-runs`.
const DEFAULT_MAX_RUNS: u32 = 10;
const COMMIT_MESSAGE: &str = "docs(progress): auto update";

/// Where a run takes place.
#[derive(Clone, Copy, Debug)]
pub struct RunPlace<'a> {
    /// The directory in which the agent runs.
    pub directory: &'a Path,
    /// The directory for relative file names.
    pub here: &'a Path,
    /// The only repository whose files may be read, if a model made the request. `None` allows all files.
    pub confined_to: Option<&'a Path>,
}

/// Who makes a request, and what it continues.
#[derive(Clone, Debug)]
pub struct RunWish {
    pub origin: Origin,
    pub author: Author,
    pub continues: Option<Continues>,
}

impl RunRequest {
    /// Returns true if the request contains a task.
    #[must_use]
    pub fn has_task(&self) -> bool {
        let texts = [&self.prepend, &self.append];
        let files = [&self.prepend_file, &self.append_file];
        self.file_override.is_some()
            || !self.pieces.is_empty()
            || texts.iter().any(|texts| !texts.is_empty())
            || files.iter().any(|files| !files.is_empty())
    }

    /// Returns true if a part of the instructions is read from standard input.
    #[must_use]
    pub fn names_stdin(&self) -> bool {
        let is_stdin = |piece: &Piece| matches!(piece, Piece::File(file) if file == "-");
        self.file_override.as_deref() == Some("-") || self.pieces.iter().any(is_stdin)
    }

    /// Returns a copy of the request without a briefing.
    #[must_use]
    pub fn without_briefing(&self) -> Self {
        Self { context: BriefingChoice::Off, ..self.clone() }
    }

    /// Returns the complete description of a run that a user asks for. `here` is the user's working directory, and `earlier`
    /// is the ended session that the run continues, as [`crate::Sessions::continues`] returned it.
    pub fn describe_for_user(
        &self,
        origin: Origin,
        earlier: Option<(Continues, SessionState)>,
        here: &Path,
        host: &RunHost,
    ) -> Result<Spec, RunError> {
        let named = self.cwd.as_deref().or(earlier.as_ref().map(|(_, state)| state.cwd.as_path()));
        let path = here.join(named.unwrap_or(Path::new("")));
        let directory = path.canonicalize();
        let directory = &directory.map_err(|source| DirectoryError::Unusable { path, source })?;
        let place = RunPlace { directory, here, confined_to: None };
        let author = Author::Person;
        let mut spec = match earlier {
            Some(earlier) => self.describe_continued(place, author, earlier, host)?,
            None => self.describe(place, RunWish { origin, author, continues: None }, host)?,
        };
        spec.log.place = self.log_place(&host.environment, here);
        Ok(spec)
    }

    /// Returns the complete description of the run.
    ///
    /// # Errors
    /// Fails if a file of the task or the user's settings cannot be read, if a value makes no sense for any run, or if a
    /// model asks for what only a user may ask for.
    /// [`crate::check`] makes the other checks.
    pub fn describe(
        &self,
        place: RunPlace<'_>,
        wish: RunWish,
        host: &RunHost,
    ) -> Result<Spec, RunError> {
        let RequestVersion(version) = self.version;
        if version > VERSION {
            return Err(RunError::Newer { version });
        }
        let environment = &host.environment;
        let RunWish { origin, author, continues } = wish;
        if author != Author::Person {
            self.check_for_model(place, continues.is_some())?;
        }
        let (instructions, is_composed) = self.instructions(place, host, continues.is_some())?;
        let mut spec = Spec::new(origin, place.directory.to_owned(), instructions);
        spec.author = author;
        spec.confined_to = place.confined_to.map(Path::to_owned);
        spec.orders = self.requested();
        spec.orders.full_auto |= self.preset == Some(Preset::Sprint);
        spec.codex = self.codex();
        let earlier = continues.as_ref().map(|earlier| earlier.agent);
        spec.agent = self.agent.or(earlier).unwrap_or_default();
        spec.continues = continues;
        let tag = self.tag.as_deref().or_else(|| environment.text("CODEX_LOG_TAG"));
        spec.tag = sanitised_tag(tag.unwrap_or_default());
        spec.limits = self.limits();
        let settings = host.settings()?;
        spec.budget = self.budget(&spec, &settings)?;
        spec.on_usage_limit = self.wait_for_limit.map_or(OnUsageLimit::Fail, |limit| {
            OnUsageLimit::Wait { max_seconds: limit.milliseconds().unwrap_or(0) / 1_000 }
        });
        spec.next_homes =
            settings.next_homes(spec.agent, environment.text("HOME").map(Path::new))?;
        spec.next_profiles = settings.next_profiles;
        spec.log = self.log(environment, place.here);
        spec.repeat = self.repeat(environment)?;
        spec.redaction =
            RedactionRules { enabled: !self.no_redact, patterns: self.redact_pattern.clone() };
        spec.patch = self.patch_mode.then(|| self.patch(place.here));
        spec.is_composed = is_composed;
        spec.is_dry_run = self.dry_run;
        spec.command_line = self.words();
        Ok(spec)
    }

    /// Returns the complete description of a run that continues the conversation of an ended session, which
    /// [`crate::Sessions::continues`] returned.
    pub fn describe_continued(
        &self,
        place: RunPlace<'_>,
        author: Author,
        (continues, earlier): (Continues, SessionState),
        host: &RunHost,
    ) -> Result<Spec, RunError> {
        let wish = RunWish { origin: Origin::Job, author, continues: Some(continues) };
        let mut spec = self.describe(place, wish, host)?;
        if !self.has_task() {
            spec.instructions = Instructions::message(CONTINUE_PROMPT);
        }
        if spec.tag.is_empty() {
            spec.tag = earlier.tag;
        }
        Ok(spec)
    }

    /// Returns the instructions, and whether Adjutant composed them. If it did not, they are the user's own message.
    fn instructions(
        &self,
        place: RunPlace<'_>,
        host: &RunHost,
        is_message: bool,
    ) -> Result<(Instructions, bool), RunError> {
        let environment = &host.environment;
        let base = match (&self.file_override, environment.text("INSTRUCTIONS")) {
            (Some(file), _) => Base::Override(file.clone()),
            (None, Some(text)) => Base::Environment(text.to_owned()),
            // If there is no other source, the task is read from standard input.
            (None, None) if !self.has_task() && !is_message => Base::Stdin,
            (None, None) => Base::Default,
        };
        let needs_stdin = self.names_stdin() || base == Base::Stdin;
        let stdin = needs_stdin.then(|| host.stdin_text()).transpose()?;
        if base == Base::Stdin && stdin.as_deref().is_none_or(|text| text.trim().is_empty()) {
            return Err(RunError::NoTask);
        }
        let task = self.briefed_text();
        let is_briefed =
            self.context == BriefingChoice::Auto && !is_message && !task.trim().is_empty();
        let brief = || (host.brief)(&task, place.directory, environment);
        let context = SourceContext {
            base,
            briefing: is_briefed.then(brief).flatten(),
            directory: place.here.to_owned(),
            confined_to: place.confined_to.map(Path::to_owned),
            codex_home: codex_home(environment),
            stdin,
            now: host.timestamp(),
        };
        let read = read_sources(self, &context)?;
        if is_message && let [Piece::Text(text)] = self.pieces.as_slice() {
            return Ok((Instructions::message(text), false));
        }
        Ok((Instructions::compose(&read, &context.now), true))
    }

    /// Returns the text of the task and the names of its files, without the content of the files.
    fn briefed_text(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) | Piece::File(text) => text.clone(),
            Piece::Folder(folder) => folder.display().to_string(),
        });
        let others = self.prepend.iter().chain(&self.append).cloned();
        let text = pieces.chain(others).collect::<Vec<_>>().join("\n");
        text.chars().take(MAX_BRIEFED_CHARACTERS).collect()
    }

    pub(super) fn codex(&self) -> CodexOptions {
        let (model, effort) = self.model.as_deref().map(model_and_effort).unzip();
        CodexOptions {
            profile: self.profile.clone(),
            model,
            effort: effort.flatten(),
            config: self.codex_config.clone(),
            arguments: self.codex_arg.clone(),
        }
    }

    fn limits(&self) -> TimeLimitsSpec {
        let default = TimeLimitsSpec::default();
        let or = |limit: Option<TimeLimit>, default| limit.map_or(default, TimeLimit::milliseconds);
        TimeLimitsSpec {
            wall_ms: match self.preset {
                Some(Preset::Sprint) => Some(60 * 60_000),
                Some(Preset::Fast) => Some(5 * 60_000),
                Some(Preset::Analysis | Preset::Secure) | None => or(self.timeout, default.wall_ms),
            },
            idle_ms: or(self.idle_timeout, default.idle_ms),
            grace_ms: or(self.grace, None).unwrap_or(default.grace_ms),
        }
    }

    /// Returns the caps. The price of the model is read from the user's settings.
    fn budget(
        &self,
        spec: &Spec,
        settings: &UnattendedSettings,
    ) -> Result<SessionBudget, RunError> {
        for (flag, value) in [("--max-tokens", self.max_tokens), ("--max-turns", self.max_turns)] {
            if value == Some(0) {
                return Err(RunError::Useless(flag, "allows no turn"));
            }
        }
        let model = spec.codex.named_model();
        let price = model.as_deref().and_then(|model| settings.prices.get(model)).copied();
        // Claude Code reports its cost.
        if self.max_cost.is_some() && price.is_none() && spec.agent == AgentKind::Codex {
            return Err(RunError::NoPrice { model });
        }
        let (max_tokens, max_turns, max_cost) = (self.max_tokens, self.max_turns, self.max_cost);
        let caps = Caps { max_tokens, max_turns, max_cost };
        Ok(SessionBudget { caps, price, ..SessionBudget::default() })
    }

    fn log(&self, environment: &Environment, here: &Path) -> LogSpec {
        let variable = |name: &str| environment.text(name);
        let is_off = self.no_echo_instructions
            || (variable("CODEX_ECHO_INSTRUCTIONS") == Some("0") && !self.echo_instructions);
        let lines =
            self.echo_limit.or((self.preset == Some(Preset::Analysis)).then_some(200)).or_else(
                || variable("CODEX_ECHO_INSTRUCTIONS_LIMIT").and_then(|text| text.parse().ok()),
            );
        let path = |named: &Option<PathBuf>, name: &str| {
            let path = named.clone().or_else(|| variable(name).map(PathBuf::from));
            path.map(|path| here.join(path))
        };
        let has_aggregate = !self.no_aggregate && variable("CODEX_LOG_AGGREGATE") != Some("0");
        let default = LogSpec::default();
        LogSpec {
            echo: match lines {
                _ if is_off => Echo::Off,
                Some(0) => Echo::All,
                Some(lines) => Echo::Lines(lines),
                None => default.echo,
            },
            aggregate: has_aggregate.then(|| Aggregate {
                text: path(&self.aggregate_file, "CODEX_LOG_AGGREGATE_FILE"),
                jsonl: path(&self.aggregate_jsonl_file, "CODEX_LOG_AGGREGATE_JSONL_FILE"),
            }),
            ..default
        }
    }

    /// Returns where the record of the run is stored.
    fn log_place(&self, environment: &Environment, here: &Path) -> LogPlace {
        let variable = |name: &str| environment.text(name);
        let log_file =
            self.log_file.clone().or_else(|| variable("CODEX_LOG_FILE").map(PathBuf::from));
        let is_flat =
            self.flat_logs || (variable("CODEX_LOG_SUBDIRS") == Some("0") && !self.log_subdirs);
        match (log_file, variable("CODEX_SESSION_DIR")) {
            (Some(file), _) => LogPlace::File(here.join(file)),
            (None, Some(folder)) => LogPlace::Named(here.join(folder)),
            // `CODEX_SESSIONS_ROOT` always contains a folder for each session.
            (None, None) if is_flat && variable("CODEX_SESSIONS_ROOT").is_none() => LogPlace::Flat,
            (None, None) => LogPlace::Folder,
        }
    }

    fn repeat(&self, environment: &Environment) -> Result<Repeat, RunError> {
        let variable = |name: &str| environment.text(name);
        let has_condition = self.repeat_until.is_some()
            || self.require_git_commit
            || !self.require_change_in.is_empty();
        let max_runs = match self.max_runs {
            Some(0) => return Err(RunError::Useless("--max-runs", "runs nothing")),
            Some(max_runs) => max_runs,
            None if has_condition => DEFAULT_MAX_RUNS,
            None => 1,
        };
        let retries_off =
            self.no_overflow_retry || variable("ON_CONTEXT_OVERFLOW_RETRY") == Some("0");
        let retries = || variable("ON_CONTEXT_OVERFLOW_MAX_RETRIES")?.parse().ok();
        let retries = self.overflow_retries.or_else(retries);
        let message =
            self.auto_commit_message.as_deref().or_else(|| variable("AUTO_COMMIT_MESSAGE"));
        let default = Repeat::default();
        Ok(Repeat {
            until: self.repeat_until.clone(),
            max_runs,
            sleep_seconds: self.sleep_seconds,
            carries_context: !self.no_carry_context,
            overflow_retries: match retries_off {
                true => 0,
                false => retries.unwrap_or(default.overflow_retries),
            },
            conditions: Conditions {
                change_in: self.require_change_in.clone(),
                commit: self.require_git_commit,
                auto_commit: self
                    .auto_commit_on_done
                    .then(|| message.unwrap_or(COMMIT_MESSAGE).to_owned()),
            },
        })
    }

    fn patch(&self, here: &Path) -> PatchSpec {
        PatchSpec {
            output: self.patch_output.as_ref().map(|path| here.join(path)),
            preview_lines: match self.patch_preview_lines {
                _ if self.no_patch_preview => 0,
                lines => lines.unwrap_or(PatchSpec::default().preview_lines),
            },
            keeps_artifact: !self.no_patch_artifact,
        }
    }
}
