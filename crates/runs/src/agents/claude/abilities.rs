//! Finds Claude Code, and determines its version, its flags and whether its sandbox can be used.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use process::Environment;

use crate::agents::codex::abilities::{CodexMissing, ask, find_agent, flags_in};

/// The environment variable that names the Claude Code executable to use instead of the first one on `PATH`.
pub const CLAUDE_VARIABLE: &str = "ADJUTANT_CLAUDE";
/// The programs that Claude Code's sandbox needs on Linux.
const SANDBOX_PROGRAMS: [&str; 2] = ["bwrap", "socat"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClaudeAbilities {
    /// The version, or `None` if the program does not identify itself as Claude Code.
    pub(crate) version: Option<String>,
    flags: BTreeSet<String>,
    /// The programs that the sandbox needs but that are not on `PATH`.
    pub(crate) missing_programs: Vec<&'static str>,
}

pub(crate) fn find_claude(environment: &Environment) -> Result<PathBuf, CodexMissing> {
    find_agent(environment, CLAUDE_VARIABLE, "claude", CodexMissing::ClaudeNotOnPath)
}

impl ClaudeAbilities {
    pub(crate) fn of(program: &Path, environment: &Environment) -> Self {
        let output = ask(program, environment, &["--version"]).unwrap_or_default();
        let Some(version) = version(&output) else {
            return Self::default();
        };
        let help = ask(program, environment, &["--help"]).unwrap_or_default();
        let is_missing = |name: &&str| environment.find_program(name).is_none();
        let is_linux = cfg!(target_os = "linux");
        let missing_programs = if is_linux {
            SANDBOX_PROGRAMS.into_iter().filter(is_missing).collect()
        } else {
            Vec::new()
        };
        Self { missing_programs, ..Self::from_help(version, &help) }
    }

    /// Returns the abilities of a recent version of Claude Code. Used for a dry run.
    pub(crate) fn assumed() -> Self {
        Self::from_help("not asked", &NEEDED_FLAGS.map(|flag| format!("  {flag}  x")).join("\n"))
    }

    pub(crate) fn from_help(version: &str, help: &str) -> Self {
        Self {
            version: Some(version.to_owned()),
            flags: flags_in(help),
            missing_programs: Vec::new(),
        }
    }

    /// Returns the flags that a run needs but this version does not have.
    pub(crate) fn lacks(&self) -> Vec<&'static str> {
        NEEDED_FLAGS.into_iter().filter(|flag| !self.flags.contains(*flag)).collect()
    }
}

/// The flags that a run needs, most of which limit what Claude Code can do. A version that lacks one of them is not
/// started.
const NEEDED_FLAGS: [&str; 6] = [
    "--output-format",
    "--permission-mode",
    "--restricted",
    "--settings",
    "--strict-mcp-config",
    "--tools",
];

/// Parses the output of `--version`: returns `2.1.325` for `2.1.325 (Claude Code)`.
fn version(output: &str) -> Option<&str> {
    let version = output.trim().strip_suffix(" (Claude Code)")?;
    let is_version = version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ');
    is_version.then_some(version)
}
