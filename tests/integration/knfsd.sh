#!/bin/sh
# All ops on Linux's own server, in a virtual machine.
. "$(dirname "$0")/lib.sh"
[ -n "${KNFSD_NFS_PORT-}" ] || of_guest knfsd # which runs this script

port=$KNFSD_NFS_PORT mount_port=$KNFSD_MOUNT_PORT
ports="mountport=$mount_port"
before=$(names)
for proto in tcp udp; do
    result 0 "nfs://127.0.0.1:$KNFSD_NFS_PORT/export?$ports&proto=$proto" all 100 --verify --no-ledger --no-warmup
    holds '[.ops[] | .errors == {} and .calls == .timed and .calls == 100] | all' "$proto"
    holds '[.skipped[].op] - ["portmap-null"] == []' "$proto"
    [ "$(names)" = "$before" ] || fail "left over $proto: $(names)"
done
refused 1 'NFS3ERR_ROFS: the export is read-only' "nfs://127.0.0.1:$KNFSD_NFS_PORT/readonly?$ports" create 50 -q
finish
