#!/bin/sh
# Sixteen clients change the embedded server's tree at once; it stays consistent.
# To run it for an hour: STORM_SECONDS=3600 tests/integration/storm.sh build/src/nfsbench
. "$(dirname "$0")/lib.sh"
need python3

seconds=${STORM_SECONDS:-5}
start "$nfsbench" serve --threads 4
timeout $((seconds * 2 + 200)) python3 "$here/storm.py" "$port" 16 "$seconds" >"$scratch/storm" 2>&1 ||
    fail "the storm"
cat "$scratch/storm"
stop
finish
