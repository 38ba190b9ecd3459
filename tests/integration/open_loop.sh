#!/bin/sh
# Open loop: if a server sometimes stalls for 100 ms, all calls that are due in that time count as slow. Neither a closed
# loop nor the time since calls were sent shows this.
. "$(dirname "$0")/lib.sh"
need jq awk python3

# over_50_ms: print the share of the op's times in $scratch/result.json that exceed 50 ms
over_50_ms() {
    jq '.ops[-1].histogram | . as $h |
        ([range(0; .count | length) | select($h.low_ns[.] >= 50000000) | $h.count[.]] | add // 0) /
        (.count | add)' "$scratch/result.json"
}

# between VALUE LOW HIGH WHAT: check that VALUE is from LOW to HIGH
between() {
    awk -v value="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(value != "" && value >= low && value <= high) }' ||
        fail "$4: $1 is not between $2 and $3"
}

# The server's only thread spends 100 ms in one of 250 calls. At 500 calls/s this happens once per 500 ms. Of the 250 calls,
# those that are due in the first 50 ms of the stall wait for more than 50 ms: 10 %, or more if the next stall begins before
# the queue is empty. 5,000 calls meet 20 stalls, plus or minus 4.5. Other work on the machine only increases this.
alone='--no-baseline --no-ledger --no-warmup'
stalls='--cost getattr=100ms:0.4%'
for arrival in poisson constant; do
    # shellcheck disable=SC2086
    result measured self: getattr 5k --rate 500 --arrival $arrival $alone --self-args "$stalls"
    between "$(over_50_ms)" 0.03 0.4 "$arrival: share of calls that took over 50 ms"
    holds '.ops[-1].timed == 5000 and .ops[-1].calls == 5000'
    holds '.config.load.rate_per_s == 500 and .config.load.arrival == "'$arrival'"'
    holds '.ops[-1].load | (.lateness_ns.p50 >= 0) and (.service_ns.p50 > 0)'
    # Other load may make the sender late; then the verdict says so.
    holds '([.validity.reasons[].name] | any(. == "sender-late")) or .ops[-1].load.lateness_ns.p50 < 10000000' \
        "$arrival: a server's standstill is not the sender's doing"
done

# With one call in flight, the other calls wait in the client. The time since they were sent does not show it; the time since they
# were due does.
# shellcheck disable=SC2086
result measured self: getattr 3k --rate 300 --depth 1 $alone --self-args "$stalls"
between "$(over_50_ms)" 0.01 0.6 'one call in flight: share of calls that took over 50 ms'
holds '.ops[-1] | .load.service_ns.p90 < 50000000 and .load.service_ns.p90 < .latency_ns.p99 / 2'
holds '.ops[-1] | .load.service_ns.mean * 3 < .latency_ns.mean'

# In a closed loop, only one call per stall is slow.
# shellcheck disable=SC2086
result measured self: getattr 5k --launches 1 $alone --self-args "$stalls"
between "$(over_50_ms)" 0.0005 0.02 'closed loop: share of calls that took over 50 ms'

# A single late reply is not a stall: other calls are not affected.
# shellcheck disable=SC2086
result measured self: getattr 2500 --rate 500 $alone --self-args '--delay getattr=100ms:1%'
between "$(over_50_ms)" 0.003 0.25 'single late replies: share of calls that took over 50 ms'

# If a server stalls for longer than a second, the run does not end: calls that were due wait, and count.
start "$nfsbench" serve
for options in '' '--depth 4' '--clients 3'; do
    # shellcheck disable=SC2086
    python3 "$here/open_loop_stall.py" "$nfsbench" "nfs://127.0.0.1:$port/export" $server_pid "$options" \
        ${NFSBENCH_STALLS:-1.5} || fail "calls that were due in a stall, $options"
done

# A stall longer than --timeout does not end the run either.
python3 "$here/open_loop_stall.py" "$nfsbench" "nfs://127.0.0.1:$port/export" $server_pid '--timeout 1s' 2.5 ||
    fail 'calls that were due in a stall that is longer than --timeout'
stop

# The printed rates agree with the server's own arrivals, by its own clock. On a busy machine calls take longer to
# arrive.
seen() {
    NFSBENCH=$nfsbench "$top/bench/open_loop" "$@" --seconds 2 --way 25 >"$scratch/seen" 2>&1 ||
        fail_showing 'the rate or the calls in flight that were printed differ from what the server saw' "$scratch/seen"
}
seen --ops getattr --rates 200,1000 --delays 50,500
seen --ops mix,remove --rates 500 --delays 100

# No block of a mix interrupts the schedule. Preparation does, at intervals of 2 s or more, and so do two schedules that
# take turns. Interruptions are reported and counted.
result measured self: mix:getattr=60,lookup=40 500 --rate 500 --launches 1 --no-ledger --self-args '--delay getattr=20ms'
holds '[.ops[] | .load // empty | .interruptions == 0 and .interrupted_s == 0] | all' 'a mix is in one schedule'
holds '.ops[-2:][] | .timed > 0'
# shellcheck disable=SC2086
result measured self: create 2500 --rate 500 --launches 1 $alone --verify
holds '.ops[-1] | .calls == 2500 and .errors == {} and .load.interruptions == 2 and .load.interrupted_s > 0' prepared
result measured self: getattr,mount-dump 300 --rate 500 --launches 1 --no-ledger --self-args '--delay getattr=50ms'
holds '.ops[0].load.interruptions > 3 and ([.validity.reasons[].name] | any(. == "schedule-interrupted"))' 'taking turns'
grep -q 'the schedule was interrupted [0-9]* times, for' "$scratch/out" || fail 'an interruption without a word'

# Each round has a sample of a rare op whose calls sometimes fail. If necessary, an additional call is made outside the
# schedule.
result measured self: mix:getattr=9,remove=1 1000 --rate 1000 --launches 1 --no-ledger --no-warmup \
    --self-args '--delay null=5ms --delay getattr=5ms --delay remove=5ms --error remove=NFS3ERR_JUKEBOX:0.5%'
holds '.ops[-1] | .op == "remove" and .timed > 0 and .timed <= .calls'

# If a server stalls at an edge of the measured time, its arrivals do not show what the client sent.
mkdir "$scratch/late"
NFSBENCH=$here/late_reader.py NFSBENCH_REAL=$nfsbench LATE_READER=$scratch/late LATE_CALLS=400 "$top/bench/open_loop" \
    --rates 200 --delays 50 --seconds 2 --way 25 >"$scratch/seen" 2>&1 &&
    grep -q 'median of 3' "$scratch/seen" ||
    fail_showing 'a server that read calls late at one edge' "$scratch/seen"

# If ops alternate, calls within one response time after a change are in no latency, and are counted.
result measured self: getattr 500 --rate 500 --launches 1 --no-ledger --self-args '--delay getattr=20ms'
holds '[.ops[] | .timed + .load.left_out == .calls] | all' 'calls that were left out are counted'
holds '.ops[-1].load | .left_out > 0 and .unanswered == 0 and .unsent == 0'

# A server that stopped answering does not hold the run: calls without an answer --timeout after the last call was due are
# reported.
start "$nfsbench" serve
(sleep 2; kill -9 $server_pid) &
refused 3 'no reply to the last .* calls .RPC_TIMEDOUT' "nfs://127.0.0.1:$port/export" getattr 800 --rate 200 $alone \
    --launches 1 --timeout 1s
wait $!

# If calls waited until fewer than --depth calls were in flight, the mean response time exceeds the sum of service and
# lateness.
# shellcheck disable=SC2086
run measured self: getattr 1k --rate 300 --depth 1 --launches 1 $alone --self-args "$stalls"
grep -q 'is service + late +.*as many calls as --depth allows were in flight' "$scratch/out" ||
    fail 'the time in which calls had no room is not explained'

# Calls of the block that Ctrl-C ends count: here the third block, in its middle, because a block takes 1.5 s.
# shellcheck disable=SC2086
timeout --foreground -s INT 4 "$nfsbench" self: getattr --rate 200 --max-time 60s --launches 1 --block 300 $alone \
    -j "$scratch/interrupted.json" >"$scratch/out" 2>&1 || true
jq -e '.cut_short and .ops[-1].timed % 300 > 0' "$scratch/interrupted.json" >/dev/null ||
    fail 'calls of a block that did not end are lost'

# Calls that are sent again have latencies, and no text says otherwise.
# shellcheck disable=SC2086
result measured self: getattr 1k --rate 500 --proto udp --timeout 300ms $alone --launches 1 --self-args '--drop 2%'
holds '.ops[-1] | .retransmits > 0 and .timed + .load.left_out + .load.unanswered == .calls' 'calls that were sent again'
holds '[.validity.reasons[].text | select(test("sent again"))] | length == 1 and (.[0] | test("the latencies include the calls sent again"))' \
    'calls that were sent again'
! grep -q 'not included in the percentiles' "$scratch/out" || fail 'calls that were sent again are said to have no latency'

# An unreachable rate ends the run early, because a complete run would report something else. The error names --depth as the
# cause.
for options in '' '--no-baseline' '--depth 4' '--clients 4 --threads 2' '--clients 4 --threads 2 --block 32'; do
    # shellcheck disable=SC2086
    refused 1 "rate 5000 can't be reached: after .* because as many calls as --depth .* or raise --depth" self: getattr --max-time 60s \
        --rate 5000 --self-args '--cost getattr=1ms' $options
done

# At a low rate, the time of a run follows from the schedule that was drawn: here 32 s for 30 calls, 30 s on average.
begin self: getattr 15 --rate 1 --seed 4 --launches 1
within 20 grep -q 'the run will take about 32 s' "$scratch/err" || fail_showing 'not the length of the schedule' "$scratch/err"
kill -INT "$client"
await 'Ctrl-C at a low rate'
finish
