#!/bin/sh
# codex unattended, in the background: adjutant job, under its old name.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
# Sessions lie beside this script, as they always did; CODEX_SESSIONS_ROOT and --log-dir win.
export CODEX_LOG_DIR="${CODEX_LOG_DIR:-$here/.codex-father/sessions}"
for folder in "${ADJUTANT_BIN_DIR:-}" "$here/bin" "$here/target/release" "$here/target/debug"; do
    [ -n "$folder" ] && [ -x "$folder/adjutant" ] && exec "$folder/adjutant" job "$@"
done
command -v adjutant >/dev/null 2>&1 && exec adjutant job "$@"
echo 'error: adjutant is not built (cargo build --release) and not on PATH' >&2
exit 127
