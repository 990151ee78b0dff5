//! Composes the instructions for codex from sections in a fixed order, each labelled with its source.
//!
//! The order is: briefing, prepended files and strings, base instructions, files and strings of the task, appended
//! files and strings, and the patch mode note.

mod matches;
mod sources;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use sources::InstructionError;
pub(crate) use sources::{SourcesRead, read_sources};

/// The maximum number of characters that codex accepts in one message.
pub const MAX_CHARACTERS: usize = 1 << 20;
const MAX_TITLE: usize = 120;

/// A part of the task as the caller specified it: a file, a folder or a text. Files and folders have not been read yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// The name of a file or a folder, a pattern, `@` followed by the name of a list, or `-` for standard input.
    File(String),
    #[serde(rename = "docs-dir")]
    Folder(PathBuf),
    #[serde(rename = "task")]
    Text(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Base {
    /// The file `instructions.md` in codex's home folder, or the built-in instructions if there is no such file.
    #[default]
    Default,
    /// A file, or `-` for stdin.
    Override(String),
    Environment(String),
    Stdin,
}

/// The sources that are not in the request, and the context in which all sources are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceContext {
    pub(crate) base: Base,
    /// A redacted briefing about the repository.
    pub(crate) briefing: Option<String>,
    /// The directory against which relative paths are resolved.
    pub(crate) directory: PathBuf,
    /// If set, only files in this repository are read, because a model named the files.
    pub(crate) confined_to: Option<PathBuf>,
    pub(crate) codex_home: Option<PathBuf>,
    /// The content of standard input, if it was read.
    pub(crate) stdin: Option<String>,
    /// The current time, which is written into the instructions.
    pub(crate) now: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    kind: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
}

/// The instructions for codex. `text` can contain secrets and is never stored unredacted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    pub text: String,
    /// The first line of the task.
    pub title: String,
    /// One line for each section, with its kind, attributes and size.
    pub sources: Vec<String>,
    /// The files that matched a folder or a pattern but were not read, each with the reason.
    #[serde(default)]
    pub left_out: Vec<String>,
}

impl Instructions {
    pub(crate) fn compose(read: &SourcesRead, now: &str) -> Self {
        let SourcesRead { sections, left_out } = read;
        let mut text = format!("{}[{now}] Composed instructions:\n", contract::COMPOSED_TASK);
        let (inside, outside): (Vec<_>, Vec<_>) =
            sections.iter().partition(|section| section.kind != POLICY_NOTE);
        for section in &inside {
            section.write(&mut text);
        }
        text.push_str("</user-instructions>\n");
        for section in &outside {
            section.write(&mut text);
        }
        let task = inside.iter().filter(|section| !matches!(section.kind, "base" | "context"));
        let all = task.map(|section| section.text.as_str());
        let base = inside.iter().filter(|section| section.kind == "base");
        let title = all.chain(base.map(|section| section.text.as_str())).find_map(first_line);
        Self {
            text,
            title: title.unwrap_or_default(),
            sources: sections.iter().map(Section::source).collect(),
            left_out: left_out.clone(),
        }
    }

    /// Creates a message for an existing thread, without sections.
    #[must_use]
    pub fn message(text: &str) -> Self {
        let title = first_line(text).unwrap_or_default();
        let sources = vec!["message".to_owned()];
        Self { text: text.to_owned(), title, sources, left_out: Vec::new() }
    }
}

const POLICY_NOTE: &str = "policy-note";

impl Section {
    pub(crate) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, attributes: Vec::new(), text: text.into() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub(crate) fn at(self, path: &Path) -> Self {
        self.with("path", path.display().to_string())
    }

    fn write(&self, out: &mut String) {
        let _infallible = write!(out, "\n<instructions-section type=\"{}\"", self.kind);
        for (name, value) in &self.attributes {
            let _infallible = write!(out, " {name}=\"{}\"", value.replace('"', "&quot;"));
        }
        let _infallible = writeln!(out, ">\n{}\n</instructions-section>", self.text.trim_end());
    }

    fn source(&self) -> String {
        let attributes = self.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = std::iter::once(self.kind.to_owned()).chain(attributes).collect();
        format!("{} ({} bytes)", words.join(" "), self.text.len())
    }
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.trim_start_matches(['#', ' ']).chars().take(MAX_TITLE).collect())
}

#[cfg(test)]
mod tests;
