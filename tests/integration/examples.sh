#!/bin/sh
# The commands of README.md and, where all that they need can be had, of doc/GUIDE.md still end as they did there, print
# tables with the same headings, and have options that the program knows.
. "$(dirname "$0")/lib.sh"
need python3
documents=$top/README.md
[ "$(id -u)" -ne 0 ] || ! "$top/scripts/with-ganesha" gnuplot --version >/dev/null 2>&1 ||
    documents="$documents $top/doc/GUIDE.md"
# shellcheck disable=SC2086
NFSBENCH=$nfsbench "$top/scripts/examples" --check $documents >"$scratch/out" 2>&1 ||
    fail "renew them by scripts/examples FILE: $(cat "$scratch/out")"
finish
