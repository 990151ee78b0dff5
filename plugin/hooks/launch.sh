#!/bin/sh
# Adjutant: passes the client's payload to adjutant-hook. Written by `cargo xtask generate`.
for program in "${ADJUTANT_BIN_DIR:-}/adjutant-hook" "${0%/*}/../bin/adjutant-hook" \
    "$(command -v adjutant-hook)" "$HOME/.cargo/bin/adjutant-hook" "$HOME/.local/bin/adjutant-hook" \
    "${0%/*}/../../target/release/adjutant-hook"; do
    # A relative path could name a program in the repository.
    case $program in /*) [ -x "$program" ] && exec "$program" --client auto ;; esac
done
payload=

# Without the program, your hooks cannot run.
[ -e "${ADJUTANT_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/adjutant}/hooks/beforeToolCall.json" ] || exit 0
case ${payload:-$(cat)} in
*'"hook_event_name":"PreToolUse"'*)
    printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"your hooks could not run: adjutant-hook is not found; install Adjutant again"}}\n'
    ;;
esac
exit 0
