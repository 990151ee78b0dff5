//! A scripted replacement for codex that can crash in the middle of a line, ignore signals, or print too much or
//! invalid output.
//!
//! `--version` and `--help` answer as codex 0.166 does. The test provides a shell script for `codex exec`.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::write_executable;

/// The thread id that the fake codex prints.
pub const FAKE_THREAD: &str = "01a00000-0000-7000-8000-00000000fa6e";

/// Shell functions for scenarios: `thread`, `message TEXT`, `completed`, `failed TEXT`.
const WORDS: &str = r#"
here=${0%/*}
quote() { printf '%s' "$1" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' | awk 'NR > 1 { printf "\\n" } { printf "%s", $0 }'; }
thread() { printf '{"type":"thread.started","thread_id":"%s"}\n{"type":"turn.started"}\n' "$THREAD"; }
message() { printf '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"%s"}}\n' "$(quote "$1")"; }
completed() { printf '{"type":"turn.completed","usage":{"input_tokens":120,"cached_input_tokens":20,"output_tokens":7}}\n'; }
failed() { printf '{"type":"turn.failed","error":{"message":"%s"}}\n' "$(quote "$1")"; }
case "$*" in
--version) echo "codex-cli $VERSION"; exit 0 ;;
"exec --help") cat "$here/exec-help"; exit 0 ;;
"exec resume --help") echo '      --last'; exit 0 ;;
"features list") echo 'unbounded_connection_retries  stable  true'; exit 0 ;;
esac
n=$(( $(cat "$here/count" 2>/dev/null || echo 0) + 1 ))
echo "$n" > "$here/count"
for word in "$@"; do printf '%s\n' "$word"; done > "$here/arguments.$n"
cat > "$here/prompt.$n"
"#;

const EXEC_HELP: &str = "\
Options:
  -c, --config <key=value>
      --enable <FEATURE>
      --disable <FEATURE>
  -m, --model <MODEL>
  -p, --profile <NAME>
  -s, --sandbox <SANDBOX_MODE>
      --dangerously-bypass-approvals-and-sandbox
      --color <COLOR>
      --json
";

/// A scripted codex in a temporary folder, which is deleted on drop.
pub struct FakeCodex {
    folder: TempDir,
}

impl FakeCodex {
    /// Creates a fake codex that starts a thread, prints the answer and the token counts, and exits with 0.
    pub fn answering(answer: &str) -> Self {
        Self::doing(&format!("thread; message '{}'; completed", answer.replace('\'', "'\\''")))
    }

    /// Creates a fake codex whose `exec` runs this shell script. In the script, `$n` is the number of the run, starting
    /// at 1, and `$here` is the script's folder.
    pub fn doing(scenario: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the fake codex");
        let fake = Self { folder };
        fs::write(fake.folder().join("exec-help"), EXEC_HELP).expect("write its help");
        let script =
            format!("#!/bin/sh\nVERSION=0.166.0 THREAD={FAKE_THREAD}\n{WORDS}\n{scenario}\n");
        write_executable(&fake.program(), &script);
        fake
    }

    /// Returns the folder to put first on `PATH`.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn program(&self) -> PathBuf {
        self.folder().join("codex")
    }

    /// Returns the number of `codex exec` runs so far.
    pub fn n_runs(&self) -> usize {
        let count = fs::read_to_string(self.folder().join("count")).unwrap_or_default();
        count.trim().parse().unwrap_or(0)
    }

    /// Returns the arguments of a run. Runs are numbered from 1.
    pub fn arguments(&self, run: usize) -> Vec<String> {
        let words = fs::read_to_string(self.folder().join(format!("arguments.{run}")));
        words.unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Returns the stdin of a run. Runs are numbered from 1.
    pub fn prompt(&self, run: usize) -> String {
        fs::read_to_string(self.folder().join(format!("prompt.{run}"))).unwrap_or_default()
    }

    /// Returns the content of a file that the scenario wrote to its folder, if there is one.
    pub fn note(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder().join(name)).ok()
    }
}
