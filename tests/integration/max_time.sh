#!/bin/sh
# --max-time is the time of the complete command: it ends every wait of set-up, and the error says so. Every --timeout here
# is longer than a command of a test may take.
. "$(dirname "$0")/lib.sh"
need unshare nsenter ip jq

over='--max-time 1 s was over before the set-up was complete'
patient='--timeout 10min --retrans 16 --max-time 1s'

# In a separate network, a host and a name server that take packets and never answer
silent_host() {
    ip link set lo up
    far_network
    nsenter -t "$far_network" -n ip link set far0 arp off
    ip neigh replace 10.99.1.3 lladdr 02:00:00:00:00:03 dev near0
    echo 'nameserver 10.99.1.3' >"$scratch/resolv.conf"
    # shellcheck disable=SC2086
    for how in '' '--port 2049 --mount-port 2049' '--proto udp' '--port 2049 --mount-port 2049 --proto udp'; do
        refused 3 "$over" 10.99.1.3:/export getattr $patient $how
    done
    mount --bind "$scratch/resolv.conf" /etc/resolv.conf
    # shellcheck disable=SC2086
    refused 3 "looking up the host 'far.example': no name server has answered yet.*$over" far.example:/export getattr $patient
    kill "$far_network"
}
if [ "${part-}" = inside ]; then
    silent_host
    finish
fi
if unshare -n -m true 2>/dev/null; then
    unshare -n -m --kill-child "$0" "$nfsbench" inside || fail 'a host that does not answer'
else
    left_out 'no privilege for namespaces'
fi

# A server that is stopped: its kernel accepts connections, but nobody answers.
start "$nfsbench" serve
url="nfs://127.0.0.1:$port/export?mountport=$port"
freeze "$server_pid"
# shellcheck disable=SC2086
{
    refused 3 "$over" "$url" getattr $patient
    refused 3 "$over" "$url&proto=udp" getattr $patient
    ! "$nfsbench" --version | grep -q TLS || refused 3 "$over" "$url" getattr $patient --xprtsec tls
}
kill -CONT "$server_pid"
stop

# A server that is never ready, and one that asks the client to try later. The error gives the server's answer,
# although the time ends while waiting.
# shellcheck disable=SC2086
refused 3 "--server-start: the server was not ready after 1[.0-9]* s.*$over" nfs://127.0.0.1:1/export?mountport=1 getattr \
    $patient --server-start 'sleep 1000'
refused 1 'NFS3ERR_JUKEBOX; --max-time 4 s was over before the set-up was complete' self: getattr --timeout 10min \
    --max-time 4s --self-args '--error getattr=NFS3ERR_JUKEBOX --delay getattr=2500ms'

# Several ops; the server answers none of them in time
# shellcheck disable=SC2086
refused 3 "$over" self: getattr,access,fsstat $patient --self-args '--error access=NFS3ERR_JUKEBOX --error fsstat=NFS3ERR_JUKEBOX'

# If a command on the server's machine does not answer, there is time left to measure.
result measured self: getattr --max-time 10s --server-cmd 'sleep 1000;'
holds '.ops[] | select(.op == "getattr") | .calls > 0'

# When the directory is removed, a server that stopped answering is not waited for much longer than the command's time. A
# server that replies is waited for as long as it takes.
gone='over TCP .RPC_TIMEDOUT. to a call sent 1 time'
for how in gone slow; do
    start "$nfsbench" serve --delay remove=50ms
    begin "nfs://127.0.0.1:$port/export?mountport=$port" lookup --max-time 3s --dir-size 80 --launches 1 --allow-suspect
    within 20 grep -q 'removing .* has taken 1 s of' "$scratch/err" || fail_showing 'nothing is removed' "$scratch/err"
    [ $how = slow ] || freeze "$server_pid"
    await "the server is $how"
    [ $how = slow ] || grep -q "stays: no reply .*$gone" "$scratch/err" ||
        fail_showing 'a server that is gone is waited for' "$scratch/err"
    [ $how = gone ] || ! grep -q stays "$scratch/err" || fail_showing 'a slow removal was given up' "$scratch/err"
    kill -CONT "$server_pid"
    stop
done

# At the end, --verify reads back as much of a file set as the time allows.
result measured self: read,write --verify --files 4 --file-size 2Mi --size 64Ki --max-time 8s --launches 1 \
    --self-args '--delay read=10ms'
grep -Eq -- '--verify read back [0-9.]+ % of the 8.0 MiB' "$scratch/err" || fail_showing 'the files were read to the end' "$scratch/err"

# Filling takes at most half of the time, so that removing fits, too. Ops that need no directory are measured.
refused 3 'filling .* took half of the time left' self: create -q --max-time 4s --dir-size 100000 \
    --self-args '--delay create=20ms'
run 0 self: getattr,create --max-time 4s --dir-size 100000 --self-args '--delay create=20ms' --no-ledger
grep -q 'filling .* took half of the time' "$scratch/out" "$scratch/err" || fail_showing 'no reason for create' "$scratch/out"

# A run that can't fit is refused after one round trip, before a directory is made. The error names the least sufficient time.
for words in 'write' 'create,remove' 'mix:sfs2008' 'getattr --depth 16' 'getattr --versus engine=tirpc'; do
    # shellcheck disable=SC2086
    refused 2 'use --max-time [0-9]+s' self: $words --max-time 5s --self-args "$(slow 150ms) --error mkdir=NFS3ERR_ROFS"
done
for words in '--depth 1,4,16' '--sec-ladder' '--find-max p99<1s' '--rate 10%,50%'; do
    # shellcheck disable=SC2086
    refused 2 'use --max-time [0-9]+s' sweep $words self: getattr --max-time 5s --self-args "$(slow 150ms)"
done
# Preparing and clearing up for the calls of a load, one after the other, are part of a round: 48 REMOVEs take 2 s.
run 2 self: create --depth 16 --max-time 6s --launches 1 --self-args '--delay remove=40ms'
grep -q '6 s are too short .*use --max-time [0-9]*s' "$scratch/err" || fail_showing 'no least time for CREATE' "$scratch/err"

# The ledger makes as many calls of a mix's rare ops as of its other ops, each with its preparation. If it would take more than
# a tenth of the time and leave no time for 20 rounds, it is given up.
result measured self: mix:sfs2008 --depth 4 --clients 2 --max-time 12s --launches 1 --self-args \
    "$(slow 20ms)$(printf ' --delay %s=20ms' readlink readdir fsstat setattr readdirplus)"
holds '.config.given_up.ledger and .ledger.passes == null' 'a ledger that takes longer than there is time'

# The time that an error names suffices, or at most the next one, if other work disturbed the estimate.
named=2s
rm -f "$scratch/result.json"
for _ in 1 2 3; do
    status=0
    "$nfsbench" sweep --find-max 'p99<1s' self: getattr --allow-suspect --max-time $named --self-args "$(slow 40ms)" \
        -j "$scratch/result.json" >"$scratch/out" 2>"$scratch/err" || status=$?
    [ $status -eq 2 ] || break
    named=$(sed -n 's/.*use --max-time //p' "$scratch/err")
done
[ "$named" != 2s ] || fail 'a search in 2 s over 40 ms was not refused'
holds '.find_max.probes > 0' "the search in $named"

# If calls are lost, blocks are so short that rounds fit. The run has a result, or a refusal that names a time.
rm -f "$scratch/result.json"
status=0
"$nfsbench" -p udp self: read --size 32Ki --launches 1 --allow-suspect --max-time 5s -j "$scratch/result.json" \
    --self-args "--drop 1% --delay null=1ms --delay read=1ms" >"$scratch/out" 2>"$scratch/err" || status=$?
if [ $status -eq 2 ]; then
    grep -Eq 'use --max-time [0-9]+s' "$scratch/err" || fail_showing 'no time that would do' "$scratch/err"
else
    holds '.ops[] | select(.op == "read") | .calls > 0 and .above_null_ns != null' 'a run that lost calls'
fi

finish
