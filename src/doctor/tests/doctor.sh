#!/bin/sh
# nfsbench doctor: one line for each check, and the verdict as exit status.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"

status=0
timeout -k 5 60 "$nfsbench" doctor >"$scratch/out" 2>"$scratch/err" || status=$?
for check in clock 'timer cost' sleep frequency processors load steal interrupts counters; do
    grep -Eq "^(ok  |FIX ) $check +[^ ]" "$scratch/out" || fail "nothing about $check"
done
if grep -q '^FIX' "$scratch/out"; then
    [ $status -eq 1 ] || fail "something to correct, and status $status"
    grep -q 'to fix$' "$scratch/out" || fail 'no verdict'
else
    [ $status -eq 0 ] || fail "nothing to correct, and status $status"
    grep -q '^fit for measuring' "$scratch/out" || fail 'no verdict'
fi
[ ! -s "$scratch/err" ] || fail 'it prints errors'
refused 2 'unexpected argument .me' doctor me
run 0 doctor --help
# Keep a processor busy, so that the machine is busy even if no other test runs.
(while :; do :; done) &
others=$!
refused 1 'the machine was busy all the time .at the end processor [0-9]+, [0-9]+ %' self: null 10 --wait-quiet 1ms
refused 1 'busy all the time' doctor --wait-quiet 1ms
finish
