#!/bin/sh
# A port mapper that supports version 2 only, in a network namespace where port 111 is free. (The test with Ganesha uses the
# current one, rpcbind.)
. "$(dirname "$0")/lib.sh"
need jq python3 unshare ip

if [ "$part" != inside ]; then
    unshare -n true 2>/dev/null || skip "no new network namespace may be made here"
    again inside unshare -n
fi
ip link set lo up

start "$nfsbench" serve
nfs_pid=$server_pid nfs_port=$port
refused 3 'port mapper.*Connection refused' 127.0.0.1:/export getattr 10
start python3 "$here/old_portmapper.py" "$nfs_port"
for proto in tcp udp; do
    result 0 127.0.0.1:/export getattr 100 --proto $proto
    holds ".target.nfs_port == $nfs_port and .target.mount_port == $nfs_port" "$proto"
done
result 0 127.0.0.1:
holds "[.services[] | {name, versions, tcp_port, udp_port}] ==
    [(\"nfs\", \"mountd\") | {name: ., versions: [3], tcp_port: $nfs_port, udp_port: $nfs_port}]" 'the list of services'
holds '.services_missing == null and .exports_missing == null and [.exports[].path] == ["/export"]' 'the exports'
grep -Eq "^  nfs +3 +$nfs_port +$nfs_port\$" "$scratch/out" || fail 'the services are not printed'
grep -Eq '^  /export +all$' "$scratch/out" || fail 'the exports are not printed'

kill "$server_pid"
wait "$server_pid" || true
start python3 "$here/old_portmapper.py" 0
refused 3 'RPC_PROGNOTREGISTERED' 127.0.0.1:/export getattr 10
kill "$server_pid" "$nfs_pid"
wait

# A server with only NFS version 4 is refused: without a port mapper, and with one that lists no NFS.
start python3 "$here/nfs4_only.py"
v4_pid=$server_pid
for _ in alone 'with a port mapper'; do
    refused 3 'has NFS version 4, but not version 3 .RPC_PROGVERSMISMATCH' 127.0.0.1:/export getattr 10
    refused 3 'has NFS version 4, but not version 3' "nfs://127.0.0.1:2049/export" getattr 10
    run 3 127.0.0.1:
    grep -Eq '^  nfs +4 +2049 +-$' "$scratch/out" || fail 'version 4 is not listed'
    grep -q 'no NFS version 3, but has version 4' "$scratch/err" || fail 'nothing says that version 3 is missing'
    [ "$server_pid" != "$v4_pid" ] || start python3 "$here/old_portmapper.py" 0
done
kill "$server_pid" "$v4_pid"
wait
server_pid=
finish
