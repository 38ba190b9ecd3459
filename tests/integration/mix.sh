#!/bin/sh
# Mixes and file sets: built-in mixes and files, each op's share of the calls, and errors.
. "$(dirname "$0")/lib.sh"
need jq nfs-ls

start "$nfsbench" serve
target=nfs://127.0.0.1:$port/export
for proto in tcp udp; do
    for engine in $(engines wire tirpc); do
        result 0 "$target" mix:sfs2008 1000 --block 100 --proto $proto --engine $engine --verify --no-warmup
        holds '.config.mix.name == "sfs2008" and .config.mix.weights.getattr == 26'
        holds '[.ops[] | .errors == {}] | all' "$engine over $proto"
        # 10 rounds of 100 calls: each op has its share, and the sum is the mix's number.
        holds '[.ops[] | select(.op == "getattr", .op == "create") | .calls] == [260, 10]'
        holds '[.ops[3:][].calls] | add == 1000'
        holds '.ops[2] | .op == "mix" and .calls == 1000 and .timed == 1000 and .rate_per_s > 0'
        holds '.ops[3].rate_per_s == null and .ops[3].ledger.client.voluntary_switches != null'
        # In each round, the mix's mean time is the mean of its ops' mean times, weighted by their shares.
        # shellcheck disable=SC2086
        holds '.ops as $ops | [range(10) as $round | ($ops[2].blocks[$round] -
                   ([$ops[3:][] | .blocks[$round] * .calls / 1000] | add) | fabs) < 1] | all'
    done
done
grep -q '^mix sfs2008: lookup 24, read 18' "$scratch/out" || fail "the mix is not in the table"
run 0 "$target" mix:sfs3 400 --no-ledger --no-warmup

# A mix from a file, over a file set
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

# If a server lacks an op of the mix, the other ops have its calls; the mix's name and the output say so.
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

# Failures of an op are counted, and every round contains the op. With a REMOVE in each of 300 rounds, the probability that none
# fails is 1 in 5 million, that of five failures in succession 1 in 11,000.
start "$nfsbench" serve --error remove=NFS3ERR_JUKEBOX:5%
result 0 "nfs://127.0.0.1:$port/export" mix:sfs2008 30000 --no-ledger --no-warmup
holds '.ops[] | select(.op == "remove") | .errors.NFS3ERR_JUKEBOX > 0 and .timed >= 300'
stop

# The numbers of calls of the ops add up to the mix's number, even if the rounds do not divide it evenly.
result 0 self: mix:getattr=60,lookup=40 1500 --block 187 --launches 1 --no-ledger --no-model --no-warmup
holds '(.ops[] | select(.op == "mix") | .calls) == ([.ops[] | select(.op == "getattr" or .op == "lookup") | .calls] | add)'
result 0 self: mix:getattr=90,lookup=10 600 --clients 2 --depth 80 --block 30 --launches 1 --no-warmup
holds '.ops[] | select(.role == "mix") | .rate_per_s > 0 and .load.in_flight > 0' 'a mix with more calls in flight than in a block'

# If time is short, the series before the mix are left out, but the mix and its ops are measured.
result measured self: mix:getattr=60,lookup=40 --max-time 3s --launches 1 \
    --self-args '--delay null=5ms --delay getattr=5ms --delay lookup=5ms --delay read=5ms'
holds '.config.given_up.model and ([.ops[] | select(.role == "mix_op" or .op == "getattr" or .op == "lookup") | .timed > 0] | all)'
# A file that begins like JSON is read as a workload, or refused if the build has no unit for workloads.
echo '{"schema": "nfsbench-result/2", "kind": "measurement"}' >"$scratch/object"
refused 2 'mix: takes workloads|which this nfsbench was built without' self: "mix:$scratch/object"

finish
