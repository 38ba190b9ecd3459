#!/bin/sh
# The habits of other servers, which a client has to live with: handles of other lengths, missing procedures, omitted attributes, unusual lists of flavours, truncated replies, a restart.
. "$(dirname "$0")/lib.sh"
need python3 jq nfs-ls

start "$nfsbench" serve
server_port=$port
. "$here/proxy.sh"

# all_but OPS WHAT: all ops go well but those, which are left out
all_but() {
    run 0 "$target" all 100 --verify --no-ledger --no-warmup --files 5 -j "$scratch/result.json"
    holds '[.ops[] | .errors == {} and .timed == 100] | all' "$2"
    holds "[.skipped[].op] - [\"portmap-null\"] == $1" "$2"
    left=$(timeout 30 nfs-ls \
        "nfs://127.0.0.1/export?version=3&nfsport=$server_port&mountport=$server_port" |
        awk '{ print $NF }' | sort | tr '\n' ' ')
    [ "$left" = 'dir file file1 file2 file3 file4 file5 link ' ] || fail "left by $2: $left"
}

with long-handles
all_but '[]' 'handles of 64 bytes'
with short-handles no-attributes flavors=390003,390004,1
all_but '[]' 'handles of 8 bytes, no attributes, Kerberos offered first'
with no-mknod no-link io-notempty flavors=0
all_but '["mknod", "link"]' 'a server without MKNOD and LINK'
holds '[.skipped[] | select(.op != "portmap-null").reason] | all(test("RPC_PROCUNAVAIL"))'
refused 1 'MKNOD was answered by RPC_PROCUNAVAIL' "$target" mknod 10 -q
with flavors=
all_but '[]' 'no flavours named'
with bare-mismatch
refused 3 'RPC_PROGVERSMISMATCH' "$target" getattr 10
with cut-read
refused 1 'RPC_CANTDECODERES' "$target" read 10 -q
with long-fsstat
run 0 "$target" mix:sfs2008 1000 --no-ledger --no-warmup -j "$scratch/result.json"
holds '.config.mix.name == "sfs2008" and ([.ops[] | .errors == {}] | all)' 'FSSTAT with bytes too many'
holds '.validity.reasons[] | select(.name == "trailing-bytes") | .text | test("\\(fsstat\\)")' 'FSSTAT with bytes too many'
refused 1 'FSSTAT, and --strict' "$target" mix:sfs2008 100 --strict -q
with root-export
run 0 "nfs://127.0.0.1:$port/" create,mkdir 100 --no-ledger --no-warmup --no-model --keep-scratch
grep -q 'work in 127.0.0.1:/\.nfsbench-' "$scratch/err" || fail 'not one slash before the scratch directory'
run 0 clean "nfs://127.0.0.1:$port/" --yes
grep -q '^/\.nfsbench-.* removed$' "$scratch/out" || fail 'not one slash in what clean says'
with verifier-changes
run 0 "$target" write 200 --no-ledger --no-warmup --no-model --verify -j "$scratch/result.json"
holds '.ops[2].errors.VERIFIER_CHANGED == 1 and .ops[2].timed == 199' 'a server that started again'
finish
