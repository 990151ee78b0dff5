//! Patch mode: the patch in codex's answer, taken out of the talk around it and tried on the repository.

mod target;
mod unified;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Git};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use target::BadPatchTarget;
pub(crate) use target::PatchTarget;
pub(crate) use unified::Malformed;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) text: String,
}

/// Why an answer gave no patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoPatch {
    /// Nothing in it looks like one.
    Absent,
    Malformed(Malformed),
}

/// What a diff can begin with.
fn opens(line: &str) -> bool {
    ["diff --git ", "Index: ", "--- "].iter().any(|start| line.starts_with(start))
}

impl Patch {
    /// The well-formed unified diff of an answer.
    pub(crate) fn in_message(message: &str) -> Result<Self, NoPatch> {
        let text = diff_in(message).ok_or(NoPatch::Absent)?;
        // Empty lines at the end are talk, unless the last hunk needs them.
        let trimmed = format!("{}\n", text.trim_end_matches('\n'));
        if unified::check(&trimmed).is_ok() {
            return Ok(Self { text: trimmed });
        }
        unified::check(&text).map_err(NoPatch::Malformed)?;
        Ok(Self { text })
    }

    /// The same patch without secrets. None if what is left is not a patch any more.
    pub(crate) fn redacted(&self, clean: impl Fn(&str) -> String) -> Option<Self> {
        let text = clean(&self.text);
        unified::check(&text).is_ok().then_some(Self { text })
    }

    pub(crate) fn artifact(&self, path: &Path, applies: Option<bool>) -> Value {
        json!({
            "path": path,
            "sha256": format!("{:x}", Sha256::digest(&self.text)),
            "lines": self.text.lines().count(),
            "bytes": self.text.len(),
            "applies": applies,
        })
    }

    /// What `git apply --check` says; None if git cannot be asked.
    pub(crate) fn applies(&self, directory: &Path, environment: &Environment) -> Option<bool> {
        let git = Git::new(environment, directory).for_work_tree().ok()?;
        let program = git.command(["apply", "--check", "-"]).stdin(self.text.as_bytes());
        let bounds = Bounds {
            deadline: Instant::now() + Duration::from_secs(30),
            stdout_bytes: 4096,
            stderr_bytes: 4096,
        };
        match process::run(&program, &bounds).ok()?.end {
            End::Exited(code) => Some(code == 0),
            End::Signalled(_) | End::TimedOut => None,
        }
    }
}

/// The real path of the repository around a directory, or of the directory itself if it is in none.
pub(crate) fn repository_around(directory: &Path) -> PathBuf {
    let real = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    policy::find_git_top(&real).unwrap_or(real)
}

/// Fenced blocks first; without one, everything from the first line of a diff on.
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
    if fenced.lines().any(opens) {
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
