#!/bin/sh
# Many clients with many calls in flight: consistent results, with and without faults.
. "$(dirname "$0")/lib.sh"
need jq nfs-ls

if [ "$part" = ganesha ]; then
    # Ganesha answers out of order.
    for proto in tcp udp; do
        result 0 127.0.0.1:/export getattr,read,create 2000 --proto $proto --clients 3 --depth 8 --verify --no-ledger
        holds '[.ops[] | .errors == {} and .timed > 0] | all' "ganesha over $proto"
    done
    finish
fi

# fits N WHAT: the results of a closed loop with N calls in flight are consistent. Little's law is about means, and processes of
# other tests use the processors, so the bound is generous. A run whose verdict names stalls or slow calls is exempt from it.
fits() {
    holds "[.ops[] | .errors == {} and .timed > 0 and .timed <= .calls] | all" "$2"
    holds '[.ops[] | .timed == ([.load.clients[].calls] | add)] | all' "$2"
    holds '[.ops[] | .timed == ([.load.timeline[].calls] | add)] | all' "$2"
    holds '[.ops[].load.timeline[] | .active_ns <= 100000000 and .rate_per_s >= 0] | all' "$2"
    holds '[.ops[].load | .fairness > 0 and .fairness <= 1.000001 and .client_cpu_ns > 0] | all' "$2"
    holds "([.validity.reasons[].name] | any(. == \"outliers\" or . == \"stalled\")) or
        ([.ops[].load.in_flight | . > 0.3 * $1 and . < 2.5 * $1] | all)" "$2"
}

for proto in tcp udp; do
    for shape in '--depth 8:8' '--clients 2 --depth 16:32' '--clients 3 --connections 2 --depth 4:24' \
        '--clients 4 --threads 2 --depth 4:16' '--clients 2 --threads 2 --pin 0 --depth 32:64' \
        '--depth 100:100' '--clients 2 --spin:2'; do
        options=${shape%:*}
        # shellcheck disable=SC2086
        result 0 self: getattr,read 10k --proto $proto $options --no-ledger --verify
        fits "${shape##*:}" "$options over $proto"
        holds "$(echo "$options" | awk '{
            for (i = 1; i < NF; i++) if ($i ~ /clients|connections|depth|threads/)
                printf ".config.load.%s == %s and ", substr($i, 3), $(i + 1)
            print "true" }')" "$options"
    done
done
result 0 self: getattr 4000 -e tirpc --clients 3 --no-ledger
fits 3 'tirpc'
result 0 self: getattr 2000 -e tirpc --clients 2 --connections 2 --no-ledger
fits 4 'tirpc, two connections'
result 0 self: read 300 -s 1MiB --depth 8 --verify --no-ledger
holds '[.ops[] | .errors == {} and .timed > 0] | all' 'READ of 1 MiB'
holds '.ops[-1].bytes.reply > 1048576'
run 0 self: getattr 20k --clients 3 --depth 2 -v
grep -Eq '3 clients x 1 connection x 2 calls in flight' "$scratch/out" || fail 'the load is not reported'
[ "$(grep -Ec '^  [a-z_]+ +[123] +[0-9,]+ +[0-9.]+$' "$scratch/out")" -ge 6 ] || fail 'the clients are not shown'

# Each socket has a port, even if those below 1024 are exhausted.
result 0 self: getattr 10k --proto udp --clients 400 --no-ledger
# (On a busy machine all calls of a client may be sent again. Then none of them is timed.)
holds '[.ops[] | .errors == {} and (.load.clients | length == 400) and
    (.retransmits > 0 or (.load.clients | map(select(.calls > 0)) | length == 400))] | all' '400 clients over UDP'

start "$nfsbench" serve --threads 2
target=nfs://127.0.0.1:$port/export
result 0 "$target" remove,create,write,commit,rename 1000 --clients 2 --depth 16 --verify --no-ledger
holds '[.ops[].errors == {}] | all'
clean_now 'a load'
stop

# Bad input (see also tests/unit/test_plan.c).
for option in clients connections depth threads rate; do
    refused 2 "--$option must be 1 or more" self: getattr 100 --$option 0
done
refused 2 'batch needs --engine wire' self: null 100 --depth 8 --batch 2 -e libnfs
refused 2 'of one procedure at a time' self: mix:sfs3 100 --clients 2 -e libnfs

# Connections take descriptors: the soft limit is raised, the hard limit reported.
start "$nfsbench" serve --threads 1
target=nfs://127.0.0.1:$port/export
(
    failures=0
    ulimit -n 100
    refused 2 "200 connections and .* need .* 100 \(RLIMIT_NOFILE\).*ulimit -n" "$target" getattr 100 --clients 200
    [ "$failures" -eq 0 ]
) || fail 'a hard limit of 100 descriptors'
(
    failures=0
    ulimit -Sn 100
    result 0 "$target" getattr 20k --clients 1000 --no-ledger
    [ "$failures" -eq 0 ]
) || fail 'a soft limit of 100 descriptors'
holds '[.ops[] | .errors == {} and (.load.clients | length == 1000)] | all' '1000 clients'
holds '[.ops[] | .timed == ([.load.clients[].calls] | add)] | all' '1000 clients'
stop

# If a limit makes a run impossible, one line names the limit: descriptors, also of a server, or the stack.
apart='prlimit --nofile=12:12'
refused 2 '1 connection and .* 12 \(RLIMIT_NOFILE\).*ulimit -n.\)$' self: getattr 10
refused 1 '12 open \(RLIMIT_NOFILE\).*ulimit -n' serve
apart='prlimit --nofile=15:15'
refused 1 'needs .* 15 \(RLIMIT_NOFILE\).*ulimit -n' self: getattr 10
apart='prlimit --stack=266240:266240'
refused 1 '260 KiB \(RLIMIT_STACK\).*ulimit -s' --version
apart='prlimit --stack=16384:16384 env -i' # an environment would use some of the stack; ld.so alone needs 12 KiB
# AddressSanitizer itself needs a larger stack.
"$nfsbench" --version | grep -q address || refused 1 ' 16 KiB \(RLIMIT_STACK\).*ulimit -s' --version
apart=

# Calls that are sent again before a slow server answers are not samples. The error says what to do.
refused 1 'use --timeout 0.6s' self: getattr 4 --block 1 --proto udp --timeout 200ms --self-args '--delay getattr=500ms' -q \
    --no-baseline --no-model --no-ledger --no-warmup --launches 1
result 0 self: getattr 4 --block 1 --proto udp --timeout 5s --self-args '--delay getattr=500ms' -q --no-baseline --no-model \
    --no-ledger --no-warmup --launches 1

# Lost connections are made again, while the others continue.
result 0 self: getattr 4000 --self-args '--reset-after 100' --clients 3 --depth 4 --no-ledger
holds '[.ops[].reconnects > 5] | all' '--reset-after'
holds '[.ops[] | .retransmits >= .reconnects and .errors == {}] | all' '--reset-after'
holds '[.ops[] | .timed > 0 and .timed <= .calls - .reconnects] | all' '--reset-after'
result 0 self: write 1000 --size 256KiB --self-args '--reset-after 100' --depth 32 --no-ledger
holds '[.ops[].errors == {}] | all' 'long messages that are sent again'

result 0 self: getattr 4000 --proto udp --self-args '--drop 1%' --depth 16 --timeout 50ms --retrans 8 --no-ledger
holds '[.ops[].retransmits > 0] | all' '--drop'
holds '[.ops[] | .errors == {} and .timed <= .calls - .retransmits / 8] | all' '--drop'

# under_way SECONDS: wait until the run $client has used SECONDS of processor time; it must still run
under_way() {
    worked "$client" "$1"
    kill -0 "$client" 2>/dev/null || fail "the run is over already"
}

# go ARGUMENT...: start a run of one launch in the background
go() {
    begin "$@" --launches 1 --no-warmup --no-ledger --allow-suspect
}

# The server ends: what was measured is reported.
for proto in tcp udp; do
    start "$nfsbench" serve --threads 1
    go "nfs://127.0.0.1:$port/export?proto=$proto" getattr 50M --clients 3 --depth 4 --threads 2 \
        --timeout 1s --retrans 1
    under_way 1
    kill_server
    ended_with 3 "a dead server over $proto"
    holds '.cut_short and .config.rounds > 0' "a dead server over $proto"
    [ "$(grep -c '^nfsbench: .*\(closed\|refused\|RPC_\)' "$scratch/err")" -eq 1 ] ||
        fail_showing "a server that ended, over $proto: not one line" "$scratch/err"
done

# The server returns on the same port: the run continues until Ctrl-C.
start "$nfsbench" serve --threads 1
go "nfs://127.0.0.1:$port/export" null 50M --clients 4 --depth 4 --threads 2
under_way 1
kill_server
sleep 0.5
start "$nfsbench" serve --threads 1 --port "$port"
under_way 2
kill -INT "$client"
ended_with 0 'Ctrl-C in a load of two threads'
holds '.cut_short and .cut_short_by == "interrupted"'
holds '[.ops[].reconnects] | add >= 4' 'a server that came back'
holds '[.ops[].load.timeline[] | select(.calls == 0)] | length > 2' 'the standstill is in the timeline'
stop

# With --batch, one sleep waits for several replies, even if their lengths differ, or fewer are left at the end of a block.
result 0 self: getattr,read,readdirplus 3001 --clients 2 --depth 16 --batch 8 --no-ledger
holds '.config.load.batch == 8 and ([.ops[] | .calls == 3001 and .errors == {}] | all)'
result 0 self: mix:sfs3 3000 --depth 16 --batch 4 --no-ledger

finish
