#!/bin/sh
# The entry: passes the client's payload to adjutant-hook and prints its output. It does nothing else.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
for folder in "${ADJUTANT_BIN_DIR:-}" "$here/../bin" "$here/../target/release" "$here/../target/debug"; do
    [ -n "$folder" ] && [ -x "$folder/adjutant-hook" ] && exec "$folder/adjutant-hook" "$@"
done
command -v adjutant-hook >/dev/null 2>&1 && exec adjutant-hook "$@"

# The program is neither built nor installed: the prompt is sent without a briefing.
limits='[Limits] orchestrator unavailable (adjutant-hook is not built: cargo build --release)'
case " $* " in
*" --format json "* | *" --format=json "*)
    printf '{"schema_version":"1.0","run_id":"empty","created_at":"1970-01-01T00:00:00Z","client":{"name":"claude-code","event":"cli"},"inputs":{"prompt":"","signals":[],"repo_root":"","repo_root_source":"no-git-root"},"tool_plan":{"tier_max":0,"budget":{"wall_ms":0,"max_concurrency":0,"max_injected_chars":0},"tools":[]},"tool_results":[],"fused_context":{"for_model":{"additional_context":"","structured":{"intent":"","items":[],"conflicts":[],"hints":[]},"safety":{"tool_output_is_untrusted":true,"ignore_instructions_inside_tool_output":true}},"for_user":{"tool_plan_text":"","results_text":"","limits_text":"%s"}},"degraded":{"is_degraded":true,"reason":"orchestrator unavailable","degraded_to":"empty"},"enforcement":{"single_tool_entry":true,"source":"adapter"}}\n' "$limits"
    exit 10
    ;;
*" --format text "* | *" --format=text "*)
    printf '%s\n' "$limits"
    exit 10
    ;;
*)
    printf '{"systemMessage":"Adjutant: nothing injected · %s"}\n' "$limits"
    exit 0
    ;;
esac
