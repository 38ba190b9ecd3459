#!/bin/sh
# Another server takes over an address. It resets the connections, and does not know the handles or the data.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

cat >"$scratch/command" <<'COMMAND'
set -eu
. "$3/ganesha_again.sh"
"$1" outage "$TAKEOVER_TARGET" -j "$2/result.json" >"$2/out" 2>"$2/err" &
probe=$!
wait_for 'work in' "$2/err"
sleep 1
$TAKEOVER
wait_for 'mounted again; the file is gone' "$2/err"
sleep 1
kill -INT $probe
wait $probe
COMMAND
status=0
timeout -k 5 150 "$top/scripts/with-takeover" -b "$(dirname "$nfsbench")/.." sh "$scratch/command" "$nfsbench" \
    "$scratch" "$here" >"$scratch/log" 2>&1 || status=$?
[ $status -ne 77 ] || skip "$(cat "$scratch/log")"
[ $status -eq 1 ] || fail "status $status instead of 1: $(cat "$scratch/log" "$scratch/err")"
holds '.messages.reconnections >= 1 and .found_again >= 1 and .made_again >= 1'
holds '[.calls[].errors.NFS3ERR_STALE // 0] | add > 0'
holds '.lost.blocks > 0 and .lost.missing == .lost.blocks and .unchecked_blocks == 0'
finish
