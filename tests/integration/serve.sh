#!/bin/sh
# nfsbench serve as a command: the ready line, its ports, the clean stop, bad circumstances.
. "$(dirname "$0")/lib.sh"

start "$nfsbench" serve
[ "$(wc -l <"$scratch/server.out")" -eq 1 ] || fail "more than a ready line"
grep -q "^nfsbench serve: ready port=$port mountport=$port export=/export" "$scratch/server.out" ||
    fail "the ready line"

# The port is taken: told at once.
refused 2 'in use' serve --port "$port"
stop

# A given port, a given address, and Ctrl-C.
start "$nfsbench" serve --port "$port" --bind 127.0.0.1
run 0 "nfs://127.0.0.1:$port/export" getattr 100
kill -INT "$server_pid"
status=0
wait "$server_pid" || status=$?
server_pid=
[ $status -eq 0 ] || fail "SIGINT: status $status"

# On any address, UDP replies come from the address that was asked.
start "$nfsbench" serve --bind 0.0.0.0
run 0 "nfs://127.0.0.7:$port/export?proto=udp" getattr 100
stop

# SIGTERM is heard by a server that never has to wait. ThreadSanitizer keeps signals back until the
# program blocks, which is just what this server does not do.
run 0 --version
if grep -q thread "$scratch/out"; then
    echo "left out under ThreadSanitizer: SIGTERM under load"
elif command -v python3 >/dev/null; then
    start "$nfsbench" serve
    for _ in 1 2; do
        python3 "$here/flood.py" "$port" &
    done
    sleep 1
    stop
    wait
fi

# Injected costs.
start "$nfsbench" serve --cost getattr=200us --cost read=100us
need jq
run 0 "nfs://127.0.0.1:$port/export" getattr,read 500 -j "$scratch/result.json"
holds '.ops[2].above_null_ns.estimate > 150000 and .ops[3].above_null_ns.estimate > 80000'
stop
finish
