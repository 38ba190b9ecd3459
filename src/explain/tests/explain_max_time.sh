#!/bin/sh
# --max-time limits the complete command, for explain as well.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need unshare nsenter ip jq

# A name server in a separate network does not answer: --max-time also ends the lookup of the echo's name.
if [ "$part" = inside ]; then
    ip link set lo up
    far_network
    nsenter -t "$far_network" -n ip link set far0 arp off
    ip neigh replace 10.99.1.3 lladdr 02:00:00:00:00:03 dev near0
    echo 'nameserver 10.99.1.3' >"$scratch/resolv.conf"
    mount --bind "$scratch/resolv.conf" /etc/resolv.conf
    refused 3 "the bare echo: looking up the host 'far.example': no name server has answered yet" \
        explain --ladder --echo far.example:1 self: getattr --timeout 10min --retrans 16 --max-time 1s
    finish
fi
if unshare -n -m true 2>/dev/null; then
    unshare -n -m --kill-child "$0" "$nfsbench" inside || fail 'a name server that does not answer'
else
    left_out 'no privilege for namespaces'
fi

# Waiting for a command on the server's machine takes at most half of the time.
result 0 explain self: getattr --max-time 10s --server-cmd 'sleep 1000;'
holds '.calls > 0 and (.server_missing | test("no answer"))'

# Trial calls get a small share of the time. Their files are made one by one, so few files are made if time is short.
# The error names the shortest sufficient time.
start "$nfsbench" serve --delay create=100ms --delay remove=100ms --call-log "$scratch/calls"
refused 2 'too short for 8 rounds .*; use --max-time [0-9]+s' explain -q --max-time 5s --depth 64 \
    "nfs://127.0.0.1:$port/export?mountport=$port" remove
stop
removed=$(awk '$3 == 12' "$scratch/calls" | wc -l)
[ "$removed" -gt 0 ] && [ "$removed" -lt 60 ] || fail "$removed files were removed to see how long that takes"

# A time that is too short is refused before the op is tried. (This op would fail.)
for words in '' '--xdr' '--ladder' '--depth 16' '--rate 20'; do
    # shellcheck disable=SC2086
    refused 2 'use --max-time [0-9]+s' explain $words self: access --max-time 2s \
        --self-args "$(slow 150ms) --error access=NFS3ERR_IO"
done
finish
