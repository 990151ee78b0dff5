#!/bin/sh
# Adjutant: hands the client's payload to adjutant-hook, wherever that is. Written by `cargo xtask generate`.
for program in "${ADJUTANT_BIN_DIR:-}/adjutant-hook" "${0%/*}/../bin/adjutant-hook" \
    "$(command -v adjutant-hook)" "$HOME/.cargo/bin/adjutant-hook" "$HOME/.local/bin/adjutant-hook" \
    "${0%/*}/../../target/release/adjutant-hook"; do
    # A relative path would be a program of the repository's.
    case $program in /*) [ -x "$program" ] && exec "$program" --client auto ;; esac
done
payload=

# Without the program, your hooks cannot be asked about a tool call.
[ -e "${ADJUTANT_CONFIG_DIR:-${XDG_CONFIG_HOME:-$HOME/.config}/adjutant}/hooks/beforeToolCall.json" ] || exit 0
case ${payload:-$(cat)} in
*'"hook_event_name":"PreToolUse"'*)
    printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"your hooks could not be asked: adjutant-hook is not found; install Adjutant again"}}\n'
    ;;
esac
exit 0
