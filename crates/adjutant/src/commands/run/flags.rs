//! Every flag of a run, and how they become one description of it.

mod confined;
mod duration;
mod record;
mod repeat;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use codex::{
    Base, CodexOptions, Continues, Instructions, Origin, PatchSpec, Piece, Sources, Spec,
    Surroundings, TimeLimitsSpec, model_and_effort, read_sources, sanitised_tag,
};
use process::Environment;

use super::briefing::briefing;
use super::pieces::Pieces;
use super::place::LogPlaceFlags;
use crate::commands::orders::OrderArguments;
use crate::failure::Failure;
use crate::{edge, output};

use duration::Limit;
use record::RecordFlags;
use repeat::RepeatFlags;

#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(crate) struct RunFlags {
    /// What is to be done, as words
    words: Vec<String>,
    #[command(flatten)]
    pieces: Pieces,
    /// Replace the base instructions by this file; - for stdin
    #[arg(short = 'F', long, value_name = "PATH", help_heading = "Instructions")]
    file_override: Option<String>,
    /// A text before everything else
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    prepend: Vec<String>,
    /// A text after everything else
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Instructions")]
    append: Vec<String>,
    /// The same as --prepend, from a file
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    prepend_file: Vec<PathBuf>,
    /// The same as --append, from a file
    #[arg(long, value_name = "PATH", help_heading = "Instructions")]
    append_file: Vec<PathBuf>,
    /// A briefing about this repository in front of the instructions
    #[arg(long, value_enum, default_value_t = Context::Auto, help_heading = "Instructions")]
    context: Context,
    #[command(flatten)]
    pub(super) orders: OrderArguments,
    /// Where codex works
    #[arg(short = 'C', long, value_name = "DIR")]
    pub(in crate::commands) cwd: Option<PathBuf>,
    /// Use this model: `name`, or `name effort` with minimal, low, medium or high
    #[arg(long, value_name = "MODEL", help_heading = "Codex")]
    model: Option<String>,
    /// A profile of codex's configuration
    #[arg(long, value_name = "NAME", help_heading = "Codex")]
    profile: Option<String>,
    /// A value of codex's configuration
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Codex")]
    codex_config: Vec<String>,
    /// One more argument for codex
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = "Codex")]
    codex_arg: Vec<String>,
    /// Arguments for codex, after `--`
    #[arg(last = true, value_name = "CODEX ARGUMENTS")]
    rest: Vec<String>,
    /// A bundle of settings of old: sprint, analysis, secure or fast
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Codex")]
    preset: Option<Preset>,
    /// End codex after so long: 90 (seconds), 30m, 4h, off
    #[arg(long, value_name = "TIME", default_value = "4h", help_heading = "Limits")]
    timeout: Limit,
    /// End codex when it has said nothing for so long
    #[arg(long, value_name = "TIME", default_value = "30m", help_heading = "Limits")]
    idle_timeout: Limit,
    /// How long codex may take to end when it is asked to
    #[arg(long, value_name = "TIME", default_value = "10s", help_heading = "Limits")]
    grace: Limit,
    #[command(flatten)]
    pub(in crate::commands) log: LogPlaceFlags,
    #[command(flatten)]
    record: RecordFlags,
    #[command(flatten)]
    repeat: RepeatFlags,
    /// Change nothing: a patch is the result
    #[arg(long, help_heading = "Patch mode")]
    patch_mode: bool,
    /// Kept for callers of old: patch mode is read-only and needs no acknowledgement
    #[arg(long, hide = true)]
    ack_patch_mode: bool,
    /// Write the patch to this file: a new one or an earlier patch, not inside `.git`, not through a link
    #[arg(long, value_name = "PATH", help_heading = "Patch mode")]
    patch_output: Option<PathBuf>,
    /// Lines of the patch in the log
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Patch mode")]
    patch_preview_lines: usize,
    /// No lines of the patch in the log
    #[arg(long, help_heading = "Patch mode")]
    no_patch_preview: bool,
    /// Keep no patch beside the log
    #[arg(long, help_heading = "Patch mode")]
    no_patch_artifact: bool,
    /// Write the instructions, the log and the meta, and start no codex
    #[arg(long)]
    dry_run: bool,
}

/// How the names of files on a command line are understood.
#[derive(Clone, Copy)]
pub(in crate::commands) struct Files<'a> {
    /// They are relative to this directory.
    pub(in crate::commands) here: &'a Path,
    /// Nothing outside this repository is read: a model wrote the command line.
    pub(in crate::commands) confined_to: Option<&'a Path>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Context {
    Auto,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// --full-auto, one hour
    Sprint,
    /// 200 lines of instructions in the log
    Analysis,
    /// Redaction, which is on anyway
    Secure,
    /// Five minutes
    Fast,
}

impl RunFlags {
    /// Whether anything says what is to be done.
    pub(in crate::commands) fn have_a_task(&self) -> bool {
        self.sources(&Environment::default()).have_a_task()
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
            output::talk(&format!("warning: left out: {file}"));
        }
        Ok(spec)
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
        let (instructions, is_briefed) =
            self.instructions(directory, files, environment, continues.is_some())?;
        let mut spec = Spec::new(origin, directory.to_owned(), instructions);
        let mut requested = self.orders.requested();
        requested.full_auto |= self.preset == Some(Preset::Sprint);
        spec.orders = requested.into();
        spec.codex = self.codex();
        spec.continues = continues;
        spec.tag = sanitised_tag(&self.record.tag(environment));
        spec.patience = self.patience();
        spec.log = self.record.log(environment, here, self.preset == Some(Preset::Analysis));
        spec.repeat = self.repeat.repeat(environment)?;
        spec.redaction = self.record.redaction();
        spec.patch = self.patch_mode.then(|| PatchSpec {
            output: self.patch_output.as_ref().map(|path| here.join(path)),
            preview_lines: if self.no_patch_preview { 0 } else { self.patch_preview_lines },
            keeps_artifact: !self.no_patch_artifact,
        });
        spec.is_briefed = is_briefed;
        spec.is_dry_run = self.dry_run;
        spec.command_line = edge::command_line();
        Ok(spec)
    }

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
            // Nothing else was named: what comes through a pipe is the task.
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
            return Err(usage("there is nothing to do".to_owned())
                .hint("say it with --task, name a file with --file, or pipe it in; see --help"));
        }
        if self.context == Context::Auto && !is_message {
            sources.context = briefing(&sources, directory, environment);
        }
        let is_briefed = sources.context.is_some();
        let around = Surroundings {
            directory: files.here.to_owned(),
            confined_to: files.confined_to.map(Path::to_owned),
            codex_home: codex_home(environment),
            stdin,
            now: edge::now(),
        };
        let read = read_sources(&sources, &around).map_err(|error| usage(error.to_string()))?;
        if is_message && let [Piece::Text(text)] = sources.pieces.as_slice() {
            return Ok((Instructions::message(text), false));
        }
        Ok((Instructions::compose(&read, &around.now), is_briefed))
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

    fn patience(&self) -> TimeLimitsSpec {
        let minutes = |minutes: u64| Some(minutes * 60_000);
        TimeLimitsSpec {
            wall_ms: match self.preset {
                Some(Preset::Sprint) => minutes(60),
                Some(Preset::Fast) => minutes(5),
                Some(Preset::Analysis | Preset::Secure) | None => self.timeout.milliseconds(),
            },
            idle_ms: self.idle_timeout.milliseconds(),
            grace_ms: self.grace.milliseconds().unwrap_or(10_000),
        }
    }
}

fn codex_home(environment: &Environment) -> Option<PathBuf> {
    let named = environment.text("CODEX_HOME").map(PathBuf::from);
    named.or_else(|| environment.text("HOME").map(|home| PathBuf::from(home).join(".codex")))
}
