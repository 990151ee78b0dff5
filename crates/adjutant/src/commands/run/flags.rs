//! Parses the flags of a run and builds the specification of the run.

mod budget;
mod compatibility;
mod duration;
mod fields;
mod model_limits;
mod record;
mod repeat;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use codex::{
    AgentKind, Base, CodexOptions, Continues, Instructions, Origin, PatchSpec, Piece,
    SourceContext, Sources, Spec, TimeLimitsSpec, model_and_effort, read_sources, sanitised_tag,
};
use process::Environment;

use super::log_place::LogPlaceFlags;
use super::pieces::Pieces;
use crate::commands::orders::OrderArguments;
use crate::failure::Failure;
use crate::prompt_briefing::{self, Prompt};
use crate::{edge, output};

use budget::BudgetFlags;
pub(in crate::commands) use budget::settings as unattended_settings;
use compatibility::{CompatibilityFlags, Preset};
pub(in crate::commands) use duration::Limit;
use record::RecordFlags;
use repeat::RepeatFlags;

pub(in crate::commands) use fields::set;

/// The maximum number of characters of the task that are used for the briefing. The rest is ignored.
const MAX_BRIEFED_CHARACTERS: usize = 4_000;
const DEFAULT_PREVIEW_LINES: usize = 40;

#[derive(Args, Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
pub(crate) struct RunFlags {
    /// Describe the task
    words: Vec<String>,
    #[command(flatten)]
    pieces: Pieces,
    /// Replace the base instructions with this file; - for stdin
    #[arg(short = 'F', long, value_name = "PATH", help_heading = "Instructions")]
    file_override: Option<String>,
    /// Add this text before the other instructions
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    prepend: Vec<String>,
    /// Add this text after the other instructions
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    append: Vec<String>,
    /// Add a file before the other instructions
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    prepend_file: Vec<PathBuf>,
    /// Add a file after the other instructions
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    append_file: Vec<PathBuf>,
    /// Add a briefing about this repository before the instructions
    #[arg(long, value_enum, default_value_t = Context::Auto, help_heading = "Instructions")]
    context: Context,
    /// Run codex in this directory
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(in crate::commands) cwd: Option<PathBuf>,
    /// Run this agent [default: codex; for `job resume` the agent of the job]
    #[arg(long, value_enum, value_name = "AGENT")]
    agent: Option<Agent>,
    /// Use this model: `name`, or `name effort` with minimal, low, medium or high
    #[arg(long, value_name = "MODEL", help_heading = "Codex")]
    model: Option<String>,
    /// Use a profile of codex's configuration
    #[arg(long, value_name = "NAME", help_heading = "Codex")]
    profile: Option<String>,
    /// Set a value of codex's configuration
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Codex")]
    codex_config: Vec<String>,
    /// Pass an argument to codex
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Codex")]
    codex_arg: Vec<String>,
    /// Pass the arguments after `--` to codex
    #[arg(last = true, value_name = "CODEX ARGUMENTS")]
    rest: Vec<String>,
    /// Stop codex after this time: 90 (seconds), 30m, 4h, off [default: 4h]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    timeout: Option<Limit>,
    /// Stop codex after this time without output [default: 30m]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    idle_timeout: Option<Limit>,
    /// Kill codex this long after it was asked to stop [default: 10s]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    grace: Option<Limit>,
    #[command(flatten)]
    budget: BudgetFlags,
    #[command(flatten)]
    pub(in crate::commands) log: LogPlaceFlags,
    #[command(flatten)]
    record: RecordFlags,
    #[command(flatten)]
    repeat: RepeatFlags,
    /// Change no files; return a patch instead
    #[arg(long, help_heading = "Patch mode")]
    patch_mode: bool,
    /// Write the patch to this file, which must be new or an earlier patch, outside `.git`, and not reached through a
    /// symbolic link
    #[arg(long, value_name = "PATH", help_heading = "Patch mode")]
    patch_output: Option<PathBuf>,
    /// Write this many lines of the patch to the log [default: 40]
    #[arg(long, value_name = "N", help_heading = "Patch mode")]
    patch_preview_lines: Option<usize>,
    /// Write no lines of the patch to the log
    #[arg(long, help_heading = "Patch mode")]
    no_patch_preview: bool,
    /// Do not store the patch with the session
    #[arg(long, help_heading = "Patch mode")]
    no_patch_artifact: bool,
    /// Print the command line, the sandbox and the prompt, and start nothing
    #[arg(long)]
    pub(in crate::commands) dry_run: bool,
    #[command(flatten)]
    pub(super) orders: OrderArguments,
    // These flags come last, so that their heading is the last one.
    #[command(flatten)]
    compatibility: CompatibilityFlags,
}

/// How file names on a command line are resolved.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Files<'a> {
    /// The directory for relative names.
    pub(in crate::commands) here: &'a Path,
    /// The only repository whose files may be read, if a model wrote the command line. `None` allows all files.
    pub(in crate::commands) confined_to: Option<&'a Path>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Context {
    #[default]
    Auto,
    Off,
}

/// The agent that runs unattended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Agent {
    Codex,
    Claude,
}

impl RunFlags {
    /// Returns true if the flags contain a task.
    pub(in crate::commands) fn have_a_task(&self) -> bool {
        self.sources(&Environment::default()).have_a_task()
    }

    /// Returns true if a part of the instructions is read from standard input.
    pub(in crate::commands) fn read_stdin(&self) -> bool {
        self.sources(&Environment::default()).need_stdin()
    }

    /// Returns a copy of the flags that requests no briefing.
    pub(in crate::commands) fn without_briefing(&self) -> Self {
        Self { context: Context::Off, ..self.clone() }
    }

    /// Returns true if a dry run only prints what it would start. `start.sh` and `job.sh` record a dry run as a session, as
    /// earlier versions did.
    pub(in crate::commands) fn is_preview(&self, environment: &Environment) -> bool {
        self.dry_run && environment.text("ADJUTANT_RECORD_DRY_RUN") != Some("1")
    }

    /// Returns the first given flag that changes the location of the record, or `None` if there is none.
    pub(in crate::commands) fn log_place_flag(&self) -> Option<&'static str> {
        self.log.person_only_flag()
    }

    pub(in crate::commands) fn spec(
        &self,
        origin: Origin,
        directory: &Path,
        environment: &Environment,
        continues: Option<Continues>,
    ) -> Result<Spec, Failure> {
        let here = edge::working_directory().unwrap_or_else(|| directory.to_owned());
        let files = Files { here: &here, confined_to: None };
        let spec = self.spec_at(files, origin, directory, environment, continues)?;
        for file in &spec.instructions.left_out {
            output::talk(&format!("warning: not read: {file}"));
        }
        Ok(spec)
    }

    /// Names the sandbox of an earlier session, unless the session had full access.
    pub(in crate::commands) fn keep_sandbox(&mut self, sandbox: Option<&str>) {
        let sandbox = sandbox.and_then(|word| word.parse().ok());
        self.orders.sandbox =
            sandbox.filter(|sandbox| *sandbox != policy::Sandbox::DangerFullAccess);
    }

    pub(in crate::commands) fn spec_at(
        &self,
        files: Files<'_>,
        origin: Origin,
        directory: &Path,
        environment: &Environment,
        continues: Option<Continues>,
    ) -> Result<Spec, Failure> {
        let here = files.here;
        let (instructions, is_composed) =
            self.instructions(directory, files, environment, continues.is_some())?;
        let mut spec = Spec::new(origin, directory.to_owned(), instructions);
        spec.confined_to = files.confined_to.map(Path::to_owned);
        let mut requested = self.orders.requested();
        requested.full_auto |= self.compatibility.preset == Some(Preset::Sprint);
        spec.orders = requested.into();
        spec.codex = self.codex();
        spec.agent = match self.agent {
            Some(Agent::Codex) => AgentKind::Codex,
            Some(Agent::Claude) => AgentKind::Claude,
            None => continues.as_ref().map_or(AgentKind::Codex, |earlier| earlier.agent),
        };
        spec.continues = continues;
        spec.tag = sanitised_tag(&self.record.tag(environment));
        spec.limits = self.limits();
        let settings = budget::settings(environment)?;
        spec.budget = self.budget.budget(&spec, &settings)?;
        spec.on_usage_limit = self.budget.on_usage_limit();
        spec.next_homes = budget::next_homes(&settings, spec.agent, environment)?;
        spec.next_profiles = settings.next_profiles;
        spec.log =
            self.record.log(environment, here, self.compatibility.preset == Some(Preset::Analysis));
        spec.repeat = self.repeat.repeat(environment)?;
        spec.redaction = self.record.redaction();
        spec.patch = self.patch_mode.then(|| PatchSpec {
            output: self.patch_output.as_ref().map(|path| here.join(path)),
            preview_lines: match self.patch_preview_lines {
                _ if self.no_patch_preview => 0,
                lines => lines.unwrap_or(DEFAULT_PREVIEW_LINES),
            },
            keeps_artifact: !self.no_patch_artifact,
        });
        spec.is_composed = is_composed;
        spec.is_dry_run = self.dry_run;
        spec.command_line = edge::command_line();
        Ok(spec)
    }

    /// Returns the instructions, and whether Adjutant composed them. If it did not, they are the user's own message.
    fn instructions(
        &self,
        directory: &Path,
        files: Files<'_>,
        environment: &Environment,
        is_message: bool,
    ) -> Result<(Instructions, bool), Failure> {
        let usage = |message: String| Failure::new(message, contract::ExitCode::Usage);
        let mut sources = self.sources(environment);
        if !sources.have_a_task() && !is_message {
            // If there is no other source, the task is read from standard input.
            sources.base = Base::Stdin;
        }
        let stdin = if sources.need_stdin() {
            let bytes = edge::read_stdin().map_err(|error| usage(format!("stdin: {error}")))?;
            Some(String::from_utf8(bytes).map_err(|_| usage("stdin is not UTF-8".to_owned()))?)
        } else {
            None
        };
        if sources.base == Base::Stdin && stdin.as_deref().is_none_or(|text| text.trim().is_empty())
        {
            return Err(usage("the task is missing".to_owned())
                .hint("describe the task with --task, pass a file with --file, or write the task to stdin"));
        }
        if self.context == Context::Auto && !is_message {
            sources.context = briefing(&task(&sources), directory, environment);
        }
        let context = SourceContext {
            directory: files.here.to_owned(),
            confined_to: files.confined_to.map(Path::to_owned),
            codex_home: codex::codex_home(environment),
            stdin,
            now: edge::now(),
        };
        let read = read_sources(&sources, &context).map_err(|error| usage(error.to_string()))?;
        if is_message && let [Piece::Text(text)] = sources.pieces.as_slice() {
            return Ok((Instructions::message(text), false));
        }
        Ok((Instructions::compose(&read, &context.now), true))
    }

    fn sources(&self, environment: &Environment) -> Sources {
        let mut pieces = self.pieces.0.clone();
        if self.words.iter().any(|word| !word.trim().is_empty()) {
            pieces.push(Piece::Text(self.words.join(" ")));
        }
        let base = match (&self.file_override, environment.text("INSTRUCTIONS")) {
            (Some(file), _) => Base::Override(file.clone()),
            (None, Some(text)) => Base::Environment(text.to_owned()),
            (None, None) => Base::Default,
        };
        Sources {
            context: None,
            base,
            prepend_files: self.prepend_file.clone(),
            prepend_texts: self.prepend.clone(),
            pieces,
            append_files: self.append_file.clone(),
            append_texts: self.append.clone(),
            patch_mode: self.patch_mode,
        }
    }

    fn codex(&self) -> CodexOptions {
        let (model, effort) = match self.model.as_deref().map(model_and_effort) {
            Some((model, effort)) => (Some(model), effort),
            None => (None, None),
        };
        CodexOptions {
            profile: self.profile.clone(),
            model,
            effort,
            config: self.codex_config.clone(),
            arguments: self.codex_arg.iter().chain(&self.rest).cloned().collect(),
        }
    }

    fn limits(&self) -> TimeLimitsSpec {
        let default = TimeLimitsSpec::default();
        let or = |limit: Option<Limit>, default| limit.map_or(default, Limit::milliseconds);
        TimeLimitsSpec {
            wall_ms: match self.compatibility.preset {
                Some(Preset::Sprint) => Some(60 * 60_000),
                Some(Preset::Fast) => Some(5 * 60_000),
                Some(Preset::Analysis | Preset::Secure) | None => or(self.timeout, default.wall_ms),
            },
            idle_ms: or(self.idle_timeout, default.idle_ms),
            grace_ms: or(self.grace, None).unwrap_or(default.grace_ms),
        }
    }
}

/// Creates the briefing for the task. Returns the text for the model, or `None` if it is empty. The briefing is part
/// of the instructions because `codex exec` cancels MCP tool calls.
fn briefing(task: &str, directory: &Path, environment: &Environment) -> Option<String> {
    if task.trim().is_empty() {
        return None;
    }
    let prompt = Prompt { text: task, session: None, has_history: false };
    let briefing = prompt_briefing::brief(&prompt, environment, Some(directory)).briefing;
    let context = briefing.fused_context.for_model.additional_context;
    (!context.trim().is_empty()).then_some(context)
}

/// Returns the text of the task and the names of its files, without the content of the files.
fn task(sources: &Sources) -> String {
    let pieces = sources.pieces.iter().map(|piece| match piece {
        Piece::Text(text) | Piece::File(text) => text.clone(),
        Piece::Folder(folder) => folder.display().to_string(),
    });
    let others = sources.prepend_texts.iter().chain(&sources.append_texts).cloned();
    let text = pieces.chain(others).collect::<Vec<_>>().join("\n");
    text.chars().take(MAX_BRIEFED_CHARACTERS).collect()
}

#[cfg(test)]
mod tests;
