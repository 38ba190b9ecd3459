#!/bin/sh
# The phases of calls under load, and of several ops: they add up to each call's lifetime, events are assigned to the
# right calls, and waiting is shown as queueing.
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
. "$(dirname "$0")/phases.sh"
need jq

# adds_up WHAT: fails unless nearly all calls are explained, and phases add up to the lifetime by the measuring clock
adds_up() {
    holds '[.ops[]? // .] | all(.explained >= 0.99 * .calls and .calls > 0)' "$1"
    holds '[.ops[]? // .] | all((.lifetime_ns.mean - .sum_ns | fabs) < 0.01 * .lifetime_ns.mean + 500)' "$1"
}

# all_ways TARGET: explains calls with a queue depth, with several clients, at a rate, and of a mix
all_ways() {
    explain "$1" getattr 1000 --depth 32
    adds_up 'depth 32'
    holds '.limited_by and .limit_evidence.by_load and (.limit_evidence.client_cpus > 0)' 'depth 32'
    holds '.load.depth == 32 and (.view | startswith("load-"))' 'depth 32'
    explain "$1" getattr,read 300 --clients 3 --depth 4
    adds_up 'clients'
    holds '.kind == "explanations" and [.ops[].op] == ["getattr", "read"]' 'clients'
    holds '.ops | all(.limited_by)' 'clients'
    explain "$1" getattr 400 --rate 2k
    adds_up 'a rate'
    holds '.load.rate_per_s == 2000 and .phases[0].key == "backlog"' 'a rate'
    explain "$1" mix:sfs2008 500 --depth 8
    adds_up 'a mix'
    holds '.mix == "sfs2008" and (.ops | length) > 5' 'a mix'
    holds '[.ops[].limited_by] | unique | length == 1' 'a mix'
}

if [ "$part" = ganesha ]; then
    all_ways 127.0.0.1:/export
    finish
fi

# With the server's phases (eBPF): eight calls in flight, and a server of one thread that takes 5 ms for each call.
if [ "$part" = server ]; then
explain self: getattr 80 --depth 8 --self-args '--cost getattr=5ms'
[ "$(jq .server_missing "$scratch/result.json")" = null ] || skip "the server's phases: $(jq .server_missing "$scratch/result.json")"

# One of eight calls is in the server's work; the other seven wait in the server.
queues='([.phases[] | select(.key == ("server-socket", "server-queue", "reply-wait")) | .adjusted_ns] | add)'
work='(.phases[] | select(.key == "server-work") | .adjusted_ns)'
adds_up 'a known cost'
holds "$work > 4.9e6 and $queues > 6 * 4.9e6" 'a known cost'
holds "$queues > 5.5 * $work and $queues < 7.5 * $work" 'a known cost'
explain self: getattr 80 --clients 8 --self-args '--cost getattr=5ms'
adds_up 'clients and a known cost'
holds "$work > 4.9e6 and $queues > 5 * 4.9e6" 'clients and a known cost'

# Calls that a delay of the server holds back do not wait for one another: the delay is server work, not queueing.
explain self: getattr 80 --depth 8 --self-args '--delay getattr=50ms'
adds_up 'a known delay'
holds "$work > 45e6 and ($queues) // 0 < 0.5 * $work" 'a known delay'
finish
fi

all_ways self:

# The limit of the load: calls wait for the processor of a server with one thread. Without the server's phases, only the
# busy resources show it. One call at a time has no limit.
explain self: getattr 2000 --depth 16 --self-args '--cost getattr=50us'
if [ "$(jq .server_missing "$scratch/result.json")" = null ]; then
    holds '.limited_by == "server-cpu" and .limit_evidence.by_phases == "server-cpu"' 'a busy server'
    tr -s '\n ' ' ' <"$scratch/out" | grep -q "limited by the server's processors: " || fail_showing 'no limit is printed' "$scratch/out"
fi
explain self: getattr 400 --clients 16 --self-args '--threads 4 --cost getattr=200us'
holds '.limited_by != "server-cpu" or .limit_evidence.by_load != "server-cpu" or
    ([.validity.reasons[].name] | index("waiting-for-processors") | not)' 'threads that share a processor'
explain self: getattr 400 --depth 16 --no-server --self-args '--cost getattr=1ms'
holds '.limit_evidence | .by_phases == "unknown" and .server_cpus > 0 and .server_cpu_ns_per_call > 0' 'a busy server from outside'
holds '.limited_by == .limit_evidence.by_load and (.limit_evidence.disagrees | not)' 'a busy server from outside'
explain self: getattr 100
holds 'has("limited_by") or has("limit_evidence") | not' 'one call at a time'

# Threads with different numbers of clients: the phases add up.
explain self: getattr 600 --clients 5 --depth 4 --threads 2
adds_up 'threads'

# Over UDP, only the client's phases are shown.
explain self: getattr 1000 --depth 8 --proto udp
adds_up 'datagrams'
holds '.view == "load-client" and (.server_missing | test("UDP")) and .stamps.lost < 0.01 * .calls' 'datagrams'
explain self: null,read 400 --clients 3 --threads 2 --proto udp --size 32k
adds_up 'several ops over UDP'

# The phases of a long message add up, although only its last packet has a timestamp. Of several ops called one at a
# time, the op of another service is left out.
explain self: write 200 --depth 4 --size 256k --no-server
adds_up 'long messages'
holds '.view == "load-client"' 'long messages'
explain self: null,mount-null,read 200
adds_up 'several ops'
holds '[.ops[].op] == ["null", "read"]' 'several ops'

# Calls that failed or were retransmitted are left out.
explain self: getattr 600 --depth 4 --no-server --self-args '--error getattr=NFS3ERR_JUKEBOX:30%'
holds '.left_out.failed > 0 and .explained + .left_out.failed == .calls' 'calls that fail'
explain self: getattr 2000 --depth 4 --no-server --self-args '--reset-after 500'
holds '.left_out.retransmitted > 0 and .explained > 0' 'connections that are lost'

# One call in four is logged, for all kinds of load.
for load in '--depth 1' '--depth 8' '--rate 5k' '--proto udp'; do
    # shellcheck disable=SC2086
    run measured explain self: getattr 400 --no-warmup --sample 1/4 -j "$scratch/result.json" $load
    adds_up "--sample $load"
    holds '.calls >= 80 and .calls <= 100 and .stamps.sample == 4 and .stamps.unmatched == 0' "--sample $load"
done

# Invalid arguments.
refused 2 'only calls to the NFS service' explain self: mount-null,mount-dump
finish
