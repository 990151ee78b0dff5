#!/bin/sh
# Adjutant: hands the client's payload to adjutant-hook, wherever that is. Written by `cargo xtask generate`.
for program in "${ADJUTANT_BIN_DIR:-}/adjutant-hook" "$(command -v adjutant-hook)" \
    "$HOME/.cargo/bin/adjutant-hook" "$HOME/.local/bin/adjutant-hook" \
    "$(dirname -- "$0")/../../target/release/adjutant-hook"; do
    # A relative path would be a program of the repository's.
    case $program in /*) [ -x "$program" ] && exec "$program" --client auto ;; esac
done

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
