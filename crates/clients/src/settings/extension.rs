//! Generates the plugin files for clients whose hooks are functions in a script (opencode, pi).
//!
//! A script starts `adjutant-hook` with a payload on standard input. It prints nothing. It throws an exception only to block
//! a tool call, as opencode requires.

use std::path::{Path, PathBuf};

use super::text_or_empty;
use crate::{Check, Names, health};

/// Text that marks a script as written by Adjutant.
pub(crate) const MARK: &str = "// Adjutant:";
const PROGRAM: &str = "const program = ";

/// Returns the start of a script: the imports, and the function `ask`, which runs `adjutant-hook` for an event.
pub(crate) fn start(programs: &Path, names: &Names) -> String {
    let program = serde_json::json!(programs.join("adjutant-hook").display().to_string());
    let (title, word) = (names.title, names.word);
    format!(
        r#"{MARK} briefs {title} before it answers. `adjutant uninstall {word}` removes this file.
import {{ spawn }} from "node:child_process"
import {{ existsSync }} from "node:fs"
import {{ homedir }} from "node:os"

{PROGRAM}{program}

// Resolves to the answer of adjutant-hook, or to undefined if there is no answer in time. Never rejects.
const ask = (event, seconds) =>
  new Promise((resolve) => {{
    try {{
      const options = {{ stdio: ["pipe", "pipe", "ignore"], timeout: seconds * 1000, killSignal: "SIGKILL" }}
      const child = spawn(program, ["--client", "{word}"], options)
      let text = ""
      child.on("error", () => resolve(undefined))
      child.stdin.on("error", () => {{}})
      child.stdout.setEncoding("utf8").on("data", (data) => (text += data))
      child.on("close", () => {{
        try {{
          resolve(JSON.parse(text))
        }} catch {{
          resolve(undefined)
        }}
      }})
      child.stdin.end(JSON.stringify(event))
    }} catch {{
      resolve(undefined)
    }}
  }})
"#
    )
}

/// JavaScript that decides whether a tool call is refused. It is included in the extension only if tool hooks are
/// installed.
pub(crate) const REFUSAL: &str = r#"
// If adjutant-hook does not answer, a call is allowed only if you have no hooks.
const folder = process.env.ADJUTANT_CONFIG_DIR || (process.env.XDG_CONFIG_HOME || homedir() + "/.config") + "/adjutant"
const refusal = (answer) => {
  if (answer) return answer.block
  return existsSync(folder + "/hooks/beforeToolCall.json") ? "your hooks could not run: no answer from " + program : undefined
}
"#;

/// Checks the client's plugin file. `files` lists the places where it may be, with the user's file first.
pub(crate) fn check(names: &Names, files: &[PathBuf]) -> Check {
    let name = &format!("{} hook", names.title);
    let install = format!("adjutant install {}", names.word);
    let Some(file) = files.iter().find(|file| text_or_empty(file).contains(MARK)) else {
        let own = files.first().map(|file| file.display().to_string()).unwrap_or_default();
        return Check::lacking(name, format!("not in {own}"), install);
    };
    let text = text_or_empty(file);
    let program = text.lines().find_map(|line| line.strip_prefix(PROGRAM));
    let program = program.and_then(|text| serde_json::from_str::<String>(text).ok());
    health::generated_file(name, file, program.as_deref(), &install)
}
