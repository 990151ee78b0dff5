//! Checks a run completely before any file is written or codex is started.

use std::io;
use std::path::PathBuf;

use policy::{
    Asking, Author, Bypass, Effective, Orders, Refusal, Requested, Sandbox, Switches, UnknownWord,
};

use crate::abilities::{Abilities, CodexMissing, Dialect, find_codex};
use crate::access::{self, AccessError};
use crate::arguments::{self, CodexOptions, CommandLine, Unsupported, Wanted};
use crate::bounds::{self, OutOfBounds};
use crate::completion::{BadGate, Completion};
use crate::instructions::MAX_CHARACTERS;
use crate::patch::{BadPatchTarget, PatchTarget, repository_around};
use crate::raw_orders::{self, RawArgumentError};
use crate::redaction::{BadPattern, Redaction};
use crate::run_host::RunHost;
use crate::spec::{EffectiveWords, Spec};

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Orders(#[from] Refusal),
    #[error(transparent)]
    Word(#[from] UnknownWord),
    #[error(transparent)]
    Arguments(#[from] RawArgumentError),
    #[error(transparent)]
    Bounds(#[from] OutOfBounds),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    #[error("a condition for being done cannot be used: {0}")]
    Gate(#[from] BadGate),
    #[error(
        "the instructions are too long (任务输入内容过大): {found} characters, codex takes {MAX_CHARACTERS}"
    )]
    TooLong { found: usize },
    #[error("patch mode changes no files and cannot be combined with {0}")]
    PatchConflict(&'static str),
    #[error(transparent)]
    PatchTarget(#[from] BadPatchTarget),
    #[error("`{}` is not a directory", .0.display())]
    NoDirectory(PathBuf),
    #[error(transparent)]
    Missing(#[from] CodexMissing),
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    #[error("the session cannot be recorded in `{}`: {source}", place.display())]
    Record { place: PathBuf, source: io::Error },
    #[error("the supervisor cannot be started: {0}")]
    Supervisor(String),
}

impl RunError {
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Missing(_) => 127,
            Self::Unsupported(_) => 126,
            Self::Record { .. } | Self::Supervisor(_) => 20,
            Self::Orders(_)
            | Self::Word(_)
            | Self::Arguments(_)
            | Self::Bounds(_)
            | Self::Access(_)
            | Self::Pattern(_)
            | Self::Gate(_)
            | Self::TooLong { .. }
            | Self::PatchConflict(_)
            | Self::PatchTarget(_)
            | Self::NoDirectory(_) => 2,
        }
    }

    /// Returns a hint about how the user can fix the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Orders(refusal) => Some(refusal.guidance().to_owned()),
            Self::TooLong { .. } => Some(
                "name the files in the task instead of pasting them: codex can read them"
                    .to_owned(),
            ),
            Self::Missing(_) => Some(
                "install codex, or name it with ADJUTANT_CODEX; `--dry-run` does not need codex".to_owned(),
            ),
            Self::Unsupported(_) => Some("install a newer codex".to_owned()),
            Self::PatchConflict(_) => Some("remove one of them".to_owned()),
            Self::Arguments(error) => error.hint().map(str::to_owned),
            Self::Access(error) => Some(error.hint().to_owned()),
            Self::PatchTarget(_) => Some(
                "name a new file, or an earlier patch; without `--patch-output` the patch is kept with the session"
                    .to_owned(),
            ),
            Self::Word(_)
            | Self::Bounds(_)
            | Self::Pattern(_)
            | Self::Gate(_)
            | Self::NoDirectory(_)
            | Self::Record { .. }
            | Self::Supervisor(_) => None,
        }
    }
}

/// A run that passed all checks.
pub struct CheckedRun {
    pub(crate) program: PathBuf,
    pub(crate) abilities: Abilities,
    pub orders: Orders,
    /// The directories that codex can write to, in addition to the working directory.
    pub(crate) writable_roots: Vec<PathBuf>,
    /// Notes for the session record about permissions beyond the orders (sandbox, approvals, network), such as the effects
    /// of raw codex arguments.
    pub(crate) notes: Vec<String>,
    pub(crate) options: CodexOptions,
    pub(crate) redaction: Redaction,
    pub(crate) completion: Completion,
}

impl CheckedRun {
    /// Returns codex's arguments for the first run of the session.
    pub fn arguments(&self, spec: &Spec) -> Result<Vec<String>, Unsupported> {
        let thread = spec.continues.as_ref().map(|earlier| earlier.thread.as_str());
        Ok(self.command_line(thread, std::path::Path::new("last"))?.words())
    }

    pub(crate) fn command_line(
        &self,
        thread: Option<&str>,
        last_message: &std::path::Path,
    ) -> Result<CommandLine, Unsupported> {
        let wanted = Wanted {
            effective: self.orders.effective,
            normalised: self.orders.normalised,
            writable_roots: &self.writable_roots,
            options: &self.options,
            thread,
            last_message,
        };
        arguments::command_line(&self.abilities, &wanted)
    }

    /// Returns the effective orders in the published wording.
    pub(crate) fn effective_words(&self) -> EffectiveWords {
        EffectiveWords::new(self.orders.effective, &self.writable_roots)
    }

    pub(crate) fn has_events(&self) -> bool {
        self.abilities.dialect() == Dialect::Events
    }
}

/// Checks a run against the installed codex. For a dry run, codex is not started; a recent version is assumed.
pub fn check(spec: &Spec, host: &RunHost) -> Result<CheckedRun, RunError> {
    check_for(spec, host, || {
        if spec.is_dry_run {
            return Ok((PathBuf::from("codex"), Abilities::assumed()));
        }
        let program = find_codex(&host.environment)?;
        let abilities = Abilities::of(&program, &host.environment, host.cache.as_deref());
        Ok((program, abilities))
    })
}

/// Checks a run against the codex that the function `codex` returns. Errors in the run are reported before a missing codex.
pub fn check_for(
    spec: &Spec,
    host: &RunHost,
    codex: impl FnOnce() -> Result<(PathBuf, Abilities), CodexMissing>,
) -> Result<CheckedRun, RunError> {
    let redaction = Redaction::new(&spec.redaction)?;
    bounds::check(spec)?;
    let mut judged = raw_orders::judge(spec.orders.requested()?, &spec.codex, spec.author)?;
    let requested = in_patch_mode(spec, judged.requested)?;
    let switches = Switches::read(&|name| host.environment.text(name).map(str::to_owned))?;
    let completion =
        Completion::new(spec.repeat.until.as_deref(), &spec.repeat.gates, &host.environment)?;
    let found = spec.instructions.text.chars().count();
    if found > MAX_CHARACTERS {
        return Err(RunError::TooLong { found });
    }
    if !spec.directory.is_dir() {
        return Err(RunError::NoDirectory(spec.directory.clone()));
    }
    if let Some(output) = spec.patch.as_ref().and_then(|patch| patch.output.as_deref()) {
        PatchTarget::resolve(output, &repository_around(&spec.directory))?.check()?;
    }
    let codex = codex();
    let asking = match &codex {
        Ok((_, abilities))
            if abilities.version.is_some() && !abilities.accepts("--ask-for-approval") =>
        {
            Asking::Impossible
        }
        Ok(_) | Err(_) => Asking::Possible,
    };
    let orders = match &spec.continues {
        None => decide_orders(requested, spec.author, &switches, asking)?,
        Some(earlier) => {
            let stored: Effective = earlier.effective.effective()?;
            access::check_thread(earlier, &spec.directory, &host.environment)?;
            // The stored session has a sandbox, so only a requested bypass gets the defaults of the MCP tool.
            let requested = match requested.bypass {
                Bypass::Yes => with_defaults(requested, spec.author),
                Bypass::No => requested,
            };
            let orders = Orders::continued(stored, requested, &switches, asking)?;
            orders.check_author(spec.author, &switches)?;
            orders
        }
    };
    let (program, abilities) = codex?;
    let writable_roots =
        access::writable_roots(&judged.writable_roots, spec, orders.effective, &mut judged.notes)?;
    let checked = CheckedRun {
        program,
        abilities,
        orders,
        writable_roots,
        notes: judged.notes,
        options: judged.options,
        redaction,
        completion,
    };
    checked.arguments(spec)?;
    Ok(checked)
}

/// Decides the orders (sandbox, approvals, network) of a new run. A request by a model gets the defaults of the MCP tool.
pub fn decide_orders(
    requested: Requested,
    author: Author,
    switches: &Switches,
    asking: Asking,
) -> Result<Orders, Refusal> {
    let orders = Orders::decide(with_defaults(requested, author), switches, asking)?;
    orders.check_author(author, switches)?;
    Ok(orders)
}

fn with_defaults(requested: Requested, author: Author) -> Requested {
    match author {
        Author::Model { .. } => requested.for_tool_call(),
        Author::Person => requested,
    }
}

/// Sets the sandbox to read-only in patch mode, so that codex cannot change files. Fails if the run has options that
/// conflict with patch mode.
fn in_patch_mode(spec: &Spec, requested: Requested) -> Result<Requested, RunError> {
    if spec.patch.is_none() {
        return Ok(requested);
    }
    let gates = &spec.repeat.gates;
    let conflict = match () {
        () if requested.bypass == Bypass::Yes => Some("a bypass of the sandbox"),
        () if !gates.change_in.is_empty() => Some("--require-change-in"),
        () if gates.commit => Some("--require-git-commit"),
        () if gates.auto_commit.is_some() => Some("--auto-commit-on-done"),
        () if spec.repeat.until.is_some() => Some("--repeat-until"),
        () => None,
    };
    match conflict {
        Some(flag) => Err(RunError::PatchConflict(flag)),
        None => Ok(Requested { sandbox: Some(Sandbox::ReadOnly), full_auto: false, ..requested }),
    }
}
