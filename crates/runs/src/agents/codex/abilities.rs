//! Determines the flags and features of the installed codex from its help output. The result is cached per version.
//!
//! Flags differ between versions, so the help output is read. If a program does not identify itself as codex, its help
//! output is not read, and the program is started with the documented command line. Such a program gets no more rights
//! than a known version: it is assumed that it cannot ask for approval.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use disk::Links;
use process::{Bounds, End, Environment, Program, is_executable};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::arguments::ENDLESS_RETRIES;

/// The environment variable that names the codex executable to use instead of the first one on `PATH`.
pub const CODEX_VARIABLE: &str = "ADJUTANT_CODEX";
const HELP_TIMEOUT: Duration = Duration::from_secs(30);
/// The version of the cache file format.
const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodexMissing {
    #[error("`codex` is not on PATH")]
    NotOnPath,
    #[error("`{}` is not an executable file", .0.display())]
    NotExecutable(PathBuf),
    #[error("`claude` is not on PATH")]
    ClaudeNotOnPath,
}

/// The output format of codex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// JSON events, printed by `codex exec --json`.
    Events,
    /// Plain text. Versions without JSON events print it, and write the last message to a file.
    Plain,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    format: u32,
    /// The version, or `None` if the program does not identify itself as codex.
    pub version: Option<String>,
    exec: BTreeSet<String>,
    resume: BTreeSet<String>,
    features: BTreeSet<String>,
}

/// Finds the codex executable: the one that [`CODEX_VARIABLE`] names, otherwise the first one on `PATH`.
pub fn find_codex(environment: &Environment) -> Result<PathBuf, CodexMissing> {
    find_agent(environment, CODEX_VARIABLE, "codex", CodexMissing::NotOnPath)
}

/// Finds the executable that `variable` names, otherwise the first program `name` on `PATH`.
pub(crate) fn find_agent(
    environment: &Environment,
    variable: &str,
    name: &str,
    missing: CodexMissing,
) -> Result<PathBuf, CodexMissing> {
    match environment.text(variable).map(PathBuf::from) {
        Some(named) if is_executable(&named) => Ok(named),
        Some(named) => Err(CodexMissing::NotExecutable(named)),
        None => environment.find_program(name).ok_or(missing),
    }
}

impl Abilities {
    /// Runs the program to determine its version. Also reads its flags and features, unless they are cached for this
    /// version.
    #[must_use]
    pub fn of(program: &Path, environment: &Environment, cache: Option<&Path>) -> Self {
        let output = ask(program, environment, &["--version"]).unwrap_or_default();
        let Some((version, line)) = version(&output) else {
            return Self::default();
        };
        let cached = cache.map(|cache| cache.join("codex").join(file_name(program, line)));
        if let Some(known) = cached.as_deref().and_then(read_cache) {
            return known;
        }
        let text = |arguments: &[&str]| ask(program, environment, arguments).unwrap_or_default();
        let (exec, resume) = (text(&["exec", "--help"]), text(&["exec", "resume", "--help"]));
        let abilities = Self::from_help(version, &exec, &resume, &text(&["features", "list"]));
        if let Some(file) = cached.filter(|_| !abilities.exec.is_empty()) {
            write_cache(&file, &abilities);
        }
        abilities
    }

    /// Reads the flags and features from the output of `exec --help`, `exec resume --help` and `features list`.
    #[must_use]
    pub fn from_help(version: &str, exec: &str, resume: &str, features: &str) -> Self {
        Self {
            format: FORMAT,
            version: Some(version.to_owned()),
            exec: flags_in(exec),
            resume: flags_in(resume),
            features: first_words(features),
        }
    }

    /// Returns the abilities of a recent version of codex. Used for a dry run, which does not start codex.
    #[must_use]
    pub fn assumed() -> Self {
        let exec = [
            "--json",
            "--color",
            "--sandbox",
            "--dangerously-bypass-approvals-and-sandbox",
            "--config",
            "--disable",
            "--model",
            "--profile",
        ];
        Self::from_help("not asked", &exec.join("\n"), "--last", ENDLESS_RETRIES)
    }

    #[must_use]
    pub fn dialect(&self) -> Dialect {
        if self.exec.contains("--json") { Dialect::Events } else { Dialect::Plain }
    }

    #[must_use]
    pub fn accepts(&self, flag: &str) -> bool {
        self.exec.contains(flag)
    }

    #[must_use]
    pub fn has_feature(&self, name: &str) -> bool {
        self.features.contains(name)
    }

    /// Returns true if `codex exec resume` accepts this flag.
    #[must_use]
    pub fn resumes_with(&self, flag: &str) -> bool {
        self.resume.contains(flag)
    }

    /// Returns the elements of `flags` that `codex exec` does not accept.
    #[must_use]
    pub fn lacks<'a>(&self, flags: &[&'a str]) -> Vec<&'a str> {
        flags.iter().copied().filter(|flag| !self.accepts(flag)).collect()
    }

    /// Returns true if codex can continue a thread by its id.
    #[must_use]
    pub fn can_resume(&self) -> bool {
        !self.resume.is_empty()
    }
}

pub(crate) fn ask(program: &Path, environment: &Environment, arguments: &[&str]) -> Option<String> {
    let program = Program::new(program, environment.clone()).arguments(arguments.iter().copied());
    let deadline = Instant::now() + HELP_TIMEOUT;
    let bounds = Bounds { deadline, stdout_bytes: 256 * 1024, stderr_bytes: 4 * 1024 };
    let finished = process::run(&program, &bounds).ok()?;
    (finished.end == End::Exited(0)).then(|| finished.stdout.text().into_owned())
}

/// Parses the output of `--version`. Returns the version and the line that contains it: `0.166.0` for `codex-cli 0.166.0`.
/// A packager may have added text after the version, as in `codex-cli 0.166.0 (wrapped)`.
fn version(output: &str) -> Option<(&str, &str)> {
    output.lines().map(str::trim).find_map(|line| {
        let mut words = line.split_whitespace();
        let is_codex = matches!(words.next()?, "codex" | "codex-cli");
        let version = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        is_codex.then_some((version, line))
    })
}

/// Returns the flags at the left margin of the help output. Flags that are indented further are part of a description
/// and are skipped.
pub(crate) fn flags_in(help: &str) -> BTreeSet<String> {
    let lines = help.lines().filter(|line| {
        let margin = line.len() - line.trim_start().len();
        margin < 10 && line.trim_start().starts_with('-')
    });
    let words = lines.flat_map(|line| {
        let line = line.trim_start();
        let flags = line.split("  ").next().unwrap_or(line);
        flags.split([',', ' ', '=', '<', '[']).filter(|word| word.starts_with('-'))
    });
    words.map(str::to_owned).collect()
}

fn first_words(text: &str) -> BTreeSet<String> {
    text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn file_name(program: &Path, version_line: &str) -> String {
    let place = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let hash = Sha256::digest(format!("{}\n{version_line}", place.display()));
    let short: String = format!("{hash:x}").chars().take(16).collect();
    format!("abilities-{short}.json")
}

/// The maximum size of a cache file in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

fn read_cache(file: &Path) -> Option<Abilities> {
    let known: Abilities =
        serde_json::from_slice(&disk::read(file, Links::Refuse, MAX_BYTES).ok()?).ok()?;
    (known.format == FORMAT && !known.exec.is_empty()).then_some(known)
}

/// Writes the cache. Errors are ignored: without a cache, the help output is read again.
fn write_cache(file: &Path, abilities: &Abilities) {
    let Some(folder) = file.parent() else { return };
    let Ok(text) = serde_json::to_vec(abilities) else { return };
    if disk::create_private_folder(folder).is_ok() {
        drop(crate::files::replace(file, &text));
    }
}

#[cfg(test)]
mod tests;
