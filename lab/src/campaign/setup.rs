//! Prepares one run: folders, command line, environment and payload.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a new fault changes only what it is about; everything else stays as without a fault"
)]

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::fault::Fault;
use super::random::Random;
use super::templates::{Templates, command};

/// A variable in the environment of every process of a run. It is used to find processes that the run leaves behind.
pub(super) const MARKER: &str = "CAMPAIGN_RUN";
/// A variable with the process id of the campaign, in the environment of every process of every run.
pub(super) const CAMPAIGN: &str = "CAMPAIGN_PROCESS";
/// The first user id for runs with a process limit. Each run needs its own user, because the limit applies to all
/// processes of a user.
const FIRST_USER: u64 = 700_000;

/// Of this number of cycles through all faults, one has tool calls.
const CYCLES_PER_TOOL_CALL: u64 = 3;

/// The event for which the client calls the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Prompt,
    /// A tool call that starts a sub-agent, whose task gets a briefing.
    SubAgent,
}

impl Event {
    /// Returns the event of a run. Every kind of fault occurs with every event.
    fn of_run(run: u64) -> Self {
        let cycle = run / Fault::ALL.len() as u64;
        if cycle % CYCLES_PER_TOOL_CALL == CYCLES_PER_TOOL_CALL - 1 {
            Self::SubAgent
        } else {
            Self::Prompt
        }
    }
}

pub(super) struct Setup {
    pub(super) run: u64,
    pub(super) fault: Fault,
    pub(super) event: Event,
    pub(super) marker: String,
    pub(super) folder: PathBuf,
    /// The user of the run's processes, or `None` for the user who runs the campaign.
    pub(super) user: Option<u32>,
    pub(super) command: Command,
    pub(super) payload: Vec<u8>,
    pub(super) random: Random,
}

/// The user's folders in one run.
struct Folders {
    home: OsString,
    cache: OsString,
    state: OsString,
}

impl Setup {
    pub(super) fn of_run(templates: &Templates, seed: u64, run: u64) -> io::Result<Self> {
        let (fault, event) = (Fault::of_run(run), Event::of_run(run));
        let mut random = Random::of_run(seed, run);
        let folder = templates.path().join(format!("run-{run}"));
        fs::create_dir_all(folder.join("home"))?;
        let folders = make_folders(templates, fault, &folder, &mut random)?;
        let user = user_of_run(templates, fault, run);
        if let Some(user) = user {
            give_to_user(&folder, user)?;
        }
        let mut command = wrapped(templates, fault, event, user, &mut random);
        let repository = templates.repository(fault);
        let marker = format!("{}-{run}", std::process::id());
        command.current_dir(&repository);
        command.env_clear().env("PATH", "/usr/bin:/bin").env(MARKER, &marker);
        command.env(CAMPAIGN, std::process::id().to_string());
        for (name, value) in [
            ("HOME", &folders.home),
            ("ADJUTANT_CACHE_DIR", &folders.cache),
            ("ADJUTANT_STATE_DIR", &folders.state),
        ] {
            if !value.is_empty() {
                command.env(name, value);
            }
        }
        set_kernel(templates, fault, &mut command, &mut random);
        let payload = payload(fault, event, run, &repository, &mut random);
        Ok(Self { run, fault, event, marker, folder, user, command, payload, random })
    }
}

fn make_folders(
    templates: &Templates,
    fault: Fault,
    folder: &Path,
    random: &mut Random,
) -> io::Result<Folders> {
    let (home, mut cache, mut state) =
        (folder.join("home"), folder.join("cache"), folder.join("state"));
    if fault == Fault::SnapshotDamaged || random.is_one_in(2) {
        copy_tree(&templates.cache(), &cache)?;
    }
    match fault {
        Fault::SnapshotDamaged => damage(&cache, random)?,
        Fault::FullDisk => {
            if let Some(disk) = &templates.full_disk {
                (cache, state) = (disk.join("cache"), disk.join("state"));
            }
        }
        Fault::ForeignCache => {
            fs::create_dir_all(&cache)?;
            fs::set_permissions(&cache, fs::Permissions::from_mode(0o777))?;
            if templates.is_root {
                chown(&cache, Some(54_321), Some(54_321))?;
            }
        }
        Fault::NoFolders => {
            let file = folder.join("file");
            fs::write(&file, "not a directory")?;
            let file = file.to_string_lossy().into_owned();
            let mut place = || -> OsString {
                match random.between(0, 4) {
                    0 => "".into(),
                    1 => "/proc/1/nowhere".into(),
                    2 => file.clone().into(),
                    3 => "relative/folder".into(),
                    _ => format!("{file}/below").into(),
                }
            };
            return Ok(Folders { home: place(), cache: place(), state: place() });
        }
        _ => {}
    }
    Ok(Folders { home: home.into(), cache: cache.into(), state: state.into() })
}

/// Returns the user of a run with a process limit. The other runs, and all runs of a campaign that does not run as root,
/// have the user of the campaign.
fn user_of_run(templates: &Templates, fault: Fault, run: u64) -> Option<u32> {
    let has_own_user = templates.is_root && fault == Fault::FewProcesses;
    has_own_user.then(|| u32::try_from(FIRST_USER + run).ok()).flatten()
}

/// Makes `user` the owner of a folder and of all folders and files in it.
fn give_to_user(folder: &Path, user: u32) -> io::Result<()> {
    chown(folder, Some(user), Some(user))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            give_to_user(&entry.path(), user)?;
        } else {
            chown(entry.path(), Some(user), Some(user))?;
        }
    }
    Ok(())
}

/// Returns the start of a command line that runs a program as `user`.
pub(super) fn as_user(user: u32) -> Vec<OsString> {
    let [user, group] = [format!("--reuid={user}"), format!("--regid={user}")];
    ["setpriv", &user, &group, "--clear-groups", "--"].map(OsString::from).into()
}

/// Returns the hook's command line, wrapped in the commands that set its user and its limits.
fn wrapped(
    templates: &Templates,
    fault: Fault,
    event: Event,
    user: Option<u32>,
    random: &mut Random,
) -> Command {
    let mut words = user.map(as_user).unwrap_or_default();
    let limit = |words: &mut Vec<OsString>, limit: String| {
        words.extend(["prlimit".into(), limit.into(), "--".into()]);
    };
    match fault {
        Fault::FewProcesses => limit(&mut words, format!("--nproc={}", random.between(1, 8))),
        Fault::FewFiles => limit(&mut words, format!("--nofile={}", random.between(6, 40))),
        Fault::LittleMemory => {
            limit(&mut words, format!("--as={}", random.between(300, 1_000) << 20));
        }
        Fault::SmallFiles => limit(&mut words, format!("--fsize={}", random.between(0, 65_536))),
        Fault::FullDisk if templates.full_disk.is_none() => {
            limit(&mut words, "--fsize=0".to_owned());
        }
        // Protects the machine in case the hook reads from a device without a limit.
        Fault::RepositoryDevices => limit(&mut words, format!("--as={}", 2_u64 << 30)),
        Fault::StdinClosed => {
            words.extend(["sh", "-c", "exec \"$0\" \"$@\" <&-"].map(OsString::from));
        }
        Fault::StdoutClosed if random.is_one_in(2) => {
            words.extend(["sh", "-c", "exec \"$0\" \"$@\" >&-"].map(OsString::from));
        }
        _ => {}
    }
    words.push(templates.programs.join("adjutant-hook").into());
    if event == Event::SubAgent {
        // A hook that also runs the user's hooks denies the call if it cannot run them.
        words.extend(["--client", "claude-code", "--sub-agents"].map(OsString::from));
    }
    if fault == Fault::BadFlags {
        let flags = ["--no-such-flag", "--format=hook=x", "--line=x", "stray", "--client=nobody"];
        words.push(random.one_of(&flags).into());
    }
    let mut command = command(&words[0]);
    command.args(&words[1..]);
    command
}

fn set_kernel(templates: &Templates, fault: Fault, command: &mut Command, random: &mut Random) {
    let kernels: &[&str] = match fault {
        Fault::KernelHangs => &["hang", "hang-deaf", "hang-half"],
        Fault::KernelCrashes => &["crash-segv", "crash-abrt", "crash-2", "crash-255"],
        Fault::KernelGarbage => &[
            "garbage-bytes",
            "garbage-empty",
            "garbage-types",
            "garbage-two",
            "garbage-deep",
            "garbage-block",
        ],
        Fault::KernelFloods => &["flood-stdout", "flood-stderr", "flood-large"],
        Fault::KernelMissing => &["missing"],
        _ => &[],
    };
    let is_endless = matches!(fault, Fault::KernelHangs | Fault::KernelFloods);
    command.env("CI_AUTO_TOOLS_BUDGET_WALL_MS", if is_endless { "50" } else { "1000" });
    if fault == Fault::None {
        // This run must produce a briefing, even on a busy machine.
        command.env("ADJUTANT_TEST_SLOWNESS", "20");
    }
    if !kernels.is_empty() {
        let kernel = templates.kernel(random.one_of(kernels));
        command.env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel);
    }
}

/// Returns a payload in the format of Claude Code or Codex.
fn payload(
    fault: Fault,
    event: Event,
    run: u64,
    repository: &Path,
    random: &mut Random,
) -> Vec<u8> {
    let prompts = [
        "explain enforce_retry_budget",
        "why does the retry budget fail, who calls it?",
        "enforce_retry_budget 为什么会失败",
        "what does src/retry_budget.rs do",
    ];
    let named = if random.is_one_in(2) { "prompt_id" } else { "turn_id" };
    let mut payload = json!({
        "session_id": format!("campaign-{run}"),
        named: format!("{run}"),
        "cwd": repository,
    });
    let prompt = random.one_of(&prompts);
    let fields = match event {
        Event::Prompt => json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}),
        Event::SubAgent => json!({
            "hook_event_name": "PreToolUse", "tool_name": "Agent", "tool_use_id": format!("call-{run}"),
            "tool_input": {"prompt": prompt, "subagent_type": "Explore"},
        }),
    };
    payload
        .as_object_mut()
        .expect("an object")
        .extend(fields.as_object().expect("an object").clone());
    let mut bytes = payload.to_string().into_bytes();
    if fault == Fault::PayloadBroken {
        match random.between(0, 9) {
            0 => bytes = Vec::new(),
            1 => bytes.resize(33 << 20, b' '),
            2..=5 => bytes.truncate(usize::try_from(random.between(1, 100)).unwrap_or(1)),
            _ => bytes = random.bytes(4_000),
        }
    }
    bytes
}

/// Damages every file in the cache: truncates it, replaces it with random bytes, overwrites it with zeros after the
/// first 4,096 bytes, or flips some bits.
fn damage(cache: &Path, random: &mut Random) -> io::Result<()> {
    for path in files_below(cache) {
        let mut bytes = fs::read(&path)?;
        if bytes.is_empty() {
            continue;
        }
        let end = bytes.len() as u64 - 1;
        let place = |random: &mut Random| usize::try_from(random.between(0, end)).unwrap_or(0);
        match random.between(0, 5) {
            0 => bytes.truncate(place(random)),
            1 => bytes = random.bytes(5_000),
            2 => bytes.iter_mut().skip(4_096).for_each(|byte| *byte = 0),
            _ => {
                for _ in 0..random.between(1, 8) {
                    let at = place(random);
                    bytes[at] ^= 1 << random.between(0, 7);
                }
            }
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut pending) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder { pending.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    files
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for file in files_below(from) {
        let target = to.join(file.strip_prefix(from).unwrap_or(&file));
        fs::create_dir_all(target.parent().unwrap_or(to))?;
        fs::copy(&file, target)?;
    }
    Ok(())
}
