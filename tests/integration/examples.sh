#!/bin/sh
# The commands of README.md still end as they did there, and print tables with the same headings.
. "$(dirname "$0")/lib.sh"
need python3
NFSBENCH=$nfsbench "$top/scripts/examples" --check "$top/README.md" >"$scratch/out" 2>&1 ||
    fail "renew them by scripts/examples FILE: $(cat "$scratch/out")"
finish
