#!/bin/sh
# Mixes and file sets: built-in ones and files, each op's share of the calls, and errors.
. "$(dirname "$0")/lib.sh"
need jq nfs-ls pgrep

start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
for proto in tcp udp; do
    for engine in wire tirpc; do
        result 0 "$target" mix:sfs2008 1000 --block 100 --proto $proto --engine $engine --verify --no-warmup
        holds '.config.mix.name == "sfs2008" and .config.mix.weights.getattr == 26'
        holds '[.ops[] | .errors == {}] | all' "$engine over $proto"
        # 10 rounds of 100 calls: each op has its share of them, and all together are the mix's.
        holds '[.ops[] | select(.op == "getattr", .op == "create") | .calls] == [260, 10]'
        holds '[.ops[3:][].calls] | add == 1000'
        holds '.ops[2] | .op == "mix" and .calls == 1000 and .timed == 1000 and .rate_per_s > 0'
        holds '.ops[3].rate_per_s == null and .ops[3].ledger.client.voluntary_switches != null'
        # The mix's level is the mean of its ops' levels, weighted by their shares, in each round.
        # shellcheck disable=SC2016
        holds '.ops as $ops | [range(10) as $round | ($ops[2].blocks[$round] -
                   ([$ops[3:][] | .blocks[$round] * .calls / 1000] | add) | fabs) < 1] | all'
    done
done
grep -q '^mix sfs2008: lookup 24, read 18' "$scratch/out" || fail "the mix is not in the table"
run 0 "$target" mix:sfs3 400 --no-ledger --no-warmup

# A mix from a file, over a file set.
printf '# reads mostly\n read 9 # in ten\n\nwrite 1\n' >"$scratch/own"
result 0 "$target" "mix:$scratch/own" 500 --block 100 --files 40 --file-size 16KiB --verify --no-ledger
holds '[.ops[2:][] | [.op, .calls]] == [["mix", 500], ["read", 450], ["write", 50]]'
holds '[.ops[] | .errors == {}] | all' "a file set"
result 0 "$target" getattr,setattr,lookup,access,read,write,pathconf,readdir 300 --files 40 --size 1000 \
    --dir-size 20 --verify --no-ledger
holds '[.ops[] | .errors == {} and .timed == 300] | all' "ops on a file set"
clean_now 'a file set'

refused 2 'built in are' "$target" mix:nothing 10
printf 'getattr 1\ngetattr 2\n' >"$scratch/bad"
refused 2 'line 2.*twice' "$target" "mix:$scratch/bad" 10
stop

# A server that lacks an op of the mix: the others have its calls, and the name and the output say so.
start "$nfsbench" serve --error readdirplus=NFS3ERR_NOTSUPP --error access=NFS3ERR_NOTSUPP
result 0 "nfs://127.0.0.1:$port/export" mix:sfs2008 1000 --block 100 --no-ledger --no-warmup
grep -q '^mix sfs2008 less readdirplus, access: lookup 24' "$scratch/out" || fail 'the table does not name what is missing'
grep -q 'mix:sfs2008 continues without readdirplus: NFS3ERR_NOTSUPP' "$scratch/err" || fail 'no warning of what is missing'
holds '.config.mix.name == "sfs2008 less readdirplus, access" and (.config.mix.weights | has("access") | not)'
holds '[.skipped[].op] == ["readdirplus", "access"]'
holds '[.ops[3:][].calls] | add >= 1000 and length == 10'
holds '.ops[] | select(.op == "getattr") | .calls == 300' 'reweighted'
refused 1 'READDIRPLUS was answered by NFS3ERR_NOTSUPP' "nfs://127.0.0.1:$port/export" mix:sfs2008 1000 --strict -q
printf 'access 1\n' >"$scratch/own"
run 1 "nfs://127.0.0.1:$port/export" "mix:$scratch/own" 100
grep -q 'none of the ops of mix:.*access: NFS3ERR_NOTSUPP' "$scratch/err" || fail 'a mix of nothing'
stop

# An op that sometimes fails: this is counted, and every round contains it. With a REMOVE in each of 300 rounds, the
# probability that none fails is 1 in 5 million, and so is that of one failing five times in succession.
start "$nfsbench" serve --error remove=NFS3ERR_JUKEBOX:5%
result 0 "nfs://127.0.0.1:$port/export" mix:sfs2008 30000 --no-ledger --no-warmup
holds '.ops[] | select(.op == "remove") | .errors.NFS3ERR_JUKEBOX > 0 and .timed >= 300'
stop

# Captured workloads. workload NAME MEMBERS: NAME.json, two clients with these members.
workload() {
    cat >"$scratch/$1.json" <<WORKLOAD
{"schema": "nfsbench-result/2", "kind": "workload",
 "ops": [{"op": "getattr", "weight": 90, "calls": 900}, {"op": "lookup", "weight": 10, "calls": 100}],
 "clients": 2, "connections": 2, "rate_per_s": 2, "burstiness": 1, "files": {"count": 4, "mean_bytes": 4096}, $2}
WORKLOAD
}

# Think times end with --max-time, and the run says before how long they would take.
workload slow '"think_us": {"p10": 4e6, "p25": 4e6, "p50": 5e6, "p75": 6e6, "p90": 7e6, "p99": 8e6}, "think_calls": 1'
timeout 30 "$nfsbench" self: "mix:$scratch/slow.json" --max-time 3s >"$scratch/out" 2>"$scratch/err" && status=0 || status=$?
[ $status -eq 1 ] || fail_showing "--max-time does not end think times: status $status" "$scratch/err"
grep -q "at the workload's own pace, 0.3[0-9] calls/s, 1.[01] calls take about 3 s" "$scratch/err" ||
    fail_showing 'no word of the pace' "$scratch/err"
grep -q 'the time was over after 0 of the first 5 calls, because of think times' "$scratch/err" ||
    fail_showing 'no reason' "$scratch/err"
# In a time with several rounds the last one is cut.
workload quick '"think_us": {"p10": 1000, "p25": 1000, "p50": 2000, "p75": 3000, "p90": 4000, "p99": 5000}, "think_calls": 2'
result 0 self: "mix:$scratch/quick.json" --max-time 6s --launches 1
holds '.config.precision.max_time_ns == 6e9 and (.cut_short | not) and .ops[0].rate_per_s > 0 and .ops[0].rate_per_s < 2000' quick
result 0 self: "mix:$scratch/quick.json" 600 --launches 1
grep -q "own pace, [0-9.]* calls/s, 600 calls take about 0.[0-9]* s" "$scratch/err" || fail_showing 'no pace' "$scratch/err"
# What is printed is the rate at which calls were made: two clients who think for 2 ms after each second call.
holds '.ops[0] | .calls == 600 and .rate_per_s < 2000' 'the rate with think times'

# Ctrl-C within a think time: nobody waited for an answer. Nine in ten of the think times are 1 ms, the others seconds; the
# first that is so long may be in the first round, after which there is no result.
workload stuck '"think_us": {"p10": 1e3, "p25": 1e3, "p50": 1e3, "p75": 1e3, "p90": 1e3, "p99": 6e7}, "think_calls": 1'
for seed in 1 2 3 4 5 6 7 8; do
    begin self: "mix:$scratch/stuck.json" 60 --launches 1 --seed $seed --allow-suspect
    within 30 'pgrep -P $client >/dev/null' || fail 'no server'
    sleep 3
    kill -INT $client
    await 'Ctrl-C within a think time'
    [ ! -e "$scratch/result.json" ] || break
done
holds '.cut_short and .cut_short_by == "interrupted" and .config.rounds > 0 and (.stalls // [] | length) == 0' 'Ctrl-C within a think time'

# Blocks with fewer calls than may be in flight have a rate, too.
workload deep '"in_flight": {"mean": 80, "p99": 90}'
result 0 self: "mix:$scratch/deep.json" 600 --launches 1
holds '.ops[0] | .calls == 600 and .rate_per_s > 0 and .load.in_flight > 0' 'a deep workload'
is_crowded || holds '.ops[0].load | .in_flight > 0.5 and .fairness > 0.9' 'a deep workload'
# All calls of a mix are its ops', however the rounds divide them.
result 0 self: mix:getattr=60,lookup=40 1500 --block 187 --launches 1 --no-ledger --no-model --no-warmup
holds '(.ops[] | select(.op == "mix") | .calls) == ([.ops[] | select(.op == "getattr" or .op == "lookup") | .calls] | add)'
result 0 self: mix:getattr=90,lookup=10 600 --clients 2 --depth 80 --block 30 --launches 1 --no-warmup
holds '.ops[] | select(.role == "mix") | .rate_per_s > 0 and .load.in_flight > 0' 'a mix with more calls in flight than in a block'

# What a workload lacks is said when it is run.
workload part '"clock_tick_us": 1e4, "left_out": {"cut": 500, "packets_share": 0.25}'
run 0 self: "mix:$scratch/part.json" 200 --launches 1
grep -q 'a part of what was captured: 1000 of 1500 captured calls (500 cut by the snap length); no calls of the 25 % of the packets' \
    "$scratch/err" || fail_showing 'the part is not said' "$scratch/err"
grep -q "the workload's times are no finer than 10 ms" "$scratch/err" || fail_showing 'the tick is not said' "$scratch/err"
# Where time is short, series before the mix are left out, and its own are found all the same.
result measured self: mix:getattr=60,lookup=40 --max-time 3s --launches 1 \
    --self-args '--delay null=5ms --delay getattr=5ms --delay lookup=5ms --delay read=5ms'
holds '.config.given_up.model and ([.ops[] | select(.role == "mix_op" or .op == "getattr" or .op == "lookup") | .timed > 0] | all)'
# A file of JSON is for the unit that reads workloads, if there is one.
echo '{"schema": "nfsbench-result/2", "kind": "measurement"}' >"$scratch/object"
refused 2 'mix: takes workloads|built without captured workloads' self: "mix:$scratch/object"

finish
