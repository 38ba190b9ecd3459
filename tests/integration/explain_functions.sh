#!/bin/sh
# Which functions of the kernel run for a call, on either side: as many as the system calls that are made, of the
# transport that is used, more for several ops than for none, and what is not counted is named.
. "$(dirname "$0")/lib.sh"
need jq

# functions ARGUMENT...: counts to $result.json; the test is skipped where the kernel does not allow it.
functions() {
    "$nfsbench" explain --functions --no-warmup -j "$scratch/result.json" --force "$@" >"$scratch/out" 2>"$scratch/err" && return
    grep -q 'may not load eBPF\|lets no function\|refused the eBPF\|built without\|own process numbers' "$scratch/err" &&
        skip "counting the kernel's functions: $(cat "$scratch/err")"
    cat "$scratch/err" >&2
    fail "explain --functions $*"
}

refused 2 'exclude each other' explain --functions --xdr self: getattr
refused 2 'phases only' explain --functions --slowest 3 self: getattr

functions self: getattr,read 1000
per_call='def per_call($op; $name; $side): .ops[] | select(.op == $op) | .functions[] | select(.name == $name) | .[$side];'
# The last call of a block can be counted in the next block: a tracepoint that ends a send() comes after the send
# has woken the peer. So a call's count may be short by one in each of the ten blocks of 100.
# count OP NAME SIDE CONDITION
count() {
    holds "$per_call per_call(\"$1\"; \"$2\"; \"$3\") | .estimate | $4" "$2 of $1, $3"
}
holds '[.ops[].op] == ["null", "getattr", "read"] and .ops[1].calls == 1000 and .rounds == 10' 'the ops'
for side in client server; do
    for op in null getattr read; do
        count $op sys_enter $side '. > 1.9 and . < 6'
        count $op sock_send_length $side '. > 0.9 and . < 1.5'
        count $op tcp_rcv_space_adjust $side '. > 0.9'
    done
done
holds "$per_call per_call(\"read\"; \"sys_enter\"; \"server\") | .ci95[0] <= .estimate and .estimate <= .ci95[1]" 'intervals'
holds '(.missing | length) + (.ops[0].functions | length) > 100 and all(.missing[]; .reason != "")' 'what is missing'
grep -q '^ *net_dev_start_xmit ' "$scratch/out" || fail 'the text has no line for what ran'
jq -r '[.ops[].functions[]] | group_by(.name)[] | select(all(.[]; [.client, .server, .elsewhere] | all(.estimate == 0)))
    | .[0].name' "$scratch/result.json" >"$scratch/idle"
while read -r name; do
    ! grep -q "^ *$name " "$scratch/out" || fail "the text has a line for $name, which did not run"
done <"$scratch/idle"

# Functions themselves, where the kernel permits that.
if jq -e '.ops[0].functions[] | select(.name == "tcp_sendmsg")' "$scratch/result.json" >/dev/null; then
    count getattr tcp_sendmsg client '. > 0.9 and . < 1.5'
    count getattr tcp_sendmsg server '. > 0.9 and . < 1.5'
    count getattr udp_sendmsg client '. < 0.1'
else
    echo 'not tested: functions, which this kernel does not permit to be traced'
fi

functions self: getattr 1000 --proto udp
count getattr sock_send_length client '. > 0.9'
count getattr tcp_rcv_space_adjust client '. == 0'

# Many calls are in one send().
functions self: getattr 4000 --depth 32 --csv "$scratch/table.csv"
count getattr sock_send_length client '. < 0.9'
holds '.load.depth == 32' 'the load'
grep -q ',getattr,sys_enter,tracepoint,calls,' "$scratch/table.csv" || fail 'not a line for each in the CSV'
finish
