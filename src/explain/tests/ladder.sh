#!/bin/sh
# nfsbench explain --ladder, and the bare echo that it needs.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq awk python3

# ladder ARGUMENT...: runs explain --ladder as result (lib.sh) does
ladder() {
    result 0 explain --ladder "$@"
}

# start_echo ARGUMENT...: starts serve --echo in the background; sets $echo_port and $echo_pid
start_echo() {
    : >"$scratch/echo.out"
    "$nfsbench" serve --echo "$@" >"$scratch/echo.out" 2>"$scratch/echo.err" &
    echo_pid=$! others=$!
    within 10 grep -q ' echo' "$scratch/echo.out" || true
    echo_port=$(sed -n 's/^nfsbench serve: ready port=\([0-9]*\) echo.*/\1/p' "$scratch/echo.out")
    [ -z "$echo_port" ] || return 0
    cat "$scratch/echo.out" "$scratch/echo.err" >&2
    fail 'the echo did not start'
    finish
}

stop_echo() {
    kill -TERM "$echo_pid"
    status=0
    wait "$echo_pid" || status=$?
    others=
    [ $status -eq 0 ] || fail "the echo ended with status $status"
    [ ! -s "$scratch/echo.err" ] || fail "the echo complained: $(cat "$scratch/echo.err")"
}

# is_a_ladder WHAT CALLS: fails unless the figures in $scratch/result.json are consistent, with CALLS calls per rung
is_a_ladder() {
    holds '[.rungs[] | .calls == '"$2"' and .level_ns.estimate > 0 and
        .level_ns.ci95[0] <= .level_ns.estimate and .level_ns.estimate <= .level_ns.ci95[1]] | all' "$1"
    holds '[.steps[].cost_ns | .ci95[0] <= .estimate and .estimate <= .ci95[1]] | all' "$1"
    # The steps add up.
    holds '([.steps[] | select(.in_sum) | .cost_ns.estimate] | add) - .sum_ns.estimate |
        fabs < 0.01' "$1"
    holds '[.steps[] | select(.step == "xdr") | .in_sum] == [false]' "$1"
    holds '(.steps[1].cost_ns.estimate + .sum_ns.estimate - .with_xdr_ns.estimate) | fabs < 0.01' "$1"
    holds '(.rungs[5].level_ns.estimate - .sum_ns.estimate) / .rungs[5].level_ns.estimate -
        .discrepancy | fabs < 1e-6' "$1"
    holds '[.rungs[5].level_ns.estimate as $level | .steps[] | select(.in_sum) |
        .cost_ns.estimate / $level - .share | fabs < 1e-6] | all' "$1"
    # The echo exchanges messages of the same lengths as the calls.
    holds '.rungs[2].call_bytes == .rungs[3].call_bytes and .rungs[2].reply_bytes == .rungs[3].reply_bytes
        and .rungs[4].call_bytes == .rungs[5].call_bytes and
        .rungs[4].reply_bytes == .rungs[5].reply_bytes' "$1"
    holds '. as $ladder | .run.ops[] | select(.op == $ladder.op) | .bytes.call == $ladder.rungs[5].call_bytes
        and .bytes.reply == $ladder.rungs[5].reply_bytes' "$1"
    # The timer takes less time than the echo.
    holds '.rungs[0].level_ns.estimate < .rungs[2].level_ns.estimate' "$1"
}

# serve --echo refuses options of a file server. (Refused options of the ladder: unit/test_plan.c.)
for option in '--files 3' '--threads 2' '--read-only' '--root-squash' '--service-times' '--size 1' \
    '--memory 1M' '--cost getattr=1us' '--drop 1%'; do
    # shellcheck disable=SC2086
    refused 2 'echo serves no files' serve --echo $option
done

# The minimum time includes the calls of the null control. This time would be enough without these calls.
refused 2 'too short for 8 rounds .*; use --max-time [0-9]+s' explain --ladder self: getattr \
    --max-time 5400ms --self-args '--delay null=150ms --delay getattr=150ms'

# A ladder on self: starts its own echo: over TCP, over UDP, and with a client that spins.
ladder self: getattr 2000
is_a_ladder 'TCP' 2000
holds '.op == "getattr" and .null_op == "null" and .echo_is_own and .run.target.proto == "tcp"'
holds '.rungs[2].reply_bytes == 28 and .rungs[4].reply_bytes == 116'
[ "$(nproc)" -eq 1 ] || holds '.run.config.server_cpu != null'
ladder self: getattr 1000 --proto udp
is_a_ladder 'UDP' 1000
holds '.run.target.proto == "udp" and .rungs[2].reply_bytes == 24 and .rungs[4].reply_bytes == 112'
ladder self: access 1000 --spin
is_a_ladder 'spinning' 1000
holds '.run.config.wait == "spin"'

# Ladders of READ with much data, of CREATE, of a procedure of MOUNT, and of NULL itself.
ladder self: read 200 -s 1MiB
is_a_ladder 'READ of 1 MiB' 200
holds '.rungs[4].reply_bytes > 1048576 and .rungs[4].reply_bytes < 1048576 + 200'
ladder self: read 200 -s 32KiB --proto udp
is_a_ladder 'READ over UDP' 200
holds '.rungs[4].reply_bytes > 32768'
ladder self: create 200 -q
is_a_ladder 'CREATE' 200
ladder self: mount-export 200
holds '.null_op == "mount-null"'
ladder self: null 200
holds '.op == "null" and .rungs[4].call_bytes == .rungs[2].call_bytes'

# An injected cost is in the server's work and in no other step. (The thresholds are wide, because other processes make
# all steps vary.)
ladder self: getattr 500 --self-args '--cost getattr=1ms'
holds '.steps[5].cost_ns.estimate > 750000' 'an injected cost of 1 ms'
holds '[.steps[1, 3, 4].cost_ns.estimate | fabs < 375000] | all' 'what costs nothing more'

# Ladders of a server that runs already, over IPv4 and IPv6. The echo runs already (--echo), or is started.
start "$nfsbench" serve --bind 127.0.0.1
start_echo --bind 127.0.0.1
for proto in tcp udp; do
    ladder "nfs://127.0.0.1:$port/export?proto=$proto" getattr 500 --echo "127.0.0.1:$echo_port"
    is_a_ladder "an echo of another's" 500
    holds '(.echo_is_own | not) and (.echo | contains("port '"$echo_port"' "))'
done
ladder "nfs://127.0.0.1:$port/export" getattr 500
holds '.echo_is_own' 'a server of this machine'
stop_echo
stop
hosts=127.0.0.1
if have IPv6; then
    hosts='127.0.0.1 ::1'
    start "$nfsbench" serve --bind ::1
    ladder "nfs://[::1]:$port/export" getattr 500
    holds '.echo | startswith("::1 port")' 'an echo over IPv6'
    start_echo
    ladder "nfs://[::1]:$port/export" getattr 500 --echo "[::1]:$echo_port"
    stop_echo
    stop
fi

# The echo answers some messages and ignores others (echo.py). Its port can't be used by another echo.
start_echo
# shellcheck disable=SC2086
timeout 60 python3 "$here/echo.py" "$echo_port" $hosts || fail 'the echo does not echo'
refused 2 'in use' serve --echo --port "$echo_port"
stop_echo

# The ladder is refused if no echo is at the address, or if it is the address of an NFS server.
refused 3 'bare echo.*refused' explain --ladder self: getattr 100 --echo "127.0.0.1:$echo_port"
refused 3 'echo.*refused' explain --ladder self: getattr 100 --proto udp --echo "127.0.0.1:$echo_port"
start "$nfsbench" serve
refused 3 'echo' explain --ladder self: getattr 100 --timeout 500ms --echo "127.0.0.1:$port"
stop

# climb ARGUMENT...: starts a ladder in the background that lasts a minute, but whose first round is complete soon
climb() {
    begin explain --ladder --allow-suspect "$@" --max-time 1min --precision 1ns --no-warmup --block 10
    worked "$client" 0.5
}

# left_one_line STATUS WHAT: fails unless the ladder in the background ends with STATUS and one line of error
left_one_line() {
    ended_with "$1" "$2"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "not one line of error, $2: $(cat "$scratch/err")"
}

# Ctrl-C: the result so far is reported. The echo ends with the run, even if the run is killed.
climb self: getattr
need pgrep
children=$(pgrep -P "$client")
[ "$(echo "$children" | wc -w)" -eq 2 ] || fail "a server and an echo are not all of: $children"
kill -INT "$client"
left_one_line 0 'Ctrl-C' # the status is that of the verdict
grep -q '^nfsbench: interrupted$' "$scratch/err" || fail 'Ctrl-C is not reported'
holds '.rungs[0].calls > 0 and .run.cut_short' 'what was measured before Ctrl-C'
climb self: getattr
children="$children $(pgrep -P "$client")"
kill -9 "$client"
wait "$client" 2>/dev/null || true
sleep 0.5
for child in $children; do
    grep -q '^State:.[^ZX]' "/proc/$child/status" 2>/dev/null && fail "process $child outlived the run"
done

# If the echo or the server ends, the ladder prints one line of error, and the result so far.
start "$nfsbench" serve
start_echo
climb "nfs://127.0.0.1:$port/export" getattr --echo "127.0.0.1:$echo_port"
kill -9 "$echo_pid"
wait "$echo_pid" 2>/dev/null || true
left_one_line 3 'an echo that ended'
grep -q '^nfsbench: .*echo.*closed' "$scratch/err" || fail "an echo that ended is reported as $(cat "$scratch/err")"
holds '.rungs[0].calls > 0' 'what was measured before the echo died'
start_echo
climb "nfs://127.0.0.1:$port/export?proto=udp" getattr --echo "127.0.0.1:$echo_port" --timeout 1s
kill -9 "$echo_pid"
wait "$echo_pid" 2>/dev/null || true
left_one_line 3 'an echo that ended, UDP'
grep -q '^nfsbench: .*echo' "$scratch/err" || fail "an echo that ended is reported as $(cat "$scratch/err")"
start_echo
climb "nfs://127.0.0.1:$port/export" getattr --echo "127.0.0.1:$echo_port" --timeout 1s
kill_server
left_one_line 3 'a server that ended'
grep -q "^nfsbench: .*port $port " "$scratch/err" || fail "a server that ended is reported as $(cat "$scratch/err")"
holds '.rungs[0].calls > 0' 'what was measured before the server died'
stop_echo
finish
