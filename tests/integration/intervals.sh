#!/bin/sh
# --interval: the results of each interval, as lines, JSON lines, CSV and OpenMetrics. Their sum is the run's result. Ctrl-C
# keeps all that was written.
. "$(dirname "$0")/lib.sh"
need jq python3
cd "$scratch"

log() { # log NAME ARGUMENT...: make a run that writes the interval log NAME
    name=$1
    shift
    run measured self: read --max-time 4s --precision 0.001% --depth 4 --no-ledger --interval 200ms \
        --interval-log "$name" -j result.json "$@"
}

log log.jsonl
[ "$(jq -s length log.jsonl)" -ge 3 ] || fail "few intervals: $(cat log.jsonl)"
jq -es 'all(.ended_s > .began_s) and ([.[].ops[] | select(.timed > 0) | .p50_ns <= .p99_ns and .p99_ns <= .max_ns] | all)' \
    log.jsonl >/dev/null || fail "odd intervals: $(cat log.jsonl)"
for op in null read; do
    [ "$(jq -s "[.[].ops[] | select(.op == \"$op\") | .timed] | add" log.jsonl)" = \
        "$(jq ".ops[] | select(.op == \"$op\") | .timed" result.json)" ] || fail "$op: the intervals do not add up"
done
grep -Eq '^ +[0-9.]+ s +read +[0-9,]+/s +p50 +[0-9.]+ .* above null  [0-9.]+ MB/s' err || fail "no lines: $(cat err)"

log log.csv -q
[ ! -s err ] || fail "--quiet prints lines: $(cat err)"
head -n 1 log.csv | grep -q '^at,began_s,ended_s,op,calls' || fail "CSV without a heading"
awk -F, '{ if (NF != 16) exit 1 }' log.csv || fail "CSV with odd lines: $(cat log.csv)"
log log.prom
grep -q '^nfsbench_interval_calls_per_second{target="self:",op="read"} [0-9]' log.prom || fail "OpenMetrics: $(cat log.prom)"
[ "$(tail -n 1 log.prom)" = '# EOF' ] || fail "OpenMetrics is not whole"

# The rates of a mix's ops add up to the mix's rate.
run measured self: mix:read=50,getattr=50 --max-time 2s --no-ledger -q --interval 200ms --interval-log mix.jsonl
jq -es 'all([.ops[] | select(.op == "read" or .op == "getattr").rate_per_s] as $rates |
    (.ops[] | select(.op == "mix").rate_per_s) / ($rates | add) | . > 0.99 and . < 1.01)' mix.jsonl >/dev/null ||
    fail "the rates of a mix: $(cat mix.jsonl)"

# On a terminal, the lines of an interval, here two, replace the lines of the interval before.
script -qc "$nfsbench self: getattr --max-time 3s --precision 0.001% --no-ledger --interval 200ms --allow-suspect" \
    /dev/null </dev/null >terminal
grep -q "$(printf '\033\[2A\033\[J')" terminal || fail "a terminal has each interval below the last: $(cat -v terminal)"
script -qc "stty rows 2 cols 80; $nfsbench self: getattr --max-time 3s --precision 0.001% --no-ledger --interval 200ms \
    --allow-suspect" /dev/null </dev/null >terminal
! grep -q "$(printf '\033\[2A')" terminal || fail 'lines are replaced that a small screen no longer has'

# A stall is reported while it happens.
start "$nfsbench" serve
(sleep 2; kill -STOP $server_pid; sleep 4; kill -CONT $server_pid) &
script -qc "$nfsbench nfs://127.0.0.1:$port/export getattr --max-time 8s --precision 0.001% --no-ledger --allow-suspect" \
    /dev/null </dev/null >terminal
wait $!
stop
grep -q 'no round has ended for [1-9] s; the longest one before took' terminal || fail "a stall is not seen: $(cat -v terminal)"

# Ctrl-C
"$nfsbench" self: getattr --max-time 1min --precision 0.001% --no-ledger --interval 100ms --interval-log cut.jsonl \
    -q --allow-suspect &
pid=$!
within 10 '[ "$(wc -l 2>/dev/null <cut.jsonl || echo 0)" -ge 2 ]' || true
kill -INT $pid
wait $pid || true
[ "$(jq -s length cut.jsonl)" -ge 2 ] || fail "Ctrl-C left less than was measured"

ln -s elsewhere link.jsonl
refused 2 'interval-log link.jsonl' self: null 10 --interval 1s --interval-log link.jsonl
refused 2 'needs --interval' self: null 10 --interval-log x.jsonl
refused 2 'is for one launch;' self: null 10 --interval 1s --launches 3
run 0 self: null 400 --interval 1s --launches 1 --no-ledger --allow-suspect
finish
