#!/bin/sh
# Kept for callers of the old name: equals context-inject-global.sh.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
exec "$here/context-inject-global.sh" "$@"
