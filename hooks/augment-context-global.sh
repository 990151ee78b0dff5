#!/bin/sh
# The former name of context-inject-global.sh, kept for existing callers.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0" 2>/dev/null || printf '%s' "$0")")" && pwd)
exec "$here/context-inject-global.sh" "$@"
