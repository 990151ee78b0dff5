//! Generates the plugin files for clients whose hooks are functions in a script (opencode, pi).
//!
//! A script starts `adjutant-hook` with a payload on standard input. It prints nothing. It throws an exception only to block
//! a tool call, as opencode requires.

use std::path::PathBuf;

use super::{Setup, text_or_empty};
use crate::{Check, Names, health};

/// Text that marks a script as written by Adjutant.
pub(crate) const MARK: &str = "// Adjutant:";
const PROGRAM: &str = "const program = ";

/// Returns the content of a plugin file: the function `ask`, which runs `adjutant-hook` for an event, and the handlers of the
/// client's events between `first_line` and `last_line`.
pub(crate) fn script(
    setup: &Setup,
    names: &Names,
    first_line: &str,
    [prompt, tool_hooks]: [&str; 2],
    last_line: &str,
) -> String {
    let (title, word) = (names.title, names.word);
    let program = serde_json::json!(setup.programs.join("adjutant-hook").display().to_string());
    let ask = include_str!("extension/ask.js").replace("$CLIENT", word);
    let ask = ask.replace("$PROGRAM", &program.to_string());
    let (refusal, tool_hooks) = match setup.with_tool_hooks {
        true => (include_str!("extension/refusal.js"), tool_hooks),
        false => ("", ""),
    };
    format!(
        "{MARK} briefs {title} before it answers. `adjutant uninstall {word}` removes this file.\n\
         {ask}{refusal}\n{first_line}\n{prompt}{tool_hooks}{last_line}\n"
    )
}

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
