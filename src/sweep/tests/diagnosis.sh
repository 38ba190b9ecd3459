#!/bin/sh
# The trials at the limits of a sweep: each trial that ends gives a figure, and --no-diagnosis makes no trials.
# (test_diagnosis.c tests which trials a limit has.)
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

# A server whose limit a few calls in flight reach, and a busy machine hardly changes.
start "$nfsbench" serve --call-rate 2000/20
url="nfs://127.0.0.1:$port/export?mountport=$port"

# has_trials FILTER: the only diagnosis must have the trials of all ops, and the jq FILTER must hold for its trials. On a busy
# machine, the throughput may seem to grow, so that the trials are left out.
has_trials() {
    if is_crowded && jq -e '.diagnoses[0].untried == "the throughput still grew"' "$scratch/result.json" >"$scratch/jq.out"; then
        left_out 'the throughput grew: the machine was too busy for the trials at its limit'
        return
    fi
    holds '.diagnoses | length == 1 and .[0].untried == null'
    holds ".diagnoses[0].trials | .connections == 4 and
        ([.connections_ratio, .null_alone_ns, .null_under_load_ns, .pause_ratio] | all(. > 0)) and ($1)"
}

run measured sweep --allow-suspect --depth 4,16 --size 64k "$url" read 400 --repeat 2 -j "$scratch/result.json"
has_trials '(.size_elasticity | type == "number") and (has("unstable_ratio") | not)'
holds '.no_diagnosis | not'
holds '.diagnoses[0] | .op == "read" and .clients == 1 and .connections == 1 and .depth == 16 and .size == 65536'
for proto in tcp udp; do
    run measured sweep --allow-suspect --depth 4,16 --size 4k "$url&proto=$proto" write-file-sync 2000 \
        --repeat 1 -j "$scratch/result.json"
    has_trials '.unstable_ratio > 0 and (.size_elasticity | type == "number")'
done
! has compare || run 0 compare "$scratch/result.json" "$scratch/result.json"

# Ops without a size have no trials of sizes. With --no-diagnosis there are no trials.
run measured sweep --allow-suspect --depth 4,16 "$url" getattr 400 --repeat 1 -j "$scratch/result.json"
has_trials 'has("size_elasticity") or has("unstable_ratio") | not'
run measured sweep --allow-suspect --depth 4,16 "$url" getattr 400 --repeat 1 --no-diagnosis -j "$scratch/result.json"
holds '.no_diagnosis and .diagnoses[0].trials == {}'

# A search, and points with rates, have a diagnosis, whose trials make a closed loop.
run measured sweep --allow-suspect --find-max 'p50<20ms' "$url" getattr --max-time 20s --no-warmup -j "$scratch/result.json"
holds '.diagnoses | length == 1 and .[0].rate_per_s > 0 and (.[0].untried | . == null or type == "string")'
run measured sweep --allow-suspect --rate 1k,50k "$url" getattr 1000 --repeat 1 -j "$scratch/result.json"
holds '.diagnoses | length == 1 and .[0].rate_per_s > 0 and (.[0].untried | . == null or type == "string")'
# Before the first replies, 1000 calls are sent at any rate. But this server can't answer 50,000 calls/s.
holds '.cells[1] | .rate_per_s == 50000 and .invalid_units == 1 and .limited_by != "none"'

# If time or growth prevents trials, the result says why. Without several loads, there are no trials. (On a busy machine, 2 s
# are too short for two sizes.)
run measured sweep --allow-suspect --depth 1,2 --size 1k,4k "$url" read --max-time 2s --repeat 1 -j "$scratch/result.json"
holds '[.diagnoses[] | (.untried | type == "string") or (.trials | length > 0)] | length > 0 and all'
run measured sweep --allow-suspect --depth 1 --size 1k,4k "$url" read 100 --repeat 1 -j "$scratch/result.json"
holds '[.diagnoses[].trials] | all(. == {})'
stop
start "$nfsbench" serve --delay getattr=5ms
url="nfs://127.0.0.1:$port/export?mountport=$port"
run measured sweep --allow-suspect --clients 1,4 "$url" getattr 100 --repeat 1 -j "$scratch/result.json"
holds '.diagnoses[0] | .untried == "the throughput still grew" and .trials == {}'
stop

# The trials end in time.
before=$(date +%s)
run measured sweep --allow-suspect --depth 4,16 self: read --max-time 5s -j "$scratch/result.json"
[ $(($(date +%s) - before)) -le 30 ] || fail '--max-time 5s took too long'

# Ctrl-C, or a server that ends or stops, during the trial of more connections: the result has all points. The trial has
# begun when the client has 32 connections, more than at any point. The server answers 300 calls per second, so that a
# busy machine neither changes the throughput from point to point nor misses the trial.
for how in interrupt kill freeze; do
    start "$nfsbench" serve --call-rate 300/1
    begin sweep --allow-suspect --clients 8 --depth 1,4 "nfs://127.0.0.1:$port/export" getattr 200 --repeat 1 --timeout 1s
    # shellcheck disable=SC2012
    within 30 '[ "$(ls -l "/proc/$client/fd" 2>/dev/null | grep -c socket:)" -ge 32 ]' || fail "no trial of connections: $how"
    case $how in
    interrupt) kill -INT "$client" ;;
    kill) kill_server ;;
    freeze) freeze "$server_pid" ;;
    esac
    if [ $how = interrupt ]; then
        ended_with 1 'Ctrl-C in a trial'
        grep -q '^nfsbench: interrupted$' "$scratch/err" || fail_showing 'Ctrl-C in a trial is not reported' "$scratch/err"
        holds '.cut_short_by == "interrupted"'
    else
        ended_with measured "the server in a trial: $how"
        holds 'has("cut_short_by") | not'
    fi
    holds '[.cells[] | .units == 1] | length == 2 and all' "$how"
    holds '.diagnoses[0].trials | .null_under_load_ns > 0 and (has("connections_ratio") | not)' "$how"
    [ -z "$server_pid" ] || kill_server
done
finish
