//! Generates the launcher script that Claude Code's settings call, and recognises Adjutant's entries in settings.

use std::path::Path;

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

/// Whether a command in a client's settings was installed by this or an earlier version of Adjutant.
pub(crate) fn is_ours(command: &str) -> bool {
    command.contains(LAUNCHER) || command.contains("adjutant-hook")
}

/// Returns the launcher script. The script starts `adjutant-hook` from the folder `programs`, or from `PATH` if the folder
/// does not contain it.
pub(crate) fn launcher(programs: &Path) -> String {
    let program = quoted(&programs.join("adjutant-hook"));
    format!(
        "#!/bin/sh\n\
         {MARK} briefs Claude Code before it answers. `adjutant uninstall claude-code` takes this file away.\n\
         for program in {program} \"$(command -v adjutant-hook)\"; do\n    \
             case $program in /*) [ -x \"$program\" ] && exec \"$program\" --client claude-code \"$@\" ;; esac\n\
         done\n\
         {FALLBACK}"
    )
}

/// The part of a launcher script that runs if `adjutant-hook` is missing. A prompt continues without a briefing, and the
/// user sees a message. A tool call is denied if the user has hooks that run before tool calls, because these hooks cannot
/// run. Both clients accept this output.
pub(crate) const FALLBACK: &str = r#"
# The program is gone. A prompt goes through without a briefing; a tool call only if you have no hook to ask about it.
why='adjutant-hook is not on PATH; in the checkout: cargo install --locked --path crates/adjutant'
hooks=${ADJUTANT_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/adjutant}/hooks/beforeToolCall.json
case $(cat) in
*'"hook_event_name":"UserPromptSubmit"'*)
    printf '{"systemMessage":"Adjutant: nothing injected · [Limits] orchestrator unavailable (%s)"}\n' "$why"
    ;;
*'"hook_event_name":"PreToolUse"'*)
    [ -e "$hooks" ] && printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"your hooks could not be asked: %s"}}\n' "$why"
    ;;
esac
exit 0
"#;
