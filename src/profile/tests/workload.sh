#!/bin/sh
# Runs of captured workloads: think times, how they end, and notices.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq pgrep

# workload NAME MEMBERS: write NAME.json, a workload of two clients with these members.
workload() {
    cat >"$scratch/$1.json" <<WORKLOAD
{"schema": "nfsbench-result/2", "kind": "workload",
 "ops": [{"op": "getattr", "weight": 90, "calls": 900}, {"op": "lookup", "weight": 10, "calls": 100}],
 "clients": 2, "connections": 2, "rate_per_s": 2, "burstiness": 1, "files": {"count": 4, "mean_bytes": 4096}, $2}
WORKLOAD
}

# --max-time ends think times. The run first prints how long all calls would take.
workload slow '"think_us": {"p10": 4e6, "p25": 4e6, "p50": 5e6, "p75": 6e6, "p90": 7e6, "p99": 8e6}, "think_calls": 1'
timeout 30 "$nfsbench" self: "mix:$scratch/slow.json" --max-time 3s >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
[ $status -eq 1 ] || fail_showing "--max-time does not end think times: status $status" "$scratch/err"
grep -q "at the workload's own pace, 0.3[0-9] calls/s, 1.[01] calls take about 3 s" "$scratch/err" ||
    fail_showing 'no word of the pace' "$scratch/err"
grep -q 'the time ended after 0 of the first 5 calls, because of think times' "$scratch/err" ||
    fail_showing 'no reason' "$scratch/err"
# If --max-time has room for several rounds, the run does not count as cut short.
workload quick '"think_us": {"p10": 1000, "p25": 1000, "p50": 2000, "p75": 3000, "p90": 4000, "p99": 5000}, "think_calls": 2'
result 0 self: "mix:$scratch/quick.json" --max-time 6s --launches 1
holds '.config.precision.max_time_ns == 6e9 and (.cut_short | not) and .ops[0].rate_per_s > 0 and .ops[0].rate_per_s < 2000' quick
result 0 self: "mix:$scratch/quick.json" 600 --launches 1
grep -q "own pace, [0-9.]* calls/s, 600 calls take about 0.[0-9]* s" "$scratch/err" || fail_showing 'no pace' "$scratch/err"
# The rate of calls includes think times: two clients think for 2 ms after every second call.
holds '.ops[0] | .calls == 600 and .rate_per_s < 2000' 'the rate with think times'

# Ctrl-C in a think time, while no call is in flight. Nine of ten think times are 1 ms, the others seconds. If a long one is in
# the first round, there is no result, so try several seeds.
workload stuck '"think_us": {"p10": 1e3, "p25": 1e3, "p50": 1e3, "p75": 1e3, "p90": 1e3, "p99": 6e7}, "think_calls": 1'
for seed in 1 2 3 4 5 6 7 8; do
    begin self: "mix:$scratch/stuck.json" 60 --launches 1 --seed $seed --allow-suspect
    within 30 'pgrep -P $client >/dev/null' || fail 'no server'
    sleep 3
    kill -INT $client
    await 'Ctrl-C within a think time'
    [ ! -e "$scratch/result.json" ] || break
done
holds '.cut_short and .cut_short_by == "interrupted" and .config.rounds > 0 and (.stalls // [] | length) == 0' 'Ctrl-C within a think time'

# Blocks with fewer calls than may be in flight have a rate.
workload deep '"in_flight": {"mean": 80, "p99": 90}'
result 0 self: "mix:$scratch/deep.json" 600 --launches 1
holds '.ops[0] | .calls == 600 and .rate_per_s > 0 and .load.in_flight > 0' 'a deep workload'
is_crowded || holds '.ops[0].load | .in_flight > 0.5 and .fairness > 0.9' 'a deep workload'

# A run says what its workload lacks.
workload part '"clock_tick_us": 1e4, "left_out": {"cut": 500, "packets_share": 0.25}'
run 0 self: "mix:$scratch/part.json" 200 --launches 1
grep -q 'only a part of the captured calls: 1000 of 1500 captured calls (500 truncated by the snap length); no calls of the 25 % of packets' \
    "$scratch/err" || fail_showing 'the part is not said' "$scratch/err"
grep -q "resolution of the clock that captured them, 10 ms" "$scratch/err" || fail_showing 'the tick is not said' "$scratch/err"

finish
