//! Real servers for the stores: moto for S3, Python's web server, and a web server that closes connections early.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde::Deserialize;

/// An S3-compatible server that checks the signature of every request. `tests/store/install` installs it.
pub(super) struct S3Server {
    child: Child,
    pub(super) endpoint: String,
    pub(super) key: String,
    pub(super) secret: String,
}

#[derive(Deserialize)]
struct Greeting {
    endpoint: String,
    key: String,
    secret: String,
}

impl S3Server {
    pub(super) fn start() -> Self {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let packages = top.join(".cache/store");
        assert!(packages.join("moto").is_dir(), "run tests/store/install first");
        let mut command = python();
        command.arg(top.join("tests/store/serve.py")).env("PYTHONPATH", packages);
        let (child, line) = start(command);
        let Greeting { endpoint, key, secret } =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        Self { child, endpoint, key, secret }
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Python's web server for the files of a folder.
pub(super) struct WebServer {
    child: Child,
    pub(super) url: String,
}

impl WebServer {
    pub(super) fn of(folder: &Path) -> Self {
        let mut command = python();
        command.args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "0"]).current_dir(folder);
        let (child, line) = start(command);
        let (_, url) = line.split_once('(').unwrap();
        Self { child, url: url.split_once(')').unwrap().0.to_owned() }
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

#[expect(clippy::disallowed_methods, reason = "the server runs beside the program under test")]
fn python() -> Command {
    Command::new("python3")
}

/// Starts a server and returns its first line of output.
fn start(mut command: Command) -> (Child, String) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    (child, line)
}

fn end(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A web server that closes the connection in the middle of each pack.
pub(super) struct CuttingServer {
    pub(super) url: String,
}

impl CuttingServer {
    pub(super) fn of(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let folder = folder.to_owned();
        // The thread ends with the test process.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                drop(answer(&stream, &folder));
            }
        });
        Self { url }
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path: PathBuf =
        folder.join(request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/'));
    let mut bytes = Vec::new();
    if fs::File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)).is_err() {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        );
    }
    let length = bytes.len();
    if path.parent().is_some_and(|folder| folder.ends_with("packs")) {
        bytes.truncate(length / 2);
    }
    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n")?;
    stream.write_all(&bytes)
}
