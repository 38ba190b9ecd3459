#!/bin/sh
# Bad weather: nothing listens, exports that can't be had, servers that stop, stall, lie or babble.
# Each gives one clear line and the right exit status within the timeout, and what was measured
# until then is printed.
. "$(dirname "$0")/lib.sh"
need jq python3

# weather FAULT HEALTHY-CALLS: a server that breaks from that call on; sets $port
weather() {
    start python3 "$here/bad_server.py" "$1" "$2"
}

over() {
    kill -9 "$server_pid" 2>/dev/null || true
    wait "$server_pid" 2>/dev/null || true
    server_pid=
}

# The scripted server counts its calls, and knows no READ: no calls but the ops'.
bare='--no-model --no-ledger'

# storm STATUS PATTERN FAULT HEALTHY-CALLS ARGUMENT...: a run against such a server
storm() {
    expected=$1 pattern=$2 fault=$3 healthy=$4
    shift 4
    weather "$fault" "$healthy"
    refused "$expected" "$pattern" "nfs://127.0.0.1:$port/export${query-}" getattr $bare "$@"
    over
}

# printed: the run before must have told what it measured, marked as cut short
printed() {
    grep -q 'CUT SHORT' "$scratch/out" || {
        cat "$scratch/out" "$scratch/err" >&2
        fail "$1: what was measured is not printed"
    }
    holds '.cut_short and .config.rounds > 0' "$1"
}

# Nothing there.
refused 3 'looking up the host' no-such-host.invalid:/export getattr 10
start "$nfsbench" serve
stop
refused 3 'Connection refused' "nfs://127.0.0.1:$port/export" getattr 10
refused 3 'RPC_CANTRECV|refused' "nfs://127.0.0.1:$port/export?proto=udp" getattr 10
refused 3 'port mapper' 127.0.0.7:/export getattr 10

# The embedded server's own refusals.
start "$nfsbench" serve
refused 3 'MNT3ERR_NOENT' "nfs://127.0.0.1:$port/nowhere" getattr 10
refused 1 'NFS3ERR_NOENT' "nfs://127.0.0.1:$port/export/nothing" getattr 10
refused 1 'NFS3ERR_NOTDIR' "nfs://127.0.0.1:$port/export/file/x" getattr 10
stop

# At mounting.
storm 3 MNT3ERR_NOENT mnt-noent 0 10
storm 3 MNT3ERR_ACCES mnt-acces 0 10
storm 3 'krb5.*AUTH_TOOWEAK' krb5-only 0 10
storm 1 'decoded|empty' huge-handle 0 10
storm 1 'empty' empty-handle 0 10
storm 3 'RPC_TIMEDOUT.*stray' mount-garbage 0 10 --timeout 300ms

# When trying the procedures out.
storm 1 RPC_PROCUNAVAIL proc-unavail 1 10
storm 1 RPC_PROGVERSMISMATCH prog-mismatch 1 10
storm 1 RPC_SYSTEMERROR system-err 1 10
storm 1 RPC_AUTHERROR auth 1 10
storm 1 NFS3ERR_STALE stale 4 10
storm 3 'RPC_TIMEDOUT' silence 1 10 --timeout 300ms

# In the middle of the run, after the warm-up (10 rounds of 3 blocks of 10 or more): what was
# measured until then is told. A short block makes many rounds.
for query in '?proto=tcp' '?proto=udp'; do
    for engine in wire tirpc; do
        for case in 'silence 3 RPC_TIMEDOUT' 'short 1 RPC_CANTDECODERES' 'stale 1 NFS3ERR_STALE' \
            'system-err 1 RPC_SYSTEMERROR' 'auth 1 RPC_AUTHERROR' 'xid 3 RPC_TIMEDOUT' \
            'exit 3 RPC_CANTRECV|RPC_TIMEDOUT|refused|closed|RPC: '; do
            set -- $case
            fault=$1 expected=$2
            shift 2
            rm -f "$scratch/result.json"
            storm "$expected" "$*" "$fault" 400 20k --block 5 --no-warmup --engine $engine \
                --timeout 200ms --retrans 1 -j "$scratch/result.json"
            printed "$fault, $engine, $query"
        done
    done
done
query=

# Only in a stream.
for case in 'huge 1 longer' 'endless 1 longer' 'drip 3 RPC_TIMEDOUT' 'stub 1 RPC_CANTDECODERES|RPC_TIMEDOUT' \
    'close 3 closed the connection' 'garbage 1 longer|RPC_CANTDECODERES|RPC_TIMEDOUT' \
    'long 1 RPC_CANTDECODERES' 'call 1 RPC_CANTDECODERES' 'xid-stream 3 RPC_TIMEDOUT.*stray'; do
    set -- $case
    fault=$1 expected=$2
    shift 2
    [ "$fault" != garbage ] || expected=3
    rm -f "$scratch/result.json"
    storm "$expected" "$*" "$fault" 400 20k --block 5 --no-warmup --timeout 300ms \
        -j "$scratch/result.json"
    printed "$fault"
done

# What a client survives is counted, shown, and leaves the verdict suspect; it is no latency.
weather close-once 400
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare --block 20 --no-warmup -j "$scratch/result.json"
holds '[.ops[].reconnects] | add == 1' close-once
holds '[.ops[] | .calls - .timed] | add == 1' close-once
holds '.validity.verdict == "suspect"' close-once
over
weather close-once 400
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare --block 20 --no-warmup --engine tirpc \
    -j "$scratch/result.json"
holds '[.ops[].reconnects] | add == 1' 'close-once, tirpc'
holds '[.ops[] | .calls - .timed] | add == 1' 'close-once, tirpc'
over
weather drop-once 400
run 0 "nfs://127.0.0.1:$port/export?proto=udp" getattr 300 $bare --block 20 --no-warmup --timeout 100ms \
    -j "$scratch/result.json"
holds '[.ops[].retransmits] | add >= 2' drop-once
holds '([.ops[] | .calls - .timed] | add) == ([.ops[].retransmits] | add)' drop-once
holds '[.ops[].latency_ns.max < 90000000] | all' drop-once
over
weather jukebox-once 400
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare --block 20 --no-warmup -j "$scratch/result.json"
holds '[.ops[].errors.NFS3ERR_JUKEBOX // empty] == [1]' jukebox-once
over
weather stray 10
run 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare --no-warmup -j "$scratch/result.json"
holds '[.ops[].stray_replies] | add > 500' stray
holds '[.ops[] | .calls == .timed] | all' stray
over
weather fragments 100000
run 0 "nfs://127.0.0.1:$port/export" getattr 100 $bare --block 20 --no-warmup -j "$scratch/result.json"
holds '[.ops[] | .calls == .timed] | all' fragments
over
weather none-only 100000
run 0 "nfs://127.0.0.1:$port/export" getattr 100 $bare -j "$scratch/result.json"
holds '.target.auth == "AUTH_SYS" and .target.auth_offered == "AUTH_NONE"'
over

# A server that can't READ is no reason not to measure GETATTR: the cost model does without.
weather none-only 100000
run 0 "nfs://127.0.0.1:$port/export" getattr 100 -v -j "$scratch/result.json"
holds '.model.rx_ns_per_byte == null and .model.tx_ns_per_byte != null'
holds '[.ops[] | has("model") | not] | all'
grep -q 'not told apart' "$scratch/out" || fail 'the cost model does not say what it lacks'
over
finish
