#!/bin/sh
# The embedded server and a client that has many calls in flight on one connection.
. "$(dirname "$0")/lib.sh"
need python3

# check OPTIONS...: test a server with these options; $words are the client's arguments
check() {
    start "$nfsbench" serve "$@"
    # shellcheck disable=SC2086
    timeout 120 python3 "$here/pipelined.py" "$port" $words >"$scratch/pipelined" 2>&1 ||
        fail_showing "serve $*" "$scratch/pipelined"
    stop
}

words=
check --threads 1
check --threads 3
check --threads 2 --service-times
check --threads 1 --cost getattr=1us
words=delayed
check --threads 1 --delay access=300ms
finish
