//! The compared programs, and the command lines that start them.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::cost::Cost;
use super::output_files::{by_matches, in_text};

/// Words that are not specific to code. They are removed only for ripgrep, which does not rank its results.
const STOP_WORDS: [&str; 30] = [
    "the", "and", "are", "for", "not", "too", "where", "when", "which", "what", "who", "how",
    "does", "that", "this", "with", "into", "than", "from", "some", "make", "add", "fix", "shows",
    "wrong", "code", "built", "asks", "option", "set",
];

pub(super) struct Peer {
    pub(super) name: &'static str,
    pub(super) index: Option<Step>,
    pub(super) update: Option<Step>,
    pub(super) ask: Option<Step>,
    /// Returns the files that the program's output names, best first.
    pub(super) rank: fn(&str, &Path, &HashSet<String>) -> Vec<String>,
}

/// A program and its arguments. `{programs}`, `{scratch}` and `{prompt}` are replaced with the folders and the prompt.
/// `{words}` is replaced with one `--regexp` per word of the prompt.
type Step = &'static [&'static str];

const CODEGRAPH: &str = "{scratch}/npm/node_modules/.bin/codegraph";
const REVIEW_GRAPH: &str = "{scratch}/py/bin/code-review-graph";
const RIPGREP: &str = "{scratch}/py/bin/rg";

pub(super) const PEERS: [Peer; 5] = [
    Peer {
        name: "Adjutant",
        index: Some(&["{programs}/adjutant", "index", "--quiet"]),
        update: Some(&["{programs}/adjutant", "index", "--quiet"]),
        ask: Some(&["{programs}/adjutant-hook", "--client", "claude-code"]),
        rank: in_text,
    },
    Peer {
        name: "ripgrep 14.1 with the words of the prompt",
        index: None,
        update: None,
        ask: Some(&[
            RIPGREP,
            "--only-matching",
            "--no-line-number",
            "--ignore-case",
            "{words}",
            ".",
        ]),
        rank: by_matches,
    },
    Peer {
        name: "codegraph 1.6.1 (npm), `explore`",
        index: Some(&[CODEGRAPH, "init", "."]),
        update: Some(&[CODEGRAPH, "sync", "."]),
        ask: Some(&[CODEGRAPH, "explore", "{prompt}"]),
        rank: in_text,
    },
    Peer {
        name: "code-review-graph 2.3.9 (PyPI), `search`",
        index: Some(&[REVIEW_GRAPH, "build", "--quiet"]),
        update: Some(&[REVIEW_GRAPH, "update"]),
        ask: Some(&[REVIEW_GRAPH, "search", "{prompt}"]),
        rank: in_text,
    },
    Peer {
        name: "universal-ctags",
        index: Some(&["ctags", "-R", "-f", "/dev/null", "."]),
        update: None,
        ask: None,
        rank: in_text,
    },
];

/// The folders that are used in one run.
pub(super) struct Stage {
    pub(super) scratch: PathBuf,
    pub(super) programs: PathBuf,
}

impl Stage {
    pub(super) fn tree(&self) -> PathBuf {
        self.scratch.join("tree")
    }

    /// Runs one step of a program and returns its cost and its standard output.
    #[expect(clippy::disallowed_methods, reason = "a bench starts the programs it measures")]
    pub(super) fn run(&self, step: Step, prompt: &str) -> Result<(Cost, String), String> {
        let (program, rest) = step.split_first().ok_or("a step has no program")?;
        let program = program
            .replace("{programs}", &self.programs.display().to_string())
            .replace("{scratch}", &self.scratch.display().to_string());
        let payload = serde_json::json!({
            "hook_event_name": "UserPromptSubmit", "prompt": prompt, "cwd": self.tree(),
        });
        let mut command = Command::new(&program);
        command
            .args(rest.iter().flat_map(|argument| arguments(argument, prompt)))
            .current_dir(self.tree())
            .env("HOME", self.scratch.join("home"))
            .env("DO_NOT_TRACK", "1")
            .env("CODEGRAPH_TELEMETRY", "0")
            .env("CODEGRAPH_NO_DAEMON", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let (started, processor) = (Instant::now(), Cost::processor_of_children());
        let mut child =
            command.spawn().map_err(|error| format!("cannot start `{program}`: {error}"))?;
        if let Some(mut stdin) = child.stdin.take() {
            drop(stdin.write_all(payload.to_string().as_bytes()));
        }
        let output = child.wait_with_output().map_err(|error| error.to_string())?;
        let cost = Cost {
            wall: started.elapsed(),
            processor: Cost::processor_of_children().saturating_sub(processor),
        };
        // ripgrep exits with 1 if there is no match.
        if output.status.code().is_none_or(|code| code > 1) {
            return Err(format!("`{program} {}` failed: {}", rest.join(" "), output.status));
        }
        Ok((cost, String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

fn arguments(argument: &str, prompt: &str) -> Vec<String> {
    match argument {
        "{prompt}" => vec![prompt.to_owned()],
        "{words}" => words(prompt).into_iter().map(|word| format!("--regexp={word}")).collect(),
        other => vec![other.to_owned()],
    }
}

/// Returns the words in a prompt that have at least three letters and are not stop words.
fn words(prompt: &str) -> Vec<&str> {
    prompt
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2)
        .filter(|word| !STOP_WORDS.contains(&word.to_lowercase().as_str()))
        .collect()
}
