#!/bin/sh
# The trials at the limits of a sweep: each trial that ends gives a figure, and --no-diagnosis makes no trials.
# (test_diagnosis.c tests which trials a limit has.)
here=$(dirname "$0")/../../../tests/integration
. "$here/lib.sh"
need jq

# A server with one thread, whose calls take so long that a few calls in flight reach its limit.
start "$nfsbench" serve --threads 1 --cost read=200us --cost write=500us --cost getattr=500us
url="nfs://127.0.0.1:$port/export?mountport=$port"

# shellcheck disable=SC2016
trials='def trials: .diagnoses | length == 1 and (.[0] | .untried == null and (.trials | .connections == 4 and
    ([.connections_ratio, .null_alone_ns, .null_under_load_ns, .pause_ratio] | all(. > 0))));'
run measured sweep --allow-suspect --depth 4,16 --size 64k "$url" read 400 --repeat 2 -j "$scratch/result.json"
holds "$trials"' trials and (.no_diagnosis | not)'
holds '.diagnoses[0] | .op == "read" and .clients == 1 and .connections == 1 and .depth == 16 and .size == 65536'
holds '.diagnoses[0].trials | (.size_elasticity | type == "number") and (has("unstable_ratio") | not)'
for proto in tcp udp; do
    run measured sweep --allow-suspect --depth 4,16 --size 4k "$url&proto=$proto" write-file-sync 2000 \
        --repeat 1 -j "$scratch/result.json"
    holds "$trials"' trials and .diagnoses[0].trials.unstable_ratio > 0'
    holds '.diagnoses[0].trials.size_elasticity | type == "number"'
done
! has compare || run 0 compare "$scratch/result.json" "$scratch/result.json"

# Ops without a size have no trials of sizes. With --no-diagnosis there are no trials.
run measured sweep --allow-suspect --depth 4,16 "$url" getattr 400 --repeat 1 -j "$scratch/result.json"
holds "$trials"' trials and (.diagnoses[0].trials | has("size_elasticity") or has("unstable_ratio") | not)'
run measured sweep --allow-suspect --depth 4,16 "$url" getattr 400 --repeat 1 --no-diagnosis -j "$scratch/result.json"
holds '.no_diagnosis and .diagnoses[0].trials == {}'

# A search, and points with rates, have a diagnosis, whose trials make a closed loop.
run measured sweep --allow-suspect --find-max 'p50<20ms' "$url" getattr --max-time 20s --no-warmup -j "$scratch/result.json"
holds '.diagnoses | length == 1 and .[0].rate_per_s > 0 and (.[0].untried | . == null or type == "string")'
run measured sweep --allow-suspect --rate 1k,50k "$url" getattr 1000 --repeat 1 -j "$scratch/result.json"
holds '.diagnoses | length == 1 and .[0].rate_per_s > 0 and (.[0].untried | . == null or type == "string")'
# Before the first replies, 1000 calls are sent at any rate. But this server can't answer 50,000 calls/s.
holds '.cells[1] | .rate_per_s == 50000 and .invalid_units == 1 and .limited_by != "none"'

# If time or growth prevents trials, the result says why. Without several loads, there are no trials. (On a busy machine, 1 s is
# too short for two sizes.)
run measured sweep --allow-suspect --depth 1,2 --size 1k,4k "$url" read --max-time 1s --repeat 1 -j "$scratch/result.json"
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
