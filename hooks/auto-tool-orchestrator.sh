#!/bin/sh
# The kernel: a request on stdin becomes JSON 1.0 on stdout. The only channel to a tool.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
for folder in "${ADJUTANT_BIN_DIR:-}" "$here/../bin" "$here/../target/release" "$here/../target/debug"; do
    [ -n "$folder" ] && [ -x "$folder/adjutant" ] && exec "$folder/adjutant" orchestrate "$@"
done
exec adjutant orchestrate "$@"
