//! Starts a program with only the given environment, and kills it after a timeout.
//!
//! Only this module of the test kit starts programs. Output goes to files instead of pipes, so that a grandchild that
//! outlives the program cannot block the test.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::TEST_TIMEOUT;

#[cfg(test)]
mod tests;

const POLL: Duration = Duration::from_millis(10);

/// A program with its arguments and environment.
#[derive(Clone, Debug)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    directory: PathBuf,
    input: Option<Vec<u8>>,
    limit: Duration,
    user: Option<u32>,
}

/// The result of a finished program.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The exit code, or `None` if a signal ended the program, including the kill after the timeout.
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub timed_out: bool,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
}

impl Launch {
    /// Prepares a program whose environment contains only the `PATH` of the test.
    pub fn new(program: impl Into<PathBuf>, directory: &Path) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            environment: vec![("PATH".into(), search_path())],
            directory: directory.to_owned(),
            input: None,
            limit: TEST_TIMEOUT,
            user: None,
        }
    }

    #[must_use]
    pub fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    #[must_use]
    pub fn arguments(self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        arguments.into_iter().fold(self, Self::argument)
    }

    /// Sets a variable. A later value for the same name replaces an earlier one.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Puts the folder first on `PATH`.
    #[must_use]
    pub fn first_on_path(self, folder: &Path) -> Self {
        let mut path = folder.as_os_str().to_owned();
        path.push(":");
        let known = self.environment.iter().rev().find(|(name, _)| name == "PATH");
        path.push(known.map_or_else(search_path, |(_, path)| path.clone()));
        self.env("PATH", path)
    }

    /// Sets the content of stdin. The default is `/dev/null`.
    #[must_use]
    pub fn input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = Some(input.into());
        self
    }

    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs the program as another user and group, which only root may do.
    #[must_use]
    pub(crate) fn user(mut self, id: u32) -> Self {
        self.user = Some(id);
        self
    }

    pub fn run(&self) -> Finished {
        let mut stdout = tempfile::tempfile().expect("a file for stdout");
        let mut stderr = tempfile::tempfile().expect("a file for stderr");
        let started = Instant::now();
        let mut child = self.spawn(&stdout, &stderr);
        let (status, timed_out) = wait(&mut child, started + self.limit);
        Finished {
            exit_code: status.code(),
            signal: status.signal(),
            timed_out,
            stdout: read_back(&mut stdout),
            stderr: read_back(&mut stderr),
            wall: started.elapsed(),
        }
    }

    /// Prepares another program with the same environment and directory.
    pub(crate) fn instead<'a>(
        &self,
        program: &str,
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let other = Self { program: program.into(), arguments: Vec::new(), ..self.clone() };
        other.arguments(arguments)
    }

    pub(crate) fn as_shell_words(&self) -> String {
        let words = std::iter::once(self.program.as_os_str())
            .chain(self.arguments.iter().map(OsString::as_os_str));
        let quoted =
            words.map(|word| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''")));
        quoted.collect::<Vec<_>>().join(" ")
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the test kit starts clients and git by itself, without the product"
    )]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.directory)
            .process_group(0);
        if let Some(id) = self.user {
            command.uid(id).gid(id);
        }
        command
    }

    pub(crate) fn spawn_piped(&self, stderr: &File) -> Child {
        let mut command = self.command();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(stderr.try_clone().expect("share the file for stderr")));
        self.start(command)
    }

    fn spawn(&self, stdout: &File, stderr: &File) -> Child {
        let stdin = self.input.as_ref().map_or_else(Stdio::null, |input| {
            let mut file = tempfile::tempfile().expect("a file for stdin");
            file.write_all(input).and_then(|()| file.rewind()).expect("write the input");
            Stdio::from(file)
        });
        let mut command = self.command();
        command
            .stdin(stdin)
            .stdout(Stdio::from(stdout.try_clone().expect("share the file for stdout")))
            .stderr(Stdio::from(stderr.try_clone().expect("share the file for stderr")));
        self.start(command)
    }

    /// Starts the command while the product, which may run in another thread of the same test, writes no program. The child
    /// has copies of all open files until it has replaced itself.
    fn start(&self, mut command: Command) -> Child {
        process::without_starts(|| command.spawn())
            .unwrap_or_else(|error| panic!("cannot start `{}`: {error}", self.program.display()))
    }
}

impl Finished {
    /// Returns the result if the exit code is 0.
    ///
    /// # Panics
    /// Panics with the program's output if its exit code is not 0.
    #[track_caller]
    pub fn expect_success(self) -> Self {
        assert!(self.exit_code == Some(0), "the program failed: {self:#?}");
        self
    }
}

pub(crate) fn wait(child: &mut Child, deadline: Instant) -> (ExitStatus, bool) {
    loop {
        if let Some(status) = child.try_wait().expect("ask for the exit status") {
            return (status, false);
        }
        if Instant::now() >= deadline {
            let group = i32::try_from(child.id())
                .ok()
                .and_then(Pid::from_raw)
                .expect("a child has a process id");
            // If the process ended after the check above, `wait` returns its status.
            let _ = kill_process_group(group, Signal::KILL);
            return (child.wait().expect("the exit status of a killed program"), true);
        }
        thread::sleep(POLL);
    }
}

/// Writes an executable script.
///
/// A separate process writes the file. Otherwise, a child that another thread starts at the same time could inherit the
/// open file, and the kernel refuses to run a file that is open for writing.
#[track_caller]
pub fn write_executable(path: &Path, text: &str) {
    let folder = path.parent().expect("a program is in a folder");
    fs::create_dir_all(folder).expect("a folder for the program");
    let script = "rm -f \"$0\" && cat > \"$0\" && chmod 755 \"$0\"";
    let writer = Launch::new("/bin/sh", folder).arguments(["-c", script]).argument(path);
    writer.input(text).run().expect_success();
}

/// Returns whether the process is running. A zombie process does not count as running.
pub fn is_running(process_id: &str) -> bool {
    let status = Path::new("/proc").join(process_id.trim()).join("status");
    fs::read_to_string(status).is_ok_and(|status| !status.contains("State:\tZ"))
}

fn read_back(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).expect("go back to the start of the output");
    file.read_to_end(&mut bytes).expect("read the output");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[expect(
    clippy::disallowed_methods,
    reason = "node, git and the shell are found on the PATH of the developer"
)]
fn search_path() -> OsString {
    std::env::var_os("PATH").expect("PATH is set")
}
