#!/bin/sh
# The embedded server's memory with peers that try to exhaust it.
. "$(dirname "$0")/lib.sh"
need python3

# check CASE OPTIONS...: test a server with these options
check() {
    case=$1
    shift
    start "$nfsbench" serve --threads 2 "$@"
    timeout 200 python3 "$here/scarce.py" "$case" "$port" $server_pid >"$scratch/scarce" 2>&1 ||
        fail "$case: serve $*"
    cat "$scratch/scarce"
    stop
}

# With a sanitizer, the server's growth is not checked, because it includes the sanitizer's own.
run 0 --version
! grep -qE 'address|thread' "$scratch/out" || export nfsbench_sanitized=1

check idle
check claims
check residences
check crowd --held 4MiB
check crowd --held 0
check hoard --held 8MiB --stall 10s
check unread --held 8MiB --stall 10s
check fair --held 64MiB --stall 60s
check fair_delayed --held 64MiB --stall 60s --delay read=200ms
check kept_back --held 16MiB --delay read=200ms

refused 2 'held' serve --held some
refused 2 'stall' serve --stall 0
refused 2 'only --port' serve --echo --held 5MiB
refused 2 'only --port' serve --echo --stall 5s
finish
