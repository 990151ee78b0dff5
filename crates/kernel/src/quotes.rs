//! Decides what may be quoted from the files of a repository, and reads it.

use std::collections::HashMap;
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use contract::NOT_QUOTED;
use engine::{Source, ToQuote};
use guard::{Opened, PathRefusal, Quotable, Root};

/// The files of a repository from which answers quote.
pub(crate) struct Quotes {
    root: Root,
    /// Whether lines that may contain instructions to a model are left out. The tools need not do this, because every result
    /// of a tool call is cleaned.
    withholds: bool,
    /// What may be quoted from the files that were asked for.
    quoted: Mutex<HashMap<PathBuf, ToQuote>>,
}

impl Quotes {
    pub(crate) fn of(root: &Path) -> io::Result<Self> {
        let root = Root::open(root).map_err(io::Error::other)?;
        Ok(Self { root, withholds: false, quoted: Mutex::default() })
    }

    /// Does the same as [`Self::of`], for text that is printed as it is and that a model may read.
    pub(crate) fn without_instructions(root: &Path) -> io::Result<Self> {
        Ok(Self { withholds: true, ..Self::of(root)? })
    }

    /// Runs `ask` with the files of the repository.
    pub(crate) fn with_source<T>(&self, ask: impl FnOnce(&Source<'_>) -> T) -> T {
        ask(&Source {
            root: self.root.path(),
            admits: &|path| !guard::is_sensitive(path),
            open: &|path| self.root.open_file(path).map_err(io::Error::other),
            to_quote: &|path| self.to_quote(path),
        })
    }

    /// Decides what may be quoted from a file and reads it. Each file is read only once.
    fn to_quote(&self, path: &Path) -> ToQuote {
        let known = self.quoted.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        known.unwrap_or_else(|| {
            let read = self.read_to_quote(path);
            let mut quoted = self.quoted.lock().unwrap_or_else(PoisonError::into_inner);
            quoted.entry(path.to_owned()).or_insert(read).clone()
        })
    }

    /// Decides what may be quoted from a file. The decision depends on the file's name, its content and, for a
    /// symbolic link, its target. Secrets are removed from the whole text, because many of them can be recognised only
    /// together with the lines around them.
    fn read_to_quote(&self, path: &Path) -> ToQuote {
        match guard::inspect(&self.root, path) {
            Ok(Opened { verdict: Quotable::Yes, file, .. }) => {
                let mut bytes = Vec::new();
                // The file may have grown after its size was checked.
                match file.take(guard::MAX_QUOTED_BYTES).read_to_end(&mut bytes) {
                    Ok(_) => {
                        let written = String::from_utf8_lossy(&bytes);
                        let text = guard::redact_file(&written);
                        let text = if self.withholds { withheld(&text).into() } else { text };
                        ToQuote::Text(text.into())
                    }
                    Err(_) => ToQuote::Path,
                }
            }
            Ok(Opened { verdict: Quotable::Binary | Quotable::TooLarge, .. })
            | Err(PathRefusal::Unreadable { .. }) => ToQuote::Path,
            Ok(Opened { verdict: Quotable::Sensitive, .. }) | Err(PathRefusal::Escapes { .. }) => {
                ToQuote::Nothing
            }
        }
    }
}

/// Replaces the lines that may contain instructions to a model. Every other line keeps its number.
fn withheld(text: &str) -> String {
    let refused = guard::unquotable_lines(text);
    let lines = text.split('\n').enumerate().map(|(at, line)| {
        if refused.iter().any(|range| range.contains(&(at + 1))) { NOT_QUOTED } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}
