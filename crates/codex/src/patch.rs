//! Patch mode: the patch in codex's answer, taken out of the talk around it and tried on the repository.

use std::path::Path;
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Git};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) text: String,
}

/// What starts a line of a unified diff.
fn opens(line: &str) -> bool {
    ["diff --git ", "Index: ", "--- ", "*** Begin Patch"]
        .iter()
        .any(|start| line.starts_with(start))
}

impl Patch {
    /// Fenced blocks first; without one, everything from the first line of a diff on.
    pub(crate) fn in_message(message: &str) -> Option<Self> {
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
            return Some(Self { text: fenced });
        }
        let mut lines =
            message.lines().skip_while(|line| !line.starts_with("diff --git ")).peekable();
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
                    "copy ",
                    "Binary ",
                ]
                .iter()
                .any(|start| line.starts_with(start))
        };
        let body: Vec<&str> = lines.take_while(belongs).collect();
        Some(Self { text: format!("{}\n", body.join("\n").trim_end()) })
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
        let git = Git::new(environment, directory).without_filters()?;
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

#[cfg(test)]
mod tests;
