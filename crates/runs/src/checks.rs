//! Checks all options of a run before any file is written or codex is started.

use std::io;
use std::path::PathBuf;

use policy::{
    Approval, ApprovalSupport, Author, Bypass, Effective, Orders, Refusal, Requested, Sandbox,
    Switches,
};

use crate::access::{self, AccessError};
use crate::agents::codex::abilities::{Abilities, CodexMissing};
use crate::agents::codex::arguments::CodexOptions;
use crate::agents::codex::raw_orders::{self, RawArgumentError};
use crate::agents::{Agent, CommandLine, Unsupported, Wanted};
use crate::bounds::{self, OutOfBounds};
use crate::completion::{BadCondition, Completion};
use crate::directory::{DirectoryError, OpenDirectory};
use crate::instructions::{InstructionError, MAX_CHARACTERS};
use crate::patch::{BadPatchTarget, PatchTarget, repository_around};
use crate::redaction::{BadPattern, Redaction};
use crate::run_host::RunHost;
use crate::settings::{BadHome, BadSettings, SETTINGS_FILE};
use crate::spec::{EffectiveOrders, Spec};
use crate::usage::TotalUse;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Orders(#[from] Refusal),
    #[error(transparent)]
    Arguments(#[from] RawArgumentError),
    #[error(transparent)]
    Bounds(#[from] OutOfBounds),
    #[error(transparent)]
    Access(#[from] AccessError),
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    #[error("invalid completion condition: {0}")]
    Condition(#[from] BadCondition),
    #[error(
        "the instructions are too long (任务输入内容过大): {found} characters, codex takes {MAX_CHARACTERS}"
    )]
    TooLong { found: usize },
    #[error("patch mode changes no files and cannot be combined with {0}")]
    PatchConflict(&'static str),
    #[error(transparent)]
    PatchTarget(#[from] BadPatchTarget),
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    #[error(transparent)]
    Missing(#[from] CodexMissing),
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    #[error("the session cannot be recorded in `{}`: {source}", place.display())]
    Record { place: PathBuf, source: io::Error },
    #[error("the supervisor cannot be started: {0}")]
    Supervisor(String),
    #[error("the request has version {version}, which a newer version of adjutant stored")]
    Newer { version: u32 },
    #[error(transparent)]
    Instructions(#[from] InstructionError),
    #[error("the task is missing")]
    NoTask,
    #[error("stdin: {0}")]
    Stdin(String),
    #[error("`{0} 0` {1}")]
    Useless(&'static str, &'static str),
    #[error("{}", match model {
        Some(model) => format!("the price of the model `{model}` is not known"),
        None => "`--max-cost` needs the model of the run".to_owned(),
    })]
    NoPrice { model: Option<String> },
    #[error("{0}")]
    NotForModel(String),
    #[error(transparent)]
    Settings(#[from] BadSettings),
    #[error(transparent)]
    Home(#[from] BadHome),
}

impl RunError {
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.exit_code_and_hint().0
    }

    /// Returns a hint about how the user can fix the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.exit_code_and_hint().1
    }

    fn exit_code_and_hint(&self) -> (u8, Option<String>) {
        let usage = |hint: &str| (2, Some(hint.to_owned()));
        match self {
            Self::Orders(refusal) => usage(refusal.guidance()),
            Self::TooLong { .. } => {
                usage("name the files in the task instead of pasting them: codex can read them")
            }
            Self::Missing(CodexMissing::ClaudeNotOnPath) => {
                (127, Some("install Claude Code, or set ADJUTANT_CLAUDE to its path".to_owned()))
            }
            Self::Missing(_) => (
                127,
                Some("install codex, or set ADJUTANT_CODEX to its path; `--dry-run` does not need codex".to_owned()),
            ),
            Self::Unsupported(Unsupported::Claude(_)) => (
                126,
                Some("change the orders, for example to `--sandbox read-only`, or use `--agent codex`".to_owned()),
            ),
            Self::Unsupported(_) => (126, Some("install a newer codex".to_owned())),
            Self::PatchConflict(_) => usage("use only one of the two"),
            Self::Arguments(error) => (2, error.hint().map(str::to_owned)),
            Self::Access(error) => usage(error.hint),
            Self::PatchTarget(_) => usage(
                "use a file that does not exist or is an earlier patch; without `--patch-output`, the patch is stored with the session",
            ),
            Self::Newer { .. } => usage("install a newer adjutant"),
            Self::NoTask => usage(
                "describe the task with --task, pass a file with --file, or write the task to stdin",
            ),
            Self::NoPrice { model: None } => usage("name it with --model"),
            Self::NoPrice { model: Some(model) } => usage(&format!(
                "write to {SETTINGS_FILE} in ~/.config/adjutant (or ADJUTANT_CONFIG_DIR): [prices.\"{model}\"] with input, cached_input and output, each per million tokens"
            )),
            Self::Settings(_) => (20, Some("correct the file or remove it".to_owned())),
            Self::Home(error) => (20, Some(error.hint())),
            Self::Record { .. } | Self::Supervisor(_) => (20, None),
            Self::Instructions(_)
            | Self::Stdin(_)
            | Self::Useless(..)
            | Self::NotForModel(_)
            | Self::Bounds(_)
            | Self::Pattern(_)
            | Self::Condition(_)
            | Self::Directory(_) => (2, None),
        }
    }
}

/// A run that passed all checks.
pub struct CheckedRun {
    pub(crate) program: PathBuf,
    /// The working directory of codex.
    pub(crate) directory: OpenDirectory,
    pub(crate) agent: Agent,
    pub orders: Orders,
    pub(crate) writable_roots: Vec<PathBuf>,
    open_roots: Vec<OpenDirectory>,
    /// Notes for the session record about permissions other than the sandbox, approval policy and network access, such
    /// as the effects of raw codex arguments.
    pub(crate) notes: Vec<String>,
    /// Warnings for the user and the session record about options whose effect is not known.
    pub warnings: Vec<String>,
    /// The approval policy that is passed to codex instead of the effective one, because codex does not say whether it
    /// can ask.
    approval_not_judged: Option<Approval>,
    pub(crate) options: CodexOptions,
    pub(crate) redaction: Redaction,
    pub(crate) completion: Completion,
}

impl CheckedRun {
    /// Returns codex's arguments for the first run of the session.
    pub fn arguments(&self, spec: &Spec) -> Result<Vec<String>, Unsupported> {
        let thread = spec.continues.as_ref().map(|earlier| earlier.thread.as_str());
        let start = ProcessStart { thread, profile: None, used: TotalUse::default() };
        Ok(self.command_line(spec, &start, std::path::Path::new("last"))?.words())
    }

    /// Returns the command line of one of the session's processes.
    pub(crate) fn command_line(
        &self,
        spec: &Spec,
        start: &ProcessStart<'_>,
        last_message: &std::path::Path,
    ) -> Result<CommandLine, Unsupported> {
        self.agent.command_line(&Wanted {
            effective: self.orders.effective,
            approval: self.approval_not_judged.unwrap_or(self.orders.effective.approval),
            normalised: self.orders.normalised,
            writable_roots: &self.writable_roots,
            options: &self.options,
            profile: start.profile.or(self.options.profile.as_deref()),
            thread: start.thread,
            last_message,
            budget: &spec.budget,
            used: start.used,
        })
    }

    /// Checks that the working directory and the writable directories are the ones with which the run started.
    pub(crate) fn check_directories(&self) -> Result<(), DirectoryError> {
        self.directory.check()?;
        self.open_roots.iter().try_for_each(OpenDirectory::check)
    }

    /// Returns the reasons for the effective permissions, the notes and the warnings.
    pub(crate) fn reasons(&self) -> Vec<String> {
        let reasons = self.orders.reasons.iter().map(ToString::to_string);
        reasons.chain(self.notes.iter().chain(&self.warnings).cloned()).collect()
    }

    /// Returns the effective permissions as they are written to the session's files.
    pub(crate) fn effective(&self) -> EffectiveOrders {
        let (orders, writable_roots) = (self.orders.effective, self.writable_roots.clone());
        EffectiveOrders { orders, writable_roots }
    }
}

/// The values that distinguish one process of a session from the others.
pub(crate) struct ProcessStart<'a> {
    /// The thread to continue.
    pub(crate) thread: Option<&'a str>,
    /// The codex configuration profile, if it differs from the run's profile.
    pub(crate) profile: Option<&'a str>,
    /// The tokens, turns and cost that the session used before this process started.
    pub(crate) used: TotalUse,
}

/// Checks a run against the installed codex. For a dry run, codex is not started; a recent version is assumed.
pub fn check(spec: &Spec, host: &RunHost) -> Result<CheckedRun, RunError> {
    check_with(spec, host, || {
        if spec.is_dry_run {
            return Ok(Agent::assumed(spec.agent));
        }
        Agent::find(spec.agent, &host.environment, host.cache.as_deref())
    })
}

/// Like [`check`], but calls `codex` to find the installed program. If codex is missing and there is also another
/// error, the other error is returned.
pub fn check_for(
    spec: &Spec,
    host: &RunHost,
    codex: impl FnOnce() -> Result<(PathBuf, Abilities), CodexMissing>,
) -> Result<CheckedRun, RunError> {
    check_with(spec, host, || {
        codex().map(|(program, abilities)| (program, Agent::Codex(abilities)))
    })
}

fn check_with(
    spec: &Spec,
    host: &RunHost,
    agent: impl FnOnce() -> Result<(PathBuf, Agent), CodexMissing>,
) -> Result<CheckedRun, RunError> {
    let redaction = Redaction::new(&spec.redaction)?;
    bounds::check(spec)?;
    let mut judged = raw_orders::judge(spec.orders, &spec.codex, spec.author)?;
    let requested = in_patch_mode(spec, judged.requested)?;
    let switches = Switches::read(&|name| host.environment.text(name).map(str::to_owned))?;
    let completion =
        Completion::new(spec.repeat.until.as_deref(), &spec.repeat.conditions, &host.environment)?;
    let found = spec.instructions.text.chars().count();
    if found > MAX_CHARACTERS {
        return Err(RunError::TooLong { found });
    }
    let directory = OpenDirectory::open(&spec.directory, spec.confined_to.as_deref())?;
    if let Some(output) = spec.patch.as_ref().and_then(|patch| patch.output.as_deref()) {
        PatchTarget::resolve(output, &repository_around(&spec.directory))?.check()?;
    }
    let agent = agent();
    let asking = match &agent {
        Ok((_, agent)) if agent.can_ask() => ApprovalSupport::Possible,
        Ok(_) | Err(_) => ApprovalSupport::Impossible,
    };
    let orders = match &spec.continues {
        None => decide_orders(requested, spec.author, &switches, asking)?,
        Some(earlier) => {
            directory.check_resumed(earlier)?;
            access::check_thread(earlier, spec, &host.environment)?;
            let new_run = with_defaults(requested, spec.author);
            let orders =
                Orders::continued(earlier.effective.orders, requested, new_run, &switches, asking)?;
            orders.check_author(spec.author, &switches)?;
            orders
        }
    };
    let (program, agent) = agent?;
    let writable_roots =
        access::writable_roots(&judged.writable_roots, spec, orders.effective, &mut judged.notes)?;
    let open_roots = writable_roots.iter().map(|root| OpenDirectory::open(root, None));
    let open_roots = open_roots.collect::<Result<_, _>>()?;
    let approval_not_judged = approval_not_judged(spec.author, &agent, &orders);
    if let Some(approval) = approval_not_judged {
        judged.warnings.push(format!(
            "the approval policy `{approval}` was passed to codex and not judged: this codex does not say whether it can ask"
        ));
    }
    let checked = CheckedRun {
        program,
        directory,
        open_roots,
        agent,
        orders,
        writable_roots,
        notes: judged.notes,
        warnings: judged.warnings,
        approval_not_judged,
        options: judged.options,
        redaction,
        completion,
    };
    if spec.budget.has_cap() && !checked.agent.has_events() {
        let version = checked.agent.version().unwrap_or("of unknown version").to_owned();
        return Err(Unsupported::Caps { version }.into());
    }
    checked.arguments(spec)?;
    Ok(checked)
}

/// Decides the sandbox, approval policy and network access of a new run. If a model requested the run, missing values
/// are set to the defaults of the MCP tool.
pub fn decide_orders(
    requested: Requested,
    author: Author,
    switches: &Switches,
    asking: ApprovalSupport,
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

/// Returns the approval policy that the user named, if it is not the effective one only because codex does not describe
/// its flags. Asking never widens the sandbox: codex refuses a call if the user does not answer its question.
fn approval_not_judged(author: Author, agent: &Agent, orders: &Orders) -> Option<Approval> {
    let Effective { approval, bypass, .. } = orders.effective;
    let is_unknown = matches!(agent, Agent::Codex(abilities) if abilities.version.is_none());
    let named = orders.requested.approval.filter(|named| *named != approval);
    named.filter(|_| is_unknown && author == Author::Person && bypass == Bypass::No)
}

/// Sets the sandbox to read-only in patch mode, so that codex cannot change files. Fails if the run has options that
/// conflict with patch mode.
fn in_patch_mode(spec: &Spec, requested: Requested) -> Result<Requested, RunError> {
    if spec.patch.is_none() {
        return Ok(requested);
    }
    let conditions = &spec.repeat.conditions;
    let conflicts = [
        (requested.bypass == Bypass::Yes, "a bypass of the sandbox"),
        (!conditions.change_in.is_empty(), "--require-change-in"),
        (conditions.commit, "--require-git-commit"),
        (conditions.auto_commit.is_some(), "--auto-commit-on-done"),
        (spec.repeat.until.is_some(), "--repeat-until"),
    ];
    match conflicts.into_iter().find(|(is_given, _)| *is_given) {
        Some((_, flag)) => Err(RunError::PatchConflict(flag)),
        None => Ok(Requested { sandbox: Some(Sandbox::ReadOnly), full_auto: false, ..requested }),
    }
}
