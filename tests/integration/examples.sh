#!/bin/sh
# The commands of README.md and, if everything they need is available, of doc/GUIDE.md still end in the same way, print
# tables with the same headings, and use existing options.
. "$(dirname "$0")/lib.sh"
need python3
documents=$top/README.md
if [ "$(id -u)" -eq 0 ] && "$top/scripts/with-ganesha" gnuplot --version >/dev/null 2>&1; then
    documents="$documents $top/doc/GUIDE.md"
else
    left_out 'doc/GUIDE.md: it needs the superuser, nfs-ganesha and gnuplot'
fi
# shellcheck disable=SC2086
NFSBENCH=$nfsbench "$top/scripts/examples" --check $documents >"$scratch/out" 2>&1 ||
    fail "renew them by scripts/examples FILE: $(cat "$scratch/out")"
finish
