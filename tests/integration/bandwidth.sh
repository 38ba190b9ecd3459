#!/bin/sh
# Bandwidth with its interval, and as a share of a local directory's bandwidth; directories that are refused; files left behind.
. "$(dirname "$0")/lib.sh"
need jq

local=$scratch/local
mkdir "$local"
alone='--no-baseline --no-warmup --launches 1'

left() {
    [ -z "$(ls -A "$local")" ] || fail "left in the directory: $(ls -A "$local"): $*"
}

# shellcheck disable=SC2086
result 0 self: read,write,commit 400 -s 64Ki --files 2 --file-size 512Ki $alone --baseline-dir "$local" \
    --csv "$scratch/ops.csv" --openmetrics "$scratch/metrics" --markdown "$scratch/ops.md"
left 'after a run'
holds '[.ops[].op] == ["read", "read-local", "write", "write-local", "commit", "commit-local"]' 'the ops'
holds '[.ops[].role] == ["op", "local", "op", "local", "op", "local"]' 'the roles'
holds '[.ops[].errors == {}] | all' 'errors'
# A rate has no interval if a busy machine makes the rounds very unsteady.
holds '[.ops[0, 2] | .bandwidth | (.mb_per_s | .estimate > 0 and
        (.ci95 == null or (.ci95[0] <= .estimate and .estimate <= .ci95[1]))) and .client_cpu_ns_per_mib > 0 and .server_cpu_ns_per_mib > 0] | all' \
    'bandwidth'
holds '[.ops[0, 2, 4].of_local | .ci95 == null or (.ci95[0] <= .estimate and .estimate <= .ci95[1])] | all' 'shares'
holds '.ops | (.[0].of_local.estimate / (.[0].mb_per_s / .[1].mb_per_s) - 1 | fabs) < 1e-6' 'the share is of the rates'
holds '.ops[1] | .bytes.call == 0 and .bandwidth.server_cpu_ns_per_mib == null and .places == 16' 'the local op'
holds '.config.baseline_dir | .path == "'"$local"'" and .bytes == 1048576 and .direct == false' 'the directory'
grep -q 'read of 65,536 bytes: .* MB/s, .* times .* than the .* MB/s of the local directory' "$scratch/out" || fail 'the text lacks the share'
grep -q 'the server had in its caches is not known' "$scratch/out" || fail 'the text says nothing of caches'
grep -q ',of_local,' "$scratch/ops.csv" || fail 'CSV lacks the share'
grep -q 'nfsbench_of_local_ratio{.*op="read".*bound="low"' "$scratch/metrics" || fail 'OpenMetrics lacks the share'
is_crowded || grep -q '^| read |.*\[' "$scratch/ops.md" || fail 'Markdown lacks the bandwidth'
run 0 report "$scratch/result.json" -o "$scratch/report.html"
grep -q 'of the local directory' "$scratch/report.html" || fail 'the report lacks the share'
run 0 compare "$scratch/result.json" "$scratch/result.json"
grep -q 'read-local' "$scratch/out" || fail 'compare lacks the local op'

# Under load, the calls in flight are as many on the local directory as on the server.
# shellcheck disable=SC2086
result 0 self: read,write-file-sync 300 -s 4Ki -c 2 -d 3 $alone --no-ledger --baseline-dir "$local"
left 'after a load'
holds '[.ops[] | .load.clients | length] == [2, 2, 2, 2] and ([.ops[].errors == {}] | all)' 'a load'
holds '.ops[0] | .of_local.estimate > 0 and .bandwidth.client_cpu_ns_per_mib > 0' 'the share under load'

# A mix has one series on local files, of all its ops. With --versus, only the first of the two results has this series.
result 0 self: mix:read=50,write=50 400 -s 4Ki -c 2 -d 2 --files 2 --file-size 64Ki --no-warmup --launches 1 --no-ledger \
    --baseline-dir "$local" --versus proto=udp
left 'after a mix'
holds '[.first, .second] | map([.ops[].op] - ["null", "null_control"]) == [["mix", "read", "write", "mix-local"], ["mix", "read", "write"]]' 'a mix'
holds '.first.ops[] | select(.op == "mix") | .of_local.estimate > 0 and .mb_per_s > 0' 'the share of a mix'
holds '[.first.ops[].errors == {}] | all' 'errors of a mix'
grep -q '^  mix .* MB/s, .* times .* than the .* of the local' "$scratch/out" || fail 'the text lacks the mix'

for signal in INT KILL; do
    # shellcheck disable=SC2086
    env --default-signal=INT "$nfsbench" self: read 1000M $alone --no-ledger --baseline-dir "$local" >/dev/null 2>&1 &
    client=$!
    within 30 '[ "$(ls -A "$local")" ]' || fail "no directory is made"
    kill -$signal $client
    wait $client || true
    within 30 '[ -z "$(ls -A "$local")" ]' || true
    left "after SIG$signal"
done

refused 2 '/none: No such file or directory' self: read 10 --baseline-dir "$scratch/none"
refused 2 'Not a directory' self: read 10 --baseline-dir "$scratch/out"
refused 2 '/proc: ' self: read 10 --baseline-dir /proc
refused 2 'for read, write' self: getattr 10 --baseline-dir "$local"
refused 2 'leave out other ops' self: mix:sfs3 10 --files 1 --baseline-dir "$local"
refused 2 'give --files' self: mix:read=1,write=1 10 --baseline-dir "$local"
refused 2 'leave out --.* or --rate' self: read 10 --rate 10 --baseline-dir "$local"
refused 2 'as many threads' self: read 10 --depth 2000 --baseline-dir "$local"
refused 2 'needs --baseline-dir' self: read 10 --baseline-direct
left 'after what was refused'

refused_on rw 2 '262144 bytes are needed.*, and 4096 are free' . self: read 10 --files 1 --file-size 256Ki -q --baseline-dir
refused_on ro 2 'Read-only file system' . self: read 10 --files 1 --file-size 256Ki -q --baseline-dir
finish
