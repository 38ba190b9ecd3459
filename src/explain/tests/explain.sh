#!/bin/sh
# The phases of a call: they add up to its lifetime, an injected server time is in the right phase only, and lost or
# repeated messages do not affect other calls.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/phases.sh"
need jq python3

# value FILTER: prints the JSON value that FILTER selects
value() {
    jq "$1" "$scratch/result.json"
}

# sums_up WHAT: fails unless the phases add up to the lifetime by the measuring clock within 1 % and the time of reading
# clocks. On a busy machine, the process may wait between two readings; then the result must report the discrepancy.
sums_up() {
    holds '(.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 300 or
        ([.validity.reasons[].name] | index("discrepancy") and index("waited-for-processor"))' "$1"
}

# adds_up WHAT: fails unless all calls are explained except retransmitted ones (nfs-ganesha: any may be left out), no
# timestamp is lost or unmatched, and the phases add up to the lifetime
adds_up() {
    holds '.explained + ([.left_out[]] | add) == .calls and .explained > 0' "$1"
    [ "$part" = ganesha ] || holds '.explained + .left_out.retransmitted == .calls' "$1"
    holds '.stamps.lost == 0 and .stamps.unmatched == 0' "$1"
    sums_up "$1"
    holds '([.phases[].share] | add) as $all | $all > 0.9 and $all < 1.05' "$1"
}

# nfs-ganesha hands calls from thread to thread. Its timestamps may be out of order; such calls are not explained.
if [ "$part" = ganesha ]; then
    for proto in tcp udp; do
        explain 127.0.0.1:/export getattr 500 --proto $proto
        adds_up "nfs-ganesha over $proto"
        holds '.server_missing != null or (.view == "both" and .explained > 450)' nfs-ganesha
    done
    finish
fi

# Servers in other languages (see integration/other_server): each reply must be assigned to its call.
if [ "$part" = other ]; then
    [ -n "${OTHER_SERVER_URL-}" ] || [ -n "${NFSBENCH_TEST_OTHER-}" ] || skip "may take minutes; NFSBENCH_TEST_OTHER=1 runs it"
    [ -n "${OTHER_SERVER_URL-}" ] || again other "$top/scripts/with-other-server" -s all
    run 0 explain "$OTHER_SERVER_URL" getattr 100
    if grep -q '^  server works' "$scratch/out"; then
        grep -Eq '^  server sends  *100 ' "$scratch/out" || fail "$OTHER_SERVER: not all of the replies are joined"
    fi
    finish
fi

# The server's phases, if eBPF is available.
if [ "$part" = server ]; then
explain self: getattr 200
[ "$(value .server_missing)" = null ] || skip "the server's phases: $(value .server_missing)"

# known ARGUMENT...: explains calls for which the server spends 10 ms more. This time must be in the phase server-work
# and in no other. Minima are compared, because other processes lengthen phases of some calls, but not of all.
known() {
    explain "$@"
    adds_up "$*"
    holds '.view == "both" and .stamps.events_lost == 0' "$*"
    holds '.phases[] | select(.key == "server-work") | .min_ns > 10e6 and .min_ns < 15e6' "$*"
    holds '[.phases[] | select(.key != "server-work") | .min_ns] | all(. < 5e6)' "$*"
}
known self: getattr 100 --self-args '--cost getattr=10ms'
known self: getattr 100 --self-args '--delay getattr=10ms' --proto udp
start "$nfsbench" serve --threads 3 --delay getattr=10ms
known "nfs://127.0.0.1:$port/export" getattr 100 --server-pid "$server_pid"
stop

for proto in tcp udp; do
    explain self: null 2000 --proto $proto
    adds_up "null over $proto, both sides"
    holds '.view == "both" and .stamps.events_lost == 0' "both over $proto"
    holds '[.phases[] | select(.key == ("request-travels", "server-read", "server-work",
        "reply-travels", "client-read")) | .calls] == [range(5) as $all | 2000]' "both over $proto"
    holds '[.phases[] | select(.key == ("server-send", "reply-delivered")) | .calls > 1900] |
        length == 2 and all' "both over $proto"
done

# The calls of a server that reads record mark and request in two system calls, and sends replies in two, are explained.
# shellcheck disable=SC2154
start python3 "$here/bad_server.py" pieces 1000000
target=nfs://127.0.0.1:$port/export?mountport=$port
explain "$target" null 300 --server-pid "$server_pid"
holds '.view == "both" and .explained == 300 and .stamps.events_lost == 0' 'pieces'
sums_up 'pieces'

# If the server's events match no call, the missing events are reported, and the client's phases are shown.
sleep 60 &
sleeper=$!
explain "$target" null 300 --server-pid $sleeper
kill $sleeper
holds '.view == "client" and .explained == 300' 'another process'
holds ".server_missing | contains(\"reply entered\") and contains(\"--server-pid $server_pid\")" 'another process'
tr -s '\n ' ' ' <"$scratch/out" | grep -q 'missing events of the server: ' || fail 'the missing events of the server are not printed'
kill -9 "$server_pid"
server_pid=
finish
fi

for proto in tcp udp; do
    explain self: null 3000 --no-server --proto $proto
    adds_up "null over $proto"
    holds '.view == "client" and (.phases | length) == 6 and .calls == 3000'
    holds '[.phases[].calls] | all(. == 3000)'
    explain self: read 500 --no-server --proto $proto --size 32768 --spin
    adds_up "read over $proto"
done
explain self: write 200 --no-server --size 1M
adds_up 'a call of many packets'
explain self: remove 300 --no-server
adds_up 'calls that differ'

# Several ops are called one at a time, so that no reply waits while another call is sent. A note about a column is
# printed only if the column is.
explain self: getattr,read,null 300 --no-server
holds '.view == "client" and [.ops[].phases | map(.key)] == [range(3) as $op | ["encode", "send", "queue",
    "network-and-server", "receive", "decode"]]' 'several ops'
for COLUMNS in 60 120; do
    export COLUMNS
    run measured explain self: getattr,read 1600 --no-server -v
    [ "$(grep -c '  cost$' "$scratch/out")" = "$(grep -c '  cost: ' "$scratch/out")" ] ||
        fail "a note on a column that is not there, in $COLUMNS columns"
done
unset COLUMNS
grep -q '  cost: ' "$scratch/out" || fail 'no note on the column'

# Calls that are sent again (lost datagrams, reset connections) or fail are left out, and affect no other call.
explain self: getattr 300 --no-server --proto udp --self-args '--drop 2%' --timeout 300ms --retrans 10
adds_up 'calls that are sent again'
holds '.left_out.retransmitted > 0'
holds '[.phases[].p99_ns] | all(. < 300000000)'
explain self: getattr 300 --no-server --self-args '--reset-after 70'
adds_up 'connections that are reset'
holds '.left_out.retransmitted == 4' 'connections that are reset'
explain self: getattr 300 --no-server --self-args '--error getattr=NFS3ERR_JUKEBOX:20%'
holds '.left_out.failed > 0 and .explained + .left_out.failed == .calls' 'calls that fail'

# A call has the same number wherever it is reported. Calls that are left out have numbers, too.
explain self: getattr 500 --no-server --self-args '--error getattr=NFS3ERR_JUKEBOX:50%' --slowest 1
holds '.examples[0].call == .slow.calls[0].call' 'the slowest call'
holds '[.examples[].call] | max < 500' 'the examples'

# Predictions.
printf 'network-and-server 0-50s\nencode 50s-60s # never\nlife 1us..50s\n' >"$scratch/predicted"
run 0 explain self: getattr 200 --predict "$scratch/predicted" --slowest 3 --no-server
grep -q '2 of 3 measured predictions hold' "$scratch/out" || fail 'predictions are not compared with phases'

# Errors, and options that are refused.
refused 1 'No space left' explain self: getattr 10 -q --trace /dev/full
refused 2 "a ladder can't be written with --trace" explain --ladder nfs://127.0.0.1:1/x getattr 10 --trace x
refused 2 "a measurement can't be written with --trace" nfs://127.0.0.1:1/x getattr 10 --trace x
printf 'no-such-phase 1us-2us\n' >"$scratch/predicted"
refused 2 'no-such-phase' explain self: getattr --predict "$scratch/predicted"
refused 3 'RPC_|refused' explain nfs://127.0.0.1:1/export getattr --mount-port 1

# A distant server, without COUNT: 20 to 250 calls, all with timestamps, are enough. If time is short, the calls that show
# what timestamps cost are left out. If it is shorter still, the run is refused.
result measured explain self: getattr --no-server --self-args '--delay getattr=40ms'
adds_up '40 ms'
holds '.stamps.sample == 1 and .calls >= 20 and .calls <= 250' '40 ms'
grep -q 'there is time for' "$scratch/err" && fail "something is left out: $(cat "$scratch/err")"
result measured explain self: getattr --no-server --max-time 6s --self-args '--delay getattr=300ms'
adds_up '300 ms'
holds '.calls >= 8 and .stamps.cost_ns == null and .stamps.unstamped_mean_ns == null' 'left out'
grep -q '^nfsbench: --max-time allows .* rounds of 1 call, without a warm-up, and without the calls that show .*--max-time [0-9]*s' \
    "$scratch/err" || fail "not what is left out: $(cat "$scratch/err")"
refused 2 '2 s are too short for 8 rounds .*; use --max-time [0-9]+s' explain self: getattr --no-server --max-time 2s \
    --self-args '--delay getattr=300ms'

# Ctrl-C: the result so far is reported.
interrupted 0.7 1 explain self: getattr 1M --no-warmup --no-server -q
holds '.explained > 0 and .cut_short_by == "interrupted"' 'Ctrl-C'
finish
