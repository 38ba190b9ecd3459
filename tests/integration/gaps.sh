#!/bin/sh
# Calls of a measuring run whose server is away for a while.
. "$(dirname "$0")/lib.sh"
need jq

start "$nfsbench" serve
# A measuring run whose server is killed for a second: calls that were sent again are in no percentile, and their gap
# is shown; or they are counted. Neither warm-up nor the calls that fill a connection at the start of a block are in
# percentiles: there is no warm-up here, and blocks are long.
for more in "" "--depth 4" "--count-resent" "--count-resent --depth 4" "--engine tirpc"; do
    rm -f "$scratch/result.json"
    # shellcheck disable=SC2086
    "$nfsbench" run --allow-suspect "nfs://127.0.0.1:$port/export?mountport=$port" null --max-time 8s --precision 0.001% \
        --no-baseline --no-ledger --no-warmup --block 10000 --launches 1 --timeout 20s $more -j "$scratch/result.json" \
        >"$scratch/out" 2>"$scratch/err" &
    run=$!
    sleep 1
    kill_server
    sleep 1
    start "$nfsbench" serve --port "$port"
    wait $run || true
    holds '.ops[0] | .gaps_in_all >= 1 and .gaps[0].length_s > 0.9 and .gaps[0].calls >= 1' "$more"
    grep -q 'gap of [0-9.]* s at [0-9.]* s' "$scratch/out" || fail "the gap is not shown: $(cat "$scratch/out")"
    case $more in
    --count*) holds '.config.count_resent and .ops[0].latency_ns.max >= .ops[0].gaps[0].length_s * 0.99e9' "$more" ;;
    *) holds '(.config.count_resent | not) and .ops[0].latency_ns.max < .ops[0].gaps[0].length_s * 1e9' "$more" ;;
    esac
done
stop
finish
