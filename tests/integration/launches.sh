#!/bin/sh
# A measurement of several launches: each has new processes of the client and of the server. There is one result of all launches,
# which is also written if the measurement ends early.
. "$(dirname "$0")/lib.sh"
need jq unshare

result=$scratch/result.json

# All launches have the same process of nfs-ganesha, so the intervals are about this server.
if [ "$part" = ganesha ]; then
    run 0 nfs://127.0.0.1:20490/export getattr 900 --mount-port 20491 --launches 3 --allow-suspect --no-ledger -q -j "$result"
    holds '.intervals_speak_of == "server" and (.launches | length == 3)'
    finish
fi

# self: with a server for each launch. Differences between the launches are recorded.
run 0 self: getattr,write 2003 --self-args '--cost getattr=500us' --launches 3 --seed 11 --allow-suspect -v -j "$result"
grep -q '3 launches, each with a new server: the intervals apply to any launch of this program' "$scratch/out" ||
    fail 'the text does not say what the intervals apply to'
grep -q 'standard deviation in us, by' "$scratch/out" || fail 'the spread is not printed'
# If launches differ by more than the cost, because of the machine, no number of launches is recommended.
for op in $(jq -r '.ops[] | select(.plan) | .op' "$result"); do
    grep -Eq "^  for $op to \+-[0-9.]+ us: [0-9]+ launches of " "$scratch/out" || fail "the plan of $op is not printed"
done
holds '.launches | map(.rounds_ns > 0 and .process_ns > .rounds_ns and .server_start_ns > 0) | all'
holds 'all(.ops[].plan // empty; .servers >= 5 and .clients == 1 and .rounds >= 20 and .half_width_ns > 0)'
holds '.intervals_speak_of == "program" and .launches_planned == 3 and (.launches | length == 3)'
holds '[.launches[].server] == [0, 1, 2]'
holds '.launches | [.[].seed, .[].heap_bytes] | unique | length == 6'
holds '[.launches[].server_pid] | unique | length == 3'
holds '[.ops[] | select(.op == "getattr") | .calls] == [2003]'
holds '[.launches[].ops[] | select(.op == "getattr") | .calls] == [668, 668, 667]'
holds '([.launches[].rounds] | add) == .config.rounds'
holds '.config.rounds as $n | [.ops[].blocks | length == $n] | all'
holds '.ops | map(.timed == (.histogram.count | add)) | all'
holds '.ops[] | select(.op == "getattr") | .spread_ns | .rounds >= 0 and .clients == null and .servers >= 0'
holds '(.ops[] | select(.op == "getattr") | .above_null_ns.estimate) as $mean |
    [.launches[].ops[] | select(.op == "getattr") | .cost_ns.estimate] | (add / length) - $mean | fabs < 0.01'
holds '.seed == 11 and .config.calls == 2003 and .config.write_size == 4096'
holds '.command | index("--launches") and (map(startswith("--launch=")) | any | not)'
! pgrep -P $$ nfsbench || fail 'a process is left'
if command -v python3 >/dev/null; then
    "$top/scripts/nfsbench_results.py" "$result" >"$scratch/read.csv"
    [ "$(grep -c ',getattr,op,[123],[0-9]*,launch_above_null_ns,' "$scratch/read.csv")" -eq 3 ] || fail 'rows read from JSON are others'
fi

# The same seed gives the same launches; also with two clients for each of two servers.
run 0 self: getattr 300 --launches 3 --seed 11 --allow-suspect --no-ledger --no-model -q -j "$scratch/again.json"
jq -c '[.launches[] | .seed, .environment_bytes, .heap_bytes]' "$result" >"$scratch/first"
jq -c '[.launches[] | .seed, .environment_bytes, .heap_bytes]' "$scratch/again.json" >"$scratch/second"
cmp -s "$scratch/first" "$scratch/second" || fail 'the seed does not repeat the launches'
run 0 self: getattr 400 --launches 2x2 --allow-suspect --no-ledger --no-model -j "$result"
holds '[.launches[].server] == [0, 0, 1, 1]'
holds '.ops[2].spread_ns | .clients >= 0 and .servers >= 0'

# The default: several launches if a result is written and each gets enough calls, otherwise one.
run 0 self: getattr 10k --allow-suspect --no-ledger --no-model -q -j "$result"
holds '.launches | length == 5'
run 0 self: getattr 9k --allow-suspect --no-ledger --no-model -q -j "$result"
holds '.intervals_speak_of == "connection" and (.launches | length == 1)'
run 0 self: getattr 10k --allow-suspect --no-ledger --no-model -v
grep -q 'one launch: the intervals apply to this connection only' "$scratch/out" || fail 'one launch is not reported'

# With a server that was already running, the intervals are about this server.
start "$nfsbench" serve
run 0 "nfs://127.0.0.1:$port/export" getattr,create 300 --launches 2 --allow-suspect --no-ledger -v -j "$result"
grep -q '2 launches of the client: the intervals apply to any connection to this server' "$scratch/out" ||
    fail 'a server that was already running'
holds '.intervals_speak_of == "server" and ([.launches[].server] == [0, 0])'
refused 2 'SxC needs a server that nfsbench starts' "nfs://127.0.0.1:$port/export" getattr 300 --launches 2x2
refused 1 'another server already answers at the target' "nfs://127.0.0.1:$port/export" getattr 300 \
    --launches 2 --server-start "$nfsbench serve"
run 0 clean -y "nfs://127.0.0.1:$port/export"
grep -q 'nothing to remove' "$scratch/out" || fail 'a scratch directory is left'
stop

# Servers started by a command, in a separate network: no server of another test answers there.
if unshare -n true 2>/dev/null; then
    fixed=nfs://127.0.0.1:20499/export
    for command in "$nfsbench serve" "setsid $nfsbench serve & exit 0" "sleep 1000 & exec $nfsbench serve"; do
        alone result 0 127.0.0.1:/export getattr 300 --launches 2 --allow-suspect --no-ledger --no-model \
            --server-start "$command"
        holds '.intervals_speak_of == "program" and (.launches | length == 2)'
    done
    alone result 0 $fixed getattr 300 --launches 2 --allow-suspect --no-ledger --no-model \
        --server-start "$nfsbench serve --port 20499 >/dev/null"
    holds '.launches | length == 2' # the server prints no ready line, but can be mounted
    alone result 1 $fixed getattr 300 --launches 2 --server-start 'exit 4'
    grep -q 'the command ended before the server was ready, exit status 4' "$scratch/err" || fail 'a command that ends prematurely'
    # Each process of the command gets SIGTERM once, because a second one ends some servers before they clean up.
    ended=$scratch/ended
    alone result 0 $fixed getattr 300 --launches 1 --allow-suspect --no-ledger --no-model --server-start \
        "(trap 'echo ended >>$ended' TERM; while [ ! -s $ended ]; do sleep 0.1; done; sleep 0.3) & exec $nfsbench serve --port 20499"
    [ "$(cat "$ended")" = ended ] || fail_showing 'SIGTERM was sent twice or not at all' "$ended"
    # The servers have one of two costs in turn. Each of 5 launches is precise, but their mean is not, so more are made.
    turn=$scratch/turn
    alone result 0 127.0.0.1:/export getattr --precision 70% --max-time 40s --block 5 --no-warmup --no-model \
        --no-ledger --allow-suspect --server-start "if [ -e $turn ]; then rm $turn; cost=100us
            else touch $turn; cost=200us; fi; exec $nfsbench serve --cost getattr=\$cost"
    holds '(.launches | length) > 5 and .launches_planned == (.launches | length) and (.cut_short | not)'
    # If nfsbench is killed, its guard ends all processes of the command, which inherit the mark.
    marked() {
        grep -lzx "NFSBENCH_MARK=$scratch" /proc/[0-9]*/environ 2>/dev/null
    }
    server="$nfsbench serve --port 20499"
    for command in "$server" "exec $server" "sh -c '$server & wait'" "$server | cat" "setsid $server & exit 0" \
        "($server &); exec sleep 1000" "nohup $server >/dev/null & wait" "trap '' TERM; sleep 1000 & $server & wait"; do
        # shellcheck disable=SC2016
        NFSBENCH_MARK=$scratch unshare -n sh -c 'ip link set lo up && exec "$0" "$@"' "$nfsbench" \
            $fixed getattr --max-time 50s --launches 2 --allow-suspect --server-start "$command" \
            >"$scratch/out" 2>"$scratch/err" &
        killed=$!
        within 10 '[ "$(marked | wc -l)" -ge 3 ]' || true # nfsbench, its guard, and at least the server
        sleep 0.2
        kill -KILL $killed
        wait $killed 2>/dev/null || true
        within 20 '[ -z "$(marked || true)" ]' || fail "after SIGKILL a process of '$command' is left: $(marked)"
    done
    # The second server does not start. The result of the first launch is kept.
    mark=$scratch/mark
    alone result 1 $fixed getattr 3000 --launches 3 --allow-suspect --no-ledger --no-model \
        --server-start "[ ! -e $mark ] || exit 5; touch $mark; exec $nfsbench serve --port 20499"
    grep -q 'CUT SHORT after 1 of 3 launches: launch 2 of 3: .*exit status 5' "$scratch/out" ||
        fail 'a server that does not return: what was measured is not shown'
    holds '.cut_short and .launches_planned == 3 and (.launches | length == 1)'
else
    left_out 'servers that commands start: no network namespace may be made here'
fi

# Ctrl-C in the second launch: the result of the first launch is kept, and no file or process is left behind.
begin self: create 300 --launches 2 --self-args '--cost create=20ms' --no-warmup --no-model --no-ledger --allow-suspect
within 40 "[ \"\$(grep -c 'removed at the end' \"\$scratch/err\")\" -ge 2 ]" || true
sleep 1
children=$(pgrep -P $client)
kill -INT $client
ended_with 0 'Ctrl-C in launch 2'
grep -q 'CUT SHORT after 1 of 2 launches: interrupted' "$scratch/out" || fail 'Ctrl-C in launch 2: not reported'
holds '.cut_short and .cut_short_by == "interrupted" and .launches[0].rounds > 0'
for child in $children; do
    ! kill -0 "$child" 2>/dev/null || fail 'Ctrl-C: a process is left'
done

# Launches spread over 6 s: of a run, and of a comparison of two sides
run 0 self: getattr 300 --over 6s --launches 2 --allow-suspect --no-ledger --no-model -j "$result"
grep -q 'launches spread over 6 s: the intervals include what changed in this time' "$scratch/out" || fail 'the moments are not said'
holds '.config.over_ns == 6e9 and (.launches | length == 2)'
holds '[.launches[].start | sub("[+]00:00"; "Z") | fromdate] | .[1] - .[0] >= 1'
run 0 compare "$result" "$result"
grep -q 'launches, 2 of A spread over 6 s and 2 of B over 6 s' "$scratch/out" || fail 'compare does not say the moments'
result 0 self: getattr --over 4s --launches 2 --versus proto=udp --no-ledger
holds '.over_ns == 4e9 and .launches == 2 and .second.config.over_ns == 4e9 and .first.config.precision.max_time_ns == 2e9'
# Ctrl-C between launches
begin self: getattr 300 --over 100s --launches 2 --no-ledger --no-model --allow-suspect
within 60 'grep -q "launch 2 of 2 begins in" "$scratch/err"' || fail 'no progress while launches are awaited'
kill -INT $client
ended_with 0 'Ctrl-C between launches'
grep -q 'CUT SHORT after 1 of 2 launches: interrupted' "$scratch/out" || fail 'Ctrl-C between launches: not reported'
! grep -q 'spread over' "$scratch/out" || fail 'one moment is called several'

refused 2 'is internal' self: getattr 300 --launch number=1
finish
