#!/bin/sh
# Behaviour of other servers that a client must accept or report: handles of other lengths, missing procedures, omitted
# attributes, unusual lists of flavors, truncated and too long replies, a restart.
. "$(dirname "$0")/lib.sh"
need python3 jq nfs-ls

start "$nfsbench" serve
server_port=$port
. "$here/proxy.sh"

# all_but OPS WHAT: OPS are left out, and all other ops succeed
all_but() {
    result 0 "$target" all 100 --verify --no-ledger --no-warmup --files 5
    holds '[.ops[] | .errors == {} and .timed == 100] | all' "$2"
    holds "[.skipped[].op] - [\"portmap-null\"] == $1" "$2"
    (port=$server_port failures=0 && clean_now "$2" && [ "$failures" -eq 0 ]) || fail "left by $2"
}

with long-handles
all_but '[]' 'handles of 64 bytes'
with short-handles no-attributes flavors=390003,390004,1
all_but '[]' 'handles of 8 bytes, no attributes, Kerberos offered first'
with no-mknod no-link io-notempty flavors=0
all_but '["mknod", "link"]' 'a server without MKNOD and LINK'
holds '[.skipped[] | select(.op != "portmap-null").reason] | all(test("RPC_PROCUNAVAIL"))'
refused 1 'MKNOD was answered by RPC_PROCUNAVAIL' "$target" mknod 10 -q
# If no op needs a file, no directory is listed.
with no-readdir
run 0 "$target" null,getattr 10 --file dir/hello --no-ledger --no-warmup --no-model --allow-suspect
# Removing: a listing whose cookies lead back is repeated when it has become shorter. A directory is emptied also if RMDIR
# fails with another status than NFS3ERR_NOTEMPTY.
with circling-listing
run 0 "$target" create 10 --dir-size 2000 --no-ledger --no-warmup --no-model --allow-suspect
with io-notempty
run 0 "$target" create 10 --scratch kept --keep-scratch --no-ledger --no-warmup --no-model --allow-suspect
peer mkdir kept/mkdir-00000001 700
peer put kept/mkdir-00000001/filler-3 'ours'
run 0 clean "$target" --scratch kept --yes
(port=$server_port failures=0 && clean_now 'directories that are hard to remove' && [ "$failures" -eq 0 ]) ||
    fail 'a directory was left'
with flavors=
all_but '[]' 'no flavours named'
with bare-mismatch
refused 3 'RPC_PROGVERSMISMATCH' "$target" getattr 10
with cut-read
refused 1 'RPC_CANTDECODERES' "$target" read 10 -q
with long-fsstat
result 0 "$target" mix:sfs2008 1000 --no-ledger --no-warmup
holds '.config.mix.name == "sfs2008" and ([.ops[] | .errors == {}] | all)' 'FSSTAT with bytes too many'
holds '.validity.reasons[] | select(.name == "trailing-bytes") | .text | test("\\(fsstat,")' 'FSSTAT with bytes too many'
refused 1 'FSSTAT, which --strict' "$target" mix:sfs2008 100 --strict -q
with long-mnt
result 0 "$target" getattr 100 --no-ledger --no-warmup --no-model
holds '.validity.reasons[] | select(.name == "trailing-bytes") | .text |
    test("^1 reply .*MNT in calls that are not measured")' 'MNT with bytes too many'
refused 1 'MNT3?, which --strict' "$target" getattr 100 --strict -q
with long-remove
refused 1 'REMOVE, which --strict' "$target" create,getattr 100 --strict -q
all_but '[]' 'REMOVE with bytes too many'

# If objects can no longer be removed, their op is given up during the run, and the others continue.
with rmdir-fails=300
result 0 "$target" mkdir,getattr 1000 --block 100 --no-ledger --no-warmup
grep -q 'mkdir failed, .*RMDIR .*NFS3ERR_IO' "$scratch/err" || fail 'nothing says that mkdir is given up'
holds '.skipped | length == 1 and .[0].op == "mkdir" and
    (.[0].reason | test("failed in the rounds, after 200 calls .*NFS3ERR_IO"))' 'RMDIR that fails'
holds '[.ops[] | .op == "mkdir" | not] | all' 'RMDIR that fails'
holds '.ops[] | select(.op == "getattr") | .timed == 1000 and .above_null_ns.ci95 != null' 'RMDIR that fails'
holds '(.cut_short | not) and .validity.verdict == "suspect"' 'RMDIR that fails'
holds '.validity.reasons[] | select(.name == "op-failed") | .text | test("mkdir")' 'RMDIR that fails'
all_but '[]' 'RMDIR that has failed'
# An op is given up before the rounds, while the number of calls in a block is chosen. An op that fails only in the ledger is
# measured, but has no counts.
with rmdir-fails=10
result 0 "$target" mkdir,getattr 300 --block 100 --no-warmup
[ "$(grep -c 'mkdir failed, .*RMDIR .*NFS3ERR_IO' "$scratch/err")" -eq 1 ] || fail 'mkdir is not given up once, when it is tried'
holds '(.skipped[0].reason | test("before the first one was complete: RMDIR")) and [.ops[].op] == ["null", "null_control", "getattr"]' \
    'RMDIR that fails when it is tried'
holds '.ops[2].timed == 300 and .ops[2].ledger.client.voluntary_switches != null and .ledger.cut_short_by == null' 'RMDIR that fails when it is tried'
with rmdir-fails=340
result 0 "$target" mkdir,getattr 300 --block 100 --no-warmup
grep -q 'counting resources per op was cut short: mkdir: RMDIR .*NFS3ERR_IO' "$scratch/out" || fail 'nothing says that mkdir is not counted'
holds '[.ops[2:][] | [.op, .timed]] == [["mkdir", 300], ["getattr", 300]] and .skipped == []' 'RMDIR that fails when it is counted'
holds '.ops[2].ledger.client.voluntary_switches == null and .ops[3].ledger.client.voluntary_switches != null' 'RMDIR that fails when it is counted'
printf 'getattr 8\nmkdir 1\ncreate 1\n' >"$scratch/own"
for side in '' '--versus self:'; do
    with rmdir-fails=300
    # shellcheck disable=SC2086
    result 0 "$target" "mix:$scratch/own" 4k --block 100 --no-ledger --no-warmup --no-model $side
    grep -q 'mkdir failed, .*RMDIR .*NFS3ERR_IO' "$scratch/err" || fail 'nothing says that the mix gives up mkdir'
    [ -z "$side" ] || jq .first "$scratch/result.json" >"$scratch/first.json"
    [ -z "$side" ] || mv "$scratch/first.json" "$scratch/result.json"
    holds '.config.mix.name | endswith(" less mkdir")' "RMDIR that fails, in a mix $side"
    holds '.config.mix.weights == {getattr: 8, create: 1}' "RMDIR that fails, in a mix $side"
    holds '[.skipped[] | select(.reason | test("failed in the rounds")).op] == ["mkdir"]' "RMDIR that fails, in a mix $side"
    holds '[.ops[2:][] | [.op, .calls, .timed]] == [["mix", 3600, 3600], ["getattr", 3200, 3200], ["create", 400, 400]]' \
        "RMDIR that fails, in a mix $side"
    # shellcheck disable=SC2016
    holds '.ops as $ops | [range(40) as $round | ($ops[2].blocks[$round] -
               ($ops[3].blocks[$round] * 8 + $ops[4].blocks[$round]) / 9 | fabs) < 1] | all' "RMDIR that fails, in a mix $side"
done
with rmdir-fails=300
run 1 "$target" "mix:$scratch/own" 4k --no-ledger --no-warmup --no-model --strict
with rmdir-fails=300
result 1 "$target" mkdir 1000 --block 100 --no-ledger --no-warmup
holds '.cut_short and (.ops[] | select(.op == "mkdir") | .timed == 200)' 'RMDIR that fails, and no other op'
with rmdir-fails=300
result 1 "$target" mkdir,getattr 1000 --block 100 --no-ledger --no-warmup --strict
holds '.cut_short and (.skipped | length == 0)' 'RMDIR that fails, and --strict'
with rmdir-fails=300
result 0 "$target" mkdir,getattr 1000 --block 100 --no-ledger --no-warmup --no-model --versus self:
grep -q '^  mkdir  *left out: A failed in the rounds' "$scratch/out" || fail "B doesn't say that A gave mkdir up"
holds '[.first, .second | [.ops[].op] == ["null", "null_control", "getattr"]] | all' 'RMDIR that fails, of two sides'

with root-export
run 0 "nfs://127.0.0.1:$port/" create,mkdir 100 --no-ledger --no-warmup --no-model --keep-scratch
grep -q 'work in 127.0.0.1:/\.nfsbench-' "$scratch/err" || fail 'not one slash before the scratch directory'
run 0 clean "nfs://127.0.0.1:$port/" --yes
grep -q '^/\.nfsbench-.* removed$' "$scratch/out" || fail 'not one slash in what clean says'
with verifier-changes
result 0 "$target" write 200 --no-ledger --no-warmup --no-model --verify
holds '.ops[2].errors.VERIFIER_CHANGED == 1 and .ops[2].timed == 199' 'a server that started again'
finish
