#!/bin/sh
# --one-processor: all threads of client and server are on the processor that the result names. A server that can't be bound
# is refused.
. "$(dirname "$0")/lib.sh"
need jq taskset pgrep

# Options that can't be combined with --one-processor, or would have another meaning
running=nfs://127.0.0.1:1/export
refused 2 'a server that runs already is not moved' $running getattr 10 --one-processor
refused 2 'a server that runs already is not moved' self: getattr 10 --one-processor --versus $running
refused 2 'the server wait while the client polls; leave out --one-processor or --spin' self: getattr 10 --one-processor --spin
refused 2 'even when they are due; leave out --one-processor or --rate' self: getattr 10 --one-processor --rate 10
refused 2 'leave out --.* or --pin' self: getattr 10 --one-processor --pin 0
refused 2 'leave out --.* or --vary' self: getattr 10 --one-processor --vary depth=1,2

# descendants PID: print PID and its descendants
descendants() {
    echo "$1"
    for child in $(pgrep -P "$1"); do
        descendants "$child"
    done
}

# where PID: print the lists of processors that the threads of PID and its descendants may run on, with the number of
# threads
where() {
    for pid in $(descendants "$1"); do
        sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/"$pid"/task/*/status 2>/dev/null || true
    done | sort | uniq -c
}

# serves PID COUNT: return whether COUNT or more descendants of PID are servers
serves() {
    found=0
    for pid in $(descendants "$1"); do
        [ "$(tr '\0' '\n' <"/proc/$pid/cmdline" | sed -n 2p)" != serve ] || found=$((found + 1))
    done
    [ $found -ge "$2" ]
}

# bound SERVERS THREADS ARGUMENT...: make a run that has SERVERS servers at once, and at least THREADS threads
bound() {
    servers=$1 threads=$2
    shift 2
    begin "$@" --one-processor --allow-suspect --max-time 6s --precision 0.0001%,1ns
    within 20 serves "$client" "$servers" || fail_showing "no server: $*" "$scratch/err"
    # Wait, because launches and the threads of their clients start after the servers.
    within 20 "where $client >\"$scratch/where\"; awk '{ n += \$1 } END { exit n < $threads }' \"$scratch/where\"" ||
        fail_showing "fewer threads than $threads: $*" "$scratch/where"
    await "$*"
    [ "$(wc -l <"$scratch/where")" -eq 1 ] || fail_showing "more than one processor: $*" "$scratch/where"
    processor=$(awk '{ print $2 }' "$scratch/where")
    # shellcheck disable=SC2016
    jq -e --argjson cpu "$processor" --argjson of "$(nproc)" '[.. | .config? // empty | .one_processor, .client_cpus] | unique |
        length == 2 and .[0] == ($cpu | tostring) and .[1].cpu == $cpu and .[1].chosen_from == $of' \
        "$scratch/result.json" >"$scratch/jq.out" || fail "the result does not name processor $processor: $*"
    jq -e '[.. | .reasons? // empty | .[].name] | (index("shared-core") or index("preempted")) | not' \
        "$scratch/result.json" >"$scratch/jq.out" || fail "it is suspect because of what was asked for: $*"
}
bound 1 2 self: getattr,read --launches 1
bound 1 3 self: getattr --launches 2 --self-args '--threads 2'
bound 1 5 self: getattr --launches 1 --clients 4 --threads 4 --depth 4
bound 2 3 self: getattr --launches 1 --versus self:

# Servers of commands, in a separate network, where no server of another test answers
if unshare -n true 2>/dev/null; then
    first=nfs://127.0.0.1:20499/export second=nfs://127.0.0.1:20500/export
    serve="$nfsbench serve --threads 1"
    alone bound 1 4 $first getattr --launches 2 --server-start "$serve --port 20499"
    alone bound 2 5 $first getattr --launches 1 --server-start "$serve --port 20499" \
        --versus $second --versus "server-start=$serve --port 20500"
    [ "$(nproc)" -eq 1 ] ||
        alone refused 2 'is not bound to processor [0-9]* like nfsbench' $first getattr 10 --one-processor \
            --server-start "exec taskset -c 0-$(($(nproc) - 1)) $serve --port 20499"
else
    left_out "servers of commands: no network of its own"
fi

# A measurement with --one-processor is not compared with one without.
run 0 self: getattr 300 --no-ledger -q --one-processor -j "$scratch/one.json"
run 0 self: getattr 300 --no-ledger -q -j "$scratch/two.json"
run 0 compare "$scratch/one.json" "$scratch/two.json"
[ "$(grep -c 'not comparable: client and server on one processor against without --one-processor' "$scratch/out")" -eq 2 ] ||
    fail_showing 'results of both kinds are compared' "$scratch/out"
run 0 compare "$scratch/one.json" "$scratch/one.json"
! grep -q 'not comparable' "$scratch/out" || fail_showing 'results of one kind are not compared' "$scratch/out"

# Other load on the processor is a reason to doubt, here a loop on the only processor that may be chosen.
if [ -r /proc/self/schedstat ]; then
    cpu=$(taskset -cp $$ | sed 's/.*[ ,-]//')
    timeout 500 taskset -c "$cpu" sh -c 'while :; do :; done' &
    others=$!
    apart="taskset -c $cpu"
    result 0 self: getattr 20k --no-ledger --no-warmup --one-processor --allow-suspect
    apart=
    kill $others
    holds '[.validity.reasons[].name] | index("waited-for-processor")' 'beside a busy loop'
    # shellcheck disable=SC2016
    holds ".config.one_processor == {cpu: $cpu, chosen_from: 1}" 'the only processor'
else
    left_out "the kernel does not say how long a process waits for a processor"
fi
finish
