#!/bin/sh
# A port mapper that supports version 2 only, in a network namespace where port 111 is free. (The test with Ganesha uses
# the current one, rpcbind.)
. "$(dirname "$0")/lib.sh"
need jq python3 unshare ip

if [ -z "${NFSBENCH_ALONE-}" ]; then
    unshare -n true 2>/dev/null || skip "no new network namespace may be made here"
    NFSBENCH_ALONE=1 unshare -n "$0" "$nfsbench"
    exit
fi
ip link set lo up

start "$nfsbench" serve
nfs_pid=$server_pid nfs_port=$port
refused 3 'port mapper.*Connection refused' 127.0.0.1:/export getattr 10
start python3 "$here/old_portmapper.py" "$nfs_port"
for proto in tcp udp; do
    run 0 127.0.0.1:/export getattr 100 --proto $proto -j "$scratch/result.json"
    holds ".target.nfs_port == $nfs_port and .target.mount_port == $nfs_port" "$proto"
done

# A program that is not registered.
kill "$server_pid"
wait "$server_pid" || true
start python3 "$here/old_portmapper.py" 0
refused 3 'RPC_PROGNOTREGISTERED' 127.0.0.1:/export getattr 10
kill "$server_pid" "$nfs_pid"
wait
server_pid=
finish
