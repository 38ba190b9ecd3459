#!/bin/sh
# nfsbench serve as a command: ready line, ports, exit, users, trees, costs, delays, limits, and errors.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"

# A server that always has work reacts to SIGTERM. ThreadSanitizer is excluded: it delays signals until the program
# blocks, which this server never does.
if [ "$part" = flood ]; then
    need python3
    ! "$nfsbench" --version | grep -q thread || skip 'ThreadSanitizer delays signals'
    start "$nfsbench" serve
    for _ in 1 2; do
        PYTHONPATH=$here python3 "$(dirname "$0")/flood.py" "$port" &
    done
    sleep 1
    stop
    wait
    finish
fi

start "$nfsbench" serve
[ "$(wc -l <"$scratch/server.out")" -eq 1 ] || fail "more than a ready line"
grep -q "^nfsbench serve: ready port=$port mountport=$port export=/export" "$scratch/server.out" ||
    fail "the ready line"

# A port that is in use is reported at once.
refused 2 'in use' serve --port "$port"
refused 2 'bind' serve --bind not..a..host
stop

# --port and --bind set port and address; Ctrl-C ends the server.
start "$nfsbench" serve --port "$port" --bind 127.0.0.1
run 0 "nfs://127.0.0.1:$port/export" getattr 100
[ ! -s "$scratch/server.err" ] || fail "a warning of loopback"
kill -INT "$server_pid"
status=0
wait "$server_pid" || status=$?
server_pid=
[ $status -eq 0 ] || fail "SIGINT: status $status"

# A server on any address sends a UDP reply from the address that received the request.
start "$nfsbench" serve --bind 0.0.0.0
grep -q '^nfsbench serve: warning: 0\.0\.0\.0 can be reached .*--read-only' "$scratch/server.err" ||
    fail "no warning that other machines reach it"
run 0 "nfs://127.0.0.7:$port/export?proto=udp" getattr 100
stop

# With --user, all threads give up the superuser's rights.
if [ "$(id -u)" -eq 0 ]; then
    start "$nfsbench" serve --user nobody --threads 2
    for status in /proc/"$server_pid"/task/*/status; do
        awk -v uid="$(id -u nobody)" -v gid="$(id -g nobody)" '
            /^Uid:/ { wrong += $2 != uid || $3 != uid || $4 != uid || $5 != uid; seen++ }
            /^Gid:/ { wrong += $2 != gid || $3 != gid || $4 != gid || $5 != gid; seen++ }
            /^Groups:/ { wrong += NF != 2 || $2 != gid; seen++ }
            /^Cap(Prm|Eff|Inh|Amb):/ { wrong += $2 !~ /^0+$/; seen++ }
            /^NoNewPrivs:/ { wrong += $2 != 1; seen++ }
            END { exit wrong > 0 || seen != 8 }' "$status" || fail_showing "--user nobody keeps rights" "$status"
    done
    run 0 "nfs://127.0.0.1:$port/export" getattr,create 100
    stop
    refused 2 'superuser' serve --user root
    if have setpriv && setpriv --reuid=65534 "$nfsbench" --version >/dev/null 2>&1; then
        status=0
        setpriv --reuid=65534 "$nfsbench" serve --user nobody 2>"$scratch/err" || status=$?
        [ $status -eq 2 ] && grep -q 'only root can become' "$scratch/err" ||
            fail "--user by another than the superuser: status $status"
    fi
else
    left_out 'only the superuser can give up rights'
fi
refused 2 'no such user' serve --user 'no such user'
refused 2 'no such user' serve --echo --user 4294967295

# A tree of the requested size, which must fit into the memory limit.
need nfs-ls
start "$nfsbench" serve --files 3000 --size 10 --dirs 3 --memory 64MiB
[ "$(names /export/dir2 | wc -w)" -eq 1000 ] || fail "--files, --dirs"
stop
refused 2 'NFS3ERR_NOSPC' serve --files 3000 --size 1M --memory 64MiB
refused 2 'dirs needs --files' serve --dirs 3
refused 2 'leave out one of them' serve --root-squash --all-squash
refused 2 'NFSv3 procedure' serve --cost frob=1us
refused 2 'getattr=1ns.* give [0-9]*ns or more' serve --cost read=2us --cost getattr=1ns
refused 2 'one of the addresses of --bind' serve --cost getattr=1us --cost-address 127.0.0.2 --bind 127.0.0.1
refused 2 'cost-address needs' serve --cost-address 127.0.0.2
refused 2 'OP=NFS3ERR_x' serve --error read=NFS3ERR_IO:2
refused 2 'OP=NFS3ERR_x' serve --error null=NFS3ERR_IO
refused 2 'getattr=1ns.* give [0-9]*ns or more' serve --lock getattr=1ns
refused 2 'TIME/N' serve --device 5ms/65
refused 2 'N/BURST' serve --call-rate 0
refused 2 'SIZE/BURST' serve --byte-rate 1M/x
refused 2 'net.core.rmem_max' serve --receive-window 1Gi
refused 2 '1 or more' serve --reset-after 0
refused 2 'at most' serve --threads 1000

# Delayed replies do not delay other replies, over TCP and UDP.
need jq
start "$nfsbench" serve --delay getattr=50ms --threads 1
for proto in tcp udp; do
    "$nfsbench" "nfs://127.0.0.1:$port/export" getattr 100 --no-ledger --no-warmup -q --proto $proto \
        --no-model --allow-suspect >/dev/null 2>&1 &
    slow=$!
    result 0 "nfs://127.0.0.1:$port/export" access 500 --proto $proto --no-ledger
    holds '.ops[2].latency_ns.p50 < 50000000' "others while replies wait, $proto"
    kill -INT $slow
    wait $slow || true
    result 0 "nfs://127.0.0.1:$port/export" getattr 5 --no-ledger --no-warmup --no-model --proto $proto
    holds '.ops[2].latency_ns.min > 50000000' "a reply that waits, $proto"
done
stop

# With squashing, root may not change objects of the superuser.
if [ "$(id -u)" -eq 0 ]; then
    start "$nfsbench" serve --root-squash
    refused 1 'NFS3ERR_ACCES' "nfs://127.0.0.1:$port/export" create 10 -q
    stop
fi

# Injected costs.
start "$nfsbench" serve --cost getattr=200us --cost read=100us
need jq
result 0 "nfs://127.0.0.1:$port/export" getattr,read 500
holds '.ops[2].latency_ns.min > 200000 and .ops[3].latency_ns.min > 100000'
stop

# Only calls to one of two addresses have costs, over TCP and UDP.
start "$nfsbench" serve --bind 127.0.0.1 --bind 127.0.0.2 --cost getattr=20ms --cost-address 127.0.0.2
for proto in tcp udp; do
    for host in 127.0.0.1 127.0.0.2; do
        result 0 "nfs://$host:$port/export" getattr 10 --no-baseline --no-ledger --no-warmup --allow-suspect \
            --proto $proto
        costs=$([ $host = 127.0.0.2 ] && echo true || echo false)
        holds "(.ops[0].latency_ns.min >= 20000000) == $costs" "calls to $host, $proto"
    done
done
stop

# Limits that all threads share: limited calls are not faster, on any machine, and other calls do not wait.
start "$nfsbench" serve --threads 4 --lock getattr=5ms --device 20ms/2
load="--clients 4 --no-ledger --no-warmup --no-model"
result measured "nfs://127.0.0.1:$port/export" getattr,write-file-sync,commit,write,access 60 $load
holds '[.ops[] | select(.op == "getattr") | .rate_per_s <= 200 and .latency_ns.min >= 5000000]' "calls that hold the lock"
holds '[.ops[] | select(.op == "write-file-sync" or .op == "commit") | .rate_per_s <= 100 and .latency_ns.min >= 20000000]' \
    "calls that wait for the device"
holds '[.ops[] | select(.op == "write" or .op == "access") | .latency_ns.min < 5000000]' "others"
stop

# Rates of calls and of bytes are limited. The run's set-up has used nearly all of the burst.
result measured self: getattr 100 --depth 4 --self-args '--call-rate 200/1'
holds '[.ops[] | select(.op == "getattr") | .rate_per_s <= 201]' "calls per second"
result measured self: read,getattr 50 --depth 4 --size 64Ki --self-args '--byte-rate 10Mi/64Ki'
holds '[.ops[] | select(.op == "read") | .mb_per_s <= 10.6]' "bytes per second"
finish
