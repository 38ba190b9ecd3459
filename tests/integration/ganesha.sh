#!/bin/sh
# Measurements of nfs-ganesha: found through a real port mapper, over TCP and UDP, with both engines; its errors are
# reported by name.
. "$(dirname "$0")/lib.sh"
need jq python3 pkill
[ -n "$part" ] || again memory "$top/scripts/with-ganesha"

# A server that requires reserved source ports is measured, and refuses other ports.
if [ "$part" = privileged ]; then
    for proto in tcp udp; do
        run 0 127.0.0.1:/export getattr 100 --proto $proto
        refused 3 'AUTH_TOOWEAK.*reserved' 127.0.0.1:/export getattr 100 --proto $proto --no-resvport
    done
    finish
fi

# rpcbind lists the host's services.
result 0 localhost:
holds '[.services[] | select(.name == "portmapper") | .tcp_port] == [111] and .services_missing == null'
holds '.services[] | select(.name == "nfs") | (.versions | index(3)) != null and .tcp_port > 0'
holds '[.exports[].path] | length > 0' 'the exports'

# all_ops EXPORT PROTO ENGINE: every op has correct results, and nothing is left
all_ops() {
    result 0 "localhost:$1" all 200 --proto "$2" --engine "$3" --verify --no-ledger --no-warmup
    holds '[.ops[] | .errors == {} and .calls == .timed and .calls == 200] | all' "$*"
    holds '.skipped == []' "$*"
    left=$(timeout 30 nfs-ls "nfs://127.0.0.1$1?version=3" | awk '{ print $NF }')
    [ "$left" = file ] || fail "left on $1: $left"
}

# lease EXPORT: the directory of a killed run is removed when its lease has expired by the server's clock, so the server
# must set times to its clock; the directory of a run that has ended is removed at once
lease() {
    server_port=20490,20491,$1
    timeout 60 "$nfsbench" "127.0.0.1:$1" create 10M --no-ledger --no-warmup -q >/dev/null 2>&1 &
    pid=$!
    filled / || true
    refused 1 'stays' clean -y "127.0.0.1:$1"
    grep -q 'stays: its run .* was alive' "$scratch/out" || fail "the lease of a running run: $(cat "$scratch/out")"
    pkill -9 -P $pid
    wait $pid 2>/dev/null || true
    peer age "$name/.nfsbench-lease" 185
    run 0 clean -y "127.0.0.1:$1"
    [ "$(peer ls /)" = file ] || fail "left by clean: $(peer ls /)"
    run 0 "127.0.0.1:$1" create 50 --keep-scratch --no-ledger
    run 0 clean -y "127.0.0.1:$1"
    [ "$(peer ls /)" = file ] || fail "left of what was kept: $(peer ls /)"
}

# trees EXPORT: complete directories and a tree in EXPORT, which is a local directory, too. Links are not followed.
trees() {
    mkdir -p "$1/tree/many" "$1/tree/below/it"
    for i in $(seq 300); do echo "$i" >"$1/tree/many/$i"; done
    ln -s .. "$1/tree/below/up"
    echo text >"$1/tree/below/it/file"
    result 0 "127.0.0.1:$1/tree/many" readdir-all,readdirplus-all 20 --block 5 --no-ledger
    holds '[.ops[2, 4] | .errors == {} and .entries_per_op == 302 and .calls_per_op > 1] | all' 'whole directories'
    for depth in 1 8; do
        result 0 "127.0.0.1:$1/tree" walk 20 -d $depth --block 5 --no-ledger
        holds '.ops[2] | .errors == {} and .entries_per_op == 305' "a walk, depth $depth"
    done
    result 0 "127.0.0.1:$1" read,getattr,lookup,access,readlink,readdirplus-all 200 --tree tree --no-ledger --block 10
    holds '[.ops[].errors == {}] | all' 'a tree'
    holds '.config.tree | .files == 301 and .symlinks == 1 and .directories == 4 and .denied + .vanished == 0' 'a tree'
    rm -r "$1/tree"
}

# Ganesha serves a file system of the kernel.
if [ "$part" = vfs ]; then
    all_ops /run/ganesha/export tcp wire
    all_ops /run/ganesha/export udp "$(engines wire tirpc | tail -n 1)"
    ! has clean || lease /run/ganesha/export
    trees /run/ganesha/export
    finish
fi

for proto in tcp udp; do
    for engine in $(engines wire tirpc); do
        name="$engine over $proto"
        all_ops /export $proto $engine
        result 0 localhost:/export read-only 200 --proto $proto --engine $engine --verify
        holds '[.ops[] | .errors == {} and .calls == .timed and .calls == 200] | all' "$name"
        holds '[.ops[].op] == ["null","null_control","getattr","lookup","access","read","readdir",
                "readdirplus","fsstat","fsinfo","pathconf"]' "$name"
        holds '[.skipped[].op] == ["readlink"]' "$name"
        holds '.target.nfs_port == 20490 and .target.mount_port == 20491' "$name"
    done
done

# The path below the export is walked with LOOKUP, because Ganesha does not MNT a file.
result 0 127.0.0.1:/export/file getattr,read 100 --sec sys
holds '.target.export == "/export" and .target.path == "/file" and .ops[3].object == "/export/file"'

# Only one port is given: that of NFS or that of MOUNT.
run 0 127.0.0.1:/export getattr 50 --port 20490
run 0 127.0.0.1:/export getattr 50 --mount-port 20491

# --versus compares Ganesha and another server, two transports, and two engines, in the same rounds.
if has_option versus; then
    result 0 127.0.0.1:/export getattr,read 500 --block 20 --versus self: --self-args '--cost getattr=2ms'
    holds '.first.target.nfs_port == 20490 and .second.target.host == "127.0.0.1"'
    holds 'contrasts_of("getattr").above_null.difference_ns.estimate > 1000000'
    result 0 127.0.0.1:/export read-only 200 --versus proto=udp
    holds '[.first, .second | .target.proto] == ["tcp", "udp"] and ([.contrasts[] | select(.quantity == "round_trip")] | length == 10)'
    for engine in $(engines tirpc); do
        result 0 127.0.0.1:/export create,remove 200 --versus "engine=$engine"
        holds "[.first, .second | .config.engine] == [\"wire\", \"$engine\"]"
    done
fi

refused 3 'MNT3ERR_NOENT|MNT3ERR_ACCES' 127.0.0.1:/nowhere getattr 10
refused 1 'NFS3ERR_NOENT' 127.0.0.1:/export/nothing getattr 10
refused 2 'NFS3ERR_NOENT' 127.0.0.1:/export read 10 --file nothing
refused 3 'AUTH' 127.0.0.1:/export getattr 10 --sec none
finish
