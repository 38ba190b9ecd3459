#!/bin/sh
# The emulated ethernet: it takes at least the time that follows from its rate and latency, fragments according to its MTU,
# and leaves nothing behind, however it ends.
. "$(dirname "$0")/lib.sh"
need jq pgrep setpriv
build=$(cd "$(dirname "$nfsbench")/.." && pwd)
with_ethernet=$top/scripts/with-ethernet

# A mark in the environment of this test's processes, by which left() finds them
ETHERNET_TEST=$$-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
export ETHERNET_TEST nfsbench
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"

# left: print the processes of the test except this shell and its search
left() {
    grep -lzs "^ETHERNET_TEST=$ETHERNET_TEST\$" /proc/[0-9]*/environ | while read -r file; do
        pid=${file#/proc/}
        pid=${pid%/environ}
        # Processes of this script are in the PID namespace $own; processes of with-ethernet are in other namespaces.
        namespace=$(readlink "/proc/$pid/ns/pid_for_children") || continue
        [ "$namespace" = "$own" ] && ! grep -qs with-ethernet "/proc/$pid/cmdline" || echo "$pid"
    done
}
own=$(readlink /proc/self/ns/pid_for_children)

nothing_is_left() {
    within 30 '[ -z "$(left)" ]' || true
    [ -z "$(left)" ] || {
        ps -fp "$(left | paste -sd,)" >&2 || true
        fail "$1: processes are left"
    }
    [ -z "$(ls "$TMPDIR")" ] || fail "$1: files are left"
    ! ip link show near1 >/dev/null 2>&1 || fail "$1: a device is left"
}

# lab STATUS WORD...: run with-ethernet, which must end with STATUS
lab() {
    expected=$1
    shift
    ends "$expected" "$with_ethernet" -b "$build" "$@"
}

# An unprivileged user gets one line of error.
if setpriv --reuid 65534 --clear-groups test -x "$with_ethernet" 2>/dev/null; then
    status=0
    setpriv --reuid 65534 --clear-groups "$with_ethernet" -w 0/0 true >"$scratch/out" 2>&1 || status=$?
    [ $status -eq 77 ] || fail "not root: status $status"
    grep -q 'needs root' "$scratch/out" && [ "$(wc -l <"$scratch/out")" -eq 1 ] || fail 'not root: its line'
fi

lab 0 -w 100M/50us -w 0/0/9000 -c "$scratch/wires" sh -c '
    for read in 1:4096 1:1344 1:1345 2:4096; do
        "$nfsbench" "nfs://10.98.${read%:*}.2:$ETHERNET_PORT/export?proto=udp" read 300 -q \
            -s "${read#*:}" --no-model --no-warmup --allow-suspect -j "'"$scratch"'/${read#*:}.${read%:*}"
    done
    "$nfsbench" "nfs://10.98.1.2:$ETHERNET_PORT/export" read 300 -q --no-model --no-warmup \
        --allow-suspect -j "'"$scratch"'/tcp"
    $ETHERNET_SERVER "$nfsbench" "nfs://127.0.0.1:$ETHERNET_PORT/export" null 10 -q --allow-suspect
    [ ! -e /sys/class/net/near1 ]'
nothing_is_left 'the end'

# The time that follows from rate and latency: twice 50 us, and 80 ns per byte with headers: ethernet 14, IPv4 20, UDP 8, 8
# before the frame and 4 after it. A thousandth is for the difference of two clocks.
cp "$scratch/4096.1" "$scratch/result.json"
holds '.ops[] | select(.op == "null") | .latency_ns.min
    >= 0.999 * (2 * 50000 + 80 * (.bytes.call + .bytes.reply + 2 * (14 + 20 + 8 + 8 + 4)))'
# The reply consists of three packets, sent one after the other: two full ones and the rest.
holds '.ops[] | select(.op == "read") | .latency_ns.min
    >= 0.999 * (2 * 50000 + 80 * (.bytes.call + .bytes.reply + 2 * 8 + 4 * (14 + 20 + 8 + 4) + 2 * 12))'

# packets FILE DEVICE SENT RECEIVED: check the packets per READ, except for retransmissions
packets() {
    cp "$scratch/$1" "$scratch/result.json"
    holds ".ops[] | select(.op == \"read\") | .ledger.client.interfaces.$2
        | (.tx_packets - $3 | fabs) < 0.2 and (.rx_packets - $4 | fabs) < 0.2" "READ $1"
}
packets 4096.1 near1 1 3
packets 1344.1 near1 1 1 # 1500, of which 20 + 8 + 128 are headers
packets 1345.1 near1 1 2
packets 4096.2 near2 1 1
cp "$scratch/tcp" "$scratch/result.json"
holds '.ops[] | select(.op == "read") | .ledger.client.interfaces.near1.rx_packets > 2.8' 'READ by TCP'
[ "$(grep -c 'frames=[1-9].* dropped=0 dropped_unread=0 late_mean_us=' "$scratch/wires")" -eq 4 ] ||
    fail_showing 'what the wires carried' "$scratch/wires"

# Two calls of 5 ms each way, one after the other, take 20 ms. The relay is stopped again and again, so that frames are
# late; the verdict reports this for the wire that the calls use.
lab 0 -w 0/0 -w 0/5ms sh -c '
    echo "wire:all" >"'"$scratch"'/targets"
    "$nfsbench" wire:2 walk 20 --block 1 -q --no-warmup --allow-suspect -j "'"$scratch"'/delayed"
    "$nfsbench" null,walk 20 --vary target=wire:all --repeat 2 --block 1 -q --no-warmup --allow-suspect \
        -j "'"$scratch"'/both"
    relay=$(pgrep -f "latency 5ms")
    while sleep 0.01; do kill -STOP $relay; sleep 0.03; kill -CONT $relay; done &
    "$nfsbench" wire:2 null 60 -q --no-warmup --allow-suspect -j "'"$scratch"'/late"
    kill $!
    kill -CONT $relay'
grep -Eqx 'nfs://10.98.1.2:([0-9]*)/export\?mountport=\1,nfs://10.98.2.2:\1/export\?mountport=\1' "$scratch/targets" ||
    fail 'the targets'
cp "$scratch/delayed" "$scratch/result.json"
holds '.ops[] | select(.op == "null") | .latency_ns.min >= 0.999 * 10e6'
holds '.ops[] | select(.op == "walk") | .calls_per_op == 2 and .latency_ns.min >= 0.999 * 20e6'
cp "$scratch/both" "$scratch/result.json"
holds '[.cells[].link.delay_ns] == [0, 0, 5e6, 5e6]'
holds '[.delays[] | .op, (.round_trips.estimate | round)] == ["null", 1, "walk", 2]'
cp "$scratch/late" "$scratch/result.json"
holds '.validity.verdict != "ok" and any(.validity.reasons[]; .name == "late-frames")'

# A line that is bad on purpose: all calls are answered, and the counts show how many frames were changed, and by which
# seed. Another wire has its own seed. The server has its options, and each side its settings of TCP.
lab 0 -w 100M/50us,loss=2%,jitter=300us,reorder=5%/2ms,seed=7 -w 0/0 -c "$scratch/wires" \
    -s '--threads 3 --cost null=1us' -r 65536 -R 32768 -t reno sh -c '
    "$nfsbench" "nfs://10.98.1.2:$ETHERNET_PORT/export" read 400 -q -s 16k --depth 4 --no-model --no-warmup \
        --allow-suspect -j "'"$scratch"'/bad"
    tr "\0" " " <"/proc/$ETHERNET_PID/cmdline" >"'"$scratch"'/server"
    set -- /proc/sys/net/ipv4/tcp_rmem /proc/sys/net/ipv4/tcp_congestion_control
    { cat "$@"; $ETHERNET_SERVER cat "$@"; } >"'"$scratch"'/tcp"'
cp "$scratch/bad" "$scratch/result.json"
holds '.ops[] | select(.op == "read") | .calls == 400 and .failed == 0'
[ "$(grep -c 'reorder=5%/2ms,seed=7 from=.* lost=[1-9][0-9]* reordered=[1-9][0-9]* seed=7$' "$scratch/wires")" -eq 2 ] ||
    fail_showing 'what was lost and reordered' "$scratch/wires"
[ "$(grep -c '^0/0 from=.* dropped=0 .* lost=0 reordered=0 seed=[1-9][0-9]*$' "$scratch/wires")" -eq 2 ] ||
    fail_showing 'nothing was lost' "$scratch/wires"
grep -q ' serve .*--threads 3 --cost null=1us' "$scratch/server" || fail_showing "the server's options" "$scratch/server"
printf '65536\t65536\t65536\nreno\n32768\t32768\t32768\nreno\n' | cmp - "$scratch/tcp" || fail "TCP's settings"

# 64 READs of 1 MiB wait in the line's queue. A short queue drops frames.
for queue in '' ,queue=100; do
    lab 0 -w "400M/50us$queue" -c "$scratch/wires" sh -c '
        "$nfsbench" "nfs://10.98.1.2:$ETHERNET_PORT/export" read 64 -q -s 1M --clients 16 --depth 4 --no-model \
            --no-warmup --allow-suspect'
    dropped=$(sed -n 's/.* from=far1 .* dropped=\([0-9]*\).*/\1/p' "$scratch/wires")
    case $queue/$dropped in
    /0 | ,queue=100/[1-9]*) ;;
    *) fail_showing "with '$queue' $dropped frames were dropped" "$scratch/wires" ;;
    esac
done

# Invalid options are refused, and a command's failure is returned.
lab 2
lab 2 -w 100M true
for wire in 100M/50us,loss 100M/50us,rate=1M '100M/50us,loss=1 %'; do
    lab 2 -w "$wire" true
done
lab 2 -w 0/0 -r 64k true
lab 2 -w 0/0 -t 'reno x' true
lab 2 -w 100M/50us
grep -q '^usage' "$scratch/err" || fail 'no usage'
lab 1 -w 100M/50us/10 true
grep -q 'mtu' "$scratch/err" || fail 'not why a wire could not be made'
for wire in loss=0.1 loss=101% reorder=1%/5; do
    lab 1 -w "0/0,$wire" true
    grep -q -e "--${wire%=*} .*expected a percentage" "$scratch/err" || fail "not what is wrong with $wire"
done
lab 1 -w 0/0 -s '--threads many' true
grep -q -e '--threads' "$scratch/err" || fail 'not why the server did not start'
lab 1 -w 0/0 -t nothing true
grep -q "net.ipv4.tcp_congestion_control can't be set to 'nothing'" "$scratch/err" || fail 'not which setting is refused'
lab 7 -w 0/0 sh -c 'exit 7'
lab 127 -w 0/0 /nonexistent/command
nothing_is_left 'failing'

# If the wire or the server ends before the command, this is reported.
for victim in ethernet_wire nfsbench; do
    lab 1 -w 0/0 sh -c "kill -9 \$(pgrep -o $victim); sleep 0.2; true"
    grep -q 'ended before the command' "$scratch/err" || fail "$victim is not missed"
done
nothing_is_left 'a crash'

# end_by SIGNAL WORD...: start a long run, and send it SIGNAL
end_by() {
    signal=$1
    shift
    rm -rf "$scratch/results"
    env --default-signal=INT "$@" >"$scratch/out" 2>"$scratch/err" &
    server_pid=$! # lib.sh ends it if this script is ended
    within 10 grep -q 'tcp, loopback' "$scratch/err" || true
    sleep 0.2
    # At least these run: the script, the process that makes the namespaces, their first process, the script again, the server
    # and the process that holds its network, three wires, nfsbench.
    [ "$(left | wc -l)" -ge 9 ] || fail_showing "SIG$signal: no run has begun" "$scratch/err"
    kill -"$signal" $server_pid
    status=0
    wait $server_pid 2>/dev/null || status=$?
    server_pid=
    nothing_is_left "SIG$signal"
}

for end in INT:130 TERM:143 HUP:129 KILL:137; do
    end_by ${end%:*} "$top/scripts/ethernet-lab" -b "$build" "$scratch/results" 1M
    [ $status -eq ${end#*:} ] || fail "$end: status $status"
done

# Loopback compared with ethernet
lab_run() {
    timeout -k 5 120 "$top/scripts/ethernet-lab" -b "$build" -w 100M/50us "$@" \
        100 --block 10 --no-model --no-warmup >"$scratch/out" 2>"$scratch/err"
}
lab_run "$scratch/results" || fail_showing 'the lab' "$scratch/err"
for proto in tcp udp; do
    jq -s -e '[.[].ops[] | select(.op == "null") | .latency_ns.min] | .[1] > .[0] + 100000' \
        "$scratch/results/$proto-loopback.json" "$scratch/results/$proto-100M-50us.json" >/dev/null ||
        fail "$proto: the wire is no slower than loopback by twice its latency"
done
grep -q 'null .* round trip' "$scratch/out" || fail 'no comparison'
if have gnuplot; then
    for proto in tcp udp; do
        grep -q "$proto-loopback.json" "$scratch/results/plot-$proto.svg" || fail "$proto: no picture"
        grep -q "$proto-100M-50us.json, against A" "$scratch/results/report-$proto.html" ||
            fail "$proto: no page"
    done
else
    grep -q 'there is no gnuplot' "$scratch/err" || fail 'nothing about pictures'
fi
grep -q 'from=near1 frames=' "$scratch/results/wires.txt" || fail 'no counts'
status=0
lab_run /proc/nothing || status=$?
[ $status -eq 2 ] || fail "no place for results: status $status"
nothing_is_left 'the lab'
finish
