#!/bin/sh
# Measurements of the embedded server: every read-only procedure, both transports, both engines, IPv4 and IPv6; and the JSON
# result.
. "$(dirname "$0")/lib.sh"
need jq

start "$nfsbench" serve
ops='["null","null_control","getattr","lookup","access","readlink","read","readdir","readdirplus","fsstat","fsinfo","pathconf"]'

# check NAME: check properties that every good result has
check() {
    holds '.schema == "nfsbench-result/2" and .kind == "measurement" and .tool.name == "nfsbench"' "$1"
    holds '.cut_short == false' "$1"
    holds '[.ops[] | .errors == {} and .calls == .timed] | all' "$1"
    holds '[.ops[] | .retransmits == 0 or .retransmits == null] | all' "$1"
    holds '[.ops[].latency_ns | 0 < .min and .min <= .p50 and .p50 <= .p90 and .p90 <= .p99
            and .p99 <= .p999 and .p999 <= .p9999 and .p9999 <= .max
            and .min <= .mean and .mean <= .max] | all' "$1"
    holds '[.ops[] | (.histogram.count | add) == .timed] | all' "$1"
    holds '.config.rounds as $n | [.ops[].blocks | length == $n] | all' "$1"
    holds '.config.rounds as $n | [.ops[] | select(.op != "null") | .above_null_ns
            | if $n == 1 then .ci95 == null
              else .ci95[0] <= .estimate and .estimate <= .ci95[1] end] | all' "$1"
    holds '.setup.mount_ns > 0 and .setup.unmount_ns > 0' "$1"
}

for host in 127.0.0.1 '[::1]'; do
    [ "$host" = 127.0.0.1 ] || have IPv6 || continue
    for proto in tcp udp; do
        for engine in $(engines wire tirpc); do
            name="$engine over $proto at $host"
            result 0 "nfs://$host:$port/export?proto=$proto" read-only 250 --engine $engine --verify
            check "$name"
            holds "[.ops[].op] == $ops" "$name"
            holds '[.ops[].calls == 250] | all' "$name"
            holds ".config.engine == \"$engine\" and .target.proto == \"$proto\"" "$name"
        done
    done
done

# Sizes on the wire follow from RFC 5531 and RFC 1813. With AUTH_NONE over UDP: a call of 40 bytes without arguments, a reply of
# 24 without a result; GETATTR adds a handle of 20 bytes and its length, and the status and the attributes; TCP adds a record
# mark.
result 0 "nfs://127.0.0.1:$port/export?proto=udp" getattr 10 --sec none --no-warmup
holds '.ops[0].bytes == {"call": 40, "reply": 24}'
holds '.ops[2].bytes == {"call": 64, "reply": 112}'
result 0 "nfs://127.0.0.1:$port/export" getattr 10 --sec none --no-warmup
holds '.ops[0].bytes == {"call": 44, "reply": 28}'
holds '.ops[2].bytes == {"call": 68, "reply": 116}'

# The result names the object of each op.
result 0 "nfs://127.0.0.1:$port/export/file3" getattr,read,lookup 50 -s 64KiB --offset 1000000
check file3
holds '[.ops[2:][].object] == ["/export/file3", "/export/file3", "/export/file3"]'
holds '.ops[3].bytes.reply == 4 + 24 + 4 + 88 + 4 + 4 + 4 + 48576'
result 0 "nfs://127.0.0.1:$port/export/" read 50 --file dir/hello --verify
holds '.ops[2].object == "/export/dir/hello"'
result 0 "nfs://127.0.0.1:$port/export/dir" readdir,getattr 50
holds '.ops[2].object == "/export/dir" and .ops[3].object == "/export/dir/hello"'

# A mounted directory without a symbolic link: the group leaves out readlink with a message; readlink by name is an error.
result 0 "nfs://127.0.0.1:$port/export/dir" read-only 20
holds '[.skipped[].op] == ["readlink"]'
refused 1 'no symbolic link' "nfs://127.0.0.1:$port/export/dir" readlink 20

result 0 "nfs://127.0.0.1:$port/export" null 250
holds '[.ops[].op] == ["null", "null_control"]'
result 0 "nfs://127.0.0.1:$port/export" getattr,read 77 --no-baseline --spin
holds '[.ops[].op] == ["getattr", "read"] and .config.baseline == false and .config.wait == "spin"'
holds '[.ops[] | has("above_null_ns") | not] | all'
holds '.config | has("receive_window") | not'
result 0 "nfs://127.0.0.1:$port/export" read 77 --receive-window 16Ki
holds '.config.receive_window == 16384'
refused 2 '--receive-window is for TCP' "nfs://127.0.0.1:$port/export" read 77 --receive-window 16Ki --proto udp
refused 2 'net.core.rmem_max' "nfs://127.0.0.1:$port/export" read 77 --receive-window 1Gi
for engine in $(engines libnfs); do
    refused 2 'leaves the window to its library.*wire' "nfs://127.0.0.1:$port/export" read 77 --receive-window 16Ki --engine "$engine"
done
for clock in tsc monotonic monotonic-raw; do
    result 0 "nfs://127.0.0.1:$port/export" getattr 250 --clock $clock --seed 7
    check $clock
    holds ".clock.name == \"$clock\" and .seed == 7"
done
result 0 "nfs://127.0.0.1:$port/export" getattr 1
holds '.ops[2].calls == 1'
result 0 "nfs://127.0.0.1:$port/export" getattr 1k --block 7 --no-warmup --launches 1 -q
holds '.ops[2].calls == 1000 and .config.rounds == 143 and .config.warmup_rounds == 0'
[ ! -s "$scratch/out" ] || fail "--quiet printed a table"
[ ! -s "$scratch/err" ] || fail "progress where there is no terminal"

# JSON on standard output is the only output.
run 0 "nfs://127.0.0.1:$port/export" getattr 100 -j -
jq -e '.ops | length == 3' "$scratch/out" >/dev/null || fail "--json - is not only JSON"

run 0 "nfs://127.0.0.1:$port/export" getattr 20 -q -j /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"
refused 1 'No space left' "nfs://127.0.0.1:$port/export" getattr 20 -q -j /dev/full

stop

# self: starts a separate server with the requested costs.
result 0 self: getattr 2k --self-args '--cost getattr=300us'
check self:
holds '.ops[2].latency_ns.min >= 300000 and .ops[0].latency_ns.min < 300000'
run 0 self:/dir getattr 20 -p udp
refused 2 'getattr=5ns is shorter than reading the clock' self: getattr 20 --self-args '--cost getattr=5ns'
finish
