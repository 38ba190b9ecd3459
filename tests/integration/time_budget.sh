#!/bin/sh
# bench/time_budget, over a round trip of 20 ms: with --max-time 5s a run and a comparison print a result, and its table has
# a row for each. Their times are not tested.
. "$(dirname "$0")/lib.sh"
need jq python3

status=0
NFSBENCH=$nfsbench python3 "$top/bench/time_budget" --delays 20 --times 5 --commands getattr,versus --jobs 2 \
    --rows "$scratch/rows" >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -ne 77 ] || skip "$(cat "$scratch/err")"
[ $status -le 1 ] || fail_showing "status $status" "$scratch/out" "$scratch/err"

[ "$(grep -c '^| \(getattr\|versus\) | wire | 20 | 5 | ' "$scratch/out")" -eq 2 ] ||
    fail_showing 'not two rows' "$scratch/out" "$scratch/err"
jq -es 'length == 2 and all(.status == 0 and .made != "-")' "$scratch/rows" >/dev/null ||
    fail_showing 'a run without a figure' "$scratch/rows"
finish
