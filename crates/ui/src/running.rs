//! Finds the servers of the page that are running, and asks them for a new link.
//!
//! Each server writes its port and a secret to a private file. A program that knows the secret gets a link that works
//! once, so that the page can be opened in another browser without starting the server again.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use disk::Links;
use serde::{Deserialize, Serialize};

/// The header that contains the secret of the file.
pub(crate) const CONTROL_HEADER: &str = "x-adjutant-control";
const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: u64 = 64 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    #[error("no server of the page is running")]
    NotRunning,
    #[error("the server on port {port} gave no link: {reason}")]
    Refused { port: u16, reason: String },
}

/// What a program needs to know about a running server.
#[derive(Deserialize, Serialize)]
struct RunningServer {
    port: u16,
    secret: String,
}

/// The file of a running server. It is deleted when the server ends.
pub(crate) struct Announcement(PathBuf);

impl Announcement {
    pub(crate) fn write(folder: &Path, port: u16, secret: &str) -> io::Result<Self> {
        disk::create_private_folder(folder)?;
        let path = folder.join(format!("server-{port}.json"));
        let server = RunningServer { port, secret: secret.to_owned() };
        disk::replace_file(&path, &serde_json::to_vec(&server)?, None)?;
        Ok(Self(path))
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // If the file remains, the next caller finds that nothing answers on its port.
        drop(fs::remove_file(&self.0));
    }
}

/// Asks a running server for a new link. `port` selects the server if several are running.
pub fn new_link(folder: &Path, port: Option<u16>) -> Result<String, LinkError> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut servers: Vec<RunningServer> = files
        .filter(|file| file.file_name().to_string_lossy().starts_with("server-"))
        .filter_map(|file| disk::read(&file.path(), Links::Refuse, MAX_BYTES).ok())
        .filter_map(|bytes| serde_json::from_slice(&bytes).ok())
        .filter(|server: &RunningServer| port.is_none_or(|port| port == server.port))
        .collect();
    servers.sort_by_key(|server| server.port);
    let mut refused = LinkError::NotRunning;
    for server in servers {
        match server.ask() {
            Ok(link) => return Ok(link),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {}
            Err(error) => {
                refused = LinkError::Refused { port: server.port, reason: error.to_string() };
            }
        }
    }
    Err(refused)
}

impl RunningServer {
    fn ask(&self) -> io::Result<String> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        write!(
            stream,
            "POST /link HTTP/1.1\r\nHost: {address}\r\n{CONTROL_HEADER}: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            self.secret
        )?;
        let mut answer = String::new();
        stream.take(MAX_BYTES).read_to_string(&mut answer)?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.trim());
        let start = format!("http://{address}/?token=");
        let link = body.filter(|body| body.starts_with(&start) && answer.contains(" 200 "));
        link.map(str::to_owned).ok_or_else(|| io::Error::other("it did not accept the request"))
    }
}
