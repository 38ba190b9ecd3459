#!/bin/sh
# A server that stalls: the result has the stall and its length, and the text shows it. Over UDP, calls that the stopped
# server's full socket buffer drops are answered a second later than the others, which does not lengthen the stall.
# NFSBENCH_STOPS (default 1) sets the number of runs of each form, each with one stop.
. "$(dirname "$0")/lib.sh"
need python3

start "$nfsbench" serve
for form in '' '--proto udp' '--depth 16' '--clients 3' '--launches 3' '--proto udp --depth 4' \
    '--rate 500' '--rate 500 --proto udp' '--rate 500 --proto udp --clients 2 --threads 2' '--engine libnfs --depth 4'; do
    # shellcheck disable=SC2086
    python3 "$here/stalls.py" "$nfsbench" $server_pid "${NFSBENCH_STOPS:-1}" \
        "nfs://127.0.0.1:$port/export" getattr --max-time 4s --precision 0.0001% $form || fail "form: $form"
done
finish
