#!/bin/sh
# The verdict in the exit status; runs that end by precision and by time; service times.
. "$(dirname "$0")/lib.sh"
need jq

# Too few rounds are a reason, and a reason is a status.
status=0
timeout -k 5 60 "$nfsbench" self: getattr 100 -j "$scratch/result.json" >"$scratch/out" || status=$?
[ $status -eq 1 ] || fail "suspect, and status $status"
holds '.validity.verdict == "suspect" and ([.validity.reasons[].name] | index("too-few-rounds"))'
grep -q 'too-few-rounds' "$scratch/out" || fail 'the text does not tell the reason'
run 0 self: getattr 100 --allow-suspect

# One core for both is told.
if [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null; then
    start taskset -c 0 "$nfsbench" serve
    status=0
    timeout -k 5 60 taskset -c 0 "$nfsbench" "nfs://127.0.0.1:$port/export" getattr 3k --allow-suspect \
        -j "$scratch/result.json" >"$scratch/out" || status=$?
    [ $status -eq 0 ] || fail "shared core: status $status"
    holds '[.validity.reasons[].name] | index("shared-core")'
    stop
fi

# Without COUNT: until it is precise. A bound that is soon reached, and one that never is.
run 0 self: getattr --precision 50us --block 10 --no-model --max-time 50s -j "$scratch/result.json"
holds '.config.precision.reached and .config.calls == null and .cut_short == false'
holds '.config.rounds as $n | [150, 225, 337, 505, 757] | index($n)' 'a look after the first'
holds '.ops[2].calls == .config.rounds * .config.block'
run 0 self: getattr --precision 0.001%,1ns --max-time 700ms -j "$scratch/result.json"
holds '.config.precision | .reached == false and .share < 0.0001 and .ns == 1'
grep -q 'max-time' "$scratch/out" || fail 'the text does not say why it ended'
run 0 self: getattr --no-baseline --precision 90% --block 10 --max-time 50s -j "$scratch/result.json"
holds '.config.precision.reached'
for precision in 0% 100% -1% 0ns x '' 1%, , 5; do
    refused 2 'precision' self: getattr --precision "$precision"
done
refused 2 'leave one' self: getattr 100 --precision 1%
refused 2 'leave one' self: getattr 100 --max-time 1s

# Blocks are shorter where the server is slow, unless their length is given.
run 0 self: getattr 30 --cost getattr=10ms --no-ledger --no-warmup -j "$scratch/result.json"
holds '.config.block >= 5 and .config.block <= 20'
run 0 self: getattr 60 --block 30 --no-model --no-warmup -j "$scratch/result.json"
holds '.config.block == 30'

# The parts of a cost add up to it.
run 0 self: getattr,read 2k --cost getattr=20us -v -j "$scratch/result.json"
holds '[.ops[2:][] | .above_null_ns.estimate
        - (.model.bytes_ns.estimate + .model.pace_ns.estimate + .model.server_ns.estimate)
        | fabs < 0.001] | all'
holds '.model.points | length == 10'
holds '[.ops[].slowest | length == 8] | all'
holds '[.ops[] | .slowest[0].ns - .latency_ns.max | fabs < 0.01] | all'
holds '(.clock.cost_histogram.count | add) == 20000'
for part in bytes pace server 'a byte sent' 'a ns of pause'; do
    grep -q " $part " "$scratch/out" || fail "the text lacks '$part'"
done
run 0 self: getattr,read 500 --no-model -j "$scratch/result.json"
holds '(has("model") | not) and ([.ops[] | has("model") | not] | all)'

# The server's own account, of what came since the last time; SIGUSR2 turns costs off.
told() { # told TIMES: wait until the server has told its times so often
    for _ in $(seq 200); do
        [ "$(grep -c '^service times of' "$scratch/server.out")" -lt "$1" ] || return 0
        sleep 0.05
    done
    fail "the service times were not told $1 times"
}
quick='--no-model --no-ledger --no-warmup'
start "$nfsbench" serve --service-times --cost getattr=100us
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -USR2 "$server_pid"
told 1
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -USR1 "$server_pid"
told 2
kill -USR2 "$server_pid"
told 3
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -TERM "$server_pid"
wait "$server_pid" || fail 'the server'
server_pid=
told 4
grep '^service time: getattr' "$scratch/server.out" >"$scratch/times"
[ "$(wc -l <"$scratch/times")" -eq 3 ] || fail 'not told three times'
[ "$(grep -c ' trimmed_mean_ns=1[0-9]\{5\}\.' "$scratch/times")" -eq 2 ] || fail 'SIGUSR2 does nothing'
grep -Eq '^service time: getattr calls=3[0-9]+ mean_ns=[0-9.]+ .* log2_ns=[0-9:,]+$' "$scratch/times" ||
    fail 'the form of the line'
finish
