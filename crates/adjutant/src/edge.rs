//! Reads the environment, the clock, random bytes and standard input. No other module reads them.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use clients::hook::{HookHost, OtherKernel};
use clients::{Client, Input};
use index::Parser;
use kernel::Memory;
use policy::{ConfigFile, Settings, Trust, TrustStore};
use process::{Environment, Program, TimedReader};
use serde::de::IgnoredAny;
use toolcall::{HookFolders, Ledger};

/// The maximum size of a payload, in bytes.
const MAX_INPUT: u64 = 32 * 1024 * 1024;
/// The timeout for reading a payload. Clients write the whole payload at once.
const INPUT_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) fn environment() -> Environment {
    Environment::new(std::env::vars_os())
}

/// Returns the current time in RFC 3339 format, in UTC and without fractions of a second.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[expect(clippy::disallowed_methods, reason = "this module reads the clock for all others")]
pub(crate) fn clock() -> SystemTime {
    SystemTime::now()
}

/// Returns a folder of the user: the one that the variable `own` names, or Adjutant's folder in the one that `users` names, or
/// `usual` in the home folder. Returns `None` if none of them is known or the path is relative.
fn user_folder(
    environment: &Environment,
    own: &str,
    users: Option<&str>,
    usual: &str,
) -> Option<PathBuf> {
    let folder = |variable: &str| environment.text(variable).map(PathBuf::from);
    let users = || Some(folder(users?)?.join("adjutant"));
    let home = || Some(folder("HOME")?.join(usual));
    folder(own).or_else(users).or_else(home).filter(|folder| folder.is_absolute())
}

/// Returns the folder for indexes.
fn named_cache(environment: &Environment) -> Option<PathBuf> {
    user_folder(environment, "ADJUTANT_CACHE_DIR", Some("XDG_CACHE_HOME"), ".cache/adjutant")
}

/// Returns the cache folder, or `None` if it is not known or another user can write to it.
pub(crate) fn cache_directory(environment: &Environment) -> Option<PathBuf> {
    named_cache(environment).filter(|folder| folder_problem(folder).is_none())
}

/// Returns the reason why a folder is not used, or `None` if it can be used. A folder that does not exist is accepted,
/// because it will be created as a private folder.
pub(crate) fn folder_problem(folder: &Path) -> Option<String> {
    let checked = disk::check_private_folder(folder).err()?;
    (checked.kind() == io::ErrorKind::PermissionDenied).then(|| checked.to_string())
}

/// Returns the reasons why the cache folder and the state folder cannot be used, each as a sentence for `[Limits]` and
/// `doctor`. Returns an empty list if both can be used.
pub(crate) fn refused_folders(environment: &Environment) -> Vec<String> {
    let folders = [named_cache(environment), named_state(environment)];
    folders.into_iter().flatten().filter_map(|folder| folder_problem(&folder)).collect()
}

/// Returns the user's folders for hooks, the trust store and the copies of scripts.
pub(crate) fn hook_folders(environment: &Environment) -> HookFolders {
    let home = environment.text("HOME").map(PathBuf::from);
    let users = Some("XDG_CONFIG_HOME");
    HookFolders {
        configuration: user_folder(environment, "ADJUTANT_CONFIG_DIR", users, ".config/adjutant"),
        home: home.filter(|folder| folder.is_absolute()),
        copies: named_state(environment).map(|state| state.join("copies")),
    }
}

/// Returns true if a hook file for tool calls exists for this directory, even if the file cannot be read. Also returns
/// true if the directory's repository cannot be determined.
pub(crate) fn has_hooks(environment: &Environment, directory: Option<&str>) -> bool {
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let directory = directory.map(PathBuf::from).or_else(working_directory);
    let root = directory.and_then(|directory| policy::resolve_root(&lookup, &directory).ok());
    // If the root is unknown, the kernel is started, because the hook cannot decide.
    root.is_none_or(|root| {
        let top = policy::find_git_top(&root.path).unwrap_or(root.path);
        hook_folders(environment).has_any(&top)
    })
}

/// Opens the user's trust store.
pub(crate) fn trust_store(environment: &Environment) -> TrustStore {
    TrustStore::in_folder(hook_folders(environment).configuration.as_deref())
}

/// Collects all values that the hook process reads from its environment.
pub(crate) fn hook_host(environment: Environment) -> HookHost {
    HookHost {
        working_directory: working_directory(),
        program_directory: program_directory(),
        other_kernel: other_kernel(&environment),
        now: now(),
        environment,
    }
}

/// Returns the kernel program that the user configured. Its budget is the one in the environment, or the default.
fn other_kernel(environment: &Environment) -> Option<OtherKernel> {
    let path = environment.text(policy::OTHER_KERNEL_VARIABLE).map(PathBuf::from)?;
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let settings = Settings::resolve(&lookup, &ConfigFile::default(), Trust::Never);
    let budget = Duration::from_millis(settings.wall_ms.value);
    Some(OtherKernel { path, timeout: budget.saturating_add(kernel::MARGIN) })
}

/// Opens the ledger, which prevents the hooks of a call from running twice. Returns `None` if there is no usable state
/// folder. The folder does not depend on `XDG_STATE_HOME`, because Codex does not pass this variable to an MCP server,
/// and the hook and the server must use the same folder.
pub(crate) fn ledger(environment: &Environment) -> Option<Ledger> {
    Some(Ledger::in_folder(state_directory(environment)?.join("calls"), clock()))
}

/// Opens the record of the findings that each session has received. Returns `None` if `ADJUTANT_MEMORY` is off or there
/// is no usable state folder.
pub(crate) fn memory(environment: &Environment) -> Option<Memory> {
    let folder = state_directory(environment)?.join("memory");
    let memory = Memory { folder, now: clock() };
    (!is_switched_off(environment, "ADJUTANT_MEMORY")).then_some(memory)
}

pub(crate) fn is_switched_off(environment: &Environment, switch: &str) -> bool {
    matches!(environment.text(switch), Some("off" | "0" | "false" | "no"))
}

/// Returns the folder for data that is kept between runs, or `None` if it is not known or another user can write to it.
pub(crate) fn state_directory(environment: &Environment) -> Option<PathBuf> {
    named_state(environment).filter(|folder| folder_problem(folder).is_none())
}

/// Returns the state folder. `XDG_STATE_HOME` is not read, see [`ledger`].
pub(crate) fn named_state(environment: &Environment) -> Option<PathBuf> {
    user_folder(environment, "ADJUTANT_STATE_DIR", None, ".local/state/adjutant")
}

/// Returns a string that the author of a file in the repository cannot predict. If the system's random bytes cannot be
/// read, for example because no more files may be opened, the string comes from the random keys of the standard library.
pub(crate) fn entropy() -> String {
    let random = || RandomState::new().build_hasher().finish();
    secret().unwrap_or_else(|_| format!("{:016x}{:016x}", random(), random()))
}

/// Returns 256 random bits from the system, as hexadecimal digits.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns the arguments without the program's name. Invalid UTF-8 is replaced.
pub(crate) fn command_line() -> Vec<String> {
    let words = std::env::args_os().skip(1);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

pub(crate) fn working_directory() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Returns `named` or, if it is `None`, the working directory. The directory may not exist.
pub(crate) fn directory_or_here(named: Option<PathBuf>) -> PathBuf {
    named.or_else(working_directory).unwrap_or_else(|| PathBuf::from("."))
}

/// Returns the name under which this program was started, without its folder.
pub(crate) fn program_name() -> Option<String> {
    let path = PathBuf::from(std::env::args_os().next()?);
    Some(path.file_name()?.to_str()?.to_owned())
}

/// Returns the folder of the running program, with symbolic links resolved.
pub(crate) fn program_directory() -> Option<PathBuf> {
    let executable = std::env::current_exe().ok()?;
    let executable = executable.canonicalize().unwrap_or(executable);
    executable.parent().map(PathBuf::from)
}

/// Returns the parser: the program `adjutant-parser` in the folder of this program. It is started without environment
/// variables.
pub(crate) fn parser() -> Parser {
    let path = program_directory().unwrap_or_default().join("adjutant-parser");
    Parser::Program(Program::new(path, Environment::default()))
}

/// Reads and parses a client's payload from standard input. Stops reading after [`INPUT_TIMEOUT`] if standard input
/// stays open. If the payload is too large or incomplete, only its event type is used.
pub(crate) fn read_input(
    client: Option<&'static dyn Client>,
    environment: &Environment,
) -> io::Result<Input> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(Input::read(client, b""));
    }
    // A buffered `Stdin` cannot be read with a timeout.
    let stream = std::fs::File::from(stdin.as_fd().try_clone_to_owned()?);
    let timeout = INPUT_TIMEOUT.saturating_mul(environment.slowness());
    let mut reader = TimedReader::new(stream, Instant::now() + timeout);
    let mut bytes = Vec::new();
    match reader.by_ref().take(MAX_INPUT + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 <= MAX_INPUT => Ok(Input::read(client, &bytes)),
        Ok(_) => {
            let reason = format!("the payload is larger than {MAX_INPUT} bytes");
            Ok(Input::incomplete(client, &bytes, reader, reason))
        }
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            if serde_json::from_slice::<IgnoredAny>(&bytes).is_ok() {
                return Ok(Input::read(client, &bytes));
            }
            let timeout = timeout.as_millis();
            let reason =
                format!("stdin was not closed within {timeout} ms, and no payload was received");
            Ok(Input::incomplete(client, &bytes, io::empty(), reason))
        }
        Err(error) => Err(error),
    }
}

/// Reads a file that the user named on the command line. The file may be a pipe, such as the shell's `<(…)`.
pub(crate) fn read_named_file(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("is larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Reads standard input to its end. Returns no bytes if standard input is a terminal.
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
