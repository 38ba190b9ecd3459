#!/bin/sh
# The verdict in the exit status; runs that end by precision and by time; service times
. "$(dirname "$0")/lib.sh"
need jq taskset

ends 1 "$nfsbench" self: getattr 100 --block 100 -v -j "$scratch/result.json"
holds '.validity.verdict == "suspect" and ([.validity.reasons[].name] | index("too-few-rounds"))'
grep -q 'too-few-rounds' "$scratch/out" || fail 'the text does not give the reason'
run 0 self: getattr 100 --block 100 --allow-suspect

# One round has no interval, in any form, and no share of a cost that does not differ significantly from 0.
holds '[.ops[1:][].above_null_ns | .ci95 == null and .p99.ci95 == null and (.distinguishable | not)] | all'
holds '[.ops[2].model | .bytes_ns, .server_ns | .ci95 == null] | all'
grep -qE '^  getattr +-?[0-9.]+  -  [^%]*not distinguishable' "$scratch/out" || fail 'an interval of one round'
run 0 compare "$scratch/result.json" "$scratch/result.json"
grep -qE '^  getattr .* \+0.000 +- .* 1.000  not known' "$scratch/out" || fail 'compare has an interval of one round'
run 0 report "$scratch/result.json" -o "$scratch/page.html"
! grep -qw nan "$scratch/page.html" || fail 'the page contains something that is not a number'
! grep -qE 'costs most above null|The floor is' "$scratch/page.html" || fail 'the page reports a cost of one round'
result 0 self: getattr 100 --block 100 --versus self: --allow-suspect
holds '[.contrasts[] | select(.quantity == "round_trip") | .difference_ns.ci95 == null and .p == 1] | all'

# Rare slow calls: 10 ms more in 5 % of the calls add 500 us to the mean, and hardly anything to above_null_ns.
result 0 self: getattr 4k --self-args '--cost getattr=10ms:5%' --no-ledger --allow-suspect --force
noise=$(jq '.ops[1].mean_above_null_ns.ci95 | map(fabs) | max | round' "$scratch/result.json")
if [ "$noise" -lt 100000 ]; then
    holds '.ops[2].mean_above_null_ns | .estimate > 250e3 and .estimate < 1000e3 and .disagrees' 'the mean cost'
    holds '.ops[2].mean_above_null_ns | .ci95[0] <= .estimate and .estimate <= .ci95[1]'
    holds '.ops[2].mean_above_null_ns.rare_share | . > 0.025 and . < 0.1' 'the share of the slow calls'
    holds '.ops[2] | .above_null_ns.estimate < .mean_above_null_ns.estimate / 2' 'the typical cost'
    grep -qE '^      mean cost .* rare slow calls: [0-9]+ us from [0-9.]+ % of the calls' "$scratch/out" ||
        fail 'the text does not say where the mean cost comes from'
else
    left_out "rare slow calls, as null calls differ by $noise ns in the mean here"
fi
holds '[.ops[] | (.block_means | length) == (.blocks | length)] | all'
holds '.ops as $ops | ([$ops[2].block_means, $ops[0].block_means] | transpose | map(.[0] - .[1]) | add / length)
    - $ops[2].mean_above_null_ns.estimate | fabs < 0.2' 'the mean cost is that of the block means'
[ "$(nproc)" -gt 1 ] || left_out "one processor"
if [ "$(nproc)" -gt 1 ]; then
    start taskset -c 0 "$nfsbench" serve
    rm -f "$scratch/result.json" # a result of another target
    ends 0 taskset -c 0 "$nfsbench" "nfs://127.0.0.1:$port/export" getattr 3k --allow-suspect -j "$scratch/result.json"
    holds '[.validity.reasons[].name] | index("shared-core")'
    stop
fi

# The result has the evidence on which the verdict rests.
result 0 self: getattr 100 --no-ledger --allow-suspect
holds '.validity.evidence | .mean_over_median > 0 and .outlier_share >= 0 and .core_shared >= 0'

# NULL calls that take a thousand times as long as in the file's earlier result are reported.
kept=$scratch/kept.json
again() { # again ARGUMENT...: measure into $kept, which may hold a result
    run 0 self: getattr "$@" --no-ledger --no-model --allow-suspect -j "$kept"
    cp "$kept" "$scratch/result.json"
}
again 300
holds '.validity.evidence | .null_change == null and (has("earlier_start") | not)'
jq '.ops[0].blocks |= map(. / 1000) | .start = "2026-01-02T03:04:05Z"' "$kept" >"$scratch/earlier.json"
cp "$scratch/earlier.json" "$kept"
again 600 --launches 2
holds '.validity.evidence | .null_change > 1 and .earlier_start == "2026-01-02T03:04:05Z"'
grep -q 'null calls take +[0-9]* % compared with this host' "$scratch/out" || fail 'the change of the null calls is not noted'
jq '.config.depth = 2' "$scratch/earlier.json" >"$kept"
again 300
holds '.validity.evidence.null_change == null' 'a result with other settings counts'

# A busy machine is detected, here by a loop on a processor that the client or the server needs.
client_cpu=$(jq -r .config.client_cpus "$scratch/result.json")
[ -r /proc/self/schedstat ] || left_out "the kernel does not say how long a process waits for a processor"
if [ -r /proc/self/schedstat ]; then
    timeout 500 taskset -c "$client_cpu" sh -c 'while :; do :; done' &
    busy=$!
    result 0 self: getattr 20k --no-ledger --no-warmup --allow-suspect -v
    kill "$busy" 2>/dev/null || true
    wait "$busy" || true
    # (While other tests run, the client may choose the other processor, so that the server has the busy one.)
    holds '.validity | .verdict == "suspect" and ([.evidence | .client_waited, .server_waited] | max > 0.03)' 'beside a busy loop'
    holds '[.validity.reasons[].name] | index("waited-for-processor")'
    grep -q 'waited-for-processor.*taskset' "$scratch/out" || fail 'the reason does not say what to do'
fi

# Without COUNT the run continues until it is precise. One bound is reached soon, the other never.
result 0 self: getattr --launches 1 --precision 50us --block 10 --no-model --max-time 50s
holds '.config.calls == null and .cut_short == false'
is_crowded || holds '.config.precision.reached' # other load may make it take longer
is_crowded || holds '.config.rounds as $n | [150, 225, 337, 505, 757] | index($n)' 'a look after the first'
holds '.ops[2].calls == .config.rounds * .config.block'
result 0 self: getattr --precision 0.001%,1ns --max-time 700ms
holds '.config.precision | .reached == false and .share < 0.0001 and .ns == 1'
grep -q 'max-time' "$scratch/out" || fail 'the text does not say why it ended'
result 0 self: getattr --no-baseline --launches 1 --precision 90% --block 10 --max-time 50s
holds '.config.precision.reached'

# Blocks are shorter if the server is slow, unless their length is given.
result 0 self: getattr 30 --self-args '--delay getattr=10ms' --no-ledger --no-warmup
holds '.config.block >= 5 and .config.block <= 20'
result 0 self: getattr 60 --block 30 --no-model --no-warmup
holds '.config.block == 30'

# In a run that writes, the length of a call is that of a WRITE.
result 0 self: write 300 --launches 1 --no-ledger
holds '[.model.points[] | select(.call > 1000).op] | unique == ["write"]'

result 0 self: getattr,read 2k --self-args '--cost getattr=20us' -v
holds '[.ops[2:][] | .above_null_ns.estimate
        - ((.model // .failed_model) | .bytes_ns.estimate + .pause_ns.estimate + .server_ns.estimate)
        | fabs < 0.001] | all'
holds '[.model.points[].op] | length == 10 and unique == ["null", "read"]'
holds '[.ops[].slowest | length == 8] | all'
holds '[.ops[] | .slowest[0].ns - .latency_ns.max | fabs < 0.01] | all'
holds '(.clock.cost_histogram.count | add) == 20000'
for part in bytes pause server; do # on a busy machine the model may fail; then the text has no parts
    grep -q "^ *$part  *[-0-9]" "$scratch/out" || ! jq -e '[.ops[2:][] | has("model")] | any' "$scratch/result.json" >jq.out ||
        fail "the text lacks '$part'"
done
for part in 'a byte of a call' 'a ns of pause'; do
    grep -q " $part " "$scratch/out" || fail "the text lacks '$part'"
done
result 0 self: getattr,read 500 --no-model
holds '(has("model") | not) and ([.ops[] | has("model") | not] | all)'

# SIGUSR1 and SIGUSR2 make the server print its service times since the last time; SIGUSR2 also turns injected costs off, or on
# again.
printed() { # printed N: wait until the server has printed its service times N times
    times=$1
    within 10 "[ \"\$(grep -c '^service times of' \"\$scratch/server.out\")\" -ge $times ]" ||
        fail "the service times were not printed $times times"
}
quick='--no-model --no-ledger --no-warmup'
start "$nfsbench" serve --service-times --cost getattr=100us
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -USR2 "$server_pid"
printed 1
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -USR1 "$server_pid"
printed 2
kill -USR2 "$server_pid"
printed 3
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $quick
kill -TERM "$server_pid"
wait "$server_pid" || fail 'the server'
server_pid=
printed 4
grep '^service time: getattr' "$scratch/server.out" >"$scratch/times"
[ "$(wc -l <"$scratch/times")" -eq 3 ] || fail 'not printed three times'
[ "$(grep -c ' trimmed_mean_ns=[1-9][0-9]\{5\}\.' "$scratch/times")" -eq 2 ] || fail 'SIGUSR2 does nothing'
grep -Eq '^service time: getattr calls=3[0-9]+ mean_ns=[0-9.]+ .* log2_ns=[0-9:,]+$' "$scratch/times" ||
    fail 'the form of the line'
finish
