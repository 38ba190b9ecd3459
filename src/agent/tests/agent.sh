#!/bin/sh
# nfsbench agent, as --server-cmd runs it on the server's machine.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

# The agent answers each line of input with one line.
printf '\n\n' | timeout 10 "$nfsbench" agent --counters >"$scratch/out" || fail 'agent --counters'
[ "$(wc -l <"$scratch/out")" -eq 2 ] || fail 'not one line for each line'
[ "$(jq -s 'map(.schema == "nfsbench-agent/1") | all' "$scratch/out")" = true ] || fail 'its schema'
run 0 agent --counters
[ ! -s "$scratch/out" ] || fail 'it prints something without a question'

# An endless line.
status=0
yes a | tr -d '\n' | head -c 20000000 | timeout 60 "$nfsbench" agent --counters >"$scratch/out" 2>"$scratch/err" || status=$?
[ $status -eq 2 ] && grep -q 'longer than any question' "$scratch/err" ||
    fail_showing "a line without an end: status $status" "$scratch/err"

sleep 0 &
gone=$!
wait $gone
refused 2 'either --counters or --events' agent
refused 2 'either --counters or --events' agent --counters --events
refused 2 'unexpected argument .now' agent --counters now
refused 2 'no process has this ID' agent --counters --pid $gone
refused 2 'tcp or udp' agent --counters --proto sctp
refused 2 'client-port needs --events' agent --counters --client-port 9
"$nfsbench" agent --help >/dev/full 2>"$scratch/err" && fail 'agent --help: a full device'
finish
