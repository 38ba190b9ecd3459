#!/bin/sh
# nfsbench sweep prints its analysis, and finds a server's known limit.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq awk

# A sweep with too many points is refused, and prints nothing. (test_sweep_options.c has other refused sweeps.)
refused 2 'points are too many' sweep self: getattr --depth "$(seq -s , 1 40)" --clients "$(seq -s , 1 40)"
[ ! -s "$scratch/out" ] || fail 'something was printed'
run 0 sweep --help
grep -q usage: "$scratch/out" || fail '--help prints no help'

# Two dimensions, a range and a list: all points are measured, with the same number of trials each.
run measured sweep --allow-suspect --depth 1..4 --clients 2,1 self: getattr 400 --repeat 3 -j "$scratch/result.json"
holds '.schema == "nfsbench-result/2" and .kind == "experiment" and .preset == "sweep" and .ops == "getattr" and (.cells | length == 6)'
holds '[.cells[] | [.clients, .depth]] | unique | length == 6'
holds '[.cells[] | .units == 3 and (.throughput_per_s.units | length == 3)] | all'
holds '[.cells[].throughput_per_s | .level.estimate > 0 and .level.ci95[0] <= .level.estimate and
    .level.ci95[1] >= .level.estimate] | all'
holds '[.cells[] | .little.verdict | type == "string"] | all'
holds '[.cells[].limited_by | type == "string"] | all'
holds '.diagnoses | length == 1 and all(.[]; .depth == 4 and .clients == 2 and (.sureness | IN("guess", "likely", "sure")) and
    .evidence != "" and .advice != "")'
holds '.diagnoses[0].limited_by as $limit | .cells[] | select(.depth == 4 and .clients == 2) | .limited_by == $limit'
grep -Eq '^  getattr, 2 clients, depth 4: (limit|not )' "$scratch/out" || fail 'what limits the sweep is not printed'
holds '.scaling | length == 1'
holds '.scaling[0] | .law.lambda.estimate > 0 or (.law_missing | test("follow|falls"))'
# The client uses about one processor at most in each trial, even in the last one, after it was bound many times.
holds '[.cells[].client_cpu_share.units[] | . > 0 and . <= 1.2] | all'
[ "$(grep -Ec '^ +[12] +[124] +[0-9.,]+ ' "$scratch/out")" -eq 6 ] || {
    cat "$scratch/out" >&2
    fail 'the table has not one line for each point'
}

# The verdict is the same in text and JSON.
holds '.validity.verdict | IN("ok", "suspect", "invalid")'
grep -Eq "^  verdict $(jq -r .validity.verdict "$scratch/result.json")(: .*)?\$" "$scratch/out" ||
    fail 'text and JSON have different verdicts'

# All points are measured in the same rounds; with --group 1, one point after the other.
holds '.interleaved'
run measured sweep --allow-suspect --depth 1,4 self: getattr 2k --repeat 3 --group 1 -j "$scratch/alone.json"
jq -e '(.interleaved | not) and (.cells | length == 2)' "$scratch/alone.json" >"$scratch/jq.out" || fail '--group 1'
holds '[.validity.reasons[] | .name != "" and .text != ""] | all'

# With several calls in flight the turn-around is known, and Little's law holds on one connection. With two connections, one
# may send its last call of a block long before the other, mostly on a busy machine.
holds '[.cells[] | select(.depth > 1) | .turn_around_ns.level.estimate > 0] | all'
holds '[.cells[] | select(.depth > 1 and .clients == 1) | .little.verdict == "holds"] | all'
bound=0.3
! is_crowded || bound=1
holds "[.cells[] | select(.depth > 1) | .little.discrepancy.estimate | . > -$bound and . < $bound] | all"

# Null calls are in the rounds of each trial: the cost above null is known, and less than the round trip.
holds '[.cells[] | .null_ns.level.estimate > 0 and .above_null_ns.level.estimate != null] | all'
holds '[.cells[] | range(0; .units) as $i | .above_null_ns.units[$i] < .typical_ns.units[$i]] | all'
grep -q 'cost us' "$scratch/out" || fail 'the table has no cost above null'

# With self:, the server uses its processor in each trial, although the client spins on its own.
if [ "$(nproc)" -gt 1 ]; then
    run measured sweep --allow-suspect --depth 1,2 self: getattr 10k --repeat 3 --spin -j "$scratch/result.json"
    least=0.01
    ! is_crowded || least=0
    for trial in 1 2 3; do
        holds ".cells[0].server_cpus.units[$((trial - 1))] > $least" "trial $trial's server"
    done
fi

# TCP's state is known with every engine that has sockets, with more connections than are sampled, and in an open loop.
for engine in $(engines wire tirpc libnfs); do
    run measured sweep --allow-suspect --engine "$engine" --clients 1,12 self: getattr 600 --repeat 2 \
        -j "$scratch/result.json"
    holds '[.cells[] | .tcp_rtt_ns.units[] > 0 and .tcp_rtt_min_ns.level.estimate > 0] | all' "TCP with $engine"
done
run measured sweep --allow-suspect --depth 1,4 --proto udp self: getattr 400 --repeat 2 -j "$scratch/result.json"
holds '[.cells[] | .tcp_rtt_ns.level == null and .udp_resent_share.level.estimate == 0] | all' 'TCP over UDP'
run measured sweep --allow-suspect --rate 300,600 self: getattr 200 --repeat 2 -v -j "$scratch/result.json"
holds '[.cells[].tcp_rtt_ns.units[] | . > 0] | all' 'TCP in an open loop'
grep -Eq '^  connections +RTT us +least RTT us ' "$scratch/out" || fail '-v does not print the state of TCP'

# A suspect result ends with status 1, unless --allow-suspect is given.
run measured sweep --allow-suspect --depth 1,2 self: getattr 500 --repeat 1 -j "$scratch/result.json"
# With one trial, intervals come from its rounds; a figure that rounds do not have has no interval.
is_crowded || holds '.cells[] | .throughput_per_s.level | .ci95[0] < .estimate and .estimate < .ci95[1]' 'an interval of one trial'
holds '.cells[] | .p99_ns.level.ci95 == null' 'an interval of what is not known'
holds '[.validity.reasons[].name] | index("too-few-repeats") != null'
status=0
"$nfsbench" sweep --depth 1,2 self: getattr 500 --repeat 1 -v >"$scratch/out" 2>&1 || status=$?
[ $status -eq 1 ] || fail "a suspect sweep ended with $status"
grep -q 'too-few-repeats (suspect)' "$scratch/out" || fail 'the reason is not printed'
"$nfsbench" sweep --depth 1,2 self: getattr 500 --repeat 1 -q >"$scratch/out" 2>&1 || true
grep -Eq '^nfsbench: verdict (suspect|invalid): ' "$scratch/out" || fail 'a suspect sweep ends with 1 in silence'

# A sweep of sizes gives the cost of a byte; rates can be percentages; -j - prints only JSON.
run measured sweep --allow-suspect --size 512..16Ki self: read 400 --repeat 3 -j "$scratch/result.json"
holds '[.cells[].size] | sort == [512, 1024, 2048, 4096, 8192, 16384]'
holds '.sizes[0].pieces | length >= 1'
holds '.sizes[0].basis == "above-null"'
! sed -n '/ by size, /,/ off by /p' "$scratch/out" | grep -q ' $' || fail 'the cost by size ends with spaces'
holds '[.sizes[0].pieces[] | (.fixed_ns.estimate // 0) >= 0 and (.ns_per_byte.estimate // 0) >= 0] | all'
run measured sweep --allow-suspect --rate 20%,40% self: getattr --max-time 5s --repeat 2 -j -
mv "$scratch/out" "$scratch/result.json"
holds '.full_rate_per_s > 0 and (.cells | length == 2)'
holds '.full_rate_per_s as $full | [.cells[].rate_per_s] | sort |
    (.[0] - 0.2 * $full | fabs) < 2 and (.[1] - 0.4 * $full | fabs) < 2'

# Other options apply to each point's values, not to the defaults of the swept options.
run measured sweep --allow-suspect --rate 500,1000 --arrival constant self: getattr 200 --repeat 2 -j "$scratch/result.json"
holds '.cells | length == 2'
holds '[.cells[].above_null_ns.level.estimate] | all(. == null)' 'null calls at a rate'
run measured sweep --allow-suspect --depth 8,16 --batch 4 self: getattr 500 --repeat 2 -j "$scratch/result.json"
holds '[.cells[].depth] | sort == [8, 16]'

# A rate that can't be reached is a result, and the other points are measured.
run measured sweep --allow-suspect --rate 20,5000 self: getattr --max-time 14s --repeat 2 --self-args '--cost getattr=1ms' \
    -j "$scratch/result.json"
is_crowded || holds '.cells[] | select(.rate_per_s == 20) | .units == 2 and (.out_of_reach | not)'
holds '.cells[] | select(.rate_per_s == 5000) | .out_of_reach or .throughput_per_s.units[0] < 2000'

# The only thread of the server makes 5,000 calls/s: the highest rate that meets the objective is a little lower.
run measured sweep --allow-suspect --find-max 'p50<12ms' self: getattr --self-args '--cost getattr=200us' --max-time 15s --no-warmup \
    -j "$scratch/result.json"
holds '.full_rate_per_s > 100 and .full_rate_per_s < 5100 and .cells[0].size == null'
# (On a busy machine, the closed loop, which sets the highest rate to try, may be slower than the probes.)
holds '.find_max | .outcome == "all-held" or (.rate_per_s.estimate // 0) < 8000'
holds '[.cells[] | select(.rate_per_s > 9000) | .held != "yes"] | all' 'a rate above capacity held'
holds '.find_max | .calls_wanted == 1000 and .calls_least > 0 and .probes >= .probes_without_answer'
holds '.diagnoses | length == 1 and all(.[]; .rate_per_s > 100)' 'what limits a search'
# The first probes scan the rates, from the highest down.
holds '[.cells[:2][].rate_per_s] | .[0] > .[1]'

# A search ends in time, and Ctrl-C keeps its probes.
before=$(date +%s)
run measured sweep --allow-suspect --find-max 'p99<1ms' self: getattr --max-time 4s --no-warmup -j "$scratch/result.json"
[ $(($(date +%s) - before)) -le 30 ] || fail '--find-max --max-time 4s took too long'
holds '.find_max.probes > 0 and (.cells | length > 0)'
interrupted 1 1 sweep --allow-suspect --find-max 'p99<1ms' self: getattr --no-warmup
grep -q '^nfsbench: interrupted$' "$scratch/err" || fail 'Ctrl-C in a search is not reported'

# A full disk.
run 1 sweep --allow-suspect --depth 1,2 self: getattr 500 --repeat 2 --csv /dev/full
grep -Eq 'nfsbench: .*(/dev/full|--csv).*No space' "$scratch/err" || fail 'a full disk is not reported'
full 1 'No space left' sweep --depth 1,2 self: getattr 500 --repeat 2 --allow-suspect

# Ctrl-C prints the table so far. (The first pass over all six points takes 1.2 s and a warm-up.)
interrupted 4 1 sweep --allow-suspect --depth 1..32 self: getattr --max-time 100s --repeat 20
grep -q '^nfsbench: interrupted$' "$scratch/err" || fail 'Ctrl-C is not reported'
holds '[.cells[].units] | add > 2 and add < 120' 'what was measured before Ctrl-C'
grep -q 'depth' "$scratch/out" || fail 'Ctrl-C: no table'

# The server is restarted during the sweep, which continues.
start "$nfsbench" serve --threads 1
begin sweep --allow-suspect --depth 1,4 "nfs://127.0.0.1:$port/export" getattr --max-time 15s --repeat 10
worked "$client" 0.4
kill_server
sleep 0.5
start "$nfsbench" serve --threads 1 --port "$port"
ended_with measured 'the server was restarted'
holds '[.cells[].units == 10] | all' 'the server was restarted'

# The server does not return: the trials so far are reported.
begin sweep --allow-suspect --depth 1,4 "nfs://127.0.0.1:$port/export" getattr --max-time 20s --repeat 10 --timeout 1s
worked "$client" 1.5
kill_server
ended_with 3 'the server stayed away'
holds '[.cells[].units] | add > 0' 'the server stayed away'
# The server ends in the first pass and does not return: the rounds so far are the result, as after Ctrl-C.
start "$nfsbench" serve
begin sweep --allow-suspect --depth 1,4 "nfs://127.0.0.1:$port/export" getattr --max-time 60s --repeat 2 --no-warmup
worked "$client" 1
kill_server
ended_with 3 'the server ended during the first visit'
holds '[.cells[].units] == [1, 1] and (.cut_short_by | type == "string")' 'the server ended during the first visit'
# Refused commands, and a check of the command that a sweep's file contains.
refused 2 'takes ops that are a single call' sweep self: walk -d 1,2
refused 2 "an experiment can't be written with --hdr; leave --hdr out, or use one of --json" \
    127.0.0.1:/none getattr 10 --versus 127.0.0.1:/none --hdr x
result measured sweep --allow-suspect --depth 1,2 self: getattr 100 --repeat 2 -q
holds '.command[:7] == ["nfsbench", "sweep", "--allow-suspect", "--depth", "1,2", "self:", "getattr"]'
# If no rate can be reached, a message says so. (The server sends many replies at once.)
refused 1 'none of the rates can be reached' sweep --rate 20k,30k self: getattr --max-time 2s --repeat 1 \
    --self-args '--cost getattr=1ms' --allow-suspect

# A sweep does not compare its points.
run measured sweep --allow-suspect self: getattr 200 --vary uid=7,8 --repeat 2 -j "$scratch/result.json"
holds '.preset == "sweep" and .reference == null and .contrasts == [] and (.cells | length == 2)'
! grep -Eq 'is compared with|nothing to compare' "$scratch/out" || fail 'a sweep names a reference'
finish
