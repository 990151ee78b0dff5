//! How our programs are called from a client's settings, and how they are recognised there.

use std::path::Path;

/// The launcher's name, as the hook scripts of old had it.
pub(crate) const LAUNCHER: &str = "context-inject-global.sh";
/// A file of ours says so.
pub(crate) const MARK: &str = "# Adjutant:";

/// One word for a shell.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// Whether a command in somebody's settings is ours, from this install or an earlier one.
pub(crate) fn is_ours(command: &str) -> bool {
    command.contains(LAUNCHER) || command.contains("adjutant-hook")
}

/// The launcher of an install: it knows where the program was.
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

/// What a launcher does when the program is gone. It costs nobody a prompt, and the user is told; but where the user has
/// before hooks, a tool call that nobody could ask about is refused, in words both clients understand.
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
