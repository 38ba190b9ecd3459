#!/bin/sh
# Engine libnfs: all ops on the embedded server and on Ganesha, with one call and with many calls in flight; refused
# options; servers that fail.
here=$(dirname "$0")/../../../../tests/integration
. "$here/lib.sh"
need jq python3

status=0
"$nfsbench" self: getattr 1 -e libnfs -q --allow-suspect --no-ledger --no-model 2>"$scratch/err" || status=$?
if [ $status -eq 2 ]; then
    grep -q 'built without it; install libnfs-dev' "$scratch/err" || fail "what is missing is not reported"
    [ "$failures" -eq 0 ] || finish
    skip "built without libnfs"
fi
[ $status -eq 0 ] || fail "status $status of one call"

quick='-e libnfs --no-ledger --no-warmup'

# all_ops TARGET OPS CALLS OPTION...: measure OPS; all CALLS calls of each must succeed and, without OPTION, leave samples.
all_ops() {
    name="$*"
    target=$1 ops=$2 calls=$3
    shift 3
    run 0 "$target" "$ops" "$calls" $quick "$@" -j "$scratch/result.json"
    holds '.config.engine == "libnfs"' "$name"
    holds "[.ops[] | .errors == {} and .calls == $calls and .timed > 0] | all" "$name"
    holds '[.ops[] | .retransmits == 0 and .reconnects == 0] | all' "$name"
    [ $# -gt 0 ] || holds '[.ops[] | .timed == .calls] | all' "$name"
}

if [ "$part" = ganesha ]; then
    all_ops localhost:/export all 100
    all_ops localhost:/export getattr,lookup,access,read,readdirplus,write,create,remove,rename 4000 \
        --depth 16 --clients 2 --block 2000
    all_ops localhost:/export portmap-null,mount-null,mount-export 200 -c 2
    finish
fi

start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
all_ops "$target" all 200
all_ops "$target" read-only 250 --verify
for load in '-d 16' '-d 16 -c 2' '-c 3 --connections 2 --threads 2'; do
    # Long blocks, because short ones may end before each connection has had a reply.
    all_ops "$target" getattr,readdirplus,mkdir,symlink,remove,write,mount-mnt 10000 $load --block 5000
    holds '[.ops[] | .load.client_cpu_ns > 0 and .load.in_flight > 0] | all' "$load"
    # Calls at the begin and the end of each block are not timed.
    holds '[.ops[] | .timed > .calls / 2 and .timed <= .calls] | all' "$load"
done
! have IPv6 || all_ops "nfs://[::1]:$port/export" getattr,read 200
all_ops "$target" getattr 100 --sec none
all_ops "$target" getattr 100 --uid 1000 --gid 1000
case $(names) in *nfsbench*) fail "a scratch directory was left" ;; esac
stop

# Failed calls are counted by the error's name, and leave no sample. (The trial before the run repeats calls with this error.)
run 1 self: getattr,fsstat 400 $quick --block 100 --self-args '--error fsstat=NFS3ERR_JUKEBOX:0.2' --seed 1 -j "$scratch/result.json"
holds '.ops[] | select(.op == "fsstat") | .errors.NFS3ERR_JUKEBOX > 0
       and .calls - .timed == .errors.NFS3ERR_JUKEBOX' 'errors of fsstat'

# Options and ops that the engine does not support are refused.
refused 2 'over TCP only' self: getattr 10 -e libnfs --proto udp
refused 2 'over TCP only' 'nfs://localhost:1/export?proto=udp' getattr 10 -e libnfs
refused 2 'sleeps' self: getattr 10 -e libnfs --spin
refused 2 '--rate needs --engine wire' self: getattr 10 -e libnfs --rate 100
refused 2 'at most' self: getattr 10 -e libnfs --depth 100000
refused 2 'of one procedure at a time' self: mix:sfs3 100 -e libnfs --depth 2

# storm STATUS PATTERN FAULT OPTION...: a run on a server with FAULT must end with STATUS, print PATTERN, keep earlier rounds.
bare="--no-model --no-ledger --block 20 --no-warmup -e libnfs"
storm() {
    expected=$1 pattern=$2 fault=$3
    shift 3
    # On a busy machine replies may be slow; the timeout must only end waits for replies that never come.
    patience=1s
    [ "$expected" -eq 3 ] || patience=10s
    start python3 "$here/bad_server.py" "$fault" 400
    refused "$expected" "$pattern" "nfs://127.0.0.1:$port/export" getattr 20k $bare --timeout $patience "$@" \
        -j "$scratch/result.json"
    holds '.cut_short and .config.rounds > 0' "$fault $*"
    kill_server
}
for load in '' '--depth 4'; do
    storm 3 RPC_TIMEDOUT silence $load
    storm 3 RPC_TIMEDOUT drip-record $load
    storm 3 RPC_TIMEDOUT unmatched $load
    storm 1 longer endless-fragments $load
    storm 1 NFS3ERR_STALE stale $load
    storm 1 'got no result; libnfs says: .*System' system-err $load
    storm 1 'got no result; libnfs says' auth $load
    storm 1 RPC_CANTDECODERES short $load
    storm 3 'libnfs says|RPC_TIMEDOUT' exit $load
    storm 3 'libnfs says|RPC_TIMEDOUT' close $load
    storm 3 'RPC_TIMEDOUT' xid $load
done

# Records that would crash libnfs are not passed to libnfs, and the run fails.
for load in '' '--depth 4'; do
    for length in 7fffffff 80000000 c0000000 e0000000 ffffffe0; do
        storm 1 RPC_CANTDECODERES verifier=$length $load
    done
    storm 1 longer huge $load
    storm 3 'libnfs says|RPC_TIMEDOUT' nothing-endless $load
done

# A record may consist of fragments of one byte.
start python3 "$here/bad_server.py" bytes 400
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare -j "$scratch/result.json"
holds '.ops[] | select(.op == "getattr") | .timed == 300' 'fragments of one byte'
kill_server

# Replies that come before their calls are not accepted, and are reported.
for load in '' '--depth 4'; do
    start python3 "$here/bad_server.py" early 400
    run 1 "nfs://127.0.0.1:$port/export" getattr 2000 $bare --launches 1 $load -j "$scratch/result.json"
    holds '.validity.verdict == "invalid" and ([.validity.reasons[].name] | index("early-replies"))' "early $load"
    holds '.ops[] | select(.op == "getattr") | .early_replies > 1000 and .errors == {} and .calls == 2000' "early $load"
    kill_server
done

# A lost connection is restored and counted; its calls in flight leave no sample.
start python3 "$here/bad_server.py" close-once 400
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare -j "$scratch/result.json"
holds '[.ops[].reconnects] | add == 1' close-once
holds '[.ops[] | .calls - .timed] | add == 1' close-once
kill_server
run 0 self: getattr 6000 $quick --depth 16 --clients 2 --threads 1 --self-args '--reset-after 500' -j "$scratch/result.json"
holds '[.ops[] | .errors == {} and .calls == 6000] | all' reset-after
holds '[.ops[].reconnects] | add > 0' reset-after

# The server dies during a run under load: the run fails, and its result says that it was cut short.
start "$nfsbench" serve
(
    worked "$server_pid" 0.3
    kill -9 "$server_pid"
) &
killer=$!
refused 3 'libnfs says' -q "nfs://127.0.0.1:$port/export" getattr 50M -e libnfs -d 16 -c 2 --threads 1 \
    --no-ledger --no-warmup --timeout 500ms -j "$scratch/result.json"
holds .cut_short 'the server died'
wait $killer "$server_pid" 2>/dev/null || true
server_pid=
finish
