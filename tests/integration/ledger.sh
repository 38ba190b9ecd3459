#!/bin/sh
# The ledger: exact counts on loopback; a server at the other end of a wire, whose counters come from a command; and missing
# counters, which are named and have no number.
. "$(dirname "$0")/lib.sh"
need jq unshare nsenter ip

# Run in separate network and mount namespaces, which disappear with everything made in them.
if [ "$part" != inside ]; then
    unshare -n -m true 2>/dev/null || skip "no privilege for namespaces"
    again inside unshare -n -m
fi
ip link set lo up
directory=$(cd "$(dirname "$nfsbench")" && pwd)

# near FILTER VALUE TOLERANCE: check the value of FILTER, unless the run itself reports that other programs took the
# processors
crowded=
near() {
    near="($1) as \$x | \$x != null and (\$x - $2 | fabs) <= $3"
    if ! jq -e "$near" "$scratch/result.json" >/dev/null && is_crowded; then
        crowded="$crowded $1"
    else
        holds "$near" "$1 near $2"
    fi
}

# For a call and its reply on loopback, each process waits once, and the machine receives two packets.
for proto in tcp udp; do
    result 0 self: getattr,read 3k --proto $proto -v
    for op in 0 2 3; do
        near ".ops[$op].ledger.client.voluntary_switches" 1 0.05
        near ".ops[$op].ledger.server.voluntary_switches" 1 0.05
        near ".ops[$op].ledger.client.net_rx" 2 0.1
        holds ".ops[$op].ledger.client.cpu_ns > 500 and .ops[$op].ledger.server.cpu_ns > 500"
        near ".ops[$op].ledger.client.interfaces.lo.tx_packets" 2 0.1
    done
    holds '.ops[1] | has("ledger") | not'
    holds '.ledger.passes == 5 and .ledger.server_pid > 0'
done
# Packets over UDP consist of the messages and their headers: 20 bytes of IPv4, 8 of UDP.
for op in 0 2 3; do
    holds ".ops[$op] | .ledger.client.interfaces.lo.tx_bytes
        - (.bytes.call + .bytes.reply + 2 * (20 + 8)) | fabs < 2"
done
result 0 self: getattr 500 --no-ledger
holds '[.ops[] | has("ledger") | not] | all'

result 0 self: getattr 2k --self-args '--cost getattr=200us'
near '.ops[2].ledger.server.cpu_ns - .ops[0].ledger.server.cpu_ns' 275000 125000

result 0 self: getattr 20 --self-args '--cost getattr=5ms' --no-model
near '.ops[2].ledger.client.voluntary_switches' 1 0.2
holds '.ops[2].ledger.client | .cpu_ns > 500 and .user_ns >= 0 and .system_ns >= 0'

# The server's process is found by its port, or given by --server-pid.
start "$nfsbench" serve
result 0 "nfs://127.0.0.1:$port/export" getattr 500
holds ".ledger.server_pid == $server_pid and .ops[2].ledger.server.cpu_ns > 500"
result 0 "nfs://[::1]:$port/export?proto=udp" getattr 500
holds ".ledger.server_pid == $server_pid"
result 0 "nfs://127.0.0.1:$port/export" getattr 500 --server-pid $$
holds ".ledger.server_pid == $$"
sleep 2000 &
idle=$!
result 0 "nfs://127.0.0.1:$port/export" getattr 500 --server-pid $idle
near '.ops[2].ledger.server.voluntary_switches' 0 0.01
kill $idle
wait $idle 2>/dev/null || true
refused 2 'server-pid.*no process has this ID' "nfs://127.0.0.1:$port/export" getattr 500 --server-pid $idle

# If the server's process ends during the run, the result says so.
sleep 0.3 &
result 0 "nfs://127.0.0.1:$port/export" getattr 100k --launches 1 --server-pid $!
holds '.ledger.server_missing | test("process [0-9]+ ended")'
holds '.ops[2].ledger.server.cpu_ns == null and .ops[2].ledger.client.cpu_ns > 0'

# If --server-cmd fails, the result says how (other failures: unit/test_remote_command.c).
missing() {
    result 0 "nfs://127.0.0.1:$port/export" getattr 300 --server-cmd "$1"
    holds ".ledger.server_missing | test(\"$2\")" "$1"
    holds '.ops[2].ledger.server.cpu_ns == null and .ops[2].ledger.client.cpu_ns > 0' "$1"
    grep -q "the resources of the server are not all known" "$scratch/out" || fail "$1: the text does not say"
}
missing "sh -c 'exit 3'" 'ended with status 3'
# --server-cmd may also fail after several correct answers.
cat >"$scratch/some" <<'END'
#!/bin/sh
shift
for _ in 1 2 3 4 5 6; do
    read -r line
    echo "$line" | "$@"
done
END
chmod +x "$scratch/some"
PATH=$directory:$PATH missing "$scratch/some nothing" 'status|no answer|answered'
stop

# Counters that a container hides are unknown, never 0.
start "$nfsbench" serve
mount --make-rprivate /
mount --bind /dev/null /proc/stat
result 0 "nfs://127.0.0.1:$port/export" getattr 500 -v
holds '.ops[2].ledger.client | .interrupts == null and .net_rx == null and .cpu_ns > 0'
holds '[.ops[].slowest[].around.interrupts // empty] == []'
run 1 doctor
grep -q "FIX.*/proc/stat can't be read" "$scratch/out" || fail 'the doctor does not miss /proc/stat'
umount /proc/stat
stop

# A wire: the server is in its own network namespace, and a command that enters it reads its counters.
far_network
start nsenter -t $far_network -n "$nfsbench" serve --bind 10.99.1.2
result 0 "nfs://10.99.1.2:$port/export?proto=udp" getattr,read 1k -v --server-cmd "$over_there"
holds '.ledger | has("server_missing") | not'
near '.ops[2].ledger.client.interfaces.near0.tx_packets' 1 0.1
near '.ops[2].ledger.server.interfaces.far0.rx_packets' 1 0.1
holds '.ops[2].ledger.server.cpu_ns > 500'
near '.ops[2].ledger.server.net_rx' 2 1.1
# 4096 bytes and their headers take three packets of 1500 bytes.
near '.ops[3].ledger.client.interfaces.near0.rx_packets' 3 0.1
near '.ops[3].ledger.server.interfaces.far0.tx_packets' 3 0.1
holds '.model.rx_ns_per_packet.estimate != null'
holds '[.model.points[].reply_packets] | max == 3'
# A command that runs in another network finds the machine, but no process.
result 0 "nfs://10.99.1.2:$port/export?proto=udp" getattr 300 --server-cmd "env PATH=$directory:$PATH"
holds '.ledger.server_missing | test("on the server.s machine, no visible process listens on port")'
holds '.ops[2].ledger.server.cpu_ns == null'
near '.ops[2].ledger.server.net_rx' 2 1.1
result 0 "nfs://10.99.1.2:$port/export" getattr 300
holds '.ledger.server_missing | test("another machine; see --server-cmd")'
stop

[ "$failures" -gt 0 ] || [ -z "$crowded" ] || skip "other programs took the processors; not compared:$crowded"
finish
