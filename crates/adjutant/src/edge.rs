//! The environment, the clock, chance, and stdin: read here and handed on.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use entry::Incomplete;
use kernel::Memory;
use policy::{RepositoryConfig, Settings, Trust, TrustStore};
use process::{Environment, TimedReader};
use serde_json::Value;
use toolcall::{HookFolders, Ledger};

/// A payload is a prompt and a few names; a larger one is not a payload.
const MAX_INPUT: u64 = 32 * 1024 * 1024;
/// A client writes its payload at once. Together with the time of the kernel this must stay below the 30 seconds after which
/// Claude Code drops a hook.
const INPUT_TIMEOUT: Duration = Duration::from_secs(3);
/// Enough to tell which client it is.
const KEPT_OF_INCOMPLETE: usize = 64 * 1024;

pub(crate) fn environment() -> Environment {
    Environment::new(std::env::vars_os())
}

/// RFC 3339 in UTC, to the second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[expect(clippy::disallowed_methods, reason = "this is the edge that reads the clock")]
pub(crate) fn clock() -> SystemTime {
    SystemTime::now()
}

/// Where indexes are kept: `ADJUTANT_CACHE_DIR`, else the user's cache folder. A relative one is nobody's.
fn named_cache(environment: &Environment) -> Option<PathBuf> {
    let own = environment.text("ADJUTANT_CACHE_DIR").map(PathBuf::from);
    let users =
        environment.text("XDG_CACHE_HOME").map(|cache| PathBuf::from(cache).join("adjutant"));
    let home = environment.text("HOME").map(|home| PathBuf::from(home).join(".cache/adjutant"));
    own.or(users).or(home).filter(|directory| directory.is_absolute())
}

/// The cache folder, unless another user may write to it.
pub(crate) fn cache_directory(environment: &Environment) -> Option<PathBuf> {
    named_cache(environment).filter(|folder| folder_problem(folder).is_none())
}

/// Why a folder of the user's is not used. One that does not exist yet is created private.
pub(crate) fn folder_problem(folder: &Path) -> Option<String> {
    let checked = disk::check_private_folder(folder).err()?;
    (checked.kind() == io::ErrorKind::PermissionDenied).then(|| checked.to_string())
}

/// Why the cache or the state folder is not used, in words for [Limits] and `doctor`.
pub(crate) fn refused_folders(environment: &Environment) -> Vec<String> {
    let folders = [named_cache(environment), named_state(environment)];
    folders.into_iter().flatten().filter_map(|folder| folder_problem(&folder)).collect()
}

/// The user's own hooks and what the user trusts: `ADJUTANT_CONFIG_DIR`, else the user's configuration folder.
pub(crate) fn hook_folders(environment: &Environment) -> HookFolders {
    let home = environment.text("HOME").map(PathBuf::from);
    let own = environment.text("ADJUTANT_CONFIG_DIR").map(PathBuf::from);
    let users =
        environment.text("XDG_CONFIG_HOME").map(|folder| PathBuf::from(folder).join("adjutant"));
    let usual = home.as_ref().map(|home| home.join(".config/adjutant"));
    let absolute = |folder: Option<PathBuf>| folder.filter(|folder| folder.is_absolute());
    HookFolders { configuration: absolute(own.or(users).or(usual)), home: absolute(home) }
}

/// Whether there is any hook file of tool calls, readable or not, for a call made in this directory.
pub(crate) fn has_hooks(directory: Option<&str>) -> bool {
    let environment = environment();
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let directory = directory.map(PathBuf::from).or_else(working_directory);
    let root = directory.and_then(|directory| policy::resolve_root(&lookup, &directory).ok());
    // Where nobody knows, somebody should look.
    root.is_none_or(|root| {
        let top = policy::find_git_top(&root.path).unwrap_or(root.path);
        hook_folders(&environment).has_any(&top)
    })
}

/// What the user trusts a repository with.
pub(crate) fn trust_store(environment: &Environment) -> TrustStore {
    TrustStore::in_folder(hook_folders(environment).configuration.as_deref())
}

/// The budget of the configuration around this directory, if it is trusted and sets one.
pub(crate) fn trusted_wall_ms(directory: Option<&str>) -> Option<u64> {
    let environment = environment();
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let directory = directory.map(PathBuf::from).or_else(working_directory)?;
    let root = policy::resolve_root(&lookup, &directory).ok()?;
    let config = RepositoryConfig::read(&root.path, &trust_store(&environment)).ok()?;
    config.file.budget.wall_ms.filter(|_| config.trust == Trust::Trusted)?;
    Some(Settings::resolve(&lookup, &config.file, config.trust).wall_ms.value)
}

/// Not below `XDG_STATE_HOME`: Codex does not pass that on to an MCP server, and both sides must meet in one folder.
pub(crate) fn ledger(environment: &Environment) -> Option<Ledger> {
    Some(Ledger::in_folder(state_directory(environment)?.join("calls"), clock()))
}

/// What sessions were told; `ADJUTANT_MEMORY=off` remembers nothing.
pub(crate) fn memory(environment: &Environment) -> Option<Memory> {
    let folder = state_directory(environment)?.join("memory");
    let memory = Memory { folder, now: clock(), max_units: clients::MAX_UNITS };
    (!is_switched_off(environment, "ADJUTANT_MEMORY")).then_some(memory)
}

pub(crate) fn is_switched_off(environment: &Environment, switch: &str) -> bool {
    matches!(environment.text(switch), Some("off" | "0" | "false" | "no"))
}

/// What is remembered between runs, unless another user may write to the folder.
pub(crate) fn state_directory(environment: &Environment) -> Option<PathBuf> {
    named_state(environment).filter(|folder| folder_problem(folder).is_none())
}

/// `ADJUTANT_STATE_DIR`, else the user's state folder.
fn named_state(environment: &Environment) -> Option<PathBuf> {
    let own = environment.text("ADJUTANT_STATE_DIR").map(PathBuf::from);
    let home =
        environment.text("HOME").map(|home| PathBuf::from(home).join(".local/state/adjutant"));
    own.or(home).filter(|folder| folder.is_absolute())
}

/// Something nobody who writes a file into a repository can guess.
pub(crate) fn entropy() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}{}", random(), random(), std::process::id())
}

/// 256 bits from the system, as hexadecimal digits: something nobody can guess who talks to us.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The words after the program's name; what is not UTF-8 is shown as well as it can be.
pub(crate) fn command_line() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

pub(crate) fn working_directory() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Where our own programs lie, with links resolved.
pub(crate) fn program_directory() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let executable = executable.canonicalize().unwrap_or(executable);
    executable.parent().map(PathBuf::from)
}

/// What a client wrote to stdin.
#[derive(Default)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    pub(crate) incomplete: Option<Incomplete>,
}

/// Reads a client's payload. A stdin that stays open is read for [`INPUT_TIMEOUT`]; of a payload that is too large only the
/// event is kept.
pub(crate) fn read_payload() -> io::Result<Payload> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(Payload::default());
    }
    // Not through the buffer of `Stdin`, which cannot be waited for.
    let stream = std::fs::File::from(stdin.as_fd().try_clone_to_owned()?);
    let timeout = INPUT_TIMEOUT.saturating_mul(environment().slowness());
    let mut reader = TimedReader::new(stream, Instant::now() + timeout);
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    let incomplete = match read {
        Ok(_) if bytes.len() as u64 <= MAX_INPUT => None,
        Ok(_) => {
            let event = clients::streamed_event(bytes.chain(reader));
            let event = event.or_else(|| clients::event(&bytes));
            let reason = format!("the payload is larger than {MAX_INPUT} bytes");
            Some(Incomplete { reason, event })
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            let is_whole = serde_json::from_slice::<Value>(&bytes).is_ok();
            let reason = format!(
                "stdin was not closed within {} ms, and no payload came",
                timeout.as_millis()
            );
            (!is_whole).then(|| Incomplete { reason, event: clients::event(&bytes) })
        }
        Err(error) => return Err(error),
    };
    if incomplete.is_some() {
        bytes.truncate(KEPT_OF_INCOMPLETE);
    }
    Ok(Payload { bytes, incomplete })
}

/// A file that the user names on the command line: may be a pipe, as the shell's `<(…)` makes one.
pub(crate) fn read_named_file(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("is larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Everything on stdin; nothing if a person sits there.
pub(crate) fn read_stdin() -> io::Result<Vec<u8>> {
    let stdin = io::stdin();
    let mut input = Vec::new();
    if !stdin.is_terminal() {
        stdin.lock().take(MAX_INPUT + 1).read_to_end(&mut input)?;
    }
    if input.len() as u64 > MAX_INPUT {
        return Err(io::Error::other(format!("input is larger than {MAX_INPUT} bytes")));
    }
    Ok(input)
}
