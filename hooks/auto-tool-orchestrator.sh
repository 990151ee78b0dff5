#!/bin/sh
# The kernel: reads a request from stdin and prints JSON 1.0 on stdout. Only the kernel calls tools.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
for folder in "${ADJUTANT_BIN_DIR:-}" "$here/../bin" "$here/../target/release" "$here/../target/debug"; do
    [ -n "$folder" ] && [ -x "$folder/adjutant" ] && exec "$folder/adjutant" orchestrate "$@"
done
exec adjutant orchestrate "$@"
