//! The launcher script that a client's settings call, and how entries of Adjutant are recognised.

use std::path::Path;

/// The name of the launcher. Hook scripts that existed before Adjutant have the same name.
pub(crate) const LAUNCHER: &str = "context-inject-global.sh";
/// Marks a file that Adjutant has written.
pub(crate) const MARK: &str = "# Adjutant:";

/// Quotes a path as one word for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Whether a command in a client's settings was installed by this or an earlier version.
pub(crate) fn is_ours(command: &str) -> bool {
    command.contains(LAUNCHER) || command.contains("adjutant-hook")
}

/// The launcher script, which starts `adjutant-hook` from the folder `programs` or from `PATH`.
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

/// What a launcher does if the program is missing: a prompt continues without a briefing and with a message to the user. A
/// tool call is denied if the user has before hooks, because they cannot run; both clients accept this output.
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
