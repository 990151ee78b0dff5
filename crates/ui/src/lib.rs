//! Serves a web page about unattended runs on the loopback interface. The page shows the queue, the jobs with their
//! logs and changes, and the briefing log.
//!
//! The page is opened with a one-time link. The first request exchanges the token in the link for a cookie; every
//! other request without the cookie gets one sentence. [`new_link`] asks a running server for another link. The server sends data as JSON, and the page's script shows
//! every value as text. The crate prints nothing and does not read the environment: the caller passes [`Options`].

mod access;
mod answer;
mod changes;
mod events;
mod operations;
mod page;
mod routes;
mod running;
mod server;
mod work;

use std::io;
use std::path::PathBuf;

use queue::StoreLocation;
use runs::RunHost;
use serde_json::Value;

pub use page::PageLanguage;
pub use running::{LinkError, new_link};
pub use server::serve;

/// The page's data sources and settings.
pub struct Options {
    /// The port, or 0 for any free port.
    pub port: u16,
    /// The language of the page. If `None`, the browser's preferences determine the language.
    pub language: Option<PageLanguage>,
    /// Returns a new secret of at least 128 random bits, as letters and digits.
    pub secret: fn() -> io::Result<String>,
    /// The private folder in which the server announces itself for [`new_link`], if there is one.
    pub folder: Option<PathBuf>,
    pub codex: RunHost,
    pub queue: StoreLocation,
    /// Returns at most the given number of entries of the briefing log, newest first, as the page's script reads them.
    pub briefings: Box<dyn Fn(usize) -> Value + Send + Sync>,
    /// Returns what the briefings of the last seven days added, and what the agent used of it.
    pub benefit: Box<dyn Fn() -> Value + Send + Sync>,
}
