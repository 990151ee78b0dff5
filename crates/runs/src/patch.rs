//! Extracts the patch from codex's answer in patch mode and checks whether it applies to the repository.

mod target;
mod unified;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Git};
use serde::Serialize;
use sha2::{Digest, Sha256};

pub use target::BadPatchTarget;
pub(crate) use target::PatchTarget;
pub(crate) use unified::Malformed;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) text: String,
}

/// The patch of a run, as described in `meta.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PatchArtifact {
    File {
        path: PathBuf,
        sha256: String,
        lines: usize,
        bytes: usize,
        /// Whether the patch applies, or `None` if that is unknown.
        applies: Option<bool>,
    },
    /// The patch was found, but not stored. The value is always `true`.
    NotKept(bool),
}

impl PatchArtifact {
    pub(crate) const NOT_KEPT: Self = Self::NotKept(true);

    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::NotKept(_) => None,
        }
    }
}

/// The reason why an answer contains no usable patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoPatch {
    /// The answer contains no diff.
    Absent,
    Malformed(Malformed),
}

/// Returns true if a diff can start with this line.
fn starts_diff(line: &str) -> bool {
    ["diff --git ", "Index: ", "--- "].iter().any(|start| line.starts_with(start))
}

impl Patch {
    /// Finds the unified diff in an answer and checks it.
    pub(crate) fn in_message(message: &str) -> Result<Self, NoPatch> {
        let text = diff_in(message).ok_or(NoPatch::Absent)?;
        // Empty lines at the end belong to the diff only if the last hunk needs them. The first attempt omits them.
        let trimmed = format!("{}\n", text.trim_end_matches('\n'));
        if unified::check(&trimmed).is_ok() {
            return Ok(Self { text: trimmed });
        }
        unified::check(&text).map_err(NoPatch::Malformed)?;
        Ok(Self { text })
    }

    /// Returns the patch without secrets, or `None` if the result is not a valid patch.
    pub(crate) fn redacted(&self, clean: impl Fn(&str) -> String) -> Option<Self> {
        let text = clean(&self.text);
        unified::check(&text).is_ok().then_some(Self { text })
    }

    pub(crate) fn artifact(&self, path: PathBuf, applies: Option<bool>) -> PatchArtifact {
        PatchArtifact::File {
            path,
            sha256: format!("{:x}", Sha256::digest(&self.text)),
            lines: self.text.lines().count(),
            bytes: self.text.len(),
            applies,
        }
    }

    /// Returns whether `git apply --check` succeeds, or `None` if git cannot be started, is killed or times out.
    pub(crate) fn applies(&self, directory: &Path, environment: &Environment) -> Option<bool> {
        let git = Git::new(environment, directory).for_work_tree().ok()?;
        let program = git.command(["apply", "--check", "-"]).stdin(self.text.as_bytes());
        let deadline = Instant::now() + Duration::from_secs(30);
        let bounds = Bounds { deadline, stdout_bytes: 4096, stderr_bytes: 4096 };
        match process::run(&program, &bounds).ok()?.end {
            End::Exited(code) => Some(code == 0),
            End::Signalled(_) | End::TimedOut => None,
        }
    }
}

/// Returns the canonical path of the repository that contains `directory`, or of `directory` itself if it is outside a
/// repository.
pub(crate) fn repository_around(directory: &Path) -> PathBuf {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    policy::find_git_top(&real).unwrap_or(real)
}

/// Returns the content of fenced diff blocks, or the lines of the first diff if there is no fenced block.
fn diff_in(message: &str) -> Option<String> {
    let mut fenced = String::new();
    let mut inside = false;
    for line in message.lines() {
        match line.trim_end() {
            "```diff" | "```patch" => inside = true,
            "```" if inside => inside = false,
            _ if inside => {
                fenced.push_str(line);
                fenced.push('\n');
            }
            _ => {}
        }
    }
    if fenced.lines().any(starts_diff) {
        return Some(fenced);
    }
    let mut lines = message.lines().skip_while(|line| !line.starts_with("diff --git ")).peekable();
    lines.peek()?;
    let belongs = |line: &&str| {
        line.is_empty()
            || line.starts_with([' ', '+', '-', '@', '\\'])
            || [
                "diff ",
                "index ",
                "new file",
                "deleted file",
                "old mode",
                "new mode",
                "rename ",
                "similarity ",
                "dissimilarity ",
                "copy ",
            ]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let body: Vec<&str> = lines.take_while(belongs).collect();
    Some(format!("{}\n", body.join("\n")))
}

#[cfg(test)]
mod tests;
