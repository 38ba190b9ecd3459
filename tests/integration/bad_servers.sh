#!/bin/sh
# Bad servers: no listener, exports that can't be mounted, servers that stop, stall, or send wrong or malformed replies.
# Each is reported in one clear line, with the right exit status, within the timeout. What was measured before is printed.
. "$(dirname "$0")/lib.sh"
need jq python3

# bad_server FAULT HEALTHY-CALLS: start bad_server.py, whose FAULT begins after HEALTHY-CALLS calls; sets $port
bad_server() {
    start python3 "$here/bad_server.py" "$1" "$2"
}

# The scripted server counts its calls and has no READ, so only the ops' calls may be made.
bare='--no-model --no-ledger'

# bad_run STATUS PATTERN FAULT HEALTHY-CALLS ARGUMENT...: like refused, with nfsbench on a bad_server
bad_run() {
    expected=$1 pattern=$2 fault=$3 healthy=$4
    shift 4
    bad_server "$fault" "$healthy"
    refused "$expected" "$pattern" "nfs://127.0.0.1:$port/export${query-}" getattr $bare "$@"
    kill_server
}

# printed WHAT: the previous run must have printed what it measured, marked as cut short
printed() {
    grep -q 'CUT SHORT' "$scratch/out" || fail_showing "$1: what was measured is not printed" "$scratch/out" "$scratch/err"
    holds '.cut_short and .config.rounds > 0' "$1"
    holds '.validity | .verdict != "ok" and any(.reasons[]; .name == "cut-short")' "$1: the verdict"
}

refused 3 'looking up the host' no-such-host.invalid:/export getattr 10
start "$nfsbench" serve
stop
refused 3 'Connection refused' "nfs://127.0.0.1:$port/export" getattr 10
refused 3 'RPC_CANTRECV|refused' "nfs://127.0.0.1:$port/export?proto=udp" getattr 10
refused 3 'port mapper' 127.0.0.7:/export getattr 10

# Errors of the embedded server end a run.
start "$nfsbench" serve
refused 3 'MNT3ERR_NOENT' "nfs://127.0.0.1:$port/nowhere" getattr 10
refused 1 'NFS3ERR_NOENT' "nfs://127.0.0.1:$port/export/nothing" getattr 10
refused 1 'NFS3ERR_NOTDIR' "nfs://127.0.0.1:$port/export/file/x" getattr 10
stop

# While mounting
bad_run 3 MNT3ERR_NOENT mnt-noent 0 10
bad_run 3 MNT3ERR_ACCES mnt-acces 0 10
bad_run 3 'MNT3ERR_ACCES.*source port below 1024.*--no-resvport' mnt-acces 0 10 --no-resvport
bad_run 3 'krb5.*AUTH_TOOWEAK' krb5-only 0 10
bad_run 1 'decoded|empty' huge-handle 0 10
bad_run 1 'empty' empty-handle 0 10
bad_run 3 'RPC_TIMEDOUT.*unmatched' mount-garbage 0 10 --timeout 300ms

# While trying the procedures
bad_run 1 RPC_PROCUNAVAIL proc-unavail 1 10
bad_run 1 RPC_PROGVERSMISMATCH prog-mismatch 1 10
bad_run 1 RPC_SYSTEMERROR system-err 1 10
bad_run 1 RPC_AUTHERROR auth 1 10
bad_run 1 NFS3ERR_STALE stale 4 10
bad_run 3 'RPC_TIMEDOUT' silence 1 10 --timeout 300ms

# A list of exports of 1.1 MB. (libnfs decodes lists by recursion, and gets only shorter ones.)
bad_server exports 100000
result 0 127.0.0.1: --port "$port" --mount-port "$port"
holds '.exports | length == 20000 and .[19999] == {path: "/export/019999", clients: ["client.example.org"]}' 'many exports'
for engine in $(engines wire tirpc); do
    result 0 "nfs://127.0.0.1:$port/export" mount-export 20 $bare --no-warmup --launches 1 --engine $engine
    holds '.ops[] | select(.op == "mount-export") | .timed == 20' "many exports, $engine"
done
kill_server

# The fault begins during the run. What was measured before is reported. A short block gives many rounds.
for query in '?proto=tcp' '?proto=udp'; do
    for engine in $(engines wire tirpc); do
        for case in 'silence 3 RPC_TIMEDOUT' 'short 1 RPC_CANTDECODERES' 'stale 1 NFS3ERR_STALE' \
            'system-err 1 RPC_SYSTEMERROR' 'auth 1 RPC_AUTHERROR' 'xid 3 RPC_TIMEDOUT' \
            'exit 3 RPC_CANTRECV|RPC_TIMEDOUT|refused|closed|RPC: '; do
            set -- $case
            fault=$1 expected=$2
            shift 2
            bad_run "$expected" "$*" "$fault" 400 20k --block 5 --no-warmup --engine $engine \
                --timeout 200ms --retrans 1 -j "$scratch/result.json"
            printed "$fault, $engine, $query"
        done
    done
done
query=

# Faults over TCP
for case in 'huge 1 longer' 'endless 1 longer' 'drip 3 RPC_TIMEDOUT' 'stub 1 RPC_CANTDECODERES|RPC_TIMEDOUT' \
    'close 3 closed the connection' 'garbage 1 longer|RPC_CANTDECODERES|RPC_TIMEDOUT' \
    'call 1 RPC_CANTDECODERES' 'xid-stream 3 RPC_TIMEDOUT.*unmatched'; do
    set -- $case
    fault=$1 expected=$2
    shift 2
    [ "$fault" != garbage ] || expected=3
    bad_run "$expected" "$*" "$fault" 400 20k --block 5 --no-warmup --timeout 300ms -j "$scratch/result.json"
    printed "$fault"
done

# Bytes after a result are counted and reported, or refused with --strict.
bad_server long 0
result 0 "nfs://127.0.0.1:$port/export" getattr 200 $bare --no-warmup
holds '.ops[2].timed == 200 and .validity.verdict == "suspect"' 'trailing bytes'
holds '.validity.reasons[] | select(.name == "trailing-bytes") | .text | test("[6-9][0-9][0-9] replies.*getattr")'
kill_server
bad_run 1 'getattr|GETATTR|NULL.*--strict' long 0 200 --strict
bad_run 1 RPC_CANTDECODERES long 400 20k --block 5 --no-warmup --strict -j "$scratch/result.json"
printed 'long, strict'

# A stopped server does not answer UMNT: the run must end nevertheless.
start "$nfsbench" serve
(
    sleep 1
    exec kill -STOP "$server_pid"
) &
refused 3 RPC_TIMEDOUT -q "nfs://127.0.0.1:$port/export" getattr 20M $bare --no-warmup --timeout 500ms
kill -CONT "$server_pid"
stop

# Some libraries restart their timeout with each byte, or have none. nfsbench's own timeout ends their calls.
for case in 'drip 3 RPC_TIMEDOUT' 'drip-record 3 RPC_TIMEDOUT' 'unmatched 3 RPC_TIMEDOUT' \
    'endless-fragments 1 longer'; do
    set -- $case
    for engine in $(engines wire tirpc); do
        bad_run "$2" "$3" "$1" 400 20k --block 5 --no-warmup --timeout 300ms --engine $engine -j "$scratch/result.json"
        printed "$1, $engine"
    done
done

# Long lists do not use up the stack, and long names no memory.
for engine in $(engines wire tirpc); do
    bad_server readdir-flood 1
    run measured "nfs://127.0.0.1:$port/export" readdir 20 $bare --no-warmup -s 1536KiB --engine $engine
    grep -q readdir "$scratch/out" || fail "readdir-flood, $engine: nothing was measured"
    kill_server
    bad_server readdir-name 400
    refused 1 RPC_CANTDECODERES "nfs://127.0.0.1:$port/export" readdir 20k $bare --block 5 --no-warmup --engine $engine
    kill_server
done

# Endless directories, of files or of directories, and cookies that lead back: ops that list or walk end at a limit, which
# the error names, in limited time and memory.
# bounded STATUS PATTERN FAULT ARGUMENT...: run nfsbench on a bad_server with FAULT; the error must match PATTERN
bounded() {
    expected=$1 pattern=$2
    bad_server "$3" 0
    shift 3
    case $1 in
    clean) set -- "$@" "nfs://127.0.0.1:$port/export" ;;
    *) set -- "nfs://127.0.0.1:$port/export" "$@" ;;
    esac
    rm -f "$scratch/result.json"
    status=0
    (
        ulimit -v 2000000
        exec timeout 30 "$nfsbench" "$@"
    ) >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    kill_server
    [ $status -eq "$expected" ] && [ "$(grep -Ec "$pattern" "$scratch/err")" -eq 1 ] ||
        fail_showing "status $status instead of $expected, or not '$pattern': $*" "$scratch/out" "$scratch/err"
}
bounded 1 'not complete after .*--max-time' list-endless readdirplus-all $bare --max-time 1s
bounded 1 'READDIR.*10,000,000 entries' list-endless readdir-all 20 $bare
bounded 1 'not complete after .*--max-time' list-nested walk $bare --max-time 1s
bounded 1 'READDIR.*lead back' list-circle readdir-all 20 $bare
bounded 0 '^nfsbench: --tree . ends after [0-9]* entries: .* 512 MiB' list-endless getattr 100 --allow-suspect --tree . \
    $bare -j "$scratch/result.json"
holds '.config.tree | .cut and .files > 1000000' 'a tree without end'
bounded 1 'READDIR of /export: .*lead back' list-circle clean -y
bounded 1 'READDIR of /export: .*10,000,000 entries' list-endless clean -y

# In a mix under load, replies that can't be decoded are errors of their op, and other ops continue, unless errors are to end
# the run. READDIR's only good replies are those of its trial.
printf 'getattr 9\nreaddir 1\n' >"$scratch/own"
bad_server readdir-name 500
result 0 "nfs://127.0.0.1:$port/export" "mix:$scratch/own" 4k --depth 4 --threads 1 $bare --no-warmup --launches 1
holds '[.skipped[].op] == ["readdir"] and (.validity.reasons | map(.name) | index("op-failed")) and (.ops[] | select(.op == "getattr") | .timed > 2000)' 'a mix with garbage'
holds '.ops[] | select(.op == "mix") | .errors.RPC_CANTDECODERES > 0' 'garbage is not counted'
kill_server
bad_server readdir-name 500
refused 1 RPC_CANTDECODERES "nfs://127.0.0.1:$port/export" "mix:$scratch/own" 4k --depth 4 --threads 1 $bare \
    --no-warmup --strict
kill_server

# A server that guesses the next xid and replies before the call gains nothing, and is reported. (libtirpc repeats a call
# for each such datagram, and gives up.)
for case in 'wire ?proto=tcp' 'wire ?proto=udp' 'wire ?proto=tcp --depth 16 --threads 1' \
    'wire ?proto=udp --depth 16 --threads 1' 'tirpc ?proto=tcp'; do
    set -- $case
    engine=$1 query=$2
    shift 2
    bad_server early 100
    run 1 "nfs://127.0.0.1:$port/export$query" getattr 300 $bare --block 20 --no-warmup --launches 1 --engine $engine "$@" \
        -j "$scratch/result.json"
    kill_server
    holds '.validity.verdict == "invalid" and ([.validity.reasons[].name] | index("early-replies"))' "early, $case"
    holds '.ops[] | select(.op == "getattr") | .early_replies > 200 and .errors == {} and .calls == 300' "early, $case"
done
query='?proto=udp'
bad_run 3 'RPC_TIMEDOUT.*were not sent' early 400 20k --block 5 --no-warmup --engine tirpc --timeout 300ms \
    -j "$scratch/result.json"
query=

# A record may have any number of fragments, of any length (RFC 5531 section 11), but not endlessly many empty ones.
for engine in $(engines wire tirpc); do
    for fault in bytes bytes-and-nothing; do
        bad_server $fault 100
        result 0 "nfs://127.0.0.1:$port/export" getattr 300 $bare --no-warmup --launches 1 --engine $engine
        holds '.ops[] | select(.op == "getattr") | .timed == 300' "$fault, $engine"
        kill_server
    done
done
bad_run 1 longer nothing-endless 400 20k --block 5 --no-warmup --timeout 2s -j "$scratch/result.json"
printed nothing-endless

# Faults that a client survives are counted and reported, make the verdict suspect, and are in no latency.
# survived WHAT FAULT HEALTHY-CALLS ARGUMENT...: run nfsbench with a bad_server; the caller checks the result
survived() {
    what=$1
    bad_server "$2" "$3"
    shift 3
    result 0 "nfs://127.0.0.1:$port/export${query-}" getattr "$@"
    kill_server
}
for engine in $(engines wire tirpc); do
    survived "close-once, $engine" close-once 400 300 $bare --block 20 --no-warmup --engine $engine
    holds '[.ops[].reconnects] | add == 1' "$what"
    holds '[.ops[] | .calls - .timed] | add == 1' "$what"
    holds '.validity.verdict == "suspect"' "$what"
done
query='?proto=udp'
survived drop-once drop-once 400 300 $bare --block 20 --no-warmup --timeout 100ms
query=
holds '[.ops[].retransmits] | add >= 2' drop-once
holds '([.ops[] | .calls - .timed] | add) == ([.ops[].retransmits] | add)' drop-once
holds '[.ops[].latency_ns.max < 90000000] | all' drop-once
survived jukebox-once jukebox-once 400 300 $bare --block 20 --no-warmup
holds '[.ops[].errors.NFS3ERR_JUKEBOX // empty] == [1]' jukebox-once
bad_server unmatched-xid 10
result 1 "nfs://127.0.0.1:$port/export" getattr 300 $bare --no-warmup
kill_server
holds '[.ops[].early_replies] | add > 500' 'unmatched-xid, to calls that were never made'
holds '[.ops[].unmatched_replies] | add > 500' unmatched-xid
holds '[.ops[] | .calls == .timed] | all' unmatched-xid
survived fragments fragments 100000 100 $bare --block 20 --no-warmup
holds '[.ops[] | .calls == .timed] | all' fragments
survived none-only none-only 100000 100
holds '.target.auth == "AUTH_SYS" and .target.auth_offered == "AUTH_NONE"'

# Without READ, GETATTR is still measured, but the cost model lacks the bytes of replies.
survived none-only none-only 100000 100 -v
holds '.model.reply_ns_per_byte == null and .model.call_ns_per_byte != null'
holds '[.ops[] | has("model") | not] | all'
grep -q 'cannot be distinguished' "$scratch/out" || fail 'the cost model does not say what it lacks'
finish
