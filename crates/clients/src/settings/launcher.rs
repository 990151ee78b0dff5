//! Generates the launcher script that Claude Code's settings call, and recognises Adjutant's entries in settings.

use std::path::Path;

use super::hooks_json::SUB_AGENTS_FLAG;
use crate::Names;

/// The file name of the launcher. Hook scripts that preceded Adjutant have the same name.
pub(crate) const LAUNCHER: &str = "context-inject-global.sh";
/// Text that marks a script as written by Adjutant.
pub(crate) const MARK: &str = "# Adjutant:";

/// Quotes a path as a single shell word.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Returns the command with which a client calls `adjutant-hook` directly.
pub(crate) fn hook_command(programs: &Path, names: &Names) -> String {
    format!("{} --client {}", quoted(&programs.join("adjutant-hook")), names.word)
}

/// Returns whether a command in a client's settings was installed by this or an earlier version of Adjutant.
pub(crate) fn is_ours(command: &str) -> bool {
    command.contains(LAUNCHER) || command.contains("adjutant-hook")
}

/// Returns the launcher script. The script starts `adjutant-hook` from the folder `programs`, or from `PATH` if the folder
/// does not contain it.
pub(crate) fn launcher(programs: &Path) -> String {
    let program = quoted(&programs.join("adjutant-hook"));
    format!(
        "#!/bin/sh\n\
         {MARK} briefs Claude Code before it answers. `adjutant uninstall claude-code` removes this file.\n\
         for program in {program} \"$(command -v adjutant-hook)\"; do\n    \
             case $program in /*) [ -x \"$program\" ] && exec \"$program\" --client claude-code \"$@\" ;; esac\n\
         done\n\
         {MESSAGE}[ \"$1\" = {SUB_AGENTS_FLAG} ] && exit 0\n{DENIAL}"
    )
}

/// The part of an installed launcher that reports a missing `adjutant-hook` to the user. The launcher in the plugin does not
/// contain it and prints nothing in that case.
const MESSAGE: &str = r#"
# The program is missing: the prompt is sent without a briefing.
payload=$(cat)
case $payload in
*'"hook_event_name":"UserPromptSubmit"'*)
    printf '{"systemMessage":"Adjutant: nothing injected · [Limits] orchestrator unavailable (adjutant-hook is not found; install Adjutant again, or run adjutant uninstall claude-code)"}\n'
    ;;
esac
"#;

/// The part of a launcher script that handles a missing `adjutant-hook`. If the user has hooks that run before tool
/// calls, it denies the call, because these hooks cannot run. The variable `payload` may be empty; the script then
/// reads standard input only if there are such hooks. Claude Code and Codex both accept this output.
pub(crate) const DENIAL: &str = r#"
# Without the program, your hooks cannot run.
[ -e "${ADJUTANT_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/adjutant}/hooks/beforeToolCall.json" ] || exit 0
case ${payload:-$(cat)} in
*'"hook_event_name":"PreToolUse"'*)
    printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"your hooks could not run: adjutant-hook is not found; install Adjutant again"}}\n'
    ;;
esac
exit 0
"#;
