#!/bin/sh
# The former name of `adjutant run`, which runs codex unattended in the foreground.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
# Sessions are stored next to this script, as in earlier versions. CODEX_SESSIONS_ROOT and --log-dir take precedence.
export CODEX_LOG_DIR="${CODEX_LOG_DIR:-$here/.codex-father/sessions}"
# A dry run is recorded as a session, as in earlier versions.
export ADJUTANT_RECORD_DRY_RUN=1
for folder in "${ADJUTANT_BIN_DIR:-}" "$here/bin" "$here/target/release" "$here/target/debug"; do
    [ -n "$folder" ] && [ -x "$folder/adjutant" ] && exec "$folder/adjutant" run "$@"
done
command -v adjutant >/dev/null 2>&1 && exec adjutant run "$@"
echo 'error: adjutant is not built (cargo build --release) and not on PATH' >&2
exit 127
